import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test.each([
  [0, '1 KB'],
  [0.01, '10 KB'],
  [0.09, '92 KB'],
  [0.99, '1014 KB'],
  [1, '1 MB'],
  [4.25, '4.3 MB'],
  [138.4, '138 MB'],
])('%f MB is shown as %s', (megabytes, text) => {
  expect(sizeText(megabytes)).toBe(text);
});
