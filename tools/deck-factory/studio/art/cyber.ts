import { type Brush, canvas, circle, HEIGHT, linear, n, path, polar, radial, rect, WIDTH } from '../../svg.ts';
import { mix } from '../../colour.ts';
import { at } from '../../../../demo/random.ts';
import type { Picture } from './raster.ts';

const GLOW = `<filter id="glow" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="9" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter><filter id="haze" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="46"/></filter>`;

/** A street at night after rain. */
function street({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  const floor = 500;
  const vx = 850;
  let city = '';
  const sides = [-1, 1] as const;
  for (const side of sides)
    for (let i = 6; i >= 0; i--) {
      const near = 1 / (0.3 + i * 0.42);
      const inner = vx + side * (46 + 132 * near);
      const outer = vx + side * (60 + 300 * near);
      const top = floor - random.range(170, 260) * near - 40;
      const foot = floor + 36 * near;
      const colour = mix(ground, at([violet, cyan, pink], i), 0.1 + i * 0.045);
      const [left, right] = side < 0 ? [outer, inner] : [inner, outer];
      city += rect(left, top, right - left, foot - top, `#${colour}`);
      city += rect(side < 0 ? right - 3 : left, top, 3, foot - top, `#${at([pink, cyan], i)}`, 'opacity="0.75"');
      for (let wy = top + 14; wy < foot - 30; wy += 15 * Math.max(0.7, near))
        for (let wx = left + 8; wx < right - 12; wx += 14 * Math.max(0.7, near))
          if (random.chance(0.34))
            city += rect(
              wx,
              wy,
              6 * near + 1,
              5 * near + 1,
              `#${random.pick([cyan, amber, pink, 'FFFFFF'])}`,
              `opacity="${n(random.range(0.25, 0.9))}"`,
            );
      if (i < 5) {
        const colour2 = at([pink, amber, cyan, pink, violet], i + (side > 0 ? 2 : 0));
        const w = 20 * near + 12;
        const sx = side < 0 ? right - w * 0.4 : left - w * 0.6;
        const sy = top + random.range(30, 90);
        city += `<g filter="url(#glow)">${rect(sx, sy, w, 90 * near + 20, `#${mix(ground, colour2, 0.35)}`, `rx="5" stroke="#${colour2}" stroke-width="3"`)}${[0, 1, 2].map((k) => rect(sx + w * 0.22, sy + 10 + k * (28 * near + 5), w * 0.56, 16 * near + 2, `#${colour2}`, 'rx="2"')).join('')}</g>`;
      }
    }
  return `<defs>${GLOW}${linear('sky', 0, 1, [
    [0, ground],
    [0.62, mix(ground, violet, 0.45)],
    [0.7, mix(ground, pink, 0.55)],
  ])}${linear('wet', 0, 1, [
    [0, ground, 0.15],
    [1, ground, 0.94],
  ])}${linear('veil', 1, 0, [
    [0, ground, 0.94],
    [0.4, ground, 0.62],
    [0.6, ground, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}${circle(vx, floor - 20, 190, `#${pink}`, 'opacity="0.75" filter="url(#haze)"')}${circle(vx, 300, 90, `#${amber}`, 'opacity="0.5" filter="url(#haze)"')}<g id="city">${city}</g><g transform="matrix(1 0 0 -0.55 0 ${floor * 1.55 + 12})" opacity="0.75">${city}</g>${rect(0, floor + 18, WIDTH, HEIGHT, 'url(#wet)')}${path(`M${vx - 12} ${floor + 14}L${vx - 150} 720H${vx - 120}L${vx - 4} ${floor + 14}ZM${vx + 12} ${floor + 14}L${vx + 150} 720H${vx + 120}L${vx + 4} ${floor + 14}Z`, `#${cyan}`, 'opacity="0.7" filter="url(#glow)"')}${Array.from(
    { length: 90 },
    () => {
      const x = random.range(0, WIDTH);
      const y = random.range(0, HEIGHT);
      return path(
        `M${n(x)} ${n(y)}l-4 ${n(random.range(14, 34))}`,
        'none',
        'stroke="#fff" stroke-width="1" opacity="0.14"',
      );
    },
  ).join('')}${rect(0, 0, WIDTH, HEIGHT, 'url(#veil)')}`;
}

/** A tunnel of lit frames. */
function tunnel({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  let x = `<defs>${GLOW}${radial('core', [
    [0, 'FFFFFF'],
    [0.25, cyan, 0.9],
    [1, ground, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}`;
  for (let i = 0; i < 15; i++) {
    const s = 0.07 * 1.27 ** i;
    const turn = i * 5.5;
    const colour = at([cyan, violet, pink], i);
    x += `<g transform="translate(920 360) rotate(${n(turn)}) scale(${s.toFixed(3)})">${rect(-420, -420, 840, 840, 'none', `rx="150" stroke="#${colour}" stroke-width="${n(16 + i * 0.6)}" opacity="${n(0.95 - i * 0.03)}" ${i > 3 ? 'filter="url(#glow)"' : ''}`)}</g>`;
  }
  x += circle(920, 360, 150, 'url(#core)');
  for (let i = 0; i < 70; i++) {
    const a = random.range(0, 360);
    const r = random.range(120, 760);
    const [px, py] = polar(920, 360, r, a);
    const [qx, qy] = polar(920, 360, r + r * 0.12, a);
    x += path(
      `M${n(px)} ${n(py)}L${n(qx)} ${n(qy)}`,
      'none',
      `stroke="#${random.pick([cyan, amber, 'FFFFFF', pink])}" stroke-width="${n(r / 260)}" opacity="0.8"`,
    );
  }
  return (
    x +
    `<defs>${linear('veil', 1, 0, [
      [0, ground],
      [0.34, ground, 0.82],
      [0.62, ground, 0],
    ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#veil)')}`
  );
}

/** A globe of points, joined by arcs. */
function globe({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  let x = `<defs>${GLOW}${radial('air', [
    [0, mix(ground, cyan, 0.5), 0.95],
    [0.7, mix(ground, violet, 0.4), 0.6],
    [1, ground, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}${circle(985, 380, 470, 'url(#air)')}`;
  const project = (lat: number, lon: number): [number, number, number] => {
    const px = Math.cos(lat) * Math.sin(lon);
    const py = Math.sin(lat);
    const pz = Math.cos(lat) * Math.cos(lon);
    const ty = py * 0.93 - pz * 0.36;
    const tz = py * 0.36 + pz * 0.93;
    return [985 + px * 320, 380 - ty * 320, tz];
  };
  const nodes: [number, number][] = [];
  for (let i = 0; i < 46; i++)
    for (let k = 0; k < 90; k++) {
      const lat = (i / 45 - 0.5) * Math.PI;
      if (k % Math.max(1, Math.round(1 / Math.max(0.06, Math.cos(lat)))) !== 0) continue;
      const lon = (k / 90) * Math.PI * 2;
      const land = Math.sin(lat * 5 + Math.sin(lon * 3) * 1.4) + Math.cos(lon * 4 + lat * 2.4);
      if (land < 0.15) continue;
      const [px, py, pz] = project(lat, lon);
      if (pz < -0.05) continue;
      x += circle(px, py, 1.2 + pz * 1.9, `#${pz > 0.55 ? cyan : violet}`, `opacity="${n(0.35 + pz * 0.65)}"`);
      if (random.chance(0.035) && pz > 0.25) nodes.push([px, py]);
    }
  nodes.slice(0, 9).forEach(([px, py], i) => {
    const [qx, qy] = at(nodes, i * 3 + 5);
    const lift = Math.hypot(qx - px, qy - py) * 0.32;
    x += path(
      `M${n(px)} ${n(py)}Q${n((px + qx) / 2)} ${n(Math.min(py, qy) - lift)} ${n(qx)} ${n(qy)}`,
      'none',
      `stroke="#${at([pink, amber], i)}" stroke-width="2" opacity="0.9" filter="url(#glow)"`,
    );
    x += circle(px, py, 5, '#fff', 'filter="url(#glow)"');
  });
  return (
    x +
    `<g fill="none" stroke="#${cyan}" opacity="0.35">${[360, 410].map((r, i) => `<ellipse cx="985" cy="380" rx="${r}" ry="${r * 0.34}" transform="rotate(${-18 + i * 44} 985 380)" stroke-dasharray="${i ? '3 9' : '0'}"/>`).join('')}</g>`
  );
}

/** Waves of light, line by line. */
function waves({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  let x = `<defs>${GLOW}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}${circle(1000, 420, 260, `#${violet}`, 'opacity="0.45" filter="url(#haze)"')}${circle(1220, 250, 170, `#${pink}`, 'opacity="0.4" filter="url(#haze)"')}`;
  const f = random.range(0, 6);
  for (let i = 0; i < 58; i++) {
    const t = i / 57;
    let d = '';
    for (let px = 420; px <= 1300; px += 14) {
      const u = (px - 420) / 880;
      const swell = Math.sin(u * 5.2 + f + t * 2.4) * 120 + Math.sin(u * 9 + t * 5 + f) * 46;
      d += `${d ? 'L' : 'M'}${px} ${n(390 + (t - 0.5) * 330 * u ** 0.7 * 1.1 + swell * u ** 0.8)}`;
    }
    const colour = t < 0.5 ? mix(cyan, violet, t * 2) : mix(violet, pink, (t - 0.5) * 2);
    x += path(
      d,
      'none',
      `stroke="#${colour}" stroke-width="${n(0.9 + Math.sin(t * Math.PI) * 1.3)}" opacity="${n(0.35 + 0.6 * Math.sin(t * Math.PI))}"`,
    );
    if (i % 7 === 3)
      x += circle(
        random.range(700, 1230),
        390 + random.range(-130, 130),
        random.range(2, 5),
        `#${at([amber, 'FFFFFF'], i)}`,
        'filter="url(#glow)"',
      );
  }
  return x;
}

/** Rings of an instrument, ticks and a sweep. */
function radar({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  const [cx, cy] = [975, 365];
  let x = `<defs>${GLOW}${radial('well', [
    [0, mix(ground, cyan, 0.42)],
    [1, ground, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}${circle(cx, cy, 470, 'url(#well)')}`;
  for (let i = 0; i < 26; i++)
    for (let k = 0; k < 15; k++) {
      const [hx, hy] = [i * 52 + (k % 2) * 26, k * 52];
      if (random.chance(0.5)) x += circle(hx, hy, 1.4, `#${cyan}`, 'opacity="0.28"');
    }
  [110, 168, 232, 300, 356].forEach((r, i) => {
    x += circle(
      cx,
      cy,
      r,
      'none',
      `stroke="#${at([cyan, violet, pink, cyan, violet], i)}" stroke-width="${i === 2 ? 26 : 2}" opacity="${i === 2 ? 0.5 : 0.85}" stroke-dasharray="${['', '2 10', '120 16 40 16', '', '1 12'][i] ?? ''}"`,
    );
    for (let k = 0; k < 72; k++) {
      if (i !== 3) break;
      const [ax, ay] = polar(cx, cy, r, k * 5);
      const [bx, by] = polar(cx, cy, r + (k % 6 ? 9 : 22), k * 5);
      x += path(`M${n(ax)} ${n(ay)}L${n(bx)} ${n(by)}`, 'none', `stroke="#${cyan}" stroke-width="2"`);
    }
  });
  const [sx, sy] = polar(cx, cy, 300, -70);
  const [ex, ey] = polar(cx, cy, 300, -22);
  x += path(`M${cx} ${cy}L${n(sx)} ${n(sy)}A300 300 0 0 1 ${n(ex)} ${n(ey)}Z`, `#${cyan}`, 'opacity="0.3"');
  for (let i = 0; i < 15; i++) {
    const [px, py] = polar(cx, cy, random.range(70, 330), random.range(0, 360));
    x += circle(px, py, random.range(4, 10), `#${at([amber, pink, 'FFFFFF'], i)}`, 'filter="url(#glow)"');
  }
  return (
    x +
    circle(cx, cy, 44, `#${mix(ground, cyan, 0.2)}`, `stroke="#${cyan}" stroke-width="4" filter="url(#glow)"`) +
    path(
      `M${cx - 14} ${cy}l10 12 20 -24`,
      'none',
      'stroke="#fff" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"',
    )
  );
}

/** A chip and the traces that leave it. */
function chip({ random, c }: Brush): string {
  const [pink, cyan, violet, amber, ground] = c;
  const [cx, cy] = [975, 360];
  let x = `<defs>${GLOW}${radial('board', [
    [0, mix(ground, violet, 0.55)],
    [1, ground, 0],
  ])}${linear('die', 1, 1, [
    [0, cyan],
    [0.5, violet],
    [1, pink],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}${circle(cx, cy, 480, 'url(#board)')}`;
  for (let side = 0; side < 4; side++)
    for (let i = 0; i < 11; i++) {
      const off = (i - 5) * 25;
      const first = 150 + random.range(20, 120);
      const bend = (i - 5) * random.range(8, 26);
      const far = first + Math.abs(bend) + random.range(30, 190);
      const colour = at([cyan, violet, pink, cyan], i + side);
      x += `<g transform="translate(${cx} ${cy}) rotate(${side * 90})">${path(`M${off} -150V${n(-first)}L${n(off + bend)} ${n(-first - Math.abs(bend))}V${n(-far)}`, 'none', `stroke="#${colour}" stroke-width="3" opacity="0.85"`)}${circle(off + bend, -far, 6, `#${i % 4 ? colour : amber}`, 'filter="url(#glow)"')}</g>`;
    }
  x += rect(
    cx - 150,
    cy - 150,
    300,
    300,
    `#${mix(ground, violet, 0.3)}`,
    `rx="26" stroke="#${cyan}" stroke-width="4" filter="url(#glow)"`,
  );
  x += rect(cx - 104, cy - 104, 208, 208, 'url(#die)', 'rx="18"');
  for (let i = 0; i < 5; i++)
    for (let k = 0; k < 5; k++)
      x += rect(
        cx - 88 + i * 36,
        cy - 88 + k * 36,
        30,
        30,
        `#${random.pick(['FFFFFF', ground, cyan])}`,
        `rx="5" opacity="${n(random.range(0.15, 0.6))}"`,
      );
  return x;
}

const SCENES = [street, tunnel, globe, waves, radar, chip];

/** Neon night. */
export function cyber(brush: Brush): Picture {
  return { svg: canvas(at(SCENES, brush.variant)(brush)) };
}
