import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './tests/slow-first.ts';

const node = {
  environment: 'node',
  restoreMocks: true,
  unstubEnvs: true,
  // What is waited for comes soon, and on a busy machine late: a second would only measure the machine.
  expect: { poll: { timeout: 15_000 } },
} as const;

/**
 * Files that start LibreOffice or render children. Those children run at a low priority and have limits of time, so these
 * files come last, when the journeys that run beside the tests are nearly over (tests/slow-first.ts).
 */
const INGEST = ['src/ingest/**/*.test.ts', 'src/groups/server/uploads/*.test.ts', 'demo/complete-pack.test.ts'];

/** These replace a module of Node, which has to happen before anything else has loaded it. */
const ALONE = ['src/ingest/server/source/open-leased.test.ts'];

const execArgv = [
  // As `npm start` and `npx ceku` start the site and a command.
  `--import=${fileURLToPath(new URL('scripts/resolve-quickly.mjs', import.meta.url))}`,
  // In megabytes. From its small first limit V8 collects the whole heap whenever some buffers were used, which is a sixth
  // of the processor time of tests that move files and images.
  '--initial-old-space-size=400',
  // The threads that would help to collect young objects only take turns with the tests on two busy processors.
  '--no-parallel-scavenge',
  // In megabytes. Each collection of young objects copies what lives: the larger their space, the fewer collections (3 to 10 % of
  // the processor time of unit tests).
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
];

const app = {
  ...node,
  // Files wait for PostgreSQL, LibreOffice and timers: with two beside a journey two processors are idle at times, and a run takes a tenth longer.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // To start a process and load the app costs more than most files. So the files of a project share their workers and
  // what those have loaded; each file has a database and folders of its own, and puts back what it changes in its process.
  isolate: false,
  setupFiles: 'tests/after-file.ts',
  execArgv,
  testTimeout: 120_000,
  hookTimeout: 300_000,
} as const;

export default defineConfig({
  test: {
    // Once a run, not once a project: see tests/database.ts.
    globalSetup: ['tests/database.ts'],
    sequence: { sequencer: SlowFirst },
    // What every test stands on and none imports.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/db/migrations/**', '**/tests/database.ts'],
    projects: [
      {
        test: {
          ...app,
          name: 'app',
          include: [
            '{src,demo,bin,bench,scripts,tools}/**/*.test.{ts,tsx}',
            'tests/{*,crawl/*,money/*,relevance/*,providers/*}.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...INGEST, ...ALONE],
        },
      },
      {
        test: {
          ...app,
          name: 'app-ingest',
          include: INGEST,
          exclude: [...configDefaults.exclude, ...ALONE],
          setupFiles: ['tests/after-file.ts', 'tests/after-ingest-file.ts'],
        },
      },
      { test: { ...app, name: 'app-alone', include: ALONE, isolate: true } },
      {
        test: {
          ...node,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          // The second begins when the unit tests have ended (tests/journeys/second-worker.ts).
          maxWorkers: 2,
          // A journey that types commands loads the app, which takes three seconds of processor time in a new worker.
          isolate: false,
          execArgv,
          setupFiles: ['tests/after-file.ts', 'tests/journeys/second-worker.ts'],
          testTimeout: 300_000,
          hookTimeout: 420_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
