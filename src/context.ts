import type { AccountProviders } from './accounts/ports.ts';
import type { Caches } from './caches.ts';
import type { Config } from './config.ts';
import type { PageDrawer } from './ingest/server/pages/page-drawer.ts';
import type { Gateways } from './payment/ports.ts';
import type { OrderEvents } from './payment/server/order-events.ts';
import type { Clock } from './platform/clock.ts';
import type { Db, ReadDb } from './platform/db/client.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { ResumableUploads } from './platform/files/resumable-uploads.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Routes as ApiRoutes } from './platform/http/api/api.ts';
import type { ApiContext } from './platform/http/api/request-context.ts';
import type { Signer } from './platform/signer.ts';
import type { Vault } from './platform/vault.ts';
import type { SearchIndex } from './search/engine/match/query.ts';

/** The parts of the app that a verb may touch inside a transaction, and therefore everywhere. */
export type TransactionCtx = ApiContext & {
  config: Config;
  clock: Clock;
  /** The pool; inside a transaction, the transaction. */
  db: Db;
  files: FileStore;
  jobs: Jobs;
  signer: Signer;
  /** Seals what may not stand in the database as it is: phones, and how senders of legal forms are reached. */
  vault: Vault;
  /** The read model of search; where there is none, the database is asked. */
  searchIndex: SearchIndex;
  /** Other companies the accounts ask: the real ones, or src/outside/ playing them. */
  providers: AccountProviders;
};

/** The parts of the app that a verb may touch. Everything that can change between two tests comes through here. */
export type Ctx = TransactionCtx & {
  /** Connections for public reads (readWithin). They do not see what an open transaction has written. */
  readDb: ReadDb;
  /** Files that members are uploading; they lie on the disk of this machine until they were checked. */
  uploads: ResumableUploads;
  /** Draws pages that readers ask for; drawing may take seconds. */
  pageDrawer: PageDrawer;
  /** The payment providers: only outside a transaction, because their answers take seconds. */
  gateways: Gateways;
  /** Notifies the open event streams of this process when an order of their user changes. */
  orderEvents: OrderEvents;
  /** For a thread that opens a connection of its own. */
  databaseUrl: string;
  /** Caches in the memory of this process. A row that is rolled back must not get there. */
  caches: Caches;
};

/** A slice registers its endpoints with these functions. */
export type Routes = ApiRoutes<Ctx>;

/**
 * Opens the app for one command of the command line and closes it afterwards. `workers`: the number of jobs that the command
 * runs at a time. A command is about what a database holds, and is refused where there is none, unless it has `createsDatabase`.
 */
export type Open = <T>(work: (ctx: Ctx) => Promise<T>, options?: OpenOptions) => Promise<T>;
export type OpenOptions = { workers?: number; createsDatabase?: boolean };

/**
 * Runs `work` in one database transaction. Use only the ctx handed to `work` inside it, so that rows and jobs commit or
 * vanish together; no network, file or sleep inside. That ctx lacks the read connections and the caches, which know
 * nothing of the transaction: a verb that needs them takes `Ctx` and does not compile inside.
 */
export function transact<T>(ctx: TransactionCtx, work: (ctx: TransactionCtx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((tx) => work(within(ctx, tx)));
}

/** The fields that are missing in TransactionCtx are missing at run time as well, where a cast could reach them. */
function within(ctx: TransactionCtx & Partial<Ctx>, tx: Db): TransactionCtx {
  const {
    readDb: _readDb,
    databaseUrl: _databaseUrl,
    caches: _caches,
    pageDrawer: _pageDrawer,
    uploads: _uploads,
    gateways: _gateways,
    orderEvents: _orderEvents,
    ...rest
  } = ctx;
  return { ...rest, db: tx, jobs: ctx.jobs.within(tx) };
}
