import type { AccountProviders } from './accounts/ports.ts';
import type { Config } from './platform/config.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/db/client.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Routes as ApiRoutes } from './platform/http/api.ts';
import type { ApiContext } from './platform/http/request-context.ts';
import type { Signer } from './platform/http/signer.ts';
import type { Vault } from './platform/vault.ts';
import type { SearchIndex } from './search/engine/query.ts';

/** What a verb may touch. Everything that can change between two tests comes through here. */
export type Ctx = ApiContext & {
  config: Config;
  clock: Clock;
  db: Db;
  files: FileStore;
  jobs: Jobs;
  signer: Signer;
  /** Seals what may not stand in the database as it is: phones. */
  vault: Vault;
  /** The read model of search; where there is none, the database is asked. */
  searchIndex: SearchIndex;
  /** Other companies the accounts ask: the real ones, or src/outside/ playing them. */
  providers: AccountProviders;
};

/** What a slice registers its endpoints with. */
export type Routes = ApiRoutes<Ctx>;

/** Opens the app for one command of the command line and closes it afterwards. */
export type Open = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in one database transaction. Use only the ctx handed to `work` inside it, so that rows and jobs commit or
 * vanish together; no network, file or sleep inside.
 */
export function transact<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx, jobs: ctx.jobs.within(tx) }));
}
