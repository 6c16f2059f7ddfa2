import { expect, test } from 'vitest';
import { momentText } from './time-text.ts';

test('moments are Shanghai’s, whatever the machine’s zone', () => {
  expect(momentText(Date.UTC(2026, 10, 21, 16, 5) / 1000)).toBe('2026-11-22 00:05');
});
