/**
 * The position of a page on the stage: `x` and `y` are the offset of its centre from the stage's centre, in CSS pixels.
 */
export type View = { scale: number; x: number; y: number };
export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

/**
 * How large a page is drawn: `scale` 1 is the whole page, which is 100 %. `fit` names the rule that chose the scale and
 * chooses it again when the window changes; null for a scale that the reader chose.
 */
export type Zoom = { scale: number; fit: 'page' | 'width' | null };

/** The whole page, centred. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const WHOLE_PAGE: Zoom = { scale: 1, fit: 'page' };
const MAX_SCALE = 4;
/** The scales of the buttons and of + and −. */
export const ZOOM_STEPS: readonly number[] = [1, 1.5, 2, 2.5, 3, MAX_SCALE];
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
  const scale = Math.min(Math.max(view.scale, 1), maxScale(page, stage));
  const clampAxis = (offset: number, drawn: number, available: number) => {
    const max = Math.max(0, (drawn * scale - available) / 2);
    return Math.min(Math.max(offset, -max), max);
  };
  return {
    scale,
    x: clampAxis(view.x, page.width, stage.width),
    y: clampAxis(view.y, page.height, stage.height),
  };
}

/** Returns the scale at which the page is as wide as the stage; never less than the whole page. */
export const widthScale = (page: Size, stage: Size): number =>
  page.width > 0 ? Math.max(stage.width / page.width, 1) : 1;

/** A high page on a wide screen may need more than 400 % to fill the width. */
export const maxScale = (page: Size, stage: Size): number => Math.max(MAX_SCALE, widthScale(page, stage));

/** Returns the next scale of ZOOM_STEPS above (1) or below (-1) a scale; the last step at either end. */
export function stepFrom(scale: number, by: 1 | -1): number {
  // A scale that came from a pinch is never exactly a step.
  const next =
    by === 1 ? ZOOM_STEPS.find((step) => step > scale + 0.01) : ZOOM_STEPS.findLast((step) => step < scale - 0.01);
  return next ?? (by === 1 ? Math.max(scale, MAX_SCALE) : 1);
}

/** Returns 150% for a scale of 1.5. */
export const percentText = (scale: number): string => `${Math.round(scale * 100)}%`;

/**
 * Zooms to `scale` around the point `at`, which stays in place; `at` is relative to the stage's centre. `most` bounds the
 * scale.
 */
export function zoomAbout(view: View, scale: number, at: Point, most: number): View {
  const bounded = Math.min(Math.max(scale, 1), most);
  const factor = bounded / view.scale;
  return { scale: bounded, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}

export const isZoomed = ({ scale }: Pick<View, 'scale'>) => scale > 1.01;

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
