import { expect, test } from 'vitest';
import { countText } from './hero.tsx';

test.each([
  [0, '0'],
  [72, '72'],
  [9999, '9,999'],
  [99_999, '99,999'],
  [100_000, '10万+'],
  [1_000_001, '100万+'],
])('%i is shown as %s', (count, text) => {
  expect(countText(count)).toBe(text);
});
