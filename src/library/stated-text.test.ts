import { expect, it } from 'vitest';
import { statedText } from './stated-text.ts';

it.each([
  ['budget', 8_000, '8,000 元'],
  ['budget', 508_400, '50.84 万元'],
  ['budget', 23_040_000, '2,304 万元'],
  ['budget', 120_000_000, '1.2 亿元'],
  ['people', 1_800, '1,800 人'],
  ['days', 3, '3 天'],
] as const)('%s of %i is %s', (kind, value, text) => expect(statedText({ kind, value })).toBe(text));
