import type { Random } from '../../demo/random.ts';

/** Width and height of the canvas on which art is drawn. */
export const WIDTH = 1280;
export const HEIGHT = 720;

/** Input of an art function: five palette colours without `#`, and the number of the cover's variant. */
export interface Brush {
  random: Random;
  c: readonly [string, string, string, string, string];
  variant: number;
}

export function canvas(content: string, width = WIDTH, height = HEIGHT): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>`;
}

export const n = (value: number): string => value.toFixed(1);

/** Returns a linear gradient; `stops` are [offset, colour, opacity]. x2, y2 give its end from the top left corner. */
export function linear(
  id: string,
  x2: number,
  y2: number,
  stops: readonly (readonly [number, string, number?])[],
): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}">${stopTags(stops)}</linearGradient>`;
}

export function radial(id: string, stops: readonly (readonly [number, string, number?])[]): string {
  return `<radialGradient id="${id}">${stopTags(stops)}</radialGradient>`;
}

function stopTags(stops: readonly (readonly [number, string, number?])[]): string {
  return stops
    .map(
      ([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="#${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('');
}

export const rect = (x: number, y: number, w: number, h: number, fill: string, extra = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${extra}/>`;

export const circle = (x: number, y: number, r: number, fill: string, extra = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${extra}/>`;

export const path = (d: string, fill: string, extra = ''): string => `<path d="${d}" fill="${fill}" ${extra}/>`;

/**
 * Returns a closed path from the left edge along a ridge to the right edge and down to the bottom: hills, waves, dunes.
 */
export function ridge(heightAt: (x: number) => number, step = 20, width = WIDTH, floor = HEIGHT): string {
  let d = `M-10 ${floor + 10}`;
  for (let x = -10; x <= width + step; x += step) d += `L${x} ${n(heightAt(x))}`;
  return `${d}L${width + 20} ${floor + 10}Z`;
}

/** Returns a point on a circle; angles are in degrees, clockwise, 0 is to the right. */
export function polar(x: number, y: number, r: number, degrees: number): [number, number] {
  const a = (degrees * Math.PI) / 180;
  return [x + r * Math.cos(a), y + r * Math.sin(a)];
}
