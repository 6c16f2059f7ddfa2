import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBurstLog } from './burst-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a flood is one line a minute, and no event is lost from the count', () => {
  const lines: number[] = [];
  const refused = createBurstLog();
  const flood = (times: number) => {
    for (let event = 0; event < times; event += 1) refused((count) => lines.push(count));
  };
  flood(1_000);
  expect(lines).toEqual([1]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([1, 999]);
  flood(5);
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([1, 999, 5]);
});

test('after a quiet minute the next one is written at once', () => {
  const lines: number[] = [];
  const refused = createBurstLog();
  refused((count) => lines.push(count));
  vi.advanceTimersByTime(300_000);
  expect(lines).toEqual([1]);
  refused((count) => lines.push(count));
  expect(lines).toEqual([1, 1]);
});
