import { describe, expect, it } from 'vitest';
import { clampView, isSwipe, maxScale, percentText, stepFrom, turnOf, WHOLE, widthScale, zoomAbout } from './zoom.ts';

const stage = { width: 390, height: 700 };
const page = { width: 390, height: 219 };

describe('clampView', () => {
  it.each([
    ['a whole page stays centred', { scale: 1, x: 50, y: -20 }, { scale: 1, x: 0, y: 0 }],
    ['no edge comes into the stage', { scale: 2, x: 500, y: 0 }, { scale: 2, x: 195, y: 0 }],
    ['nor the other edge', { scale: 2, x: -500, y: 0 }, { scale: 2, x: -195, y: 0 }],
    ['a page lower than the stage stays centred in it', { scale: 2, x: 0, y: 90 }, { scale: 2, x: 0, y: 0 }],
    ['a page higher than the stage moves', { scale: 4, x: 0, y: 90 }, { scale: 4, x: 0, y: 88 }],
    ['never smaller than whole', { scale: 0.3, x: 9, y: 9 }, { scale: 1, x: 0, y: 0 }],
    ['never more than four times', { scale: 9, x: 0, y: 0 }, { scale: 4, x: 0, y: 0 }],
  ])('%s', (_, view, expected) => {
    const clamped = clampView(view, page, stage);
    expect(clamped.scale).toBe(expected.scale);
    expect(clamped.x).toBeCloseTo(expected.x);
    expect(clamped.y).toBeCloseTo(expected.y);
  });
});

it('zooms about the spot under the fingers', () => {
  const view = zoomAbout({ scale: 2, x: 30, y: -10 }, 3, { x: 100, y: 40 }, 4);
  // The spot of the page that lies at 100, 40 of the screen is the same before and after.
  const before = { x: (100 - 30) / 2, y: (40 + 10) / 2 };
  expect({ x: (100 - view.x) / view.scale, y: (40 - view.y) / view.scale }).toEqual(before);
  expect(zoomAbout(WHOLE, 99, { x: 0, y: 0 }, 4).scale).toBe(4);
});

describe('the steps of the zoom', () => {
  it.each([
    [1, 1, 1.5],
    [1.5, 1, 2],
    [1.7, 1, 2],
    [4, 1, 4],
    [2, -1, 1.5],
    [1.2, -1, 1],
    [1, -1, 1],
  ] as const)('from %d by %d lead to %d', (scale, by, expected) => {
    expect(stepFrom(scale, by)).toBe(expected);
  });

  it('are not lost on a page that needs more than 400 % to fill the width', () => {
    expect(stepFrom(5.2, 1)).toBe(5.2);
    expect(stepFrom(5.2, -1)).toBe(4);
  });

  it('are named in percent', () => expect(percentText(1.0976)).toBe('110%'));
});

describe('the width of the stage', () => {
  const wide = { width: 1440, height: 775 };
  it('is reached by a high page above 400 % where needed', () => {
    expect(widthScale({ width: 240, height: 775 }, wide)).toBe(6);
    expect(maxScale({ width: 240, height: 775 }, wide)).toBe(6);
    expect(clampView({ scale: 6, x: 0, y: 0 }, { width: 240, height: 775 }, wide).scale).toBe(6);
  });

  it('never makes a page smaller than whole, nor one whose size is unknown larger', () => {
    expect(widthScale({ width: 1440, height: 600 }, wide)).toBe(1);
    expect(widthScale({ width: 0, height: 0 }, wide)).toBe(1);
    expect(maxScale({ width: 1312, height: 738 }, wide)).toBe(4);
  });
});

describe('a swipe', () => {
  it.each([
    ['to the left is the next page', { x: -90, y: 10 }, -0.2, 1],
    ['to the right is the page before', { x: 90, y: -10 }, 0.2, -1],
    ['that is short goes back', { x: -40, y: 0 }, -0.1, 0],
    ['that is short and quick turns', { x: -40, y: 0 }, -0.9, 1],
    ['that turned round at its end goes back', { x: -40, y: 0 }, 0.9, 0],
    ['down that drifts turns nothing', { x: -70, y: 200 }, -0.9, 0],
    ['across turns nothing', { x: -100, y: 90 }, -0.9, 0],
  ])('%s', (_, moved, speed, expected) => {
    expect(turnOf(moved, speed)).toBe(expected);
  });

  it('is wider than high', () => {
    expect(isSwipe({ x: 20, y: 3 })).toBe(true);
    expect(isSwipe({ x: 20, y: 18 })).toBe(false);
  });
});
