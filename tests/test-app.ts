import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { DestinationStream } from 'pino';
import type { z } from 'zod';
import { buildApi } from '../src/app.ts';
import { createPageDrawer } from '../src/ingest/server/pages/page-drawer.ts';
import type { AccountProviders } from '../src/accounts/ports.ts';
import type { Gateways } from '../src/payment/ports.ts';
import { createOrderEvents } from '../src/payment/server/order-events.ts';
import { createCaches } from '../src/caches.ts';
import type { Ctx } from '../src/context.ts';
import { NO_REQUEST } from '../src/platform/http/api/request-context.ts';
import { readConfig } from '../src/config.ts';
import { openUploads } from '../src/groups/server/uploads/open-uploads.ts';
import { openDatabase } from '../src/platform/db/client.ts';
import { closeDataFolder } from '../src/platform/files/data-folder.ts';
import { createLocalStore, markLocalStore } from '../src/platform/files/local-store.ts';
import { createLimiter } from '../src/platform/http/limits/limiter.ts';
import { createSigner } from '../src/platform/signer.ts';
import { createVault } from '../src/platform/vault.ts';
import { createJobs } from '../src/platform/jobs/jobs.ts';
import { createLog } from '../src/platform/log.ts';
import { NO_INDEX } from '../src/search/engine/match/query.ts';
import { openSearchEngine } from '../src/search/server/indexing/open-search-engine.ts';
import { createCall, type Reply } from '../src/protocol/call.ts';
import type { Endpoint, Input } from '../src/protocol/endpoint.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export type TestApp = {
  ctx: Ctx;
  dataDir: string;
  /** A temporary folder for the files that a test makes, outside the data folder; removed by `close`. */
  folder: string;
  databaseUrl: string;
  /** Set to move the app's clock: milliseconds added to the real one. */
  clock: { offsetMs: number };
  /** A raw request to the API, as from `ip`. */
  fetch(path: string, init?: RequestInit, ip?: string): Promise<Response>;
  /** A typed call, with the token of a login when given. */
  call<E extends Endpoint<z.ZodType, z.ZodType>>(endpoint: E, input: Input<E>, token?: string): Promise<Reply<E>>;
  /** Resolves when search knows every change made so far; at once where the database answers. */
  refreshSearch(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The real API over a fresh database and an empty file store. Rate limits are off unless `isRateLimited`; search is
 * answered by the database unless `hasEngine`. Outside vitest's run it needs an empty `database` in the present schema.
 */
export async function openTestApp(
  options: {
    isRateLimited?: boolean;
    hasEngine?: boolean;
    database?: TestDatabase;
    /** None unless given: no carrier, no WeChat. */
    providers?: AccountProviders;
    /** None unless given: nothing can be paid. */
    gateways?: Gateways;
    /** Receives the log of the app, down to `trace`. */
    logTo?: DestinationStream;
  } = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ceku-app-'));
  await closeDataFolder(dataDir);
  const folder = await mkdtemp(join(tmpdir(), 'ceku-test-'));
  const database = options.database ?? (await createTestDatabase());
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal', NODE_ENV: 'test' });
  const log = options.logTo ? createLog('trace', options.logTo) : createLog(config.logLevel);
  const { db, readDb, pool, close } = openDatabase(database.url, { max: 10, log });
  const clock = { offsetMs: 0 };
  const engine = options.hasEngine
    ? openSearchEngine({ db, url: database.url, path: join(dataDir, 'search', 'index'), threads: 1, log })
    : null;
  await engine?.whenReady();
  const secret = randomBytes(32);
  const pageDrawer = createPageDrawer();
  const orderEvents = createOrderEvents(database.url, log);
  const filesFolder = join(dataDir, 'files');
  await markLocalStore(filesFolder, () => Promise.resolve(false));
  const ctx: Ctx = {
    config,
    clock: { now: () => Date.now() + clock.offsetMs },
    log,
    db,
    readDb,
    databaseUrl: database.url,
    caches: createCaches(),
    files: createLocalStore(filesFolder),
    uploads: openUploads(dataDir),
    jobs: createJobs(db),
    limiter: options.isRateLimited ? createLimiter(pool) : { take: () => Promise.resolve() },
    signer: createSigner(secret),
    vault: createVault(secret),
    searchIndex: engine ?? NO_INDEX,
    pageDrawer,
    providers: options.providers ?? { sms: null, officialAccount: null, miniProgram: null },
    gateways: options.gateways ?? { wechat: null, alipay: null },
    orderEvents,
    session: null,
    request: NO_REQUEST,
  };
  const { api } = buildApi(ctx);
  const send = async (request: Request, ip = '127.0.0.1') =>
    api.fetch(request, { ip, requestId: '', isHttps: request.url.startsWith('https:') });
  return {
    ctx,
    dataDir,
    folder,
    databaseUrl: database.url,
    clock,
    fetch: (path, init, ip) => send(new Request(new URL(path, 'http://ceku.test'), init), ip),
    call: (endpoint, input, token) =>
      createCall({ origin: 'http://ceku.test', fetch: (request) => send(request), headers: () => headersOf(token) })(
        endpoint,
        input,
      ),
    refreshSearch: async () => engine?.refresh(),
    async close() {
      pageDrawer.close();
      await orderEvents.close();
      await engine?.close();
      await close();
      await database.drop();
      for (const made of [dataDir, folder]) await rm(made, { recursive: true, force: true });
    },
  };
}

function headersOf(token: string | undefined): Record<string, string> {
  return token ? { token } : {};
}
