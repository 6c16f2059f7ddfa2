import { expect, it } from 'vitest';
import { statedText } from './stated-text.ts';

it.each([
  ['budget', 800_000, '8,000 元'],
  ['budget', 50_840_000, '50.84 万元'],
  ['budget', 2_304_000_000, '2,304 万元'],
  ['budget', 12_000_000_000, '1.2 亿元'],
  ['people', 1_800, '1,800 人'],
  ['days', 3, '3 天'],
] as const)('%s of %i is %s', (kind, value, text) => expect(statedText({ kind, value })).toBe(text));
