import { defineConfig } from 'vitest/config';

const node = { environment: 'node', restoreMocks: true, unstubEnvs: true } as const;

export default defineConfig({
  test: {
    // Once a run, not once a project: see tests/database.ts.
    globalSetup: ['tests/database.ts'],
    projects: [
      {
        test: {
          ...node,
          name: 'app',
          include: [
            '{src,demo,bin,bench,scripts,tools}/**/*.test.{ts,tsx}',
            'tests/*.test.ts',
            'tests/providers/**/*.test.ts',
            'tests/relevance/**/*.test.ts',
          ],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          // Each journey runs a whole site and a browser: two at once would only measure the machine.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
