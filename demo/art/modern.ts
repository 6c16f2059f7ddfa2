import { mix } from '../colour.ts';
import { at, type Random } from '../random.ts';
import {
  type Art,
  type Brush,
  canvas,
  circle,
  HEIGHT,
  linear,
  n,
  path,
  polar,
  radial,
  rect,
  sector,
  WIDTH,
} from './svg.ts';

function tile(random: Random, x: number, y: number, s: number, c: readonly string[]): string {
  const ground = random.int(c.length);
  const fill = `#${at(c, ground)}`;
  const top = `#${at(c, ground + 1 + random.int(c.length - 1))}`;
  const h = s / 2;
  const base = rect(x, y, s + 0.6, s + 0.6, fill);
  switch (random.int(9)) {
    case 0:
      return base + circle(x + h, y + h, s * 0.38, top);
    case 1:
      return base + path(`M${x} ${y}A${s} ${s} 0 0 1 ${x + s} ${y + s}L${x} ${y + s}Z`, top);
    case 2:
      return base + path(`M${x + s} ${y}A${s} ${s} 0 0 0 ${x} ${y + s}L${x + s} ${y + s}Z`, top);
    case 3:
      return base + path(`M${x} ${y + s}L${x + s} ${y}V${y + s}Z`, top);
    case 4:
      return base + [0, 1, 2, 3].map((i) => rect(x + (i * s) / 4, y, s / 8, s, top)).join('');
    case 5:
      return (
        base +
        path(`M${x} ${y + h}A${h} ${h} 0 0 1 ${x + s} ${y + h}Z M${x} ${y + s}A${h} ${h} 0 0 1 ${x + s} ${y + s}Z`, top)
      );
    case 6:
      return base + [0.44, 0.3, 0.16].map((r, i) => circle(x + h, y + h, s * r, i % 2 ? fill : top)).join('');
    case 7:
      return base + path(`M${x + h} ${y}L${x + s} ${y + h}L${x + h} ${y + s}L${x} ${y + h}Z`, top);
    default:
      return (
        base +
        [0, 1, 2]
          .flatMap((i) =>
            [0, 1, 2].map((k) => circle(x + s * (0.2 + i * 0.3), y + s * (0.2 + k * 0.3), s * 0.075, top)),
          )
          .join('')
      );
  }
}

/** 包豪斯几何: a quilt of tiles, a band of tiles, or one large arrangement. */
export function bauhaus({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const ground = c[4];
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`);
  const ink = c.slice(0, 4);
  if (v === 0)
    for (let i = 0; i < 3; i++) for (let k = 0; k < 4; k++) x += tile(random, 740 + i * 180, k * 180, 180, ink);
  if (v === 1) for (let i = 0; i < 8; i++) for (let k = 0; k < 2; k++) x += tile(random, i * 160, k * 160, 160, ink);
  if (v === 2) {
    const [a, b, d, e] = c;
    x +=
      path('M1280 0H760A520 520 0 0 0 1280 520Z', `#${a}`) +
      circle(900, 470, 190, `#${b}`) +
      path('M900 280A190 190 0 0 1 900 660Z', `#${d}`);
    x +=
      rect(1090, 520, 190, 200, `#${e}`) +
      path('M1090 720L1280 520V720Z', `#${mix(e, 'FFFFFF', 0.3)}`) +
      circle(1110, 170, 92, `#${ground}`) +
      circle(1110, 170, 46, `#${e}`);
    for (let i = 0; i < 7; i++) x += rect(650 + i * 24, 90, 11, 210, `#${i % 2 ? d : e}`);
    x += path('M650 720L760 530 870 720Z', `#${a}`);
  }
  return { svg: canvas(x), layout: v === 1 ? 'lower' : 'left' };
}

/** 科技霓虹: orbs and wire waves, a horizon grid, or glass discs over glows. */
export function neon({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, night] = c;
  let x = `<defs>${linear('b', 1, 1, [
    [0, night],
    [1, mix(night, a, 0.34)],
  ])}${[a, b, d, e]
    .map((col, i) =>
      radial(`g${i}`, [
        [0, col, 0.8],
        [1, col, 0],
      ]),
    )
    .join('')}${linear('l', 1, 0, [
    [0, b, 0],
    [0.5, b],
    [1, d, 0.1],
  ])}${linear('o', 1, 1, [
    [0, b],
    [0.5, a],
    [1, d],
  ])}${linear('gl', 1, 1, [
    [0, 'FFFFFF', 0.5],
    [0.5, 'FFFFFF', 0.06],
    [1, 'FFFFFF', 0.25],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#b)')}`;
  if (v === 0) {
    x += circle(1020, 300, 480, 'url(#g0)') + circle(1220, 640, 340, 'url(#g2)');
    const k = random.range(0, 6);
    for (let i = 0; i < 26; i++) {
      let p = '';
      for (let px = 300; px <= 1300; px += 40)
        p += `${p ? 'L' : 'M'}${px} ${n(360 + i * 13 + Math.sin(px * 0.0058 + i * 0.17 + k) * (26 + i * 2) - (px - 300) * 0.09)}`;
      x += `<path d="${p}" fill="none" stroke="url(#l)" stroke-width="1.6" opacity="${n(0.25 + i * 0.026)}"/>`;
    }
    x +=
      circle(985, 320, 168, 'url(#o)') +
      circle(985, 320, 168, 'url(#gl)') +
      `<g fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.6"><ellipse cx="985" cy="320" rx="275" ry="74" transform="rotate(-18 985 320)"/><ellipse cx="985" cy="320" rx="330" ry="112" transform="rotate(-18 985 320)" stroke-dasharray="3 12"/></g>` +
      circle(728, 392, 13, `#${e}`) +
      circle(1236, 224, 8, '#fff');
  }
  if (v === 1) {
    x +=
      circle(950, 380, 520, 'url(#g2)') +
      `<clipPath id="cut"><rect width="1280" height="470"/></clipPath><g clip-path="url(#cut)">${circle(950, 380, 220, 'url(#o)')}</g>`;
    for (let i = 0; i < 6; i++) x += rect(700, 300 + i * 30, 500, 4 + i * 1.6, `#${mix(night, d, 0.28)}`);
    x += `<g stroke="#${b}" stroke-width="1.8" opacity=".8">`;
    for (let i = 0; i < 9; i++) x += `<path d="M0 ${n(470 + 250 * (i / 8) ** 2)}H1280"/>`;
    for (let i = -16; i <= 16; i++) x += `<path d="M${950 + i * 42} 470L${950 + i * 210} 720"/>`;
    x += '</g>';
    x += `<path d="M480 472L590 380 660 430 740 330 800 400 860 470ZM1010 472L1090 390 1150 440 1230 350 1290 420V472Z" fill="#${night}" stroke="#${b}" stroke-width="1.5"/>`;
  }
  if (v === 2) {
    x +=
      circle(1150, 120, 420, 'url(#g0)') +
      circle(820, 640, 380, 'url(#g1)') +
      circle(1240, 600, 330, 'url(#g2)') +
      circle(640, 60, 200, 'url(#g3)');
    const discs: [number, number, number][] = [
      [960, 330, 205],
      [1135, 500, 130],
      [790, 500, 84],
      [1150, 190, 66],
    ];
    for (const [px, py, r] of discs)
      x += circle(px, py, r, 'url(#gl)', 'stroke="#fff" stroke-opacity=".55" stroke-width="1.6"');
    for (let i = 0; i < 24; i++)
      x += `<path d="${sector(960, 330, 238, 250 + random.range(8, 70), i * 15, i * 15 + 5)}" fill="#${at([b, e, 'FFFFFF'], i)}" opacity=".75"/>`;
  }
  for (let i = 0; i < 50; i++)
    x += circle(
      random.range(0, 1280),
      random.range(0, 720),
      random.range(0.7, 2.2),
      '#fff',
      `opacity="${n(random.range(0.2, 0.7))}"`,
    );
  return { svg: canvas(x), layout: 'left' };
}

/** 瑞士极简: one flat ground, one enormous form; the type does the talking. */
export function swiss({ random, c, variant }: Brush): Art {
  const v = variant % 4;
  const [a, b, d, , ground] = c;
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`);
  if (v === 0) {
    x += circle(1010, 360, 300, `#${a}`);
    for (let i = 0; i < 12; i++) x += rect(700, 360 + i * 27, 620, 12, `#${ground}`);
  }
  if (v === 1)
    x += path('M1280 0V720H560Z', `#${a}`) + path('M1280 260V720H820Z', `#${b}`) + path('M1280 500V720H1060Z', `#${d}`);
  if (v === 2) {
    for (let i = 0; i < 9; i++)
      for (let k = 0; k < 9; k++) {
        const px = 690 + i * 68;
        const py = 64 + k * 74;
        const wave = (Math.sin(i * 0.7 + k * 0.55 + random.range(0, 0.2)) + 1) / 2;
        x += circle(px, py, 5 + wave * 29, `#${(i + k) % 7 === 0 ? b : a}`);
      }
  }
  if (v === 3) {
    [
      [300, 0],
      [232, 1],
      [164, 2],
      [96, 3],
    ].forEach(
      ([r, i]) => (x += path(sector(980, 420, 0, Number(r), 180, 360), `#${[a, ground, b, ground][Number(i)]}`)),
    );
    x += rect(680, 420, 600, 16, `#${d}`) + rect(680, 456, 420, 16, `#${a}`) + rect(680, 492, 520, 16, `#${b}`);
  }
  return { svg: canvas(x), layout: 'stack' };
}

/** 研究报告: abstract data: rings, bars in perspective, a dotted map-like field. */
export function report({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, ground] = c;
  let x = `<defs>${linear('w', 0, 1, [
    [0, a],
    [1, mix(a, ground, 0.72)],
  ])}${linear('u', 0, 1, [
    [0, b],
    [1, mix(b, ground, 0.72)],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}`;
  for (let i = 1; i < 16; i++) x += rect(i * 80, 0, 1, HEIGHT, `#${mix(ground, a, 0.09)}`);
  if (v === 0)
    for (let i = 0; i < 8; i++) {
      const r = 300 - i * 34;
      const start = random.range(-120, 0);
      x +=
        path(sector(965, 370, r - 22, r, 0, 359.9), `#${mix(ground, a, 0.08)}`) +
        path(sector(965, 370, r - 22, r, start, start + random.range(90, 290)), `#${at([a, b, d, e], i)}`);
    }
  if (v === 1)
    for (let i = 0; i < 15; i++) {
      const h = 90 + i * 27 + random.range(-60, 60);
      x +=
        rect(620 + i * 43, 720 - h, 30, h, i % 4 === 3 ? 'url(#u)' : 'url(#w)') +
        circle(635 + i * 43, 690 - h, 6, `#${d}`);
    }
  if (v === 2) {
    const phase = random.range(0, 6);
    const edge = (px: number, layer: number) =>
      370 +
      (layer - 3) * Math.max(0, px - 640) * 0.125 +
      Math.sin(px * 0.011 + phase + layer * 0.5) * Math.max(0, px - 640) * 0.09;
    for (let layer = 0; layer < 6; layer++) {
      let area = '';
      for (let px = 640; px <= 1300; px += 20) area += `${area ? 'L' : 'M'}${px} ${n(edge(px, layer))}`;
      for (let px = 1300; px >= 640; px -= 20) area += `L${px} ${n(edge(px, layer + 1))}`;
      x += path(
        `${area}Z`,
        `#${at([a, b, e, d, mix(a, ground, 0.45), mix(b, ground, 0.4)], layer)}`,
        `stroke="#${ground}" stroke-width="3"`,
      );
    }
    x += circle(640, 370, 11, `#${a}`);
  }
  const [px, py] = polar(965, 370, 0, 0);
  if (v === 0) x += circle(px, py, 20, `#${d}`);
  return { svg: canvas(x), layout: 'left' };
}
