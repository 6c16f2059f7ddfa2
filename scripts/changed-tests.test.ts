import { expect, test } from 'vitest';
import { testsReachedBy } from './changed-tests.mjs';

const TESTS = [
  'demo/complete-pack.test.ts',
  'src/accounts/rules.test.ts',
  'src/cli.test.ts',
  'src/ingest/server/convert/soffice.test.ts',
  'src/search/words.test.ts',
  'tests/journeys/restart.test.ts',
  'tests/table-owners.test.ts',
];

test.for([
  {
    changed: 'src/ui/button.module.css',
    tests: ['src/cli.test.ts', 'tests/journeys/restart.test.ts', 'tests/table-owners.test.ts'],
  },
  { changed: 'public/favicon.svg', tests: ['tests/journeys/restart.test.ts'] },
  { changed: 'README.md', tests: [] },
  { changed: 'src/search/words.test.ts', tests: [] },
  {
    changed: 'tests/samples/deck.ts',
    tests: ['demo/complete-pack.test.ts', 'src/ingest/server/convert/soffice.test.ts'],
  },
])('$changed reaches what starts it or reads it', ({ changed, tests }) => {
  expect(testsReachedBy([changed], TESTS)).toEqual(tests);
});
