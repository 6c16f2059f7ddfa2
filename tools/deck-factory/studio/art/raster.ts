/** Computes pictures pixel by pixel (noise, light, haze) that cannot be drawn as vectors. Deterministic. */

export interface Rgb {
  r: number;
  g: number;
  b: number;
}

/** The result of a painter: an SVG, or pixels (three bytes each, row by row). */
export type Picture = { svg: string } | { pixels: Buffer; width: number; height: number };

/** Sets `out` (0 to 1 each, clipped later) for a point; x runs to 16/9, y to 1, from the top left corner. */
export type Shader = (x: number, y: number, out: Rgb) => void;

export const ASPECT = 16 / 9;

/** Calls `shader` for every pixel of a 16:9 picture of this height. */
export function shade(shader: Shader, height = 720): Picture {
  const width = Math.round(height * ASPECT);
  const pixels = Buffer.alloc(width * height * 3);
  const out: Rgb = { r: 0, g: 0, b: 0 };
  let at = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      shader((column + 0.5) / height, (row + 0.5) / height, out);
      // Half a level of ordered noise keeps soft gradients from banding.
      const dither = (((row * 7 + column * 13) % 16) - 7.5) / 4080;
      pixels[at++] = toByte(out.r + dither);
      pixels[at++] = toByte(out.g + dither);
      pixels[at++] = toByte(out.b + dither);
    }
  }
  return { pixels, width, height };
}

const toByte = (value: number): number => (value <= 0 ? 0 : value >= 1 ? 255 : Math.round(value * 255));

export const clamp = (value: number, low = 0, high = 1): number => (value < low ? low : value > high ? high : value);

export const smooth = (from: number, to: number, value: number): number => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};

export const blend = (a: number, b: number, share: number): number => a + (b - a) * share;

/** Returns `RRGGBB` as numbers from 0 to 1. */
export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return { r: ((value >> 16) & 255) / 255, g: ((value >> 8) & 255) / 255, b: (value & 255) / 255 };
}

export function set(out: Rgb, from: Rgb, to: Rgb, share: number): void {
  out.r = blend(from.r, to.r, share);
  out.g = blend(from.g, to.g, share);
  out.b = blend(from.b, to.b, share);
}

/** Moves `out` towards `to`. */
export function tint(out: Rgb, to: Rgb, share: number): void {
  set(out, out, to, share);
}

export function add(out: Rgb, light: Rgb, amount: number): void {
  out.r += light.r * amount;
  out.g += light.g * amount;
  out.b += light.b * amount;
}

/** Returns a number in [0, 1) for a lattice point. */
export function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263) ^ Math.imul(seed | 0, 1274126177);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Returns smooth value noise, 0 to 1. */
export function noise(x: number, y: number, seed: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const ux = fx * fx * (3 - 2 * fx);
  const uy = fy * fy * (3 - 2 * fy);
  const top = blend(hash(ix, iy, seed), hash(ix + 1, iy, seed), ux);
  const bottom = blend(hash(ix, iy + 1, seed), hash(ix + 1, iy + 1, seed), ux);
  return blend(top, bottom, uy);
}

/** Returns several octaves of noise, 0 to 1. */
export function cloud(x: number, y: number, seed: number, octaves = 5): number {
  let sum = 0;
  let weight = 0.5;
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x, y, seed + i * 17);
    x = x * 2.03 + 11.7;
    y = y * 2.03 + 5.3;
    weight /= 2;
  }
  return sum;
}

/** Returns noise with sharp crests, like rock, 0 to 1. */
export function crest(x: number, y: number, seed: number, octaves = 5): number {
  let sum = 0;
  let weight = 0.5;
  for (let i = 0; i < octaves; i++) {
    sum += weight * (1 - Math.abs(noise(x, y, seed + i * 31) * 2 - 1));
    x = x * 2.07 + 3.1;
    y = y * 2.07 + 9.2;
    weight /= 2;
  }
  return sum;
}
