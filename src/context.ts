import type { AccountProviders } from './accounts/ports.ts';
import type { Config } from './platform/config.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/db/client.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Limiter } from './platform/http/limiter.ts';
import type { Log } from './platform/log.ts';
import type { Signer } from './platform/http/signer.ts';
import type { Vault } from './platform/vault.ts';
import type { SearchIndex } from './search/engine/query.ts';

/** Who is asking. `tier` is derived from the two clocks at the moment of the request (C-32, C-33): never stored. */
export type Session = {
  id: number;
  userId: number;
  sid: string;
  /** As the caller sent it in a header; missing where the cookies of a page spoke instead. */
  token?: string;
};

/** The request being answered, as far as a verb may know it. */
export type RequestContext = {
  id: string;
  ip: string;
  userAgent: string;
  /** The visitor's side of the connection is https: cookies are then marked Secure. */
  isSecure: boolean;
  /** Made on this machine itself, through no proxy (platform/http/is-from-this-machine.ts). */
  isFromThisMachine: boolean;
  /** The value of a cookie the browser sent, or "". Never a credential of a POST (C-02). */
  cookie(name: string): string;
  /** Sent with the answer when it is not a refusal: cookies of a login, for one. */
  replyHeaders: Headers;
};

/** What a verb may touch. Everything that can change between two tests comes through here. */
export type Ctx = {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  files: FileStore;
  jobs: Jobs;
  limiter: Limiter;
  signer: Signer;
  /** Seals what may not stand in the database as it is: phones. */
  vault: Vault;
  /** The read model of search; where there is none, the database is asked. */
  searchIndex: SearchIndex;
  /** Other companies the accounts ask: the real ones, or src/outside/ playing them. */
  providers: AccountProviders;
  /** Null for visitors, jobs and the command line. */
  session: Session | null;
  request: RequestContext;
};

/** Outside any request: jobs, the command line. */
export const NO_REQUEST: RequestContext = {
  id: '-',
  ip: '',
  userAgent: '',
  isSecure: false,
  isFromThisMachine: false,
  cookie: () => '',
  // Nobody reads them, so each reader gets its own to write to.
  get replyHeaders() {
    return new Headers();
  },
};

/**
 * Runs `work` in one database transaction. Use only the ctx handed to `work` inside it, so that rows and jobs commit or
 * vanish together; no network, file or sleep inside.
 */
export function transact<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx, jobs: ctx.jobs.within(tx) }));
}
