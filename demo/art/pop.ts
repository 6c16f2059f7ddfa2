import { mix } from '../colour.ts';
import { at } from '../random.ts';
import { type Art, type Brush, canvas, circle, HEIGHT, n, path, polar, rect, ridge, sector, WIDTH } from './svg.ts';

function daisy(x: number, y: number, r: number, petal: string, core: string, face: boolean): string {
  let out = '';
  for (let i = 0; i < 8; i++) {
    const [px, py] = polar(x, y, r * 0.62, i * 45);
    out += circle(px, py, r * 0.36, `#${petal}`);
  }
  out += circle(x, y, r * 0.46, `#${core}`);
  if (face)
    out +=
      circle(x - r * 0.15, y - r * 0.08, r * 0.055, '#1b1b1f') +
      circle(x + r * 0.15, y - r * 0.08, r * 0.055, '#1b1b1f') +
      `<path d="M${n(x - r * 0.2)} ${n(y + r * 0.08)}q${n(r * 0.2)} ${n(r * 0.22)} ${n(r * 0.4)} 0" stroke="#1b1b1f" stroke-width="${n(r * 0.06)}" fill="none" stroke-linecap="round"/>`;
  return out;
}

function star(x: number, y: number, r: number, points: number, fill: string): string {
  let d = '';
  for (let i = 0; i < points * 2; i++) {
    const [px, py] = polar(x, y, i % 2 ? r * 0.72 : r, (i * 180) / points - 90);
    d += `${d ? 'L' : 'M'}${n(px)} ${n(py)}`;
  }
  return path(`${d}Z`, fill, 'stroke-linejoin="round"');
}

function spark(x: number, y: number, r: number, fill: string): string {
  return path(
    `M${n(x)} ${n(y - r)}Q${n(x + r * 0.14)} ${n(y - r * 0.14)} ${n(x + r)} ${n(y)}Q${n(x + r * 0.14)} ${n(y + r * 0.14)} ${n(x)} ${n(y + r)}Q${n(x - r * 0.14)} ${n(y + r * 0.14)} ${n(x - r)} ${n(y)}Q${n(x - r * 0.14)} ${n(y - r * 0.14)} ${n(x)} ${n(y - r)}Z`,
    fill,
  );
}

/** 糖果波普: chequers, smiling flowers, sunbursts, stickers; young and loud. */
export function pop({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, ground] = c;
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`);
  if (v === 0) {
    for (let i = 0; i < 16; i++)
      for (let k = 0; k < 3; k++) if ((i + k) % 2) x += rect(i * 80, 560 + k * 80, 80, 80, `#${a}`);
    x +=
      path(
        ridge((px) => 560 - Math.sin(px * 0.012) * 26, 10, WIDTH, 600),
        `#${b}`,
      ) +
      daisy(1000, 290, 225, d, e, true) +
      daisy(765, 470, 96, e, a, true) +
      daisy(1200, 560, 110, a, e, true);
    x += spark(740, 170, 54, `#${a}`) + spark(1210, 120, 40, `#${b}`) + circle(860, 90, 18, `#${b}`);
  }
  if (v === 1) {
    for (let i = 0; i < 24; i++) if (i % 2) x += path(sector(1000, 380, 0, 1200, i * 15, i * 15 + 15), `#${a}`);
    x +=
      star(1000, 380, 265, 16, `#${b}`) +
      circle(1000, 380, 176, `#${d}`) +
      circle(1000, 380, 154, `#${ground}`) +
      daisy(1000, 380, 138, e, d, true);
    x += `<path d="M0 0H700Q630 360 700 720H0Z" fill="#${ground}"/><path d="M700 0Q630 360 700 720" fill="none" stroke="#${b}" stroke-width="12"/>`;
    x += spark(1200, 110, 58, '#fff') + spark(790, 640, 40, '#fff') + spark(1190, 640, 34, `#${d}`);
  }
  if (v === 2) {
    const blobs: [number, number, number, string][] = [
      [1120, 120, 250, a],
      [760, 640, 210, b],
      [1190, 600, 240, d],
    ];
    for (const [cx, cy, r, col] of blobs) {
      let blob = '';
      const f = random.range(0, 6);
      for (let k = 0; k < 60; k++) {
        const [px, py] = polar(cx, cy, r + Math.sin((k / 60) * Math.PI * 6 + f) * r * 0.13, k * 6);
        blob += `${blob ? 'L' : 'M'}${n(px)} ${n(py)}`;
      }
      x += path(`${blob}Z`, `#${col}`);
    }
    x += `<g fill="none" stroke="#${mix(ground, '000000', 0.88)}" stroke-width="10" stroke-linecap="round"><path d="M690 250q30 -46 60 0t60 0 60 0 60 0"/><path d="M1050 420q24 -38 48 0t48 0 48 0"/></g>`;
    for (let i = 0; i < 6; i++)
      for (let k = 0; k < 6; k++) x += circle(850 + i * 26, 470 + k * 26, 5, `#${mix(ground, '000000', 0.88)}`);
    x +=
      star(940, 330, 120, 12, `#${e}`) +
      daisy(940, 330, 74, 'FFFFFF', e, true) +
      spark(1180, 330, 60, `#${b}`) +
      spark(700, 420, 34, `#${a}`) +
      circle(1010, 600, 44, 'none', `stroke="#${e}" stroke-width="16"`);
  }
  for (let i = 0; i < 8; i++) {
    const px = random.range(690, 1250);
    const py = random.range(20, 540);
    x += rect(
      px,
      py,
      22,
      8,
      `#${at([a, b, d, e], i)}`,
      `rx="4" transform="rotate(${random.int(90)} ${n(px)} ${n(py)})"`,
    );
  }
  return { svg: canvas(x), layout: 'left' };
}
