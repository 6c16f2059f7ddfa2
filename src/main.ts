import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { loadDemoPack } from '../demo/load-pack.ts';
import { DEMO_PASSWORD, DEMO_USERS, hasDemoUsers, seedDemoUsers } from '../demo/users.ts';
import { openApp } from './open-app.ts';
import { ingestJobs } from './ingest/server/jobs.ts';
import { resumeIngest } from './ingest/server/retry-files.ts';
import { ConfigError, readConfig } from './platform/config.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-errors.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { listen, ListenError } from './platform/http/listen.ts';
import { startWorkers } from './platform/jobs/jobs.ts';
import { createLog } from './platform/log.ts';
import { announce, say } from './platform/announce.ts';
import { isLibraryEmpty } from './library/server/is-library-empty.ts';
import { loadPages } from './pages.ts';
import { searchJobs } from './search/server/jobs.ts';
import { createHealth } from './site/server/health.ts';
import { createSiteHandler } from './site-server.ts';

const EXIT_CONFIG = 78;
const EXIT_UNAVAILABLE = 69;
const EXIT_CRASH = 70;
const DRAIN_MS = 10_000;

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  await main();
} catch (error) {
  const isOurs =
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof ListenError ||
    error instanceof MigrationError;
  console.error(
    isOurs || !(error instanceof Error) ? String(error instanceof Error ? error.message : error) : error.stack,
  );
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : isOurs ? EXIT_UNAVAILABLE : EXIT_CRASH);
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const app = await openApp(config, log, 'site');
  const isFirstStart = await isLibraryEmpty(app.ctx);
  if (isFirstStart) await seedDemo(app.ctx);

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
  const health = createHealth(app.ctx);
  const pages = await loadPages(root, config.isDevelopment);
  const handler = createSiteHandler({ ctx: app.ctx, health, clientDir: pages.clientDir, render: pages.render });
  const server = await listen({ config, handler, middleware: pages.middleware });
  announce(config, server.port);
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
    await pages.close();
    await app.close();
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught exception');
    void stop(EXIT_CRASH);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ error }, 'unhandled rejection');
    void stop(EXIT_CRASH);
  });
}

async function seedDemo(ctx: Awaited<ReturnType<typeof openApp>>['ctx']): Promise<void> {
  say('The library is empty: loading the demo library');
  const loaded = await loadDemoPack(ctx, () => {});
  await seedDemoUsers(ctx);
  say(`Demo library: ${loaded.documents} documents in ${join(ctx.config.dataDir, 'files')}`);
}
