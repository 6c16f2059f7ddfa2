import { mix } from '../colour.ts';
import { at, type Random } from '../random.ts';
import { type Art, type Brush, canvas, circle, HEIGHT, linear, n, path, radial, rect, ridge, WIDTH } from './svg.ts';

function towers(
  random: Random,
  base: number,
  low: number,
  high: number,
  fill: string,
  lit: string | undefined,
): string {
  let x = '';
  let px = -10;
  while (px < WIDTH) {
    const w = random.range(34, 86);
    const bias = px > 700 ? 1 : px > 560 ? 0.7 : 0.42;
    const h = random.range(low, high) * bias;
    const y = base - h;
    const kind = random.int(6);
    x += rect(px, y, w, h + 4, fill);
    if (kind === 0)
      x +=
        path(`M${n(px)} ${n(y)}L${n(px + w / 2)} ${n(y - w * 0.9)}L${n(px + w)} ${n(y)}Z`, fill) +
        rect(px + w / 2 - 1.5, y - w * 1.6, 3, w, fill);
    if (kind === 1)
      x += rect(px + w * 0.2, y - 26, w * 0.6, 28, fill) + rect(px + w * 0.36, y - 46, w * 0.28, 22, fill);
    if (kind === 2) x += path(`M${n(px)} ${n(y)}L${n(px + w)} ${n(y - 42)}V${n(y + 4)}H${n(px)}Z`, fill);
    if (kind === 3) x += path(`M${n(px)} ${n(y + 1)}A${n(w / 2)} ${n(w / 2)} 0 0 1 ${n(px + w)} ${n(y + 1)}Z`, fill);
    if (lit) {
      for (let r = 0; r < h / 17 - 1; r++)
        for (let k = 0; k < w / 13 - 1; k++)
          if (random.chance(0.34))
            x += rect(px + 7 + k * 13, y + 10 + r * 17, 6, 8, lit, `opacity="${n(random.range(0.5, 1))}"`);
    }
    px += w + random.range(-4, 14);
  }
  return x;
}

/** 城市天际线: duotone haze, sun or moon, reflections; photo-like depth. */
export function skyline({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [sky, glow, far, near, light] = c;
  const horizon = v === 1 ? 560 : 520;
  let x = `<defs>${linear('s', 0, 1, [
    [0, sky],
    [0.55, mix(sky, glow, 0.55)],
    [0.78, glow],
    [1, mix(glow, 'FFFFFF', 0.3)],
  ])}${radial('h', [
    [0, light, 0.95],
    [0.35, light, 0.4],
    [1, light, 0],
  ])}${linear('fog', 0, 1, [
    [0, glow, 0],
    [1, glow, 0.75],
  ])}${linear('wt', 0, 1, [
    [0, mix(glow, near, 0.35)],
    [1, near],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#s)')}`;
  const sx = v === 2 ? 1010 : 930;
  const sy = v === 1 ? 190 : 350;
  x += circle(sx, sy, 420, 'url(#h)') + circle(sx, sy, v === 1 ? 74 : 128, `#${mix(light, 'FFFFFF', 0.4)}`);
  for (let i = 0; i < 6; i++)
    x += `<ellipse cx="${n(random.range(300, 1250))}" cy="${n(random.range(60, 330))}" rx="${n(random.range(120, 300))}" ry="${n(random.range(4, 11))}" fill="#fff" opacity="${n(random.range(0.12, 0.3))}"/>`;
  const lit = v === 1 ? `#${light}` : undefined;
  x +=
    towers(random, horizon, 120, 330, `#${mix(far, glow, 0.55)}`, undefined) +
    rect(0, horizon - 210, WIDTH, 215, 'url(#fog)');
  x +=
    towers(random, horizon, 80, 280, `#${mix(far, glow, 0.22)}`, undefined) +
    rect(0, horizon - 140, WIDTH, 145, 'url(#fog)');
  x += towers(random, horizon + 6, 50, v === 1 ? 250 : 190, `#${mix(near, far, 0.3)}`, lit);
  x += `<defs>${linear('veil', 1, 0, [
    [0, mix(sky, '000000', 0.25), 0.8],
    [0.62, sky, 0],
  ])}</defs>${rect(0, 0, WIDTH, horizon, 'url(#veil)')}`;
  if (v === 2) {
    x += path(
      ridge((px) => horizon + 10 - Math.sin(px * 0.007 + 1) * 26),
      `#${mix(near, far, 0.2)}`,
    );
    for (let i = 0; i < 46; i++)
      x += circle(
        i * 29 + random.range(-8, 8),
        horizon + 66 - Math.sin(i * 0.2) * 20,
        random.range(20, 46),
        `#${mix(near, '000000', random.range(0, 0.3))}`,
      );
    x += rect(0, horizon + 74, WIDTH, 200, `#${mix(near, '000000', 0.25)}`);
    return { svg: canvas(x), layout: 'upper' };
  }
  x += rect(0, horizon, WIDTH, HEIGHT - horizon, 'url(#wt)');
  for (let i = 0; i < 70; i++) {
    const py = horizon + 6 + random.next() ** 1.6 * (HEIGHT - horizon);
    const spread = 40 + (py - horizon) * 1.2;
    x += rect(
      sx + random.range(-spread, spread) - 30,
      py,
      random.range(20, 120),
      random.range(1.5, 4),
      `#${light}`,
      `opacity="${n(random.range(0.15, 0.7))}" rx="2"`,
    );
  }
  if (v === 1)
    x += `<g fill="none" stroke="#${near}" stroke-width="7"><path d="M-20 ${horizon + 26}H1300M330 ${horizon + 26}V330M330 340Q90 520 -40 ${horizon + 10}M330 340Q560 600 900 ${horizon + 22}"/></g>`;
  return { svg: canvas(x), layout: 'upper' };
}

function block(x: number, y: number, s: number, h: number, colour: string): string {
  const w = s * 0.866;
  const top = `M${n(x)} ${n(y - h - s / 2)}L${n(x + w)} ${n(y - h)}L${n(x)} ${n(y - h + s / 2)}L${n(x - w)} ${n(y - h)}Z`;
  const left = `M${n(x - w)} ${n(y - h)}L${n(x)} ${n(y - h + s / 2)}V${n(y + s / 2)}L${n(x - w)} ${n(y)}Z`;
  const right = `M${n(x + w)} ${n(y - h)}L${n(x)} ${n(y - h + s / 2)}V${n(y + s / 2)}L${n(x + w)} ${n(y)}Z`;
  return (
    path(top, `#${mix(colour, 'FFFFFF', 0.28)}`) +
    path(left, `#${colour}`) +
    path(right, `#${mix(colour, '000000', 0.26)}`)
  );
}

function facade(x: number, y: number, s: number, h: number, fill: string): string {
  let out = '';
  const w = s * 0.866;
  for (let row = 14; row < h - 10; row += 20)
    for (const t of [0.25, 0.6]) {
      const px = x - w + w * t;
      const py = y - h + row + (s / 2) * t;
      out += path(`M${n(px)} ${n(py)}l${n(w * 0.2)} ${n(s * 0.1)}v9l${n(-w * 0.2)} ${n(-s * 0.1)}Z`, fill);
    }
  return out;
}

/** 等距积木: an isometric field of blocks; industry, logistics, parks, platforms. */
export function iso({ random, c, variant }: Brush): Art {
  const v = variant % 2;
  const [a, b, d, e, ground] = c;
  const s = v === 0 ? 74 : 58;
  const w = s * 0.866;
  let x = `<defs>${linear('g', 1, 1, [
    [0, ground],
    [1, mix(ground, a, 0.22)],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#g)')}`;
  const size = v === 0 ? 8 : 11;
  for (let sum = 0; sum <= 2 * (size - 1); sum++)
    for (let i = Math.max(0, sum - size + 1); i <= Math.min(size - 1, sum); i++) {
      const k = sum - i;
      const px = 1060 + (i - k) * w;
      const py = (v === 0 ? 130 : 60) + (i + k) * (s / 2);
      if (px < 715 || px > 1400) continue;
      const rise = v === 0 ? random.next() ** 1.7 * 190 + 12 : 14 + (Math.sin(i * 0.75) + Math.cos(k * 0.7) + 2) * 42;
      const colour = random.chance(0.14)
        ? e
        : at([a, b, d, mix(a, 'FFFFFF', 0.35), mix(ground, a, 0.4)], random.int(5));
      x += block(px, py + 60, s * 0.94, rise, colour);
      if (v === 0 && rise > 70) x += facade(px, py + 60, s * 0.94, rise, `#${mix(colour, 'FFFFFF', 0.6)}`);
    }
  return { svg: canvas(x), layout: 'left' };
}

/** 速度: running lanes, slanted stripes with halftone; sport, cars, delivery. */
export function motion({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, ground] = c;
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`);
  if (v === 0) {
    for (let i = 8; i >= 0; i--)
      x += circle(
        1250,
        400,
        150 + i * 52,
        `#${at([e, a, mix(a, b, 0.5), b, mix(b, d, 0.45), a, mix(a, d, 0.55), b, d], i)}`,
      );
    for (let i = 0; i < 9; i++) x += circle(1250, 400, 150 + i * 52, 'none', 'stroke="#fff" stroke-width="4"');
    x += circle(1250, 400, 120, `#${ground}`);
    for (let i = 0; i < 4; i++)
      x += circle(
        1250 - Math.cos(0.5 + i * 0.42) * (228 + i * 104),
        400 - Math.sin(0.5 + i * 0.42) * (228 + i * 104) * 0.72,
        15,
        '#fff',
      );
  }
  if (v === 1) {
    for (let i = 0; i < 11; i++) {
      const px = 810 + i * 66 + random.range(-12, 12);
      const w = random.range(18, 62);
      x += path(
        `M${n(px + 220)} -10h${n(w)}L${n(px + w - 160)} 730h${n(-w)}Z`,
        `#${at([a, b, a, d, mix(a, ground, 0.5), e], i)}`,
      );
    }
    for (let i = 0; i < 24; i++)
      for (let k = 0; k < 12; k++)
        x += circle(1270 - i * 22, 710 - k * 22, Math.max(0, 9 - i * 0.34 - k * 0.5), `#${e}`);
  }
  if (v === 2) {
    x += circle(980, 360, 290, `#${a}`) + path('M980 70A290 290 0 0 1 1270 360H980Z', `#${b}`);
    for (let i = 0; i < 16; i++) {
      const py = 110 + i * 33;
      const len = 160 + random.range(0, 420);
      x += rect(1010 - len * 0.72, py, len, 12, `#${at([e, ground, d], i)}`, 'rx="6"');
    }
    x += circle(1030, 330, 84, `#${ground}`) + circle(1030, 330, 60, `#${e}`) + circle(1030, 330, 22, `#${ground}`);
  }
  return { svg: canvas(x), layout: 'stack' };
}
