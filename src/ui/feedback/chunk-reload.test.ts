import { expect, test } from 'vitest';
import { isChunkFailure, mayReload } from './chunk-reload.ts';

test.each([
  ['Failed to fetch dynamically imported module: http://x/assets/a.js', true],
  ['error loading dynamically imported module: http://x/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['Unable to preload CSS for /assets/a.css', true],
  ['服务器开小差了，请稍后再试', false],
])('%s', (message, expected) => {
  expect(isChunkFailure(new Error(message))).toBe(expected);
});

test('one reload a minute', () => {
  expect(mayReload(0, 1_000_000)).toBe(true);
  expect(mayReload(1_000_000, 1_060_000)).toBe(false);
  expect(mayReload(1_000_000, 1_060_001)).toBe(true);
});
