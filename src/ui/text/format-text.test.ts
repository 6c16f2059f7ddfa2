import { expect, it, test } from 'vitest';
import { MiB, sizeText, momentText, yuan } from './format-text.ts';

it.each([
  [0, '不到 0.01 MB'],
  [0.09, '0.09 MB'],
  [0.5, '0.5 MB'],
  [0.99, '0.99 MB'],
  [1, '1 MB'],
  [1.54, '1.5 MB'],
  [9.96, '10 MB'],
  [38.2, '38 MB'],
  [1024, '1 GB'],
  [1600, '1.6 GB'],
])('%f MB is %s', (megabytes, text) => expect(sizeText(megabytes * MiB)).toBe(text));

it.each([
  [0, '0'],
  [98, '98'],
  [98.5, '98.50'],
  [999.99, '999.99'],
  [1998, '1,998'],
  [1999.5, '1,999.50'],
  [1_234_567.25, '1,234,567.25'],
])('a price of %f is %s yuan', (price, text) => expect(yuan(price)).toBe(text));

test('times are in Shanghai time in any time zone of the machine', () => {
  expect(momentText(Date.UTC(2026, 10, 21, 16, 5) / 1000)).toBe('2026-11-22 00:05');
});
