import { type Brush, canvas, circle, HEIGHT, linear, n, path, polar, radial, rect, WIDTH } from '../../svg.ts';
import { mix } from '../../colour.ts';
import { at, type Random } from '../../../../demo/random.ts';
import type { Picture } from './raster.ts';

/** Old silk: a fine weave and a little wear. */
const silk = (colour: string, strength: number): string =>
  `<filter id="silk" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.02 0.4" numOctaves="2" seed="3"/><feColorMatrix values="0 0 0 0 0.2 0 0 0 0 0.12 0 0 0 0 0.05 0 0 0 ${strength} -0.05"/></filter>` +
  rect(0, 0, WIDTH, HEIGHT, `#${colour}`) +
  rect(0, 0, WIDTH, HEIGHT, '#000', 'filter="url(#silk)"');

function peak(random: Random, x: number, foot: number, w: number, h: number): { line: string; body: string } {
  let line = '';
  const steps = 26;
  const lean = random.range(-0.12, 0.12);
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    const shape = Math.sin(Math.PI * t) ** 1.35 * (1 + 0.14 * Math.sin(t * 19 + x));
    const px = x - w / 2 + w * t + lean * w * Math.sin(Math.PI * t);
    const py = foot - h * shape - random.range(0, h * 0.05);
    line += `${i === 0 ? 'M' : 'L'}${n(px)} ${n(py)}`;
  }
  return { line, body: `${line}L${n(x + w / 2)} ${n(foot + 30)}L${n(x - w / 2)} ${n(foot + 30)}Z` };
}

/** Blue-and-green peaks outlined in gold, mist between them. */
function bluegreen({ random, c }: Brush): string {
  const [azurite, malachite, gold, ochre, ground] = c;
  let x = silk(ground, 0.5);
  x += `<defs>${linear('blue', 0, 1, [
    [0, azurite],
    [0.45, malachite],
    [1, ochre, 0.05],
  ])}${linear('green', 0, 1, [
    [0, mix(azurite, '000000', 0.25)],
    [0.5, azurite],
    [0.75, malachite],
    [1, ochre, 0.1],
  ])}${linear('mist', 0, 1, [
    [0, ground, 0],
    [0.5, ground, 0.85],
    [1, ground, 0],
  ])}</defs>`;
  x +=
    circle(1020, 205, 118, `#${gold}`, 'opacity="0.95"') +
    circle(1020, 205, 132, 'none', `stroke="#${gold}" stroke-width="1.5" opacity="0.7"`);
  for (let row = 0; row < 4; row++) {
    const foot = 470 + row * 92;
    const count = 5;
    for (let i = 0; i < count; i++) {
      const px = 770 + i * 150 + (row % 2) * 70 + random.range(-30, 30) - row * 26;
      const h = random.range(130, 250) * (0.85 + (px - 700) / 1500) - row * 16;
      const w = random.range(220, 340);
      const { line, body } = peak(random, px, foot, w, Math.max(60, h));
      x +=
        path(body, `url(#${row % 2 ? 'green' : 'blue'})`) +
        path(line, 'none', `stroke="#${gold}" stroke-width="2.2" stroke-linejoin="round"`);
      for (let k = 1; k < 4; k++)
        x += `<g transform="translate(${n(px)} ${n(foot)}) scale(${n(1 - k * 0.17)} ${n(1 - k * 0.2)}) translate(${n(-px)} ${n(-foot)})">${path(line, 'none', `stroke="#${gold}" stroke-width="1" opacity="${0.5 - k * 0.1}"`)}</g>`;
    }
    x += rect(0, foot - 10, WIDTH, 70, 'url(#mist)', 'opacity="0.8"');
  }
  for (let i = 0; i < 5; i++) {
    const y = 660 + i * 13;
    x += path(
      `M${n(300 + i * 60)} ${y}q40 -10 80 0t80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0`,
      'none',
      `stroke="#${gold}" stroke-width="1.2" opacity="0.5"`,
    );
  }
  return x;
}

/** A wave of scales under a great moon, cranes crossing it. */
function moonTide({ random, c }: Brush): string {
  const [deep, wave, gold, pale, ground] = c;
  let x = `<defs>${radial('halo', [
    [0, gold, 0.55],
    [1, gold, 0],
  ])}${linear('sky', 0, 1, [
    [0, ground],
    [1, deep],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`;
  x +=
    circle(985, 300, 400, 'url(#halo)') +
    circle(985, 300, 215, `#${gold}`) +
    circle(985, 300, 232, 'none', `stroke="#${gold}" stroke-width="1.5"`);
  for (let i = 0; i < 3; i++) x += crane(820 + i * 130, 240 + ((i * 67) % 120), 1 - i * 0.18, pale, deep);
  for (let row = 0; row < 6; row++) {
    const y = 470 + row * 50;
    for (let i = -1; i < 14; i++) {
      const px = i * 104 + (row % 2) * 52;
      const lift = Math.sin((px / WIDTH) * 5 + row * 0.5) * 26 - (px / WIDTH) * 30;
      x += circle(px, y + lift, 62, `#${mix(deep, wave, 0.25 + row * 0.14)}`);
      for (let k = 0; k < 4; k++)
        x += circle(
          px,
          y + lift,
          60 - k * 15,
          'none',
          `stroke="#${k ? pale : gold}" stroke-width="${k ? 1.1 : 2.4}" opacity="${k ? 0.4 : 0.95}"`,
        );
    }
  }
  for (let i = 0; i < 46; i++)
    x += circle(random.range(20, 1260), random.range(20, 420), random.range(0.8, 2.4), `#${gold}`, 'opacity="0.7"');
  return x;
}

function crane(x: number, y: number, s: number, white: string, dark: string): string {
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${s})"><path d="M0 0C30 -14 52 -60 110 -78C92 -44 84 -18 60 0C96 2 128 18 150 44C112 34 84 34 52 22C30 30 8 26 -14 18C-40 14 -62 12 -92 -4C-64 -6 -34 -6 0 0Z" fill="#${white}"/><path d="M110 -78C92 -64 84 -50 78 -36L96 -44C100 -56 106 -66 110 -78ZM150 44C132 40 118 36 104 34L118 22C130 28 142 36 150 44Z" fill="#${dark}"/><circle cx="-88" cy="-6" r="6" fill="#C8371F"/></g>`;
}

/** Auspicious clouds curling over lacquer. */
function clouds({ random, c }: Brush): string {
  const [lacquer, deep, gold, pale, ground] = c;
  let x = `<defs>${radial('glow', [
    [0, mix(lacquer, 'FFFFFF', 0.12)],
    [1, deep],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${deep}`)}${circle(980, 330, 760, 'url(#glow)')}`;
  x +=
    circle(1000, 320, 190, `#${gold}`) +
    circle(1000, 320, 206, 'none', `stroke="#${gold}" stroke-width="2"`) +
    circle(1000, 320, 222, 'none', `stroke="#${gold}" stroke-width="0.8"`);
  const curl = (cx: number, cy: number, s: number, fill: string): string => {
    let g = '';
    for (const [dx, dy, r] of [
      [0, 0, 70],
      [92, 18, 54],
      [-88, 22, 56],
      [165, 44, 36],
      [-160, 46, 38],
    ] as const) {
      g += circle(dx, dy, r, `#${fill}`, `stroke="#${gold}" stroke-width="3"`);
      for (let k = 1; k < 4; k++)
        g += circle(
          dx + k * 2,
          dy + k * 3,
          Math.max(4, r - k * 15),
          'none',
          `stroke="#${gold}" stroke-width="2.2" opacity="${1 - k * 0.18}"`,
        );
    }
    g += path(
      'M-215 62C-120 96 120 96 215 62C150 120 -150 120 -215 62Z',
      `#${fill}`,
      `stroke="#${gold}" stroke-width="3"`,
    );
    return `<g transform="translate(${n(cx)} ${n(cy)}) scale(${s})">${g}</g>`;
  };
  x +=
    curl(760, 560, 0.9, lacquer) +
    curl(1210, 540, 1.05, mix(lacquer, deep, 0.5)) +
    curl(960, 640, 1.25, mix(lacquer, ground, 0.14)) +
    curl(1225, 150, 0.62, lacquer) +
    curl(700, 175, 0.46, mix(lacquer, deep, 0.4));
  for (let i = 0; i < 60; i++)
    x += circle(
      random.range(560, 1270),
      random.range(10, 700),
      random.range(0.8, 2.6),
      `#${at([gold, pale], i)}`,
      'opacity="0.75"',
    );
  return x;
}

/** One stroke of a broad brush, a branch, a seal. */
function stroke({ random, c }: Brush): string {
  const [ink, wash, seal, flower, ground] = c;
  let x = `<defs><filter id="dry" x="-20%" y="-20%" width="140%" height="140%"><feTurbulence type="fractalNoise" baseFrequency="0.012 0.11" numOctaves="3" seed="${random.int(90)}" result="t"/><feDisplacementMap in="SourceGraphic" in2="t" scale="34" result="d"/><feTurbulence type="fractalNoise" baseFrequency="0.006 0.34" numOctaves="2" seed="8"/><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -9 6.1" result="m"/><feComposite in="d" in2="m" operator="in"/></filter><filter id="wet"><feTurbulence type="fractalNoise" baseFrequency="0.02" numOctaves="3" seed="5"/><feDisplacementMap in="SourceGraphic" scale="26"/><feGaussianBlur stdDeviation="5"/></filter></defs>${silk(ground, 0.28)}`;
  x += path(
    'M560 610C700 500 820 560 920 480C1010 410 1100 470 1330 350L1330 760L500 760Z',
    `#${wash}`,
    'opacity="0.34" filter="url(#wet)"',
  );
  x += path(
    'M420 690C640 600 760 650 900 590C1040 530 1140 590 1330 520L1330 760L420 760Z',
    `#${ink}`,
    'opacity="0.3" filter="url(#wet)"',
  );
  const [sx, sy] = polar(985, 320, 205, -60);
  const [ex, ey] = polar(985, 320, 205, -96);
  x += path(
    `M${n(sx)} ${n(sy)}A205 205 0 1 1 ${n(ex)} ${n(ey)}`,
    'none',
    `stroke="#${ink}" stroke-width="64" stroke-linecap="round" filter="url(#dry)"`,
  );
  x += `<g filter="url(#rough)" fill="none" stroke="#${mix(ink, ground, 0.12)}" stroke-linecap="round"><path d="M1290 560C1200 500 1120 500 1050 420S960 330 900 310" stroke-width="15"/><path d="M1130 490C1110 440 1120 400 1150 350" stroke-width="8"/><path d="M1020 395C990 390 960 400 930 430" stroke-width="6"/></g>`;
  for (let i = 0; i < 17; i++) {
    const t = i / 17;
    const px = 1150 - t * 260 + random.range(-26, 26);
    const py = 470 - t * 160 + random.range(-48, 36);
    const r = random.range(7, 13);
    for (let k = 0; k < 5; k++) {
      const [qx, qy] = polar(px, py, r * 0.8, k * 72 + i * 20);
      x += circle(qx, qy, r * 0.72, `#${mix(flower, 'FFFFFF', random.range(0, 0.3))}`, 'opacity="0.88"');
    }
    x += circle(px, py, r * 0.28, `#${seal}`);
  }
  return (
    x +
    rect(1150, 610, 52, 52, `#${seal}`, 'rx="5"') +
    rect(1159, 619, 34, 34, 'none', `stroke="#${ground}" stroke-width="3"`) +
    path('M1176 620v33M1160 636h33', 'none', `stroke="#${ground}" stroke-width="3"`)
  );
}

/** A moon gate in a garden wall, bamboo and a far hill behind it. */
function moonGate({ random, c }: Brush): string {
  const [wall, leaf, gold, far, ground] = c;
  let x = `<defs><clipPath id="gate"><circle cx="960" cy="350" r="262"/></clipPath>${linear('air', 0, 1, [
    [0, far],
    [1, ground],
  ])}</defs>${silk(wall, 0.35)}<g clip-path="url(#gate)">${rect(690, 80, 540, 560, 'url(#air)')}${circle(1060, 220, 56, `#${gold}`)}`;
  for (let i = 0; i < 3; i++)
    x += path(
      peak(random, 850 + i * 150, 560 + i * 20, 420, 190 - i * 30).body,
      `#${mix(far, leaf, 0.3 + i * 0.3)}`,
      'opacity="0.75"',
    );
  for (let i = 0; i < 7; i++) {
    const px = 735 + i * 38 + random.range(-9, 9);
    x += path(
      `M${n(px)} 640C${n(px + 8)} 480 ${n(px - 6)} 300 ${n(px + 22)} 80`,
      'none',
      `stroke="#${mix(leaf, '000000', random.range(0, 0.3))}" stroke-width="${n(random.range(5, 10))}"`,
    );
    for (let k = 0; k < 9; k++) {
      const py = random.range(100, 560);
      const a = random.range(-40, 60);
      x += path(
        'M0 0Q26 -8 54 0Q26 9 0 0Z',
        `#${mix(leaf, gold, random.range(0, 0.25))}`,
        `transform="translate(${n(px + 8)} ${n(py)}) rotate(${n(a)})"`,
      );
    }
  }
  x += `</g>${circle(960, 350, 262, 'none', `stroke="#${gold}" stroke-width="5"`)}${circle(960, 350, 278, 'none', `stroke="#${gold}" stroke-width="1.4"`)}`;
  for (let i = -1; i < 33; i++)
    x += path(
      `M${i * 42} 0h38v34q-19 26 -38 0z`,
      `#${mix(wall, '000000', 0.4)}`,
      `stroke="#${gold}" stroke-width="0.8"`,
    );
  return (
    x + rect(0, 640, WIDTH, 80, `#${mix(wall, '000000', 0.28)}`) + rect(0, 640, WIDTH, 3, `#${gold}`, 'opacity="0.7"')
  );
}

const SCENES = [bluegreen, moonTide, clouds, stroke, moonGate];

/** 国潮 in ink, mineral colours and gold. */
export function ink(brush: Brush): Picture {
  return { svg: canvas(at(SCENES, brush.variant)(brush)) };
}
