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
  ridge,
  WIDTH,
} from './svg.ts';

function cloud(x: number, y: number, s: number, fill: string, opacity = 0.92): string {
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${n(s)})" fill="none" stroke="${fill}" stroke-width="7" stroke-linecap="round" opacity="${opacity}"><path d="M-90 20H60a26 26 0 1 0-24-36 36 36 0 0 0-66-14 28 28 0 0 0-44 22"/><path d="M-50 38H104M-20 56H70"/></g>`;
}

function crane(x: number, y: number, s: number, fill: string): string {
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${n(s)})" fill="${fill}"><path d="M0 0C-30-34-74-46-112-40-76-28-50-6-34 14-58 18-78 30-92 46-58 38-28 34 4 26 34 20 62 6 96-20 70-14 46-8 30-4 34-40 58-74 92-92 48-84 14-48 0 0Z"/></g>`;
}

function pagoda(x: number, base: number, s: number, fill: string): string {
  let d = '';
  for (let i = 0; i < 5; i++) {
    const w = 92 - i * 13;
    const y = -i * 46;
    d += `M${-w / 2 - 16} ${y}q16 -4 22 -16h${w - 12}q6 12 22 16ZM${-w / 2 + 10} ${y - 14}v-32h${w - 20}v32Z`;
  }
  d += 'M-14-232L0-262 14-232ZM-2-258h4v-34h-4Z';
  return `<path transform="translate(${n(x)} ${n(base)}) scale(${n(s)})" d="${d}" fill="${fill}"/>`;
}

function scales(c: string, gold: string, y0: number, rows: number, base: string): string {
  let x = '';
  for (let row = 0; row < rows; row++) {
    for (let i = -1; i < 13; i++) {
      const cx = i * 110 + (row % 2) * 55;
      const cy = y0 + row * 34 + 55;
      [55, 41, 27, 13].forEach((r, k) => {
        x += circle(
          cx,
          cy,
          r,
          k % 2 ? `#${mix(c, base, 0.12)}` : `#${mix(c, 'FFFFFF', 0.07 + row * 0.012)}`,
          `stroke="#${gold}" stroke-width="1.6"`,
        );
      });
    }
  }
  return x;
}

/** 国潮山月: layered mountains, a great moon, clouds, cranes, a pagoda or wave scales. */
export function shanshui({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [sky, gold, mid, deep, cream] = c;
  const mx = v === 0 ? 935 : v === 1 ? 880 : 960;
  const my = v === 1 ? 330 : 270;
  const r = v === 1 ? 235 : 180;
  let x = `<defs>${linear('s', 0, 1, [
    [0, mix(sky, '000000', 0.18)],
    [0.62, mix(sky, mid, 0.3)],
    [1, mix(sky, gold, 0.4)],
  ])}${radial('m', [
    [0, 'FFF7E2'],
    [0.7, mix(gold, 'FFF7E2', 0.5)],
    [1, gold],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#s)')}`;
  x +=
    circle(mx, my, r + 60, `#${gold}`, 'opacity=".10"') +
    circle(mx, my, r + 28, 'none', `stroke="#${gold}" stroke-width="2" opacity=".75"`);
  x += circle(mx, my, r, v === 1 ? `#${mid}` : 'url(#m)');
  x += cloud(mx - 150, my + 60, 0.8, `#${cream}`) + cloud(mx + 170, my - 70, 0.62, `#${cream}`, 0.8);
  const far = random.range(0, 6);
  const layers = [mix(sky, mid, 0.55), mid, mix(mid, deep, 0.55), deep];
  layers.forEach((colour, i) => {
    if (v === 2 && i > 1) return;
    const top = 430 + i * 62;
    const height = 150 - i * 26;
    const d = ridge(
      (px) =>
        top +
        40 -
        Math.abs(Math.sin(px * 0.0042 + far + i * 1.7)) * height -
        Math.sin(px * 0.011 + far * 2) * 16 +
        (v !== 2 && px < 560 ? (560 - px) * 0.05 : 0),
    );
    x +=
      `<defs>${linear(`r${i}`, 0, 1, [
        [0, mix(colour, 'FFFFFF', 0.12)],
        [1, mix(colour, '000000', 0.14)],
      ])}</defs>` +
      path(d, `url(#r${i})`) +
      path(d, 'none', `stroke="#${gold}" stroke-width="2" opacity=".55"`);
    if (i === 1) x += pagoda(v === 0 ? 1120 : 700, 500, v === 2 ? 0.5 : 0.62, `#${mix(deep, '000000', 0.2)}`);
  });
  if (v === 2) x += scales(deep, gold, 560, 5, sky);
  const birds = v === 1 ? 4 : 2;
  for (let i = 0; i < birds; i++)
    x += crane(
      mx - 200 + i * 120 + random.range(-20, 20),
      my - 90 + (i % 2) * 90 - i * 12,
      0.34 + random.range(0, 0.22),
      `#${cream}`,
    );
  x += `<rect x="22" y="22" width="1236" height="676" fill="none" stroke="#${gold}" stroke-width="2" opacity=".8"/>`;
  return { svg: canvas(x), layout: v === 1 ? 'vertical' : 'upper' };
}

function leaf(x: number, y: number, length: number, degrees: number, fill: string, vein: string): string {
  const w = length * 0.3;
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(degrees)})"><path d="M0 0C${n(length * 0.25)} ${n(-w)} ${n(length * 0.75)} ${n(-w)} ${n(length)} 0C${n(length * 0.75)} ${n(w)} ${n(length * 0.25)} ${n(w)} 0 0Z" fill="${fill}"/><path d="M0 0H${n(length * 0.9)}" stroke="${vein}" stroke-width="3" opacity=".5"/></g>`;
}

function sprig(random: Random, x: number, y: number, height: number, lean: number, colours: readonly string[]): string {
  let out = `<path d="M${n(x)} ${n(y)}q${n(lean * 0.3)} ${n(-height * 0.5)} ${n(lean)} ${n(-height)}" fill="none" stroke="#${at(colours, 0)}" stroke-width="5"/>`;
  for (let i = 1; i <= 5; i++) {
    const t = i / 5.4;
    const px = x + lean * t * t * 0.7 + lean * 0.3 * t;
    const py = y - height * t;
    const size = height * (0.36 - i * 0.035);
    out += leaf(px, py, size, -35 + lean * 0.1 + random.range(-8, 8), `#${at(colours, i)}`, '#ffffff');
    out += leaf(px, py, size, 215 + lean * 0.1 + random.range(-8, 8), `#${at(colours, i + 1)}`, '#ffffff');
  }
  return out;
}

/** 清新剪纸: cut paper in layers with soft shadows, leaves, a sun, balloons. */
export function paper({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, f] = c;
  let x = `<defs><filter id="sh" x="-10%" y="-10%" width="120%" height="130%"><feDropShadow dx="0" dy="-5" stdDeviation="9" flood-color="#1d2a2a" flood-opacity=".26"/></filter>${linear(
    'g',
    0,
    1,
    [
      [0, mix(f, 'FFFFFF', 0.55)],
      [1, mix(f, b, 0.16)],
    ],
  )}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#g)')}`;
  if (v === 1) {
    [410, 330, 255, 182].forEach((r, i) => {
      let blob = '';
      const phase = random.range(0, 6);
      for (let k = 0; k <= 72; k++) {
        const rr =
          r +
          Math.sin((k / 72) * Math.PI * 2 * 5 + phase) * (16 - i * 2) +
          Math.sin((k / 72) * Math.PI * 4 + phase) * 22;
        const [px, py] = polar(1085, 360, rr, k * 5);
        blob += `${k ? 'L' : 'M'}${n(px)} ${n(py)}`;
      }
      x += path(`${blob}Z`, `#${[a, mix(a, b, 0.5), b, mix(f, 'FFFFFF', 0.4)][i] ?? a}`, 'filter="url(#sh)"');
    });
    x +=
      circle(1110, 330, 78, `#${e}`) +
      sprig(random, 1040, 500, 230, -30, [d, mix(d, a, 0.4), d]) +
      sprig(random, 1180, 510, 170, 40, [a, d, mix(a, 'FFFFFF', 0.25)]);
    return { svg: canvas(x), layout: 'left' };
  }
  x += circle(v === 0 ? 1000 : 1040, v === 0 ? 230 : 190, v === 0 ? 120 : 92, `#${e}`, 'filter="url(#sh)"');
  for (let i = 0; i < 4; i++) {
    const px = 730 + i * 160 + random.range(-30, 30);
    const py = 110 + random.range(0, 150);
    x += `<path filter="url(#sh)" transform="translate(${n(px)} ${n(py)}) scale(${n(random.range(0.6, 1.1))})" d="M-60 20a26 26 0 0 1 14-48 40 40 0 0 1 74-8 30 30 0 0 1 30 56Z" fill="#fff" opacity=".95"/>`;
  }
  if (v === 2) {
    [
      [760, 250, 0.8, a],
      [930, 330, 1.15, d],
      [1130, 390, 0.7, e],
    ].forEach(([bx, by, s, col]) => {
      x += `<g transform="translate(${bx} ${by}) scale(${s})"><path filter="url(#sh)" d="M0 96C-64 40-78-6-62-44A66 66 0 0 1 62-44C78-6 64 40 0 96Z" fill="#${col}"/><path d="M0 96C-26 30-28-60 0-88 28-60 26 30 0 96Z" fill="#fff" opacity=".5"/><path d="M-16 96h32l-4 34h-24Z" fill="#${mix(String(col), '000000', 0.35)}"/></g>`;
    });
  }
  const layers = [mix(b, 'FFFFFF', 0.35), b, mix(a, b, 0.4), a, mix(a, '000000', 0.22)];
  layers.forEach((colour, i) => {
    const phase = random.range(0, 6);
    const top = 455 + i * 55;
    x += path(
      ridge(
        (px) => top - Math.sin(px * 0.0052 + phase) * (46 - i * 5) - Math.max(0, px - 520) * (0.12 - i * 0.018),
        16,
      ),
      `#${colour}`,
      'filter="url(#sh)"',
    );
    if (i === 2)
      x +=
        sprig(random, 1150, 600, 190, -26, [d, mix(d, 'FFFFFF', 0.2), d]) +
        sprig(random, 860, 620, 140, 22, [mix(a, '000000', 0.15), a, mix(a, 'FFFFFF', 0.2)]);
  });
  x +=
    sprig(random, 1020, 730, 170, 34, [d, mix(d, e, 0.4), d]) +
    sprig(random, 1240, 740, 230, -50, [mix(d, 'FFFFFF', 0.12), d, mix(d, 'FFFFFF', 0.3)]);
  return { svg: canvas(x), layout: 'upper' };
}

/** 花与珠: translucent petals, veins of gold, pearls; for beauty, jewels and weddings. */
export function bloom({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [a, b, d, e, f] = c;
  let x = `<defs>${linear('g', 1, 1, [
    [0, mix(f, 'FFFFFF', 0.35)],
    [1, mix(f, a, 0.3)],
  ])}${linear('p', 0, 1, [
    [0, a, 0.9],
    [0.55, b, 0.7],
    [1, 'FFFFFF', 0.35],
  ])}${linear('q', 0, 1, [
    [0, d, 0.85],
    [0.6, a, 0.55],
    [1, 'FFFFFF', 0.3],
  ])}${`<radialGradient id="o" cx=".34" cy=".3" r=".8"><stop offset="0" stop-color="#fff"/><stop offset=".5" stop-color="#${mix(b, 'FFFFFF', 0.35)}"/><stop offset="1" stop-color="#${mix(a, d, 0.4)}"/></radialGradient>`}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#g)')}`;
  const flower = (cx: number, cy: number, r: number, petals: number, turn: number) => {
    let out = '';
    for (const [ring, size] of [
      [0, 1],
      [1, 0.76],
      [2, 0.5],
    ] as const) {
      for (let i = 0; i < petals; i++) {
        const deg = turn + (i * 360) / petals + ring * (180 / petals);
        const len = r * size;
        out += `<path transform="translate(${n(cx)} ${n(cy)}) rotate(${n(deg)})" d="M0 0C${n(-len * 0.5)} ${n(-len * 0.3)} ${n(-len * 0.36)} ${n(-len * 0.98)} 0 ${n(-len)}C${n(len * 0.36)} ${n(-len * 0.98)} ${n(len * 0.5)} ${n(-len * 0.3)} 0 0Z" fill="url(#${ring % 2 ? 'q' : 'p'})" stroke="#fff" stroke-opacity=".5" stroke-width="1.5"/>`;
      }
    }
    for (let i = 0; i < 16; i++) {
      const [px, py] = polar(cx, cy, r * 0.13, i * 22.5);
      out += circle(px, py, 4.5, `#${e}`);
    }
    return out + circle(cx, cy, r * 0.08, `#${e}`);
  };
  if (v === 0) x += flower(1060, 360, 372, 8, random.range(0, 40)) + flower(760, 650, 112, 7, random.range(0, 40));
  if (v === 1) {
    for (let i = 0; i < 15; i++) {
      const t = i / 14;
      x += `<path d="M1300 ${n(-60 + t * 500)}C${n(1050 - t * 160)} ${n(80 + t * 380)} ${n(900 + t * 60)} ${n(300 + t * 250)} ${n(700 + t * 240)} ${n(760)}" fill="none" stroke="#${mix(a, e, t)}" stroke-width="${n(30 - t * 14)}" opacity="${n(0.2 + t * 0.4)}" stroke-linecap="round"/>`;
    }
    x += flower(1040, 250, 215, 9, 12) + flower(860, 520, 120, 8, 30);
  }
  if (v === 2) {
    const pearls: [number, number, number][] = [
      [1010, 330, 210],
      [800, 550, 92],
      [1195, 590, 120],
      [770, 240, 44],
      [1180, 130, 56],
      [860, 120, 28],
      [960, 640, 40],
    ];
    for (const [px, py, r] of pearls)
      x +=
        `<ellipse cx="${px}" cy="${py + r * 1.08}" rx="${n(r * 0.7)}" ry="${n(r * 0.12)}" fill="#${d}" opacity=".16"/>` +
        circle(px, py, r, 'url(#o)') +
        circle(px - r * 0.3, py - r * 0.36, r * 0.16, '#fff', 'opacity=".85"');
    x += `<path d="M690 720C800 440 920 740 1290 300" fill="none" stroke="#${e}" stroke-width="3"/><path d="M730 720C840 490 970 750 1290 360" fill="none" stroke="#${e}" stroke-width="1.5" opacity=".7"/>`;
  }
  return { svg: canvas(x), layout: 'left' };
}
