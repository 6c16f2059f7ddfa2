/** A small ray marcher: still lives of soft solids under studio light, computed, so that shadows and sheen are right. */
import type { Rgb } from './raster.ts';
import { add, ASPECT, blend, clamp, shade, smooth, tint, type Picture } from './raster.ts';

/** Signed distance from a point to a surface. */
export type Distance = (x: number, y: number, z: number) => number;

export interface Solid {
  distance: Distance;
  colour: Rgb;
  /** 0 clay, 1 polished. */
  gloss: number;
}

export interface Studio {
  solids: readonly Solid[];
  /** Wall and floor. */
  ground: Rgb;
  sheen: Rgb;
}

export const ball =
  (cx: number, cy: number, cz: number, r: number): Distance =>
  (x, y, z) =>
    Math.sqrt((x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2) - r;

/** Upright cylinder standing on height `base`, edges rounded by `round`. */
export const drum =
  (cx: number, base: number, cz: number, r: number, h: number, round = 0.05): Distance =>
  (x, y, z) => {
    const dx = Math.hypot(x - cx, z - cz) - r + round;
    const dy = Math.abs(y - base - h / 2) - h / 2 + round;
    return Math.min(Math.max(dx, dy), 0) + Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) - round;
  };

/** Box by its centre and half sizes, turned about the vertical. */
export const block = (
  cx: number,
  cy: number,
  cz: number,
  w: number,
  h: number,
  d: number,
  round = 0.05,
  turn = 0,
): Distance => {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return (x, y, z) => {
    const px = (x - cx) * c - (z - cz) * s;
    const pz = (x - cx) * s + (z - cz) * c;
    const qx = Math.abs(px) - w + round;
    const qy = Math.abs(y - cy) - h + round;
    const qz = Math.abs(pz) - d + round;
    const outside = Math.sqrt(Math.max(qx, 0) ** 2 + Math.max(qy, 0) ** 2 + Math.max(qz, 0) ** 2);
    return outside + Math.min(Math.max(qx, qy, qz), 0) - round;
  };
};

/** Ring by its centre; `tilt` turns it about the x axis (0 stands facing us), `turn` about the vertical. */
export const ring = (cx: number, cy: number, cz: number, r: number, tube: number, tilt = 0, turn = 0): Distance => {
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
  const [k, l] = [Math.cos(turn), Math.sin(turn)];
  return (x, y, z) => {
    const ax = (x - cx) * k - (z - cz) * l;
    const az = (x - cx) * l + (z - cz) * k;
    const ay = y - cy;
    const by = ay * c - az * s;
    const bz = ay * s + az * c;
    return Math.hypot(Math.hypot(ax, by) - r, bz) - tube;
  };
};

/** Pill between two points. */
export const pill = (
  a: readonly [number, number, number],
  b: readonly [number, number, number],
  r: number,
): Distance => {
  const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length2 = bx * bx + by * by + bz * bz;
  return (x, y, z) => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
    const h = clamp((px * bx + py * by + pz * bz) / length2);
    return Math.sqrt((px - bx * h) ** 2 + (py - by * h) ** 2 + (pz - bz * h) ** 2) - r;
  };
};

/** Egg: a ball stretched upwards. The distance is a safe underestimate. */
export const egg =
  (cx: number, cy: number, cz: number, r: number, stretch: number): Distance =>
  (x, y, z) => {
    const squeeze = y < cy ? stretch * 1.12 : stretch;
    return (Math.sqrt((x - cx) ** 2 + ((y - cy) / squeeze) ** 2 + (z - cz) ** 2) - r) * 0.8;
  };

/** Drops that flow into one another; `soft` is how far they reach. */
export const melt =
  (parts: readonly Distance[], soft: number): Distance =>
  (x, y, z) => {
    let result = 10;
    for (const part of parts) {
      const d = part(x, y, z);
      const h = clamp(0.5 + (0.5 * (d - result)) / soft);
      result = blend(d, result, h) - soft * h * (1 - h);
    }
    return result;
  };

export const cut =
  (body: Distance, hole: Distance): Distance =>
  (x, y, z) =>
    Math.max(body(x, y, z), -hole(x, y, z));

/** Arch: a doorway's frame standing on the floor. */
export const arch =
  (cx: number, cz: number, r: number, leg: number, tube: number, depth: number): Distance =>
  (x, y, z) => {
    const px = Math.abs(x - cx);
    const inPlane = y > leg ? Math.abs(Math.hypot(px, y - leg) - r) : Math.abs(px - r);
    return Math.max(inPlane - tube, Math.abs(z - cz) - depth) * 0.9;
  };

const LIGHT = { x: -0.52, y: 0.74, z: -0.43 };
const FLOOR = 0;

/** Draw the still life: camera at eye height, looking slightly down; x to the right, y up, z away. */
export function photograph(studio: Studio): Picture {
  const { solids, ground, sheen } = studio;
  let nearest: Solid | null = null;
  const map: Distance = (x, y, z) => {
    let best = y - FLOOR;
    nearest = null;
    for (const solid of solids) {
      const d = solid.distance(x, y, z);
      if (d < best) {
        best = d;
        nearest = solid;
      }
    }
    return best;
  };
  const shadow = (x: number, y: number, z: number): number => {
    let light = 1;
    let t = 0.05;
    for (let i = 0; i < 26 && t < 4.5; i++) {
      const d = map(x + LIGHT.x * t, y + LIGHT.y * t, z + LIGHT.z * t);
      if (d < 0.002) return 0;
      light = Math.min(light, (7 * d) / t);
      t += clamp(d, 0.03, 0.4);
    }
    return smooth(0, 1, light);
  };
  const wall = (x: number, y: number, out: Rgb): void => {
    out.r = ground.r;
    out.g = ground.g;
    out.b = ground.b;
    tint(out, sheen, 0.5 * Math.exp(-((x - 0.9) ** 2 * 0.3 + (y - 1.5) ** 2 * 0.5)));
  };
  const paint = (sx: number, sy: number, out: Rgb): void => {
    const eye = { x: 0, y: 1.5, z: -6 };
    let dx = (sx - ASPECT / 2) * 0.68 + 0.04;
    let dy = (0.5 - sy) * 0.68 - 0.045;
    let dz = 1;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    dx /= length;
    dy /= length;
    dz /= length;
    let t = 2.6;
    let d = 1;
    for (let i = 0; i < 90 && t < 15; i++) {
      d = map(eye.x + dx * t, eye.y + dy * t, eye.z + dz * t);
      if (d < 0.0012 * t) break;
      t += d * 0.94;
    }
    const [x, y, z] = [eye.x + dx * t, eye.y + dy * t, eye.z + dz * t];
    const back = dy > -0.001 ? 1 : smooth(5.5, 13, t);
    if (t >= 15) return wall(x * 0.3, 1.4, out);
    map(x, y, z);
    const hit: Solid | null = nearest;
    const e = 0.003;
    const m = map(x, y, z);
    let nx = map(x + e, y, z) - m;
    let ny = map(x, y + e, z) - m;
    let nz = map(x, y, z + e) - m;
    const nl = Math.hypot(nx, ny, nz) || 1;
    nx /= nl;
    ny /= nl;
    nz /= nl;
    const base = hit === null ? null : colourOf(hit);
    const lit =
      Math.max(0, nx * LIGHT.x + ny * LIGHT.y + nz * LIGHT.z) * shadow(x + nx * 0.02, y + ny * 0.02, z + nz * 0.02);
    let open = 1;
    for (let i = 1; i <= 4; i++)
      open -= Math.max(0, 0.13 * i - map(x + nx * 0.13 * i, y + ny * 0.13 * i, z + nz * 0.13 * i)) * (0.62 / i);
    const ambient = clamp(open, 0.2, 1) * (0.62 + 0.16 * ny);
    if (base === null) {
      wall(x, 0.9, out);
      const amount = ambient * 0.84 + lit * 0.42;
      out.r *= amount;
      out.g *= amount;
      out.b *= blend(amount, 1, 0.06);
      if (back > 0) {
        const far = { r: 0, g: 0, b: 0 };
        wall(x * 0.3, 1.4, far);
        tint(out, far, back);
      }
      return;
    }
    const amount = ambient * 0.66 + lit * 0.78;
    out.r = base.colour.r * amount;
    out.g = base.colour.g * amount;
    out.b = base.colour.b * amount;
    // Light coming through from the floor, and the edge light that makes clay look soft.
    add(out, ground, 0.13 * clamp(0.5 - ny * 0.5) * open);
    const facing = clamp(-(nx * dx + ny * dy + nz * dz));
    const rim = (1 - facing) ** 3;
    tint(out, sheen, rim * (0.25 + 0.4 * base.gloss));
    const hx = LIGHT.x - dx;
    const hy = LIGHT.y - dy;
    const hz = LIGHT.z - dz;
    const half = Math.max(0, (nx * hx + ny * hy + nz * hz) / Math.hypot(hx, hy, hz));
    const spark = half ** blend(14, 110, base.gloss) * blend(0.16, 0.9, base.gloss) * (lit > 0 ? 1 : 0.2);
    add(out, { r: 1, g: 1, b: 1 }, spark);
    // A soft box above, seen in polished things.
    const ry = dy + 2 * facing * ny;
    add(out, { r: 1, g: 1, b: 1 }, base.gloss * 0.32 * smooth(0.62, 0.78, ry));
  };
  return shade(paint, 600);
}

const colourOf = (solid: Solid): Solid => solid;
