import type { Brush } from '../../svg.ts';
import { at } from '../../../../demo/random.ts';
import { add, blend, clamp, cloud, hash, noise, rgb, set, shade, smooth, tint } from './raster.ts';
import type { Picture, Rgb, Shader } from './raster.ts';

/** Ground, cloth, metal, light, second metal. */
interface Dark {
  ground: Rgb;
  cloth: Rgb;
  metal: Rgb;
  light: Rgb;
  seed: number;
}

/** Heavy satin in folds; light from the upper right. */
const satin = (dark: Dark): Shader => {
  const fold = (x: number, y: number): number => {
    const bend = cloud(x * 0.7 + 4, y * 0.6, dark.seed, 2) * 1.7;
    return Math.sin((x * 1.9 - y * 1.5 + bend) * 5.4) * 0.5 + Math.sin((x * 1.1 + y * 0.8 + bend * 1.3) * 3.4) * 0.5;
  };
  return (x, y, out) => {
    const e = 0.004;
    const f = fold(x, y);
    const nx = (fold(x + e, y) - f) / e;
    const ny = (fold(x, y + e) - f) / e;
    const length = Math.hypot(nx * 0.16, ny * 0.16, 1);
    const lit = clamp((-nx * 0.16 * 0.8 + ny * 0.16 * -0.66 + 0.36) / length);
    set(out, dark.ground, dark.cloth, smooth(0.05, 0.75, lit));
    add(out, dark.light, smooth(0.3, 0.9, lit) ** 2 * 0.42);
    const quiet = smooth(1.15, 0.45, x);
    tint(out, dark.ground, quiet * 0.82);
  };
};

/** Black stone with veins of metal. */
const marble =
  (dark: Dark): Shader =>
  (x, y, out) => {
    const warp = cloud(x * 1.4, y * 1.4, dark.seed, 5) * 1.5;
    const body = cloud(x * 2 + warp, y * 2 - warp, dark.seed + 3, 6);
    set(out, dark.ground, dark.cloth, smooth(0.3, 0.85, body) * 0.8);
    const vein = (k: number, width: number): number => {
      const v = Math.abs(noise(x * 1.5 + warp * 1.1 + k, y * 2.1 - x * 1.2 + warp * 0.8, dark.seed + k) - 0.5);
      return Math.exp(-v / width) * smooth(0.35, 0.6, cloud(x * 3 + k, y * 3, dark.seed + 8 + k, 3));
    };
    const gold = clamp(vein(1, 0.006) + vein(5, 0.01) * 0.8 + vein(9, 0.003));
    const glint = 0.6 + 0.7 * noise(x * 26, y * 26, dark.seed + 5);
    tint(out, dark.metal, clamp(gold * glint) * smooth(0.35, 0.95, x));
    add(out, dark.light, gold ** 3 * 0.25 * smooth(0.5, 1, x));
  };

/** A ring of light, as of an eclipse. */
const eclipse =
  (dark: Dark): Shader =>
  (x, y, out) => {
    set(out, dark.ground, dark.cloth, 0.35 * Math.exp(-(((x - 1.28) ** 2 + (y - 0.5) ** 2) * 3)));
    const distance = Math.hypot(x - 1.28, y - 0.5);
    const angle = Math.atan2(y - 0.5, x - 1.28);
    const side = 0.5 + 0.5 * Math.cos(angle + 0.9);
    const edge = distance - 0.29;
    const ray = 0.6 + 0.6 * cloud(Math.cos(angle) * 3 + 5, Math.sin(angle) * 3 + distance * 1.5, dark.seed, 4);
    if (edge > 0) add(out, dark.metal, Math.exp(-edge * 8) * side ** 1.4 * ray * 0.72);
    add(out, dark.light, Math.exp(-Math.abs(edge) * blend(380, 90, side ** 6)) * (0.12 + side ** 1.5));
    if (edge < 0) tint(out, { r: 0, g: 0, b: 0 }, 0.86 * smooth(0, -0.02, edge));
  };

/** A door ajar: one blade of light in a dark room. */
const door = (dark: Dark): Shader => {
  const floor = 0.73;
  return (x, y, out) => {
    const isFloor = y > floor;
    set(out, dark.ground, dark.cloth, isFloor ? 0.12 : 0.2 * Math.exp(-Math.abs(x - 1.3) * 1.6));
    const inside = x > 1.19 && x < 1.41 && y > 0.13 && y < floor;
    if (inside) {
      set(out, dark.metal, dark.light, smooth(0.75, 0.1, y) * 0.9);
    } else if (isFloor) {
      const depth = (y - floor) / (1 - floor);
      const left = blend(1.19, 0.7, depth);
      const right = blend(1.41, 1.5, depth);
      const within =
        smooth(left - 0.05 * depth - 0.004, left + 0.07 * depth + 0.004, x) *
        smooth(right + 0.05 * depth + 0.004, right - 0.07 * depth - 0.004, x);
      const wood = 0.8 + 0.24 * noise(x * 3, y * 60, dark.seed);
      tint(out, dark.metal, within * blend(0.92, 0.4, depth) * wood);
    } else {
      add(out, dark.metal, 0.4 * Math.exp(-Math.max(Math.abs(x - 1.3) - 0.11, 0) * 9) * smooth(0.0, 0.3, y));
    }
    // A person in the doorway.
    const head = Math.hypot((x - 1.3) * 1.05, y - 0.437) < 0.024;
    const bodyWidth = 0.036 + 0.022 * smooth(0.5, 0.72, y);
    const body = y > 0.468 && y < floor + 0.002 && Math.abs(x - 1.3) < bodyWidth * smooth(0.455, 0.5, y);
    const cast = isFloor && Math.abs(x - blend(1.3, 1.1, (y - floor) / (1 - floor))) < 0.036 + (y - floor) * 0.1;
    if (head || body) tint(out, dark.ground, 0.97);
    else if (cast) tint(out, dark.ground, 0.72);
  };
};

/** Gold dust drifting from the dark. */
const dust =
  (dark: Dark): Shader =>
  (x, y, out) => {
    set(out, dark.ground, dark.cloth, 0.5 * smooth(1.2, 0, Math.hypot(x - 1.45, y - 0.3)));
    const stream = Math.exp(-((y - 0.78 + (x - 0.4) * 0.42 + (cloud(x * 1.5, 2, dark.seed, 3) - 0.5) * 0.5) ** 2) * 26);
    const smoke = cloud(x * 2.4 + 1, y * 4.2 + x, dark.seed + 2, 6);
    add(out, dark.metal, stream * smooth(0.3, 0.8, smoke) * 0.75 * smooth(0.4, 1.2, x));
    for (const cell of [70, 150]) {
      const [cx, cy] = [Math.floor(x * cell), Math.floor(y * cell)];
      const chance = hash(cx, cy, dark.seed + cell);
      if (chance < 1 - 0.34 * stream * smooth(0.5, 1.3, x) - 0.004) continue;
      const [px, py] = [x * cell - cx - 0.5, y * cell - cy - 0.5];
      const size = blend(9, 40, hash(cx, cy, dark.seed + 3));
      add(out, dark.light, Math.exp(-(px * px + py * py) * size) * (0.3 + hash(cx, cy, 4)));
    }
  };

const SCENES = [satin, marble, eclipse, door, dust];

/** Dark, expensive surfaces: satin, stone, an eclipse, a door ajar, gold dust. */
export function noir({ random, c, variant }: Brush): Picture {
  const [ground, cloth, metal, light] = c;
  const dark: Dark = {
    ground: rgb(ground),
    cloth: rgb(cloth),
    metal: rgb(metal),
    light: rgb(light),
    seed: random.int(900),
  };
  return shade(at(SCENES, variant)(dark));
}
