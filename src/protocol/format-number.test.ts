import { expect, it } from 'vitest';
import { formatNumber } from './format-number.ts';

it('writes numbers as Intl does', () => {
  const written = new Intl.NumberFormat('en-US');
  const numbers = [
    0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1, -100, -1_000, -123_456, 0.5, 1_234.5,
  ];
  for (const value of [...numbers, 1.0005, 999.9996, 98.5, 0.1 + 0.2, 123_456_789.123]) {
    expect(formatNumber(value)).toBe(written.format(value));
  }
});

it('rounds to the given number of decimals', () => {
  const written = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
  for (const value of [1.005, 2.675, 33.333_33, 99.995, 1_234.567, 12, 8_000.1]) {
    expect(formatNumber(value, 2)).toBe(written.format(value));
  }
});

it('writes numbers at the ends of what a double holds', () => {
  const values = [1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, -0];
  expect(values.map((value) => formatNumber(value))).toEqual(['1e+21', '0', 'NaN', 'Infinity', '0']);
  expect(formatNumber(1e15 + 0.5, 6)).toBe('1,000,000,000,000,000.5');
});
