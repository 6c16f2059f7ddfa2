import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { seedDemoCollections } from '../demo/collections.ts';
import { seedDemoGroups } from '../demo/groups.ts';
import { loadDemoPack } from '../demo/load-pack.ts';
import { DEMO_USERS, describeDemoLogins, isDemoUnfinished, renewDemoPasswords, seedDemoUsers } from '../demo/users.ts';
import { openApp, type App } from './open-app.ts';
import { EXIT } from './platform/command-line.ts';
import { readConfig, warningsOfPayment, type Config } from './config.ts';
import { ConfigError } from './platform/environment.ts';
import { awayReason, isDatabaseAway } from './platform/db/client.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-errors.ts';
import { MigrationBlockedError, MigrationError } from './platform/db/migrate.ts';
import { listenTo } from './platform/db/listen.ts';
import { createAnswerCache, type AnswerCache } from './platform/http/answers/answer-cache.ts';
import { KeyNotWritable } from './platform/files/secret-key.ts';
import { addressAt, ANY_ADDRESS, ListenError } from './platform/http/bind.ts';
import { listen } from './platform/http/listen.ts';
import { startWorkers } from './platform/jobs/jobs.ts';
import { createLog, type Log } from './platform/log.ts';
import { startOutside } from './accounts/server/adapters/outside-process.ts';
import { clientOf } from './accounts/server/recent-sessions.ts';
import { isLibraryEmpty } from './library/server/catalogue.ts';
import { loadPages } from './pages.ts';
import { cutWords } from './search/server/words/cut-words.ts';
import { flushSearches } from './search/server/log/search-log.ts';
import { vocabularyOf } from './search/server/words/vocabulary.ts';
import { watchSynonymsFile } from './search/server/words/synonyms-file.ts';
import { accountsOfOutside, keepOutsideAccounts } from './outside-accounts.ts';
import { CHANNEL_NAME } from './payment/rules.ts';
import { createHealth, type Health } from './site/server/health.ts';
import { createSiteHandler } from './site-server.ts';
import { SLICES } from './slices.ts';

const DRAIN_MS = 10_000;
/** After an error that nothing caught the process may do wrong: only requests that are nearly done are finished. */
const DRAIN_AFTER_FAULT_MS = 2_000;
/** Time for the jobs to be released and the database to be stopped, after the last requests. scripts/run-child.mjs waits a little longer. */
const CLOSE_MS = 15_000;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Closes what main() opened, last opened first. */
const closers = new AsyncDisposableStack();
let isStopping = false;
/** Aborts the wait for the database when the process is stopped. */
const stopping = new AbortController();
let drainMs = DRAIN_MS;

// Nobody reads what the site prints any more (`npm start | head`): it goes on.
process.stdout.on('error', () => undefined);

/** Null until the configuration is read: before, stderr has the error. */
let siteLog: Log | null = null;
const onFault = (name: string) => (error: unknown) => {
  if (siteLog) siteLog.fatal({ error }, name);
  else console.error(error instanceof Error ? error.stack : String(error));
  drainMs = DRAIN_AFTER_FAULT_MS;
  void stop(EXIT.software);
};
process.on('uncaughtException', onFault('uncaught exception'));
process.on('unhandledRejection', onFault('unhandled rejection'));

try {
  await main();
} catch (error) {
  // A failure during a stop is caused by the stop and not reported; the stop ends the process.
  if (isStopping) await new Promise(() => undefined);
  const exitCode = exitCodeOf(error);
  // An expected error is printed in plain words, any other error with its stack.
  const isForeseen = exitCode !== EXIT.software;
  console.error(error instanceof Error ? (isForeseen ? wordsOf(error) : error.stack) : String(error));
  await stop(exitCode);
}

/** Writes one line on stdout for the person who started the site; the log goes to stderr. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Closes everything that is open, also in the middle of a start or after its failure, so that the database never outlives the site. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  stopping.abort();
  setTimeout(() => process.exit(exitCode), drainMs + CLOSE_MS).unref();
  await closers.disposeAsync().catch((error: unknown) => console.error(String(error)));
  process.exit(exitCode);
}

function wordsOf(error: Error): string {
  return isDatabaseAway(error) ? `The database does not answer: ${awayReason(error)}` : error.message;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof MigrationError) return EXIT.config;
  if (error instanceof EmbeddedPostgresError) return error.exitCode;
  if (error instanceof KeyNotWritable) return EXIT.cannotCreate;
  const isUnavailable = error instanceof ListenError || error instanceof MigrationBlockedError || isDatabaseAway(error);
  return isUnavailable ? EXIT.unavailable : EXIT.software;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  siteLog = log;
  for (const line of warningsOfPayment()) log.warn(line);
  const synonyms = config.synonymsFile ? followSynonyms(config.synonymsFile, log) : null;
  const outside = config.outside ? startOutside(config.outside, config.port) : null;
  closers.defer(async () => (await outside?.catch(() => null))?.close());
  const settings = outside?.then(({ accounts }) => accountsOfOutside(accounts));
  // The promise may be rejected long before openApp awaits it; openApp then reports the error.
  settings?.catch(() => {});
  const opening = openApp(config, log, 'site', settings, stopping.signal);
  closers.defer(async () => (await opening.catch(() => null))?.close());
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  const app = await opening;
  // After the database: of two sites on one folder the second was refused by now.
  if (outside) closers.defer(await keepOutsideAccounts(config.dataDir, (await outside).accounts));
  if (config.isDemo && ((await isLibraryEmpty(app.ctx)) || (await isDemoUnfinished(app.ctx)))) await seedDemo(app.ctx);

  await renewDemoPasswords(app.ctx);

  const workers =
    config.workers > 0
      ? await startWorkers({
          url: app.database.url,
          pool: app.database.pool,
          jobs: SLICES.flatMap(({ jobs }) => jobs ?? []),
          cron: SLICES.flatMap(({ cron }) => cron ?? []).join('\n'),
          ctx: app.ctx,
          concurrency: config.workers,
          log,
        })
      : null;
  closers.defer(() => flushSearches(app.ctx).catch(() => {}));
  closers.defer(() => synonyms?.stop());
  closers.defer(() => workers?.stop());
  if (workers) for (const { resume } of SLICES) await resume?.(app.ctx);
  const health = createHealth(app.ctx);
  const metrics = await openMetrics(app, health);
  const pages = await loadPages(root, config.isDevelopment);
  closers.defer(() => pages.close());
  const cache = config.isDevelopment ? null : openAnswerCache(app.database.url, log);
  const { handler, answerAtSocket } = createSiteHandler({
    ctx: app.ctx,
    health,
    clientDir: pages.clientDir,
    render: pages.render,
    hasPage: pages.hasPage,
    cache,
    outside: await outside,
  });
  const server = await listen({
    config,
    handler,
    middleware: pages.middleware,
    answerAtSocket,
    clientOf: (ip, header) => clientOf(app.ctx.caches, ip, header),
    onAnswered: metrics?.onAnswered,
  });
  closers.defer(() => {
    health.isDraining = true;
    return server.close(drainMs);
  });
  // Closers run in reverse order, so event streams end before the server drains: they would stay open until the drain ends.
  closers.defer(() => app.ctx.orderEvents.close());
  const playing = await outside;
  const addressOf = (own: string) => addressAt(ANY_ADDRESS.has(config.host) ? own : config.host, server.port);
  await playing?.introduce(addressOf('127.0.0.1'), log);
  say('');
  say(`  ${config.site.name} is running:  ${config.publicUrl ?? addressOf('localhost')}`);
  say('');
  const accounts = Object.values(app.ctx.gateways).flatMap((gateway) =>
    gateway && !playing ? [`${CHANNEL_NAME[gateway.channel]} ${gateway.account}`] : [],
  );
  if (accounts.length > 0) say(`  payment        ${accounts.join(', ')}; "npx ceku order check" tries it out`);
  if (metrics) say(`  metrics        http://127.0.0.1:${metrics.port}/metrics`);
  if (playing)
    say(`  pretend phone  ${playing.phoneUrl('localhost')}  scans, confirms and reads SMS in place of a real one`);
  // The first word cut loads jieba's dictionary (200 ms): better now than in a visitor's search.
  setImmediate(() => {
    cutWords('策划');
    vocabularyOf(app.ctx);
  });
  for (const line of await describeDemoLogins(app.ctx)) say(`  ${line}`);
  for (const risk of publicRisks(config)) log.warn({ publicBecause: config.publicBecause }, risk);
}

/** Serves /metrics where METRICS_PORT asks for it; null otherwise, when nothing of it is loaded. */
async function openMetrics({ ctx, database: { pools } }: App, health: Health) {
  const { metricsPort: port } = ctx.config;
  if (port === null) return null;
  const { openSiteMetrics } = await import('./site/server/metrics.ts');
  const metrics = await openSiteMetrics({ ctx, pools, health, slices: SLICES, port });
  closers.defer(() => metrics.close());
  return metrics;
}

/** Opens the cache of answers for visitors. It is cleared when the database notifies of a change by any node. */
function openAnswerCache(databaseUrl: string, log: Log): AnswerCache {
  const changes = listenTo(databaseUrl, 'page_change', { log, onNotice: () => cache.clear() });
  const cache = createAnswerCache({ isWatched: () => changes.isConnected() });
  closers.defer(() => changes.close());
  return cache;
}

/** Returns settings that are meant for trials and are still in use although the site is public. */
function publicRisks(config: Config): string[] {
  if (config.publicBecause === null) return [];
  const risks: string[] = [];
  if (config.demoLogins === 'everywhere')
    risks.push('DEMO is on: everybody who knows the password that the start prints can log in as demo, vip and pro');
  if (!config.isRateLimited) risks.push('RATE_LIMITS is off: passwords, codes and searches can be tried without end');
  return risks;
}

/** A file that cannot be used stops the start like any other key of the configuration. */
function followSynonyms(path: string, log: Log) {
  try {
    return watchSynonymsFile(path, log);
  } catch (error) {
    throw new ConfigError([`SYNONYMS_FILE: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

async function seedDemo(ctx: Awaited<ReturnType<typeof openApp>>['ctx']): Promise<void> {
  say('Loading the demo library');
  await seedDemoUsers(ctx, DEMO_USERS.slice(0, 1));
  const loaded = await loadDemoPack(ctx, () => {});
  await seedDemoCollections(ctx);
  await seedDemoGroups(ctx);
  await seedDemoUsers(ctx);
  say(`Demo library: ${loaded.documents} documents in ${join(ctx.config.dataDir, 'files')}`);
}
