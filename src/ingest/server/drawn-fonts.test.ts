import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { substitutionsOf } from './drawn-fonts.ts';
import { findProgram } from './run-child.ts';

const hasFontconfig = findProgram('fc-match') !== null;

function countChildren(): number {
  const tasks = `/proc/${process.pid}/task`;
  return readdirSync(tasks).flatMap((task) => readFileSync(`${tasks}/${task}/children`, 'utf8').match(/\d+/g) ?? [])
    .length;
}

test.skipIf(!hasFontconfig)('what is drawn instead of a font is named; one drawn as named is not', async () => {
  const found = await substitutionsOf(['No Such Font At All', 'NotoSansCJKsc-Bold'], ['NotoSansCJKsc-Regular']);
  expect(Object.keys(found)).toEqual(['No Such Font At All']);
  expect(found['No Such Font At All']).not.toBe('');
});

test.skipIf(!hasFontconfig)('a name that no program takes is passed over, the others are answered', async () => {
  const found = await substitutionsOf(['nul \0 inside', 'long '.repeat(40_000), 'No Such Font Either'], []);
  expect(Object.keys(found)).toEqual(['No Such Font Either']);
});

test.skipIf(!hasFontconfig || process.platform !== 'linux')(
  'a hundred names, in two decks at once, are asked few at a time',
  { timeout: 60_000 },
  async () => {
    const before = countChildren();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, countChildren() - before)), 1);
    const names = (deck: string) => Array.from({ length: 100 }, (_, at) => `${deck} Font ${at}`);
    const found = await Promise.all([substitutionsOf(names('One'), []), substitutionsOf(names('Two'), [])]);
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    for (const one of found) expect(Object.keys(one)).toHaveLength(40);
  },
);
