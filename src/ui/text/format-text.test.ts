import { expect, it, test } from 'vitest';
import { MiB, sizeText, momentText } from './format-text.ts';

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

test('times are in Shanghai time in any time zone of the machine', () => {
  expect(momentText(Date.UTC(2026, 10, 21, 16, 5) / 1000)).toBe('2026-11-22 00:05');
});
