import { availableParallelism } from 'node:os';
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
 * Tests of slices by their API, whose one expense is to load all of the app: they share a worker and what it has loaded.
 * Each file has a database and folders of its own; what a module of these slices keeps in memory is the same for all.
 */
const SHARED = [
  'src/{accounts,charts,home,library,membership,payment,protocol,ranking,reading,site,ui}/**/*.test.{ts,tsx}',
  'src/search/{engine,server,web}/**/*.test.{ts,tsx}',
  'src/platform/http/**/*.test.ts',
  'src/site-server.test.ts',
  'tests/providers/**/*.test.ts',
];

const app = {
  ...node,
  // One would leave half of two processors idle: the other waits for PostgreSQL, LibreOffice and timers.
  maxWorkers: Math.max(2, availableParallelism() - 1),
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
          include: ['{src,demo,bin,bench,scripts,tools}/**/*.test.{ts,tsx}', 'tests/{*,relevance/*}.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARED],
        },
      },
      { test: { ...app, name: 'app-shared', include: SHARED, isolate: false } },
      {
        test: {
          ...node,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          // Each runs a whole site and a browser beside the other tests: two at once would leave neither enough of two processors.
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 420_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
