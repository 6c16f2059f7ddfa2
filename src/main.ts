import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { loadDemoPack } from '../demo/load-pack.ts';
import { DEMO_PASSWORD, DEMO_USERS, hasDemoUsers, seedDemoUsers } from '../demo/users.ts';
import { openApp } from './open-app.ts';
import { ingestJobs } from './ingest/server/jobs.ts';
import { resumeIngest } from './ingest/server/retry-files.ts';
import { EXIT } from './platform/command-line.ts';
import { ConfigError, readConfig } from './platform/config.ts';
import { isDatabaseAway } from './platform/db/client.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-errors.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { listen, ListenError } from './platform/http/listen.ts';
import { startWorkers } from './platform/jobs/jobs.ts';
import { createLog, type Log } from './platform/log.ts';
import { announce, say } from './platform/announce.ts';
import { isLibraryEmpty } from './library/server/is-library-empty.ts';
import { loadPages } from './pages.ts';
import { cutWords } from './search/server/cut-words.ts';
import { flushSearches } from './search/server/search-log.ts';
import { vocabularyOf } from './search/server/vocabulary.ts';
import { resumeSearch, searchJobs } from './search/server/jobs.ts';
import { followSynonymsFile } from './search/server/synonyms-file.ts';
import { createHealth } from './site/server/health.ts';
import { createSiteHandler } from './site-server.ts';

const DRAIN_MS = 10_000;

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  await main();
} catch (error) {
  const exitCode = exitCodeOf(error);
  // What we foresaw is said in plain words; anything else with where it came from.
  const isForeseen = exitCode !== EXIT.software;
  console.error(error instanceof Error ? (isForeseen ? error.message : error.stack) : String(error));
  process.exit(exitCode);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof MigrationError) return EXIT.config;
  if (error instanceof EmbeddedPostgresError) return error.exitCode;
  return error instanceof ListenError || isDatabaseAway(error) ? EXIT.unavailable : EXIT.software;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const synonyms = config.synonymsFile ? followSynonyms(config.synonymsFile, log) : null;
  const app = await openApp(config, log, 'site');
  if (config.isDemo && (await isLibraryEmpty(app.ctx))) await seedDemo(app.ctx);

  const workers =
    config.workers > 0
      ? await startWorkers({
          url: app.database.url,
          pool: app.database.pool,
          jobs: [...searchJobs, ...ingestJobs],
          ctx: app.ctx,
          concurrency: config.workers,
          log,
        })
      : null;
  if (workers) await resumeIngest(app.ctx);
  if (workers) await resumeSearch(app.ctx);
  const health = createHealth(app.ctx);
  const pages = await loadPages(root, config.isDevelopment);
  const handler = createSiteHandler({ ctx: app.ctx, health, clientDir: pages.clientDir, render: pages.render });
  const server = await listen({ config, handler, middleware: pages.middleware });
  announce(config, server.port);
  // The first word cut loads jieba's dictionary (200 ms): better now than in a visitor's search.
  setImmediate(() => {
    cutWords('策划');
    vocabularyOf(app.ctx);
  });
  if (await hasDemoUsers(app.ctx))
    for (const user of DEMO_USERS) say(`  demo login  ${user.username.padEnd(5)} / ${DEMO_PASSWORD}  ${user.note}`);

  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    health.isDraining = true;
    // Nothing below may hold the process longer than the promise of ten seconds and a little.
    setTimeout(() => process.exit(exitCode), DRAIN_MS + 5_000).unref();
    await server.close(DRAIN_MS);
    await workers?.stop();
    synonyms?.stop();
    await flushSearches(app.ctx).catch(() => {});
    await pages.close();
    await app.close();
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught exception');
    void stop(EXIT.software);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ error }, 'unhandled rejection');
    void stop(EXIT.software);
  });
}

/** A file that cannot be used stops the start like any other key of the configuration. */
function followSynonyms(path: string, log: Log) {
  try {
    return followSynonymsFile(path, log);
  } catch (error) {
    throw new ConfigError([`SYNONYMS_FILE: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

async function seedDemo(ctx: Awaited<ReturnType<typeof openApp>>['ctx']): Promise<void> {
  say('The library is empty: loading the demo library');
  const loaded = await loadDemoPack(ctx, () => {});
  await seedDemoUsers(ctx);
  say(`Demo library: ${loaded.documents} documents in ${join(ctx.config.dataDir, 'files')}`);
}
