import { join } from 'node:path';
import { openProviders } from './accounts/server/adapters/open-providers.ts';
import type { Ctx } from './context.ts';
import { NO_REQUEST } from './platform/http/request-context.ts';
import { systemClock } from './platform/clock.ts';
import { sealPhones } from './accounts/server/phones/phones.ts';
import { ConfigError, type Config } from './platform/config.ts';
import { openDatabase, type Database } from './platform/db/client.ts';
import { openEmbeddedPostgres } from './platform/db/embedded.ts';
import { migrate } from './platform/db/migrate.ts';
import { closeDataFolder } from './platform/files/data-folder.ts';
import { createLocalStore } from './platform/files/local-store.ts';
import { loadSecretKey } from './platform/files/secret-key.ts';
import { createLimiter, unlimited } from './platform/http/limiter.ts';
import { createSigner } from './platform/http/signer.ts';
import { createVault, WrongKey } from './platform/vault.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import type { ProviderSettings } from './platform/provider-settings.ts';
import type { Log } from './platform/log.ts';
import { NO_INDEX } from './search/engine/query.ts';
import { openSearchEngine } from './search/server/indexing/open-search-engine.ts';
import { seedTaxonomy } from './library/server/labels.ts';

export type App = { ctx: Ctx; database: Database; close(): Promise<void> };

/** Messages about the start of the database go to the terminal, not to the log. */
const tell = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Opens everything a verb may touch, for the site (`site`) or the command line (`tool`): database (embedded unless
 * configured), schema, files, keys, other companies. `close` undoes it in reverse order.
 */
export async function openApp(
  config: Config,
  log: Log,
  role: 'site' | 'tool',
  providers: Promise<ProviderSettings> = Promise.resolve(config.providers),
): Promise<App> {
  // A folder that cannot be made or closed is reported by the part that needs it, in its own words.
  await closeDataFolder(config.dataDir).catch(() => undefined);
  const embedded = config.databaseUrl
    ? null
    : await openEmbeddedPostgres({ dataDir: config.dataDir, role, log: { info: tell, warn: tell } });
  try {
    const url = config.databaseUrl ?? embedded?.url ?? '';
    // First: nothing that would have to be closed again is open yet.
    const settings = await providers;
    const secret = await loadSecretKey(config.dataDir, config.secretKey);
    await migrate(url);
    const database = openDatabase(url, { max: config.databasePool, log, applicationName: `ceku-${role}` });
    // A command is done before an index is ready.
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
    const ctx: Ctx = {
      config,
      clock: systemClock,
      log,
      db: database.db,
      files: createLocalStore(join(config.dataDir, 'files')),
      jobs: createJobs(database.db),
      limiter: config.isRateLimited ? createLimiter(database.pool) : unlimited,
      signer: createSigner(secret),
      vault: createVault(secret),
      searchIndex: engine ?? NO_INDEX,
      providers: openProviders(settings, { db: database.db, clock: systemClock, log }),
      session: null,
      request: NO_REQUEST,
    };
    await sealPhones(ctx).catch((error: unknown) => {
      if (!(error instanceof WrongKey)) throw error;
      throw new ConfigError([`SECRET_KEY (or DATA_DIR/keys/secret.key): ${error.message}`]);
    });
    await seedTaxonomy(ctx);
    return {
      ctx,
      database,
      async close() {
        await engine?.close();
        await database.close();
        await embedded?.close();
      },
    };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}
