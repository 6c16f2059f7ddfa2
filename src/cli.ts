import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Ctx, OpenOptions } from './context.ts';
import { openApp } from './open-app.ts';
import { accountsBeside } from './outside-accounts.ts';
import { EXIT, OperatorError, outliveOutput, printable, runCommandLine } from './platform/command-line.ts';
import { readConfig } from './config.ts';
import { isDatabaseAway, withoutStatement } from './platform/db/client.ts';
import { embeddedFolder } from './platform/db/embedded-server.ts';
import { startWorkers } from './platform/jobs/jobs.ts';
import { createLog } from './platform/log.ts';
import { SLICES } from './slices.ts';

/** A database that we started and that does not end by then is adopted by the next command. */
const LONGEST_CLOSE_MS = 5_000;

/** Opens the app beside a running site, or alone; with `workers` it also takes jobs while the command runs. */
async function open<T>(work: (ctx: Ctx) => Promise<T>, options: OpenOptions = {}): Promise<T> {
  const config = readConfig();
  if (!options.createsDatabase && !config.databaseUrl && !existsSync(embeddedFolder(config.dataDir)))
    throw new OperatorError(
      `There is no database in ${config.dataDir}. Run the command with the environment of the site: its DATABASE_URL or DATA_DIR, and its other settings.`,
      EXIT.unavailable,
    );
  // A command answers on stdout and stderr; the log would only be noise between.
  const log = createLog(config.logLevel === 'info' ? 'error' : config.logLevel);
  const app = await openApp(config, log, 'tool', accountsBeside(config));
  let isStopping = false;
  const stopAtOnce = (exitCode: number) => {
    isStopping = true;
    log.level = 'silent';
    const end = () => process.exit(exitCode);
    setTimeout(end, LONGEST_CLOSE_MS).unref();
    void app.close().then(end, end);
  };
  // A database that we started must not outlive us. A command that ends itself in order has a listener of its own.
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping || process.listenerCount(signal) > 1) return;
    stopAtOnce(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  // Handles errors of workers that lose their database. While the command stops they are not reported.
  const onFault = (error: unknown) => {
    if (isStopping) return;
    const isAway = isDatabaseAway(error);
    const words = isAway
      ? 'The database went away. Start the command again: it goes on where it stopped.'
      : String(withoutStatement(error));
    process.stderr.write(`${printable(words)}\n`);
    stopAtOnce(isAway ? EXIT.unavailable : EXIT.software);
  };
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  try {
    const workers = options.workers
      ? await startWorkers({
          url: app.database.url,
          pool: app.database.pool,
          jobs: SLICES.flatMap(({ jobs, areJobsRunByCommands }) => (areJobsRunByCommands && jobs) || []),
          ctx: app.ctx,
          concurrency: options.workers,
          log,
        })
      : null;
    if (workers)
      for (const { resume, areJobsRunByCommands } of SLICES) if (areJobsRunByCommands) await resume?.(app.ctx);
    try {
      return await work(app.ctx);
    } finally {
      await workers?.stop();
    }
  } finally {
    // A failure during a stop is caused by the stop and not reported; the stop ends the process.
    if (isStopping) await new Promise(() => undefined);
    await app.close();
  }
}

const program = new Command('ceku')
  .description('策库: the operator’s command line. It works while the site runs.')
  .showHelpAfterError('(ceku help lists the commands)');
for (const { loadCommands } of SLICES) for (const add of (await loadCommands?.()) ?? []) add(program, open);

const exitCodeOf = outliveOutput();
process.exitCode = exitCodeOf(await runCommandLine(program, process.argv.slice(2)));
