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
          ...node,
          name: 'app',
          include: [
            '{src,demo,bin,bench,scripts}/**/*.test.{ts,tsx}',
            'tests/*.test.ts',
            'tests/providers/**/*.test.ts',
            'tests/relevance/**/*.test.ts',
          ],
          // One would leave half of two processors idle: the other waits for PostgreSQL, LibreOffice and timers.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          // Each runs a whole site and a browser, and waits for both. None asserts how long anything takes.
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 420_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
