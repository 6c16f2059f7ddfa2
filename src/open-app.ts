import { join } from 'node:path';
import { openProviders } from './accounts/server/adapters/open-providers.ts';
import { createCaches } from './caches.ts';
import type { Ctx } from './context.ts';
import { createPageDrawer } from './ingest/server/pages/page-drawer.ts';
import { NO_REQUEST } from './platform/http/api/request-context.ts';
import { systemClock } from './platform/clock.ts';
import { provesSecret, sealPhones } from './accounts/server/phones/phones.ts';
import { type Config } from './config.ts';
import { ConfigError } from './platform/environment.ts';
import { awayReason, openDatabase, type Database } from './platform/db/client.ts';
import { openEmbeddedPostgres } from './platform/db/embedded.ts';
import { migrate } from './platform/db/migrate.ts';
import { retryWhileDatabaseAway } from './platform/db/retry-database.ts';
import { openUploads } from './groups/server/uploads/open-uploads.ts';
import { closeDataFolder } from './platform/files/data-folder.ts';
import { createLocalStore, markLocalStore } from './platform/files/local-store.ts';
import { loadSecretKey } from './platform/files/secret-key.ts';
import { refuseOtherSecret } from './legal/server/receipts.ts';
import { createLimiter, unlimited } from './platform/http/limits/limiter.ts';
import { createSigner } from './platform/signer.ts';
import { createVault, WrongKey } from './platform/vault.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import type { ProviderSettings } from './accounts/server/adapters/provider-settings.ts';
import { openGateways, type GatewaySettings } from './payment/server/adapters/gateways.ts';
import { createOrderEvents } from './payment/server/order-events.ts';
import type { Log } from './platform/log.ts';
import { NO_INDEX } from './search/engine/match/query.ts';
import { openSearchEngine } from './search/server/indexing/open-search-engine.ts';
import { seedTaxonomy } from './library/server/labels.ts';
import { hasOriginals } from './library/server/originals.ts';

/** Credentials of other companies: the operator's, or those that the pretend outside world opened. */
export type OutsideAccounts = { providers: ProviderSettings; gateways: GatewaySettings };

export type App = { ctx: Ctx; database: Database; close(): Promise<void> };

/** Messages about the start of the database go to the terminal, not to the log. */
const tell = (line: string) => void process.stderr.write(`${line}\n`);

/** Returns a listener for failed connections that names the awaited server in the terminal, at most every six seconds. */
function tellOfWaiting(url: string): (error: unknown) => void {
  let toldAt = -Infinity;
  return (error) => {
    if (performance.now() - toldAt < 6_000) return;
    toldAt = performance.now();
    // Without the user's name and password.
    const server = URL.parse(url)?.host || 'DATABASE_URL';
    tell(`Waiting for the database at ${server}: ${awayReason(error)}`);
  };
}

/** Returns a listener for migrations that found a table locked, which says so in the terminal at the first try and every fourth. */
function tellOfBlocked(): (migration: string) => void {
  let tries = 0;
  return (migration) => {
    if (tries++ % 4 === 0) tell(`Migration ${migration} waits for a table that another session uses, such as pg_dump`);
  };
}

/** Any other reason why the folder cannot be made or closed is reported by the part that needs the folder, in its own words. */
function refuseFile(error: NodeJS.ErrnoException): void {
  const { code, path } = error;
  if (code === 'EEXIST') throw new ConfigError([`DATA_DIR: ${path} is a file, where a folder must be`]);
  if (code === 'ENOTDIR') throw new ConfigError([`DATA_DIR: ${path} lies below a file, where no folder can be`]);
}

/**
 * Opens everything a verb may touch, for the site (`site`) or the command line (`tool`): database (embedded unless
 * configured), schema, files, keys, other companies. `close` undoes it in reverse order. A site waits a minute for a database
 * of DATABASE_URL that does not answer, unless `signal` ends the start; a command does not wait.
 */
export async function openApp(
  config: Config,
  log: Log,
  role: 'site' | 'tool',
  accounts: Promise<OutsideAccounts> = Promise.resolve(config),
  signal?: AbortSignal,
): Promise<App> {
  await closeDataFolder(config.dataDir).catch(refuseFile);
  const closers = new AsyncDisposableStack();
  const embedded = config.databaseUrl
    ? null
    : await openEmbeddedPostgres({ dataDir: config.dataDir, role, log: { info: tell, warn: tell } });
  closers.defer(() => embedded?.close());
  try {
    const url = config.databaseUrl ?? embedded?.url ?? '';
    // First: nothing that would have to be closed again is open yet.
    const { providers, gateways } = await accounts;
    const secret = await loadSecretKey(config.dataDir, config.secretKey);
    const bringUpToDate = () => migrate(url, { onBlocked: tellOfBlocked(), signal });
    if (embedded || role === 'tool') await bringUpToDate();
    else await retryWhileDatabaseAway(bringUpToDate, { onAway: tellOfWaiting(url), signal });
    const database = openDatabase(url, { max: config.databasePool, log, applicationName: `ceku-${role}` });
    closers.defer(() => database.close());
    // A command ends before the engine has loaded its index, so commands search in the database.
    const engine =
      role === 'site' && config.searchThreads > 0
        ? openSearchEngine({
            db: database.db,
            url,
            path: join(config.dataDir, 'search', 'index'),
            threads: config.searchThreads,
            log,
          })
        : null;
    closers.defer(() => engine?.close());
    const filesFolder = join(config.dataDir, 'files');
    // A folder that cannot be made a store is reported by readiness.
    await markLocalStore(filesFolder, () => hasOriginals(database)).catch(() => undefined);
    const pageDrawer = createPageDrawer();
    closers.defer(() => pageDrawer.close());
    const orderEvents = createOrderEvents(url, log);
    closers.defer(() => orderEvents.close());
    const ctx: Ctx = {
      config,
      clock: systemClock,
      log,
      db: database.db,
      readDb: database.readDb,
      databaseUrl: url,
      caches: createCaches(),
      files: createLocalStore(filesFolder),
      uploads: openUploads(config.dataDir),
      jobs: createJobs(database.db),
      limiter: config.isRateLimited ? createLimiter(database.pool) : unlimited,
      signer: createSigner(secret),
      vault: createVault(secret),
      searchIndex: engine ?? NO_INDEX,
      pageDrawer,
      providers: openProviders(providers, { db: database.db, clock: systemClock, log }),
      gateways: openGateways(gateways, { clock: systemClock, log }),
      orderEvents,
      session: null,
      request: NO_REQUEST,
    };
    try {
      // Before anything is sealed with it.
      if (!(await provesSecret(ctx))) await refuseOtherSecret(ctx);
      await sealPhones(ctx);
    } catch (error) {
      if (!(error instanceof WrongKey)) throw error;
      throw new ConfigError([`SECRET_KEY (or DATA_DIR/keys/secret.key): ${error.message}`]);
    }
    await seedTaxonomy(ctx);
    return { ctx, database, close: () => closers.disposeAsync() };
  } catch (error) {
    await closers.disposeAsync();
    throw error;
  }
}
