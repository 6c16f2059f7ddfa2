import type { Brush } from '../../svg.ts';
import { at } from '../../../../demo/random.ts';
import { rgb, type Picture } from './raster.ts';
import { arch, ball, block, cut, drum, egg, melt, photograph, pill, ring, type Distance, type Solid } from './solid.ts';

type Mix = (index: number, distance: Distance, gloss?: number) => Solid;

/** Stages with an arch: something is about to be shown. */
const podium = (of: Mix): Solid[] => [
  of(0, arch(1.55, 1.3, 0.95, 1.2, 0.16, 0.2), 0.2),
  of(1, drum(1.5, 0, 0.5, 1.05, 0.32), 0.15),
  of(4, drum(1.5, 0.32, 0.5, 0.72, 0.3), 0.15),
  of(2, ball(1.5, 1.14, 0.5, 0.52), 0.9),
  of(3, drum(2.85, 0, 0.1, 0.46, 0.95), 0.2),
  of(2, ring(2.85, 1.28, 0.1, 0.26, 0.09, 0.2, 0.5), 0.8),
  of(3, ball(0.42, 0.27, -0.35, 0.27), 0.85),
  of(0, block(3.1, 0.2, -0.9, 0.2, 0.2, 0.2, 0.06, 0.5), 0.3),
  of(2, ball(0.75, 2.3, 1.5, 0.16), 0.9),
];

/** Drops that melt together. */
const blobs = (of: Mix): Solid[] => [
  of(0, melt([ball(1.2, 1.5, 0.4, 0.75), ball(2.2, 1.9, 0.5, 0.6), ball(1.9, 0.95, 0.2, 0.55)], 0.5), 1),
  of(1, melt([ball(2.95, 1.2, 0.8, 0.5), ball(3.1, 0.55, 0.5, 0.36)], 0.4), 0.95),
  of(2, ball(0.5, 0.75, -0.5, 0.36), 1),
  of(3, ball(1.1, 0.32, -0.9, 0.32), 0.9),
  of(2, ball(2.6, 2.75, 0.6, 0.3), 1),
  of(3, ball(0.62, 2.5, 0.9, 0.18), 1),
];

/** Interlocked rings. */
const rings = (of: Mix): Solid[] => [
  of(0, ring(1.35, 1.35, 0.4, 0.95, 0.27, 0.25, 0.35), 0.7),
  of(1, ring(2.3, 1.15, 0.5, 0.85, 0.24, 1.25, -0.3), 0.7),
  of(2, ring(2.05, 2.15, 0.9, 0.6, 0.17, 0.6, 1.0), 0.9),
  of(3, ball(0.45, 0.34, -0.4, 0.34), 0.9),
  of(3, ball(3.0, 0.42, -0.3, 0.42), 0.5),
  of(2, pill([0.25, 1.9, 0.8], [0.55, 2.4, 0.8], 0.14), 0.8),
];

/** Presents, one on another. */
const gifts = (of: Mix): Solid[] => [
  of(0, block(1.6, 0.62, 0.5, 0.85, 0.62, 0.75, 0.09, 0.35), 0.25),
  of(2, block(1.6, 0.62, 0.5, 0.17, 0.64, 0.77, 0.05, 0.35), 0.7),
  of(1, block(1.75, 1.62, 0.5, 0.56, 0.4, 0.52, 0.08, -0.25), 0.25),
  of(3, block(1.75, 1.62, 0.5, 0.12, 0.42, 0.54, 0.05, -0.25), 0.7),
  of(3, ring(1.6, 2.22, 0.5, 0.2, 0.07, 0.1, 0.4), 0.8),
  of(3, ring(1.92, 2.22, 0.5, 0.2, 0.07, 0.1, -0.4), 0.8),
  of(2, ball(0.35, 0.36, -0.3, 0.36), 0.95),
  of(1, block(3.0, 0.4, 0.1, 0.4, 0.4, 0.4, 0.08, 0.7), 0.3),
  of(2, block(3.0, 0.4, 0.1, 0.1, 0.41, 0.41, 0.04, 0.7), 0.7),
  of(3, ball(2.75, 1.2, 0.3, 0.22), 0.95),
];

/** Balloons over a low stage. */
const balloons = (of: Mix): Solid[] => [
  ...[
    [0.75, 1.85, 0.7, 0.42],
    [1.5, 2.35, 0.9, 0.5],
    [2.3, 1.9, 0.6, 0.46],
    [3.0, 2.45, 1.0, 0.44],
    [1.55, 1.35, 0.2, 0.34],
    [3.1, 1.45, 0.5, 0.3],
  ].map(([x = 0, y = 0, z = 0, r = 0], i) => of(i % 4, egg(x, y, z, r, 1.2), 0.9)),
  ...[
    [0.75, 1.3, 0.7],
    [1.5, 1.7, 0.9],
    [2.3, 1.3, 0.6],
    [3.0, 1.9, 1.0],
  ].map(([x = 0, y = 0, z = 0]) => of(4, pill([x, y, z], [1.9, 0.35, 0.5], 0.012))),
  of(4, drum(1.9, 0, 0.5, 0.95, 0.3), 0.2),
  of(2, block(1.9, 0.5, 0.5, 0.26, 0.2, 0.26, 0.05, 0.4), 0.4),
];

/** Stairs to a door in the open. */
const stairs = (of: Mix): Solid[] => [
  ...[0, 1, 2, 3, 4].map((i) =>
    of(i % 2 ? 4 : 0, block(0.75 + i * 0.46, 0.17 + i * 0.17, 0.4, 0.25, 0.17 + i * 0.17, 0.75, 0.04), 0.15),
  ),
  of(1, cut(block(3.0, 1.2, 0.5, 0.42, 1.2, 0.8, 0.05), block(2.9, 1.95, 0.5, 0.6, 0.55, 0.42, 0.02)), 0.2),
  of(2, ball(1.68, 1.28, 0.3, 0.28), 0.9),
  of(3, ball(0.35, 0.3, -0.6, 0.3), 0.8),
  of(2, ring(1.25, 2.35, 1.2, 0.36, 0.1, 0.3, 0.4), 0.7),
  of(3, drum(2.5, 0, -0.75, 0.28, 0.4), 0.2),
];

/** Jars and sticks on a shelf: skincare, medicine, food. */
const bottles = (of: Mix): Solid[] => [
  of(4, block(1.7, 0.14, 0.4, 1.75, 0.14, 0.75, 0.05), 0.2),
  of(0, drum(0.85, 0.28, 0.4, 0.42, 1.15, 0.12), 0.75),
  of(3, drum(0.85, 1.43, 0.4, 0.22, 0.38, 0.05), 0.8),
  of(1, drum(1.85, 0.28, 0.25, 0.5, 0.55, 0.1), 0.7),
  of(4, drum(1.85, 0.83, 0.25, 0.52, 0.22, 0.06), 0.8),
  of(2, drum(2.7, 0.28, 0.45, 0.28, 1.5, 0.14), 0.8),
  of(3, ball(2.7, 1.98, 0.45, 0.24), 0.95),
  of(2, pill([1.2, 0.14, -0.75], [1.75, 0.14, -0.6], 0.14), 0.8),
  of(0, pill([0.35, 0.13, -0.55], [0.6, 0.13, -0.95], 0.13), 0.8),
  of(3, ball(2.3, 0.2, -0.8, 0.2), 0.9),
];

/** Cups, a doughnut and sweets. */
const sweets = (of: Mix): Solid[] => [
  of(4, drum(1.7, 0, 0.45, 1.3, 0.12), 0.3),
  of(0, cut(drum(1.2, 0.12, 0.6, 0.5, 1.0, 0.1), drum(1.2, 0.4, 0.6, 0.4, 1.0, 0.05)), 0.5),
  of(3, drum(1.2, 0.9, 0.6, 0.41, 0.05, 0.02), 0.4),
  of(0, ring(0.66, 0.65, 0.6, 0.24, 0.07, 0, 0), 0.5),
  of(2, ring(2.25, 0.36, 0.1, 0.42, 0.24, 1.45, 0), 0.6),
  of(1, melt([ball(2.25, 1.15, 1.0, 0.5), ball(2.55, 1.65, 1.0, 0.34), ball(2.05, 1.75, 1.0, 0.3)], 0.2), 0.35),
  of(4, drum(2.25, 0.12, 1.0, 0.3, 0.7), 0.3),
  of(3, ball(3.15, 0.3, -0.1, 0.3), 0.9),
  of(1, ball(0.6, 0.22, -0.6, 0.22), 0.9),
  of(2, ball(1.35, 0.18, -0.8, 0.18), 0.9),
];

const SCENES = [podium, blobs, rings, gifts, balloons, stairs, bottles, sweets];

/** Soft three-dimensional still lifes in the palette's colours; the last colour is the studio's ground. */
export function stillLife({ c, variant }: Brush): Picture {
  const ground = rgb(c[4]);
  const white = { r: 1, g: 0.985, b: 0.97 };
  const of: Mix = (index, distance, gloss = 0.4) => ({
    distance,
    gloss,
    colour: index === 4 ? white : rgb(at(c, index)),
  });
  return photograph({ solids: at(SCENES, variant)(of), ground, sheen: white });
}
