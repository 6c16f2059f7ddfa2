/**
 * The position of a page on the stage: `x` and `y` are the offset of its centre from the stage's centre, in CSS pixels.
 */
export type View = { scale: number; x: number; y: number };
export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

/** The whole page, centred. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 4;
/** A double tap zooms in by this much. */
export const DOUBLE_TAP_SCALE = 2.5;

/** A finger that moved less than this has tapped. */
export const TAP_PX = 10;
const SWIPE_PX = 56;
/** Pixels a millisecond: a quick flick turns the page although it is short. */
const FLICK_SPEED = 0.5;
const FLICK_PX = 24;
/** A swipe must be this many times wider than high; steeper movements turn no page. */
const SWIPE_SLOPE = 1.5;

/**
 * Returns the nearest view that leaves no gap: a page edge never moves inside the stage's edge, and a page smaller than
 * the stage stays centred. `page` is the page's size at scale 1.
 */
export function clampView(view: View, page: Size, stage: Size): View {
  const scale = Math.min(Math.max(view.scale, 1), MAX_SCALE);
  const clampAxis = (offset: number, drawn: number, room: number) => {
    const most = Math.max(0, (drawn * scale - room) / 2);
    return Math.min(Math.max(offset, -most), most);
  };
  return {
    scale,
    x: clampAxis(view.x, page.width, stage.width),
    y: clampAxis(view.y, page.height, stage.height),
  };
}

/** Zooms to `scale` around the point `at`, which stays in place; `at` is relative to the stage's centre. */
export function zoomAbout(view: View, scale: number, at: Point): View {
  const bounded = Math.min(Math.max(scale, 1), MAX_SCALE);
  const factor = bounded / view.scale;
  return { scale: bounded, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}

export const isZoomed = (view: View) => view.scale > 1.01;

/** Returns the meaning of a moved finger on a page at scale 1: a swipe to another page, or nothing. */
export function isSwipe(moved: Point): boolean {
  return Math.abs(moved.x) > Math.abs(moved.y) * SWIPE_SLOPE;
}

/**
 * Returns the direction of a finished swipe: 1 to the next page, -1 to the previous, 0 back. `speed` in pixels a
 * millisecond.
 */
export function turnOf(moved: Point, speed: number): -1 | 0 | 1 {
  if (!isSwipe(moved)) return 0;
  const isFlick = Math.abs(speed) > FLICK_SPEED && Math.abs(moved.x) > FLICK_PX && speed * moved.x > 0;
  if (Math.abs(moved.x) < SWIPE_PX && !isFlick) return 0;
  return moved.x < 0 ? 1 : -1;
}
