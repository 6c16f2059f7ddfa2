import { describe, expect, it } from 'vitest';
import { recommendScore } from '../library/rules.ts';
import { heatOf, type Signal, type SignalKind } from './rules.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = 86_400_000;
const signal = (userId: number, kind: SignalKind, daysAgo = 1): Signal => ({
  userId,
  kind,
  at: new Date(NOW - daysAgo * DAY),
});

describe('heat', () => {
  it.each<[string, Signal[], number]>([
    ['nothing', [], 0],
    ['a read', [signal(1, 'read')], 1],
    ['a favourite', [signal(1, 'favourite')], 3],
    ['a download', [signal(1, 'download')], 5],
    [
      'one person who does everything: the strongest',
      [signal(1, 'read'), signal(1, 'download'), signal(1, 'favourite')],
      5,
    ],
    ['one person who comes back thirty times', Array.from({ length: 30 }, (_, day) => signal(1, 'read', day)), 1],
    ['three people', [signal(1, 'read'), signal(2, 'download'), signal(3, 'favourite')], 9],
    ['the last moment of the window', [signal(1, 'read', 30)], 1],
    ['what is older than the window', [signal(1, 'read', 30.001), signal(2, 'download', 31)], 0],
    ['an old download of somebody who read it again', [signal(1, 'download', 40), signal(1, 'read', 2)], 1],
  ])('of %s', (_what, signals, heat) => {
    expect(heatOf(signals, NOW)).toBe(heat);
  });
});

it('is worth age: eleven people who download are as good as eight months', () => {
  const months8 = new Date(NOW - 241 * DAY);
  expect(recommendScore(months8, 55)).toBeGreaterThan(recommendScore(new Date(NOW), 0));
  expect(recommendScore(months8, 50)).toBeLessThan(recommendScore(new Date(NOW), 0));
});
