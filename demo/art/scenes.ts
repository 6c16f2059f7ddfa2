import { mix } from '../colour.ts';
import { at, type Random } from '../random.ts';
import { canvas, circle, linear, n, path, radial, rect, ridge } from './svg.ts';

/** Small pictures for highlight cards, in the deck's own colours. */
const W = 480;
const H = 300;

interface Paint {
  random: Random;
  sky: string;
  a: string;
  b: string;
  d: string;
  dark: string;
  light: string;
}

const ground = (p: Paint, from = p.sky, to = p.a): string =>
  `<defs>${linear('g', 0.4, 1, [
    [0, from],
    [1, to],
  ])}${linear('l', 0, 1, [
    [0, 'FFFFFF', 0.6],
    [1, 'FFFFFF', 0],
  ])}${radial('o', [
    [0, p.light, 0.9],
    [1, p.light, 0],
  ])}</defs>${rect(0, 0, W, H, 'url(#g)')}`;

function people(p: Paint, base: number, count: number, size: number): string {
  let x = '';
  for (let i = 0; i < count; i++) {
    const px = (i + 0.5) * (W / count) + p.random.range(-9, 9);
    const s = size * p.random.range(0.85, 1.1);
    x +=
      circle(px, base - s * 1.7, s * 0.42, `#${p.dark}`) +
      rect(px - s * 0.46, base - s * 1.2, s * 0.92, s * 1.6, `#${p.dark}`, `rx="${n(s * 0.36)}"`);
  }
  return x;
}

const SCENES = {
  stage: (p: Paint) => {
    let x = ground(p, mix(p.dark, p.a, 0.35), mix(p.a, p.b, 0.35));
    for (let i = 0; i < 7; i++)
      x += path(`M${40 + i * 66} 0L${n(i * 66 - 40 + p.random.range(-20, 20))} 240h120Z`, 'url(#l)', 'opacity=".42"');
    return x + rect(90, 190, 300, 50, `#${p.b}`) + rect(90, 184, 300, 8, `#${p.light}`) + people(p, 292, 15, 24);
  },
  market: (p: Paint) => {
    let x = ground(p, mix(p.light, p.b, 0.3), mix(p.light, p.a, 0.45)) + circle(390, 70, 40, `#${p.light}`);
    x += `<path d="M0 40Q120 90 240 46T480 50" fill="none" stroke="#${p.dark}" stroke-width="2"/>`;
    for (let i = 0; i < 13; i++) x += circle(18 + i * 37, 58 + Math.sin(i * 1.0) * 14, 6, `#${at([p.a, p.b, p.d], i)}`);
    for (let i = 0; i < 3; i++) {
      const px = 22 + i * 152;
      x +=
        rect(px + 8, 168, 120, 90, `#${mix(p.light, 'FFFFFF', 0.5)}`) +
        rect(px + 8, 214, 120, 44, `#${at([p.a, p.d, p.b], i)}`);
      for (let k = 0; k < 5; k++)
        x += path(`M${px + k * 27} 130h27v34a13.5 13.5 0 0 1-27 0Z`, `#${k % 2 ? 'FFFFFF' : at([p.a, p.d, p.b], i)}`);
    }
    return x + rect(0, 258, W, 42, `#${mix(p.dark, p.a, 0.2)}`) + people(p, 292, 7, 20);
  },
  phone: (p: Paint) => {
    let x = ground(p, mix(p.light, p.a, 0.35), mix(p.a, p.b, 0.4));
    for (const [px, turn, colour] of [
      [130, -9, p.b],
      [240, 0, p.a],
      [350, 9, p.d],
    ] as const) {
      x += `<g transform="rotate(${turn} ${px} 150)">${rect(px - 54, 44, 108, 218, `#${p.dark}`, 'rx="16"')}${rect(px - 47, 52, 94, 202, '#fff', 'rx="10"')}${rect(px - 40, 62, 80, 84, `#${colour}`, 'rx="6"')}${circle(px, 104, 20, `#${p.light}`)}${rect(px - 40, 156, 60, 9, `#${p.dark}`, 'opacity=".7" rx="4"')}${rect(px - 40, 174, 80, 7, `#${p.dark}`, 'opacity=".25" rx="3"')}${rect(px - 40, 188, 70, 7, `#${p.dark}`, 'opacity=".25" rx="3"')}${rect(px - 40, 216, 80, 24, `#${colour}`, 'rx="12"')}</g>`;
    }
    return (
      x +
      circle(420, 60, 26, `#${p.light}`) +
      path('M420 70c-14-12-14-22-6-24 4 0 6 3 6 5 0-2 2-5 6-5 8 2 8 12-6 24Z', `#${p.a}`)
    );
  },
  pedestal: (p: Paint) =>
    ground(p, mix(p.light, p.a, 0.25), mix(p.light, p.b, 0.5)) +
    circle(240, 140, 150, 'url(#o)') +
    path('M90 300V120a150 150 0 0 1 300 0V300Z', `#${p.a}`, 'opacity=".35"') +
    path('M140 300V150a100 100 0 0 1 200 0V300Z', `#${p.b}`, 'opacity=".55"') +
    `<ellipse cx="240" cy="262" rx="150" ry="26" fill="#${mix(p.d, 'FFFFFF', 0.25)}"/><ellipse cx="240" cy="238" rx="104" ry="20" fill="#${p.light}"/>` +
    rect(206, 128, 68, 104, `#${p.d}`, 'rx="12"') +
    rect(222, 96, 36, 34, `#${p.dark}`, 'rx="5"') +
    rect(218, 160, 44, 40, `#${p.light}`, 'rx="4"') +
    circle(110, 236, 24, `#${p.a}`) +
    circle(384, 246, 16, `#${p.d}`),
  city: (p: Paint) => {
    let x = ground(p, mix(p.a, p.dark, 0.3), mix(p.b, p.light, 0.5)) + circle(360, 100, 54, `#${p.light}`);
    for (const [row, colour] of [
      [0, mix(p.a, p.light, 0.3)],
      [1, mix(p.a, p.dark, 0.25)],
      [2, p.dark],
    ] as const) {
      for (let px = -10; px < W; px += 46) {
        const h = p.random.range(60, 150) - row * 26;
        x += rect(px, 270 - h, 42, h + 40, `#${colour}`);
        if (row === 2)
          for (let k = 0; k < 5; k++)
            if (p.random.chance(0.6)) x += rect(px + 8 + (k % 3) * 11, 280 - h + k * 13, 6, 7, `#${p.light}`);
      }
    }
    return x;
  },
  forest: (p: Paint) => {
    let x = ground(p, mix(p.light, p.b, 0.35), mix(p.light, p.a, 0.2)) + circle(120, 80, 38, `#${p.d}`);
    x +=
      path(
        ridge((px) => 190 - Math.sin(px * 0.013) * 40, 12, W, H),
        `#${mix(p.a, p.light, 0.45)}`,
      ) +
      path(
        ridge((px) => 226 - Math.sin(px * 0.017 + 2) * 26, 12, W, H),
        `#${p.a}`,
      );
    for (let i = 0; i < 9; i++) {
      const px = 20 + i * 56 + p.random.range(-12, 12);
      const s = p.random.range(0.7, 1.25);
      x += path(
        `M${n(px)} ${n(260 - 90 * s)}l${n(30 * s)} ${n(60 * s)}h${n(-14 * s)}l${n(22 * s)} ${n(40 * s)}h${n(-76 * s)}l${n(22 * s)} ${n(-40 * s)}h${n(-14 * s)}Z`,
        `#${mix(p.dark, p.a, 0.35)}`,
      );
    }
    return (
      x +
      rect(0, 262, W, 40, `#${mix(p.a, p.dark, 0.4)}`) +
      path('M330 262l46-66 46 66Z', `#${p.d}`) +
      path('M366 262l10-30 10 30Z', `#${p.dark}`)
    );
  },
  gallery: (p: Paint) => {
    let x =
      ground(p, mix(p.light, 'FFFFFF', 0.45), mix(p.light, p.a, 0.25)) +
      rect(0, 240, W, 60, `#${mix(p.a, p.light, 0.35)}`);
    for (const [i, [px, w, h]] of (
      [
        [40, 100, 130],
        [170, 140, 100],
        [340, 100, 140],
      ] as const
    ).entries()) {
      x +=
        path(`M${px + w / 2} 0L${px - 16} 200H${px + w + 16}Z`, 'url(#l)', 'opacity=".7"') +
        rect(px, 56, w, h, `#${p.dark}`) +
        rect(px + 7, 63, w - 14, h - 14, `#${at([p.a, p.b, p.d], i)}`);
      x +=
        circle(px + w * 0.55, 63 + h * 0.4, h * 0.2, `#${p.light}`) +
        path(
          ridge((q) => 56 + h * 0.72 + Math.sin(q * 0.05) * 6, 6, 10, 60),
          'none',
        );
    }
    return x + people(p, 290, 4, 30);
  },
  track: (p: Paint) => {
    let x = ground(p, mix(p.light, p.b, 0.3), mix(p.a, p.light, 0.1));
    for (let i = 0; i < 6; i++)
      x += path(
        `M${-20 + i * 12} 320L${220 + i * 9} 120h9L${50 + i * 96} 320Z`,
        `#${i % 2 ? p.a : p.b}`,
        'opacity=".9"',
      );
    x +=
      circle(236, 96, 60, 'url(#o)') +
      rect(100, 60, 10, 120, `#${p.dark}`) +
      rect(370, 60, 10, 120, `#${p.dark}`) +
      rect(100, 54, 280, 34, `#${p.d}`);
    for (let i = 0; i < 14; i++) if (i % 2) x += rect(100 + i * 20, 54, 20, 17, '#fff', 'opacity=".75"');
    return x + people(p, 270, 6, 26);
  },
  table: (p: Paint) => {
    let x = ground(p, mix(p.dark, p.a, 0.55), mix(p.a, p.b, 0.5));
    for (const px of [110, 240, 370])
      x +=
        `<path d="M${px} 0V54" stroke="#${p.light}" stroke-width="2"/>` +
        circle(px, 78, 90, 'url(#o)', 'opacity=".5"') +
        path(`M${px - 34} 84a34 34 0 0 1 68 0Z`, `#${p.d}`);
    x += `<ellipse cx="240" cy="252" rx="250" ry="66" fill="#${mix(p.light, p.b, 0.25)}"/>`;
    for (const [i, px] of [80, 168, 258, 350, 416].entries())
      x += `<ellipse cx="${px}" cy="${238 + (i % 2) * 20}" rx="40" ry="15" fill="#fff"/><ellipse cx="${px}" cy="${235 + (i % 2) * 20}" rx="25" ry="9" fill="#${at([p.a, p.d, p.b], i)}"/>`;
    return (
      x +
      `<path d="M236 196q-10-16 0-28t0-26M262 198q-10-16 0-28t0-26" fill="none" stroke="#fff" stroke-width="4" opacity=".7" stroke-linecap="round"/>`
    );
  },
  letter: (p: Paint) => {
    let x = ground(p, mix(p.light, p.a, 0.2), mix(p.light, p.d, 0.35));
    for (const [px, py, turn, colour] of [
      [110, 90, -14, p.b],
      [300, 60, 9, p.d],
      [180, 150, 4, p.a],
    ] as const)
      x += `<g transform="translate(${px} ${py}) rotate(${turn})">${rect(0, 0, 170, 110, '#fff', 'rx="5"')}<path d="M0 4L85 64 170 4" fill="none" stroke="#${colour}" stroke-width="4"/>${rect(0, 98, 170, 12, `#${colour}`)}${circle(85, 66, 15, `#${colour}`)}</g>`;
    return x;
  },
  data: (p: Paint) => {
    let x = ground(p, mix(p.dark, p.a, 0.2), mix(p.a, p.dark, 0.3));
    for (let i = 0; i < 9; i++)
      x += rect(
        40 + i * 46,
        250 - 24 - i * 17 - p.random.range(0, 30),
        28,
        400,
        `#${at([p.b, p.d, mix(p.b, p.light, 0.5)], i)}`,
        'rx="4"',
      );
    x += `<path d="M46 190L140 150 230 166 320 98 436 52" fill="none" stroke="#${p.light}" stroke-width="5" stroke-linejoin="round"/>`;
    for (const [px, py] of [
      [46, 190],
      [140, 150],
      [230, 166],
      [320, 98],
      [436, 52],
    ] as const)
      x += circle(px, py, 9, `#${p.light}`) + circle(px, py, 4, `#${p.a}`);
    return x + rect(0, 258, W, 42, `#${p.dark}`);
  },
  arch: (p: Paint) => {
    let x = ground(p, mix(p.light, p.d, 0.2), mix(p.light, p.a, 0.3)) + circle(240, 130, 54, `#${p.d}`);
    for (let i = 0; i < 5; i++)
      x += `<path d="M${20 + i * 40} 320V${190 - i * 10}a${220 - i * 40} ${150 - i * 18} 0 0 1 ${440 - i * 80} 0V320" fill="none" stroke="#${at([p.a, p.b, mix(p.a, p.dark, 0.3)], i)}" stroke-width="22"/>`;
    return x + rect(0, 270, W, 30, `#${p.dark}`) + people(p, 288, 5, 18);
  },
};

type SceneKey = keyof typeof SCENES;

const SCENES_OF_PLAY: Record<string, readonly SceneKey[]> = {
  festival: ['arch', 'table', 'letter', 'market'],
  launch: ['stage', 'pedestal', 'gallery', 'city'],
  opening: ['arch', 'market', 'city', 'table'],
  gala: ['stage', 'table', 'arch', 'letter'],
  popup: ['pedestal', 'market', 'phone', 'city'],
  seeding: ['phone', 'letter', 'pedestal', 'data'],
  brand: ['city', 'gallery', 'data', 'letter'],
  invest: ['city', 'table', 'data', 'stage'],
  guochao: ['arch', 'gallery', 'table', 'market'],
  concert: ['stage', 'forest', 'market', 'track'],
  market: ['market', 'table', 'forest', 'letter'],
  family: ['forest', 'letter', 'track', 'arch'],
  live: ['phone', 'pedestal', 'data', 'stage'],
  cobrand: ['letter', 'pedestal', 'phone', 'market'],
  member: ['phone', 'letter', 'table', 'data'],
  summit: ['stage', 'table', 'data', 'city'],
  sports: ['track', 'forest', 'city', 'stage'],
  exhibit: ['gallery', 'arch', 'letter', 'pedestal'],
  charity: ['gallery', 'letter', 'forest', 'arch'],
  research: ['data', 'table', 'phone', 'city'],
};

/** The nth highlight picture of a play, as SVG 480x300. */
export function drawScene(playKey: string, index: number, random: Random, colours: readonly string[]): string {
  const [a = '', b = '', d = ''] = colours;
  const keys: readonly SceneKey[] = SCENES_OF_PLAY[playKey] ?? ['city'];
  const key = at(keys, index);
  const dark = mix(mix(a, '000000', 0.62), '101018', 0.4);
  return canvas(
    SCENES[key]({ random, sky: mix(a, 'FFFFFF', 0.4), a, b, d, dark, light: mix(d, 'FFFFFF', 0.72) }),
    W,
    H,
  );
}
