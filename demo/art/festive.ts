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
  sector,
  WIDTH,
} from './svg.ts';

function lantern(x: number, top: number, length: number, s: number, c: readonly string[]): string {
  const [body = '', gold = ''] = c;
  const ribs = [-44, -22, 0, 22, 44]
    .map(
      (rx) =>
        `<ellipse cx="0" cy="0" rx="${Math.abs(rx)}" ry="56" fill="none" stroke="#${gold}" stroke-width="2" opacity=".75"/>`,
    )
    .join('');
  return `<path d="M${n(x)} ${n(top)}V${n(top + length)}" stroke="#${gold}" stroke-width="2"/><g transform="translate(${n(x)} ${n(top + length + 62 * s)}) scale(${n(s)})"><ellipse rx="110" ry="100" fill="url(#halo)"/><ellipse rx="66" ry="56" fill="#${body}"/><ellipse rx="66" ry="56" fill="url(#lg)"/>${ribs}<rect x="-26" y="-66" width="52" height="13" rx="3" fill="#${gold}"/><rect x="-26" y="53" width="52" height="13" rx="3" fill="#${gold}"/><path d="M0 66V84M-10 84h20l4 46h-28Z" stroke="#${gold}" stroke-width="3" fill="#${gold}"/></g>`;
}

function firework(random: Random, x: number, y: number, r: number, colour: string, core: string): string {
  let out = '';
  const rays = 22;
  for (let i = 0; i < rays; i++) {
    const long = i % 2 ? r : r * 0.72;
    const [x1, y1] = polar(x, y, r * 0.18, (i * 360) / rays);
    const [x2, y2] = polar(x, y, long * random.range(0.9, 1.05), (i * 360) / rays);
    out += `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" stroke="#${i % 2 ? colour : core}" stroke-width="${n(i % 2 ? 3 : 2)}" stroke-linecap="round" opacity=".9"/>${circle(x2, y2, i % 2 ? 5 : 3.4, `#${i % 2 ? core : colour}`)}`;
  }
  return out;
}

function blossom(x: number, y: number, r: number, fill: string, core: string): string {
  let out = '';
  for (let i = 0; i < 5; i++) {
    const [px, py] = polar(x, y, r * 0.62, i * 72 - 90);
    out += circle(px, py, r * 0.5, fill);
  }
  return out + circle(x, y, r * 0.26, core);
}

/** 中式喜庆: lanterns, fireworks over eaves, or plum blossom through a moon gate. */
export function lanterns({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [red, gold, deep, light, cream] = c;
  let x = `<defs>${linear('b', 0.5, 1, [
    [0, mix(red, '000000', 0.12)],
    [0.55, red],
    [1, deep],
  ])}${radial('halo', [
    [0, light, 0.7],
    [1, light, 0],
  ])}${radial('lg', [
    [0, light, 0.75],
    [1, red, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#b)')}`;
  for (let i = 0; i < 5; i++)
    for (const r of [150, 118, 86, 54])
      x += circle(150 + i * 260, 760 - (i % 2) * 30, r, 'none', `stroke="#${gold}" stroke-width="2" opacity=".16"`);
  if (v === 0) {
    const spots: [number, number, number][] = [
      [700, 60, 0.72],
      [835, 190, 1.05],
      [985, 40, 0.8],
      [1100, 230, 1.5],
      [1225, 90, 0.66],
    ];
    for (const [px, len, s] of spots) x += lantern(px, 0, len, s, [mix(red, light, 0.28), gold]);
    for (let i = 0; i < 26; i++)
      x += circle(
        random.range(620, 1270),
        random.range(20, 700),
        random.range(1.5, 5),
        `#${gold}`,
        `opacity="${n(random.range(0.3, 0.9))}"`,
      );
    x += path(
      ridge((px) => 655 - Math.abs(Math.sin(px * 0.012)) * 26 - (px > 600 ? 18 : 0)),
      `#${deep}`,
      `stroke="#${gold}" stroke-width="2"`,
    );
  }
  if (v === 1) {
    x +=
      firework(random, 900, 220, 190, gold, cream) +
      firework(random, 1140, 170, 120, light, gold) +
      firework(random, 690, 130, 84, cream, light) +
      firework(random, 1110, 400, 70, gold, cream);
    const eave = (y: number, depth: number, colour: string) =>
      path(
        `M560 ${HEIGHT + 10}V${y + 130}Q660 ${y + 120} 760 ${y + 70}Q840 ${y + 30} 950 ${y}Q1060 ${y + 30} 1140 ${y + 70}Q1220 ${y + 120} 1300 ${y + 128}V${HEIGHT + 10}Z`,
        `#${colour}`,
        `stroke="#${gold}" stroke-width="${depth}"`,
      );
    x += eave(470, 4, mix(deep, '000000', 0.2)) + eave(540, 3, mix(deep, red, 0.35));
    for (let i = 0; i < 15; i++)
      x += rect(
        600 + i * 48,
        690 - Math.max(0, 60 - Math.abs(950 - 600 - i * 48) * 0.2),
        12,
        60,
        `#${gold}`,
        'opacity=".7"',
      );
    x +=
      lantern(800, 590, 6, 0.42, [mix(red, light, 0.3), gold]) +
      lantern(1100, 590, 6, 0.42, [mix(red, light, 0.3), gold]);
  }
  if (v === 2) {
    x += circle(965, 350, 292, `#${gold}`) + circle(965, 350, 278, `#${cream}`) + circle(965, 350, 278, 'url(#halo)');
    x += `<clipPath id="cp"><circle cx="965" cy="350" r="278"/></clipPath><g clip-path="url(#cp)">${path(
      ridge((px) => 520 - Math.sin(px * 0.009) * 46),
      `#${mix(cream, red, 0.3)}`,
    )}${path(
      ridge((px) => 580 - Math.sin(px * 0.012 + 2) * 36),
      `#${mix(cream, red, 0.6)}`,
    )}${circle(1060, 250, 62, `#${mix(red, light, 0.2)}`)}</g>`;
    x += `<path d="M1290 610C1160 560 1100 470 1010 430 930 396 850 400 760 330M1010 430C990 350 940 290 930 220M1110 500C1120 420 1170 390 1180 330" fill="none" stroke="#${mix(deep, '000000', 0.35)}" stroke-width="12" stroke-linecap="round"/>`;
    const spots: [number, number][] = [
      [760, 330],
      [820, 362],
      [930, 220],
      [950, 300],
      [1010, 430],
      [1180, 330],
      [1160, 400],
      [890, 392],
      [1100, 490],
      [970, 262],
      [1210, 560],
    ];
    spots.forEach(
      ([px, py], i) =>
        (x += blossom(px, py, 24 + (i % 3) * 8, `#${i % 2 ? red : mix(red, 'FFFFFF', 0.25)}`, `#${gold}`)),
    );
  }
  x += `<rect x="24" y="24" width="1232" height="672" rx="4" fill="none" stroke="#${gold}" stroke-width="2" opacity=".6"/>`;
  for (const [px, py, sx, sy] of [
    [24, 24, 1, 1],
    [1256, 24, -1, 1],
    [24, 696, 1, -1],
    [1256, 696, -1, -1],
  ] as const)
    x += `<path transform="translate(${px} ${py}) scale(${sx} ${sy})" d="M0 54V0H54M14 40V14H40V26H26V40Z" fill="none" stroke="#${gold}" stroke-width="4"/>`;
  return { svg: canvas(x), layout: v === 2 ? 'vertical' : 'upper' };
}

/** 黑金: art-deco fans, silk of fine gold lines, or light falling on a stage. */
export function gold({ random, c, variant }: Brush): Art {
  const v = variant % 3;
  const [night, metal, shade, bright, warm] = c;
  let x = `<defs>${radial('b', [
    [0, mix(night, warm, 0.22)],
    [1, night],
  ])}${linear('m', 1, 1, [
    [0, bright],
    [0.35, metal],
    [0.6, shade],
    [0.8, bright],
    [1, metal],
  ])}${linear('beam', 0, 1, [
    [0, bright, 0.75],
    [1, bright, 0],
  ])}${radial('k', [
    [0, bright, 0.8],
    [1, metal, 0],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${night}`)}<ellipse cx="${v === 2 ? 640 : 960}" cy="380" rx="820" ry="520" fill="url(#b)"/>`;
  if (v === 0) {
    for (let ring = 0; ring < 6; ring++) {
      for (let k = 0; k < 14; k++) {
        if ((ring + k) % 2) continue;
        x += path(
          sector(1280, 720, 120 + ring * 78, 198 + ring * 78, 180 + k * 6.43, 186.43 + k * 6.43),
          'url(#m)',
          `opacity="${n(0.75 - ring * 0.09)}"`,
        );
      }
    }
    for (let i = 0; i < 10; i++)
      x += circle(
        1280,
        720,
        120 + i * 52,
        'none',
        `stroke="url(#m)" stroke-width="${n(i % 3 === 0 ? 7 : 2)}" opacity="${n(1 - i * 0.05)}"`,
      );
    for (let i = 0; i <= 14; i++) {
      const [px, py] = polar(1280, 720, 588, 180 + i * 6.43);
      const [qx, qy] = polar(1280, 720, 276, 180 + i * 6.43);
      x += `<path d="M${n(qx)} ${n(qy)}L${n(px)} ${n(py)}" stroke="#${metal}" stroke-width="1.5" opacity=".6"/>${circle(px, py, 6, `#${bright}`)}`;
    }
    x += circle(1280, 720, 118, 'url(#m)');
  }
  if (v === 1) {
    const f = random.range(0, 6);
    for (let i = 0; i < 58; i++) {
      const t = i / 57;
      let d = '';
      for (let px = 660; px <= 1300; px += 20)
        d += `${d ? 'L' : 'M'}${px} ${n(380 + Math.sin(px * 0.006 + f + t * 2.4) * (190 - t * 60) * ((px - 660) / 620) + (t - 0.5) * 250 * Math.sin(((px - 660) / 640) * 1.57) ** 1.4 * Math.sin(px * 0.0034 + f * 0.3))}`;
      x += `<path d="${d}" fill="none" stroke="#${mix(shade, bright, Math.abs(Math.sin(t * 5 + f)))}" stroke-width="${n(1 + t * 1.4)}" opacity="${n(0.35 + 0.6 * Math.abs(Math.sin(t * 3)))}"/>`;
    }
  }
  if (v === 2) {
    for (let i = 0; i < 9; i++) {
      const px = 640 + (i - 4) * 150;
      x += `<path d="M${640 + (i - 4) * 62} -20L${n(px - 70)} 560L${n(px + 70)} 560Z" fill="url(#beam)" opacity="${n(0.16 + (i % 2) * 0.14)}"/>`;
    }
    x += `<ellipse cx="640" cy="640" rx="560" ry="88" fill="url(#m)"/><ellipse cx="640" cy="630" rx="552" ry="82" fill="#${mix(night, warm, 0.3)}"/><ellipse cx="640" cy="602" rx="420" ry="56" fill="url(#m)"/><ellipse cx="640" cy="595" rx="414" ry="52" fill="#${mix(night, warm, 0.14)}"/>`;
  }
  for (let i = 0; i < 70; i++) {
    const px = v === 2 ? random.range(40, 1240) : random.range(560, 1270);
    const r = random.next() ** 3 * 13 + 1.2;
    x += circle(
      px,
      random.range(10, 710),
      r,
      r > 6 ? 'url(#k)' : `#${bright}`,
      `opacity="${n(random.range(0.25, 0.9))}"`,
    );
  }
  x += `<rect x="26" y="26" width="1228" height="668" fill="none" stroke="url(#m)" stroke-width="1.5" opacity=".7"/>`;
  return { svg: canvas(x), layout: v === 2 ? 'center' : 'left' };
}

/** 舞台光束: beams, haze, a crowd with raised hands; a sun-like LED disc behind. */
export function stage({ random, c, variant }: Brush): Art {
  const v = variant % 2;
  const [a, b, d, e, night] = c;
  const bottom = v === 0;
  let x = `<defs>${linear('s', 0.3, 1, [
    [0, mix(night, a, 0.2)],
    [0.6, mix(night, a, 0.6)],
    [1, mix(a, b, 0.6)],
  ])}${linear('l', 0, 1, [
    [0, 'FFFFFF', 0.7],
    [1, 'FFFFFF', 0],
  ])}${linear('disc', 0, 1, [
    [0, e],
    [1, b],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#s)')}`;
  const cx = bottom ? 640 : 960;
  if (v === 1) {
    x += circle(cx, 380, 250, 'url(#disc)');
    for (let i = 0; i < 6; i++) {
      const half = Math.sqrt(Math.max(0, 252 ** 2 - (i * 40 + 26) ** 2));
      x += rect(cx - half, 400 + i * 40, half * 2, 7 + i * 3.4, `#${mix(a, b, 0.4)}`);
    }
  }
  for (let i = 0; i < 10; i++) {
    const from = 128 * i + 64;
    const to = cx + (from - cx) * (bottom ? 0.25 : 2.1) + random.range(-120, 120);
    x += `<path d="M${from - 4} -10L${n(to - 80)} 640L${n(to + 80)} 640L${from + 4} -10Z" fill="url(#l)" opacity="${n(0.14 + (i % 3) * 0.09)}"/>${circle(from, 6, 10, `#${at([e, d, 'FFFFFF'], i)}`)}`;
  }
  if (bottom) {
    for (let i = 0; i < 46; i++) {
      const h = 24 + Math.abs(Math.sin(i * 0.55 + random.range(0, 0.5))) * 120;
      x += rect(i * 28 + 2, 600 - h, 18, h, `#${mix(d, e, i / 46)}`, 'opacity=".85" rx="3"');
    }
  }
  for (const [row, colour, base] of [
    [0, mix(night, a, 0.35), 640],
    [1, mix(night, '000000', 0.4), 690],
  ] as const) {
    for (let i = 0; i < 34; i++) {
      const px = i * 39 + row * 18 + random.range(-8, 8);
      const py = base - random.range(0, 24);
      x += circle(px, py, 15, `#${colour}`) + rect(px - 20, py + 13, 40, 110, `#${colour}`, 'rx="16"');
      if (random.chance(0.42))
        x += `<path d="M${n(px + 12)} ${n(py + 30)}q16 -30 ${n(random.range(4, 16))} ${n(-random.range(58, 84))}" stroke="#${colour}" stroke-width="11" fill="none" stroke-linecap="round"/>`;
    }
  }
  for (let i = 0; i < 40; i++)
    x += rect(
      random.range(0, 1280),
      random.range(0, 560),
      9,
      5,
      `#${at([d, e, b, 'FFFFFF'], i)}`,
      `transform="rotate(${random.int(180)} ${random.int(1280)} ${random.int(560)})" opacity=".8"`,
    );
  return { svg: canvas(x), layout: 'upper' };
}
