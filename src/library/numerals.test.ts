import { expect, it } from 'vitest';
import { chineseNumber, numberOf } from './numerals.ts';

it.each([
  ['十', 10],
  ['一百零八', 108],
  ['两千', 2_000],
  ['五十万', 500_000],
  ['一万零五十', 10_050],
  ['1.5万', 15_000],
  ['1.1万', 11_000],
  ['1.2345', 1.2345],
  ['万', null],
  ['一二', null],
])('%s is %s', (text, value) => expect(numberOf(text)).toBe(value));

it.each([0, 7, 10, 15, 108, 1_000, 1_010, 10_050, 120_000, 99_999_999])('%i is written and read back', (value) => {
  expect(numberOf(chineseNumber(value)) ?? 0).toBe(value);
});
