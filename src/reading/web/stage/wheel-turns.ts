/** Distance in pixels that a wheel or two fingers on a trackpad go before the page turns. */
const TURN_PX = 60;
/** A wheel that paused this long begins a new movement. */
const PAUSE_MS = 160;
/** A wheel that goes on in whole notches turns another page after this time; the momentum of a trackpad comes in smaller steps. */
const NEXT_MS = 320;
const NOTCH_PX = 100;

/**
 * Decides when a wheel at the edge of a page turns the page. One movement turns one page, however long its momentum
 * lasts. Times are in milliseconds, as in `event.timeStamp`.
 */
export function createWheelTurns(): {
  /** Returns 1 for the next page, -1 for the previous page, 0 for none. `moved`: pixels, positive downwards. */
  turnOf: (moved: number, time: number) => -1 | 0 | 1;
  /** Says that the wheel has scrolled within the page: it turns no page until it pauses. */
  spend: (time: number) => void;
} {
  let sum = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let spentAt: number | null = null;
  return {
    turnOf(moved, time) {
      if (time - lastAt > PAUSE_MS) {
        sum = 0;
        spentAt = null;
      }
      lastAt = time;
      if (spentAt !== null && (Math.abs(moved) < NOTCH_PX || time - spentAt < NEXT_MS)) return 0;
      sum = Math.sign(sum) === -Math.sign(moved) ? moved : sum + moved;
      if (Math.abs(sum) < TURN_PX) return 0;
      spentAt = time;
      const turned = sum > 0 ? 1 : -1;
      sum = 0;
      return turned;
    },
    spend(time) {
      lastAt = time;
      spentAt = time;
      sum = 0;
    },
  };
}
