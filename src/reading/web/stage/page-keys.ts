import type { Gestures } from './track-gestures.ts';
import { isZoomed, type Zoom } from './zoom.ts';

/** Distance in pixels by which an arrow key moves a zoomed page. */
const PAN_STEP = 80;

type KeyPress = { key: string; shiftKey: boolean; target: EventTarget | null };

/**
 * Handles the keys that turn, move and zoom a page: arrows, Page Up and Down, space, Home, End, + − 0 and W. Arrows move
 * a page that is larger than the stage, and turn any other. Returns false for every other key, and for keys that the
 * control with the focus handles by itself.
 */
export function handlePageKey(
  press: KeyPress,
  on: { number: number; last: number; zoom: Zoom; gestures: Gestures | null; onGo: (page: number) => void },
): boolean {
  const { number, last, zoom, gestures } = on;
  if (isKeyOfControl(press)) return false;
  const canMove = isZoomed(zoom) && zoom.fit !== 'width';
  const go = (wanted: number) => {
    const page = Math.min(Math.max(wanted, 1), last);
    if (page !== number) on.onGo(page);
  };
  const actions: Record<string, (() => void) | undefined> = {
    ArrowLeft: () => (canMove ? gestures?.pan({ x: PAN_STEP, y: 0 }) : go(number - 1)),
    ArrowRight: () => (canMove ? gestures?.pan({ x: -PAN_STEP, y: 0 }) : go(number + 1)),
    ArrowUp: () => gestures?.pan({ x: 0, y: PAN_STEP }),
    ArrowDown: () => gestures?.pan({ x: 0, y: -PAN_STEP }),
    PageUp: () => go(number - 1),
    PageDown: () => go(number + 1),
    ' ': () => {
      const by = press.shiftKey ? -1 : 1;
      if (gestures?.scrollOn(by) !== true) go(number + by);
    },
    Home: () => go(1),
    End: () => go(last),
    '+': () => gestures?.step(1),
    '=': () => gestures?.step(1),
    '-': () => gestures?.step(-1),
    '0': () => gestures?.fit('page'),
    w: () => gestures?.fit('width'),
  };
  const act = actions[press.key.length === 1 ? press.key.toLowerCase() : press.key];
  act?.();
  return act !== undefined;
}

const LIST_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  ' ',
]);

/** Whether a key belongs to the list of zooms, the button or the link that has the focus. */
function isKeyOfControl({ key, target }: KeyPress): boolean {
  if (target instanceof HTMLSelectElement) return LIST_KEYS.has(key);
  return key === ' ' && target instanceof Element && target.closest('button, a') !== null;
}
