import { describe, expect, it } from 'vitest';
import { createWheelTurns } from './wheel-turns.ts';

/** Returns the turns of a movement of `[pixels, milliseconds since the event before]`. */
function turns(events: readonly (readonly [moved: number, after: number])[]): number[] {
  const { turnOf } = createWheelTurns();
  let time = 1_000;
  return events.map(([moved, after]) => turnOf(moved, (time += after)));
}

describe('a wheel at the edge of a page', () => {
  it.each<[string, readonly (readonly [number, number])[], number[]]>([
    ['turns a page with one notch down', [[100, 0]], [1]],
    ['turns a page back with one notch up', [[-100, 0]], [-1]],
    [
      'turns a page once the small steps of a trackpad have gone far enough',
      [
        [20, 0],
        [25, 16],
        [25, 16],
      ],
      [0, 0, 1],
    ],
    [
      'turns no second page by the momentum of a trackpad',
      [
        [80, 0],
        [90, 16],
        [70, 100],
        [60, 100],
        [40, 150],
        [8, 16],
      ],
      [1, 0, 0, 0, 0, 0],
    ],
    [
      'turns another page after a pause',
      [
        [100, 0],
        [100, 200],
      ],
      [1, 1],
    ],
    [
      'turns one page for two notches at once',
      [
        [100, 0],
        [100, 40],
      ],
      [1, 0],
    ],
    [
      'turns pages one by one while whole notches go on',
      [
        [100, 0],
        [100, 150],
        [100, 150],
        [100, 150],
      ],
      [1, 0, 0, 1],
    ],
    [
      'starts from zero in the other direction',
      [
        [40, 0],
        [-40, 16],
        [-40, 16],
      ],
      [0, 0, -1],
    ],
  ])('%s', (_, events, expected) => {
    expect(turns(events)).toEqual(expected);
  });

  it('turns nothing by the movement that has brought the page there', () => {
    const { turnOf, spend } = createWheelTurns();
    spend(1_000);
    expect([turnOf(80, 1_016), turnOf(80, 1_100), turnOf(80, 1_300)]).toEqual([0, 0, 1]);
  });
});
