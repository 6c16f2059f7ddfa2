import type { Brush } from '../../svg.ts';
import { at } from '../../../../demo/random.ts';
import { add, ASPECT, blend, clamp, cloud, crest, hash, noise, rgb, set, shade, smooth, tint } from './raster.ts';
import type { Picture, Rgb, Shader } from './raster.ts';

/** Colours of a scene: zenith, horizon, far land, near land, light. */
interface Air {
  high: Rgb;
  low: Rgb;
  far: Rgb;
  near: Rgb;
  light: Rgb;
  seed: number;
}

const SUN = { x: 1.28, y: 0.4 };

function sky(air: Air, x: number, y: number, out: Rgb, horizon: number): void {
  set(out, air.high, air.low, smooth(0, horizon, y));
  const distance = Math.hypot(x - SUN.x, (y - SUN.y) * 1.05);
  add(out, air.light, 0.42 * Math.exp(-distance * 4.2));
}

function sun(air: Air, x: number, y: number, out: Rgb, radius: number): void {
  const distance = Math.hypot(x - SUN.x, y - SUN.y);
  tint(out, { r: 1, g: 0.97, b: 0.9 }, 1 - smooth(radius - 0.004, radius + 0.004, distance));
  add(out, air.light, 0.35 * Math.exp(-Math.max(0, distance - radius) * 16));
}

/** Ranges of mountains behind one another, haze between them. */
const mountains = (air: Air): Shader => {
  const layers = 7;
  return (x, y, out) => {
    sky(air, x, y, out, 0.72);
    const veil = smooth(0.5, 0.75, cloud(x * 1.6, y * 6, air.seed + 90));
    tint(out, { r: 1, g: 0.98, b: 0.95 }, veil * 0.16 * (1 - y));
    sun(air, x, y, out, 0.066);
    for (let i = 0; i < layers; i++) {
      const depth = i / (layers - 1);
      const top =
        0.4 +
        depth * 0.42 -
        crest(x * blend(1.5, 0.8, depth) + i * 7.3, 0.5, air.seed + i, 6) * blend(0.2, 0.3, depth) +
        0.06;
      if (y < top) continue;
      const colour = { r: 0, g: 0, b: 0 };
      set(colour, air.far, air.near, depth ** 1.15);
      const rock = crest(x * 9 + i, y * 7, air.seed + i * 3, 3) - 0.5;
      add(colour, air.light, rock * 0.07 * depth);
      const haze = smooth(top, top + 0.2, y) * blend(0.75, 0.28, depth);
      tint(colour, air.low, haze);
      tint(out, colour, smooth(top, top + 0.003, y));
    }
  };
};

/** Evening at sea: the sun, its road on the water, long clouds. */
const sea = (air: Air): Shader => {
  const horizon = 0.56;
  const above = (x: number, y: number, out: Rgb): void => {
    sky(air, x, y, out, horizon);
    const band = smooth(0.46, 0.72, cloud(x * 1.3 + 3, y * 7, air.seed, 6));
    tint(out, air.light, band * 0.5 * smooth(0, 0.2, y));
    tint(out, air.far, smooth(0.55, 0.8, cloud(x * 1.1 + 9, y * 9, air.seed + 4, 5)) * 0.55);
    sun(air, x, y, out, 0.07);
  };
  return (x, y, out) => {
    if (y < horizon) return above(x, y, out);
    const depth = y - horizon;
    const scale = 0.09 / (depth + 0.012);
    const wave = cloud((x - 0.9) * scale * 4, scale * 38, air.seed + 7, 4) - 0.47;
    const bend = wave * (0.1 + depth * 0.5);
    above(x + bend * 0.3, horizon - depth * 0.95 + bend, out);
    tint(out, air.near, clamp(0.34 + depth * 0.75));
    const road = Math.exp(-(((x - SUN.x) / (0.05 + depth * 0.36)) ** 2));
    add(out, air.light, road * smooth(0.0, 0.18, wave + 0.06) * 1.05);
    add(out, air.light, smooth(0.1, 0.22, wave) * 0.1);
  };
};

/** Sand or snow in long curves, one side in light. */
const dunes = (air: Air): Shader => {
  const heightOf = (x: number, i: number): number =>
    0.52 +
    i * 0.1 -
    Math.sin(x * (1.5 + i * 0.35) + i * 2.1 + air.seed) * 0.07 -
    noise(x * 1.4 + i * 5, 2, air.seed) * 0.1;
  return (x, y, out) => {
    sky(air, x, y, out, 0.7);
    sun(air, x, y, out, 0.085);
    for (let i = 0; i < 5; i++) {
      const top = heightOf(x, i);
      if (y < top) continue;
      const below = y - top;
      // The lee side falls along a wandering line from each crest.
      const slope = heightOf(x + 0.02, i) - heightOf(x - 0.02, i);
      const line = smooth(-0.012, 0.02, slope + (noise(x * 3 + i, below * 4, air.seed + i) - 0.5) * 0.016);
      const shadeShare = clamp(line * (1 - smooth(0, 0.34, below)) + 0.1 * i);
      const colour = { r: 0, g: 0, b: 0 };
      set(colour, air.far, air.near, clamp(shadeShare * 0.9));
      const ripple = Math.sin((below * 210 + x * 34 + noise(x * 6, below * 9, air.seed) * 9) * (1.1 - i * 0.1));
      add(colour, air.light, ripple * 0.022 + (1 - shadeShare) * 0.05 * Math.exp(-below * 9));
      tint(out, colour, smooth(top, top + 0.003, y));
    }
  };
};

/** A clear night: the galaxy, a dark ridge, warm windows. */
const night = (air: Air): Shader => {
  return (x, y, out) => {
    set(out, air.high, air.low, smooth(0.1, 0.95, y));
    const along = x * 0.62 - y * 0.9 + 0.06;
    const band = Math.exp(-((along - 0.28) ** 2) * 16);
    const dust = cloud(x * 4, y * 4, air.seed, 6);
    add(out, air.light, band * smooth(0.3, 0.75, dust) * 0.5);
    add(out, air.far, band * 0.34);
    tint(out, air.high, band * smooth(0.5, 0.68, cloud(x * 6 + 4, y * 6, air.seed + 5, 5)) * 0.6);
    const cell = 90;
    const star = hash(Math.floor(x * cell * 2), Math.floor(y * cell * 2), air.seed + 9);
    if (star > 0.955 - band * 0.05) {
      const size = hash(Math.floor(x * cell * 2), Math.floor(y * cell * 2), air.seed + 10);
      const px = (x * cell * 2) % 1;
      const py = (y * cell * 2) % 1;
      const spot = Math.exp(-((px - 0.5) ** 2 + (py - 0.5) ** 2) * blend(60, 14, size ** 6));
      add(out, { r: 1, g: 0.97, b: 0.92 }, spot * (0.35 + size * 0.65));
    }
    for (let i = 0; i < 3; i++) {
      const top = 0.74 + i * 0.085 - crest(x * (1.2 + i * 0.4) + i * 3, 1, air.seed + i, 6) * (0.22 - i * 0.04) + 0.05;
      if (y < top) continue;
      const colour = { r: 0, g: 0, b: 0 };
      set(colour, air.low, air.near, 0.45 + i * 0.27);
      tint(colour, air.low, smooth(top, top + 0.16, y) * (0.32 - i * 0.1));
      tint(out, colour, smooth(top, top + 0.003, y));
    }
    const glow = Math.hypot((x - 1.22) * 1.2, y - 0.9);
    add(out, { r: 1, g: 0.66, b: 0.28 }, 0.5 * Math.exp(-glow * 15));
    if (Math.abs(x - 1.22) < (y - 0.84) * 0.75 && y > 0.84 && y < 0.9)
      tint(out, { r: 1, g: 0.8, b: 0.44 }, 0.92 - Math.abs(x - 1.22) * 6);
  };
};

/** Lights of a city out of focus. */
const bokeh = (air: Air): Shader => {
  const lights = Array.from({ length: 74 }, (_, i) => {
    const h = (k: number) => hash(i, k, air.seed + 40);
    const colours = [air.light, air.far, { r: 1, g: 0.72, b: 0.36 }, air.light, { r: 1, g: 0.93, b: 0.82 }];
    return {
      x: 0.62 + h(1) * 1.2,
      y: 0.5 + (h(2) - 0.5) * blend(0.9, 0.5, h(6)),
      radius: 0.016 + h(3) ** 2.2 * 0.085,
      power: 0.1 + h(4) * 0.32,
      colour: at(colours, Math.floor(h(5) * 5)),
    };
  });
  return (x, y, out) => {
    set(out, air.high, air.near, y);
    add(out, air.far, 0.28 * Math.exp(-((x - 1.3) ** 2 * 1.6 + (y - 0.55) ** 2 * 7)));
    for (const { x: cx, y: cy, radius, power, colour } of lights) {
      const distance = Math.hypot(x - cx, y - cy) / radius;
      if (distance > 1.06) continue;
      const disc = 1 - smooth(0.94, 1.05, distance);
      add(out, colour, power * disc * (0.55 + 0.45 * smooth(0.55, 1, distance)));
    }
  };
};

/** Conifers in mist. */
const forest = (air: Air): Shader => {
  // Branches: the outline steps out and in again on its way down.
  const isTree = (x: number, y: number, ground: number, count: number, seed: number, tall: number): boolean => {
    for (let k = -1; k <= 1; k++) {
      const cell = Math.floor(x * count) + k;
      const centre = (cell + 0.5 + (hash(cell, 1, seed) - 0.5) * 0.8) / count;
      const height = tall * (0.45 + hash(cell, 2, seed) * 0.75);
      const t = (y - ground + height) / height;
      if (t < 0 || t > 1.4) continue;
      const tier = (t * 9 + hash(cell, 4, seed)) % 1;
      if (Math.abs(x - centre) < height * 0.2 * t * (0.5 + 0.5 * tier) + 0.0012) return true;
    }
    return false;
  };
  return (x, y, out) => {
    sky(air, x, y, out, 0.8);
    sun(air, x, y, out, 0.04);
    for (let i = 0; i < 6; i++) {
      const depth = i / 5;
      const ground = 0.52 + depth * 0.4 - Math.sin(x * (2 + i * 0.3) + i * 1.7 + air.seed) * 0.05 - (x - 0.6) * 0.06;
      const tall = blend(0.08, 0.34, depth);
      if (y < ground - tall * 1.2) continue;
      if (y < ground && !isTree(x + i * 0.37, y, ground, blend(46, 13, depth), air.seed + i, tall)) continue;
      const colour = { r: 0, g: 0, b: 0 };
      set(colour, air.far, air.near, depth);
      const mist =
        smooth(ground - tall * 0.8, ground + 0.1, y) *
        blend(0.8, 0.5, depth) *
        (0.6 + 0.6 * cloud(x * 2.4, y * 4 + i, air.seed + 60, 4));
      tint(colour, air.low, clamp(mist));
      tint(out, colour, 0.97);
    }
  };
};

/** Rows of flowers running to the horizon. */
const fields = (air: Air): Shader => {
  const horizon = 0.5;
  return (x, y, out) => {
    sky(air, x, y, out, horizon);
    tint(out, { r: 1, g: 1, b: 1 }, smooth(0.48, 0.74, cloud(x * 1.2, y * 3.2, air.seed, 6)) * 0.75 * (1 - y));
    const hill = horizon - 0.02 - noise(x * 1.7, 1, air.seed) * 0.1;
    if (y > hill) set(out, air.low, air.near, 0.5 + smooth(hill, horizon, y) * 0.2);
    if (y < horizon + 0.006) return;
    const depth = y - horizon;
    const far = 1 / (depth + 0.02);
    const across = (x - 1.15) * far * 1.5 + noise(x * 2, 3, air.seed) * 0.1;
    const row = Math.abs((((across % 1) + 1) % 1) - 0.5) * 2;
    const bloom =
      noise(x * 150 * (0.3 + depth), y * 190, air.seed + 3) * 0.6 + noise(across * 9, far * 9, air.seed + 4) * 0.4;
    const flower = smooth(0.36, 0.62, 1 - row + (bloom - 0.5) * 0.55);
    set(out, air.near, air.light, flower * (0.45 + bloom * 0.55));
    add(out, air.far, (bloom - 0.45) * 0.22 * (1 - flower));
    tint(out, air.low, Math.exp(-depth * 16) * 0.72);
  };
};

/** Above the clouds at first light. */
const above = (air: Air): Shader => {
  return (x, y, out) => {
    sky(air, x, y, out, 0.5);
    sun(air, x, y, out, 0.05);
    for (let i = 0; i < 9; i++) {
      const depth = i / 8;
      const base = 0.46 + depth ** 1.3 * 0.5;
      const size = blend(7, 1.7, depth);
      const lump = cloud(x * size + i * 9.1, i * 3.7, air.seed + i, 5);
      const top = base - (lump - 0.42) * blend(0.07, 0.3, depth);
      if (y < top) continue;
      const body = cloud(x * size * 2, (y - top) * size * 3, air.seed + i + 50, 4);
      const lit = clamp(1 - (y - top) * blend(16, 4.4, depth)) * (0.55 + body * 0.7);
      const colour = { r: 0, g: 0, b: 0 };
      set(colour, air.far, air.near, depth * 0.72);
      tint(colour, { r: 1, g: 0.96, b: 0.92 }, lit * 0.8);
      add(colour, air.light, lit * 0.22 * Math.exp(-Math.abs(x - SUN.x) * 2.2));
      tint(out, colour, smooth(top, top + blend(0.012, 0.035, depth), y));
    }
  };
};

/** Curtains of northern light over a still lake. */
const aurora = (air: Air): Shader => {
  const shore = 0.7;
  const above_ = (x: number, y: number, out: Rgb): void => {
    set(out, air.high, air.low, smooth(0, shore, y));
    for (let i = 0; i < 3; i++) {
      const foot =
        0.44 + i * 0.09 + Math.sin(x * (2.4 + i) + i * 2 + air.seed) * 0.08 + noise(x * 3 + i, 1, air.seed) * 0.1;
      const ray = 0.45 + 0.55 * noise(x * 42 + i * 9, 0.5, air.seed + i);
      const rise = foot - y;
      const strength = rise > 0 ? Math.exp(-rise * 4.6) : Math.exp(rise * 44);
      add(out, i === 1 ? air.far : air.light, strength * ray * 0.5);
    }
    const star = hash(Math.floor(x * 220), Math.floor(y * 220), air.seed);
    if (star > 0.9955) add(out, { r: 1, g: 1, b: 1 }, 0.5);
    const top = shore - crest(x * 1.5, 1, air.seed + 6, 6) * 0.16 * (0.5 + x * 0.5) + 0.04;
    if (y > top) tint(out, air.near, 0.96);
  };
  return (x, y, out) => {
    if (y < shore) return above_(x, y, out);
    const depth = y - shore;
    const wave = (cloud(x * 3, 0.7 / (depth + 0.03), air.seed + 2, 3) - 0.45) * (0.01 + depth * 0.14);
    above_(x + wave, shore - depth * 1.4 + wave, out);
    tint(out, air.near, 0.3 + depth * 0.6);
  };
};

const SCENES = [mountains, sea, dunes, night, bokeh, forest, fields, above, aurora];

/**
 * A landscape as a photograph would show it; `variant` picks the place, the palette the hour. `dim` (0 to 1) darkens the
 * left, where words will stand on it.
 */
export function landscape({ random, c, variant }: Brush, dim = 0): Picture {
  const [high, low, far, near, light] = c;
  const air: Air = {
    high: rgb(high),
    low: rgb(low),
    far: rgb(far),
    near: rgb(near),
    light: rgb(light),
    seed: random.int(900),
  };
  const scene = at(SCENES, variant)(air);
  return shade((x, y, out) => {
    scene(x, y, out);
    const vignette = (1 - 0.4 * Math.hypot(x / ASPECT - 0.5, y - 0.5) ** 2) * (1 - dim * smooth(1.15, 0.15, x));
    out.r *= vignette;
    out.g *= vignette;
    out.b *= vignette;
  });
}
