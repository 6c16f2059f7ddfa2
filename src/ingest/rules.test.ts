import { describe, expect, test } from 'vitest';
import { MAX_DECKS } from './server/convert/converter-pool.ts';
import { convertAloneWallMs, convertTogetherWallMs, ingestLimits as limits } from './rules.ts';

const SIX_MINUTES = 6 * 60_000;

describe('the time limits of a document add up to at most six minutes', () => {
  const batchMs = convertTogetherWallMs(MAX_DECKS);

  test.each([
    ['unknown', null],
    ['few', 10],
    ['most', limits.slides],
  ])('a deck of %s slides, after the longest batch', (_, slides) => {
    const pages = slides ?? limits.slides;
    const renderMs = limits.renderWallMs + pages * limits.renderWallMsPerPage;
    expect(batchMs + convertAloneWallMs(slides, batchMs) + renderMs).toBeLessThanOrEqual(SIX_MINUTES);
  });

  test('for a PDF with the most pages too', () => {
    expect(limits.renderWallMs + limits.pdfPages * limits.renderWallMsPerPage).toBeLessThanOrEqual(SIX_MINUTES);
  });
});

test('the time limit of a single conversion grows with slides and shrinks by the time of its batch', () => {
  expect(convertAloneWallMs(null, 0)).toBe(60_000);
  expect(convertAloneWallMs(100, 0)).toBe(90_000);
  expect(convertAloneWallMs(500, 0)).toBe(200_000);
  expect(convertAloneWallMs(500, 38_000)).toBe(162_000);
  expect(convertAloneWallMs(10, 38_000)).toBe(63_000);
  expect(convertAloneWallMs(10, 300_000)).toBe(0);
});
