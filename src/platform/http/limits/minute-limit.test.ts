import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusal } from '../../../protocol/envelope.ts';
import { createMinuteLimit, type MinuteLimit } from './minute-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function passed(limit: MinuteLimit, client: string, times: number): number {
  let count = 0;
  for (let time = 0; time < times; time++) {
    try {
      limit.take(client);
      count++;
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
    }
  }
  return count;
}

it('lets through the limit in a minute, of every client, and says how long a refused one has to wait', () => {
  const limit = createMinuteLimit(3, true);
  expect(passed(limit, 'a', 3)).toBe(3);
  expect(limit.findWaitSeconds('a')).toBe(0);
  vi.advanceTimersByTime(20_000);
  expect(passed(limit, 'a', 2)).toBe(0);
  expect(passed(limit, 'b', 5)).toBe(3);
  expect([limit.findWaitSeconds('a'), limit.findWaitSeconds('b'), limit.findWaitSeconds('c')]).toEqual([40, 60, 0]);
  vi.advanceTimersByTime(40_001);
  expect([limit.findWaitSeconds('a'), limit.findWaitSeconds('b')]).toEqual([0, 20]);
  expect(passed(limit, 'a', 5)).toBe(3);
  expect(passed(limit, 'b', 1)).toBe(0);
});

it('is over after a minute also where the clock was set back meanwhile', () => {
  const limit = createMinuteLimit(1, true);
  expect(passed(limit, 'a', 2)).toBe(1);
  vi.setSystemTime(Date.now() - 600_000);
  vi.advanceTimersByTime(60_001);
  expect(limit.findWaitSeconds('a')).toBe(0);
  expect(passed(limit, 'a', 2)).toBe(1);
});
