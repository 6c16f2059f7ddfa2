import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const SIGNS = [
  '=cmd()',
  '+1',
  '-1',
  '@x',
  '\tx',
  '\rx',
  '\nx',
  '＝cmd',
  '＋1',
  '－1',
  '＠x',
  '﹦cmd',
  '﹢1',
  '﹣1',
  '﹫x',
];
const BEHIND_NOTHING = [' =cmd', '\u3000＝cmd', '\u00a0+1', '\ufeff@x', '\u200b=cmd', '\u202e-1', ' \t ﹦cmd'];
test.for([...SIGNS, ...BEHIND_NOTHING])('runs no formula: %j', (text) => {
  expect(parse(csvOf([[text, 'b']], '\r\n'))).toEqual([[`'${text}`, 'b']]);
});

test('numbers stay numbers, and nothing stays nothing', () => {
  expect(csvOf([[-1, 0.5, null, '', 1e27]], '\n')).toBe('-1,0.5,,,1e+27\n');
});

test('what a cell says comes back whole, without control characters', () => {
  const cells = ['a,"b"', '一\n二', '三\r\n四', 'tab\tinside', 'a-b=c'];
  for (const lineEnd of ['\n', '\r\n'] as const) expect(parse(csvOf([cells, cells], lineEnd))).toEqual([cells, cells]);
  expect(csvOf([['\u001b[31mred\u0000\u009b', '\u001b=1']], '\n')).toBe(`\ufffd[31mred\ufffd\ufffd,'\ufffd=1\n`);
});
