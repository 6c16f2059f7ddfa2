import type { ChartFrame } from '../../../charts/chart-data.ts';

/** Room around a chart, in fractions of the page's width: axis labels touch the frame. */
const MARGIN = 0.006;
/** Smaller than this is a decoration, and a picture of it says nothing. */
const MIN_PIXELS = 40;

/** Of the page. A smaller picture is one of many, or beside the point: cut out, nobody could read its axes. */
const MIN_PICTURE = 0.1;

/** Whether a picture at this frame covers enough of the page to be a chart of its own. */
export function isLarge({ x, y, width, height }: ChartFrame): boolean {
  const side = (from: number, length: number) => Math.max(0, Math.min(1, from + length) - Math.max(0, from));
  return side(x, width) * side(y, height) >= MIN_PICTURE;
}

export type Cut = { left: number; top: number; width: number; height: number };

/** The pixels of a rendered page to cut out for a frame; null when nothing worth it lies on the page. */
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
