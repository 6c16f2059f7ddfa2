import type { ChartFrame } from '../../../charts/chart-data.ts';

/** Margin around a chart, in fractions of the width of the page: axis labels touch the frame. */
const MARGIN = 0.006;
/** A smaller picture is a decoration. */
const MIN_PIXELS = 40;

/** Smallest share of the page: the axes of a smaller picture could not be read. */
const MIN_PICTURE = 0.1;

/** Whether the picture in this frame covers enough of the page to be a chart. */
export function isLarge({ x, y, width, height }: ChartFrame): boolean {
  const side = (from: number, length: number) => Math.max(0, Math.min(1, from + length) - Math.max(0, from));
  return side(x, width) * side(y, height) >= MIN_PICTURE;
}

export type Cut = { left: number; top: number; width: number; height: number };

/** Returns the pixels of a rendered page to cut out for a frame; null when they are too small or outside the page. */
export function cutOf(frame: ChartFrame, page: { width: number; height: number }): Cut | null {
  const margin = MARGIN * page.width;
  const left = Math.max(0, Math.floor(frame.x * page.width - margin));
  const top = Math.max(0, Math.floor(frame.y * page.height - margin));
  const right = Math.min(page.width, Math.ceil((frame.x + frame.width) * page.width + margin));
  const bottom = Math.min(page.height, Math.ceil((frame.y + frame.height) * page.height + margin));
  const width = right - left;
  const height = bottom - top;
  return width >= MIN_PIXELS && height >= MIN_PIXELS ? { left, top, width, height } : null;
}
