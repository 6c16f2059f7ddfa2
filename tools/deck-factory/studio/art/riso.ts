import { type Brush, canvas, circle, HEIGHT, n, path, polar, rect, WIDTH } from '../../svg.ts';
import { mix } from '../../colour.ts';
import { at } from '../../../../demo/random.ts';
import type { Picture } from './raster.ts';

const PRESS = `<filter id="tear" x="-10%" y="-10%" width="120%" height="120%"><feTurbulence type="fractalNoise" baseFrequency="0.035" numOctaves="4" seed="4"/><feDisplacementMap in="SourceGraphic" scale="15"/></filter><filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.5" numOctaves="1" seed="9"/><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 3 -1.85" result="m"/><feComposite in="m" in2="SourceGraphic" operator="in"/></filter>`;

const dots = (id: string, colour: string, size: number, radius: number, turn = 30): string =>
  `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><circle cx="${size / 2}" cy="${size / 2}" r="${radius}" fill="#${colour}"/></pattern>`;

const lines = (id: string, colour: string, size: number, turn: number): string =>
  `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><rect width="${size}" height="${size * 0.45}" fill="#${colour}"/></pattern>`;

/** Printed twice: once in colour, once a little off, as a duplicator does. */
const ink = (content: string, dx = 0, dy = 0): string =>
  `<g style="mix-blend-mode:multiply" transform="translate(${dx} ${dy})">${content}</g>`;

function sheet(c: Brush['c'], content: string): string {
  const [a, b, d, e, ground] = c;
  return `<defs>${PRESS}${dots('da', a, 11, 3.6)}${dots('db', b, 9, 2.7, 55)}${dots('dd', d, 13, 4.6, 12)}${lines('la', a, 12, 45)}${lines('le', e, 9, -30)}</defs>${rect(0, 0, WIDTH, HEIGHT, `#${ground}`)}${content}`;
}

function leaf(x: number, y: number, s: number, turn: number, fill: string): string {
  let d = 'M0 170C-20 60 -20 -60 0 -170';
  for (let i = 0; i < 6; i++) {
    const py = 130 - i * 50;
    const w = 112 - Math.abs(i - 2.4) * 22;
    d += `M0 ${py}C-${w} ${py - 4} -${w} ${py - 62} 0 ${py - 42}M0 ${py}C${w} ${py - 4} ${w} ${py - 62} 0 ${py - 42}`;
  }
  return `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${s})"><path d="${d}" fill="${fill}" stroke="${fill}" stroke-width="15" stroke-linecap="round"/></g>`;
}

/** A cup, its steam, the sun behind. */
function cup({ c }: Brush): string {
  const [a, b, d, e] = c;
  return sheet(
    c,
    ink(circle(960, 300, 250, `#${b}`)) +
      ink(circle(960, 300, 250, 'url(#da)'), 14, 10) +
      ink(path('M720 610H1210L1270 720H650Z', `#${e}`)) +
      ink(path('M760 330H1120C1120 520 1060 610 940 610S760 520 760 330Z', `#${a}`), 6, 4) +
      ink(path('M1110 370C1220 350 1240 520 1070 520', 'none', `stroke="#${a}" stroke-width="36"`)) +
      ink(`<ellipse cx="940" cy="332" rx="180" ry="38" fill="#${d}"/>`) +
      ink(path('M790 380C800 500 850 580 930 600', 'none', 'stroke="url(#le)" stroke-width="44"')) +
      ink(
        [0, 1, 2]
          .map((i) =>
            path(
              `M${870 + i * 70} 270c-46 -50 46 -80 0 -140s30 -70 10 -110`,
              'none',
              `stroke="#${d}" stroke-width="17" stroke-linecap="round"`,
            ),
          )
          .join(''),
      ) +
      ink(leaf(660, 560, 0.72, -38, `#${d}`) + leaf(1240, 560, 0.7, 40, 'url(#la)')) +
      ink(
        [0, 1, 2, 3]
          .map(
            (i) =>
              `<ellipse cx="${700 + i * 62}" cy="${676 + (i % 2) * 16}" rx="26" ry="17" fill="#${a}" transform="rotate(${i * 34} ${700 + i * 62} ${676})"/>`,
          )
          .join(''),
      ),
  );
}

/** A record turning, a hand lowering the arm. */
function vinyl({ c }: Brush): string {
  const [a, b, d, e, ground] = c;
  return sheet(
    c,
    ink(rect(600, 90, 560, 560, `#${b}`, 'transform="rotate(-7 880 370)" filter="url(#tear)"')) +
      ink(circle(950, 380, 280, `#${a}`), 5, 5) +
      [240, 214, 188, 160]
        .map((r) => circle(950, 380, r, 'none', `stroke="#${ground}" stroke-width="2.4" opacity="0.6"`))
        .join('') +
      ink(
        path(
          `M950 380L${polar(950, 380, 280, -70).map(n).join(' ')}A280 280 0 0 1 ${polar(950, 380, 280, -36).map(n).join(' ')}Z`,
          'url(#dd)',
        ),
      ) +
      circle(950, 380, 106, `#${e}`) +
      ink(circle(950, 380, 106, 'url(#db)'), 6, 3) +
      circle(950, 380, 17, `#${ground}`) +
      path('M1220 70C1250 250 1200 380 1090 470', 'none', `stroke="#${d}" stroke-width="17" stroke-linecap="round"`) +
      rect(1050, 445, 64, 42, `#${d}`, 'rx="8" transform="rotate(-38 1082 466)"') +
      circle(1220, 70, 46, `#${d}`) +
      ink(
        [0, 1, 2, 3, 4]
          .map((i) =>
            path(
              `M${660 + i * 26} ${640 - at([20, 70, 44, 96, 30], i)}v${at([40, 120, 80, 160, 60], i)}`,
              'none',
              `stroke="#${d}" stroke-width="15"`,
            ),
          )
          .join(''),
      ),
  );
}

/** Fruit cut open. */
function fruit({ random, c }: Brush): string {
  const [a, b, d, e] = c;
  const slice = (x: number, y: number, r: number, rind: string, flesh: string): string => {
    let s = ink(circle(x, y, r, `#${rind}`)) + circle(x, y, r * 0.86, '#FFFDF4');
    for (let i = 0; i < 9; i++) {
      const [x1, y1] = polar(x, y, r * 0.78, i * 40 + 4);
      const [x2, y2] = polar(x, y, r * 0.78, i * 40 + 36);
      const [x0, y0] = polar(x, y, r * 0.12, i * 40 + 20);
      s += path(
        `M${n(x0)} ${n(y0)}L${n(x1)} ${n(y1)}A${n(r * 0.78)} ${n(r * 0.78)} 0 0 1 ${n(x2)} ${n(y2)}Z`,
        `#${flesh}`,
        'stroke-linejoin="round"',
      );
    }
    return s + ink(circle(x, y, r * 0.8, 'url(#da)', 'opacity="0.5"'), 7, 5);
  };
  return sheet(
    c,
    ink(rect(640, 0, 640, 720, `#${d}`, 'opacity="0.28"')) +
      ink(path('M640 460C800 400 1100 520 1280 430V720H640Z', `#${b}`)) +
      leaf(760, 190, 0.9, -30, `#${d}`) +
      slice(1010, 270, 205, a, e) +
      slice(1190, 560, 140, e, b) +
      slice(770, 540, 122, e, a) +
      ink(leaf(1190, 170, 0.68, 52, `#${d}`)) +
      ink(path('M930 620C960 540 1050 540 1070 610C1080 690 940 700 930 620Z', `#${a}`), 5, 4) +
      Array.from(
        { length: 16 },
        () =>
          `<ellipse cx="${n(random.range(660, 1260))}" cy="${n(random.range(440, 700))}" rx="5" ry="10" fill="#${d}" transform="rotate(${random.int(90)} 900 600)" opacity="0.7"/>`,
      ).join(''),
  );
}

/** Paper cut-outs, pinned side by side. */
function cutouts({ random, c }: Brush): string {
  const [a, b, d, e] = c;
  let x = '';
  const cells = [
    [610, 30, 250, 300, a],
    [880, 30, 370, 200, b],
    [880, 250, 170, 440, e],
    [1070, 250, 180, 210, d],
    [610, 350, 250, 340, d],
    [1070, 480, 180, 210, a],
  ] as const;
  cells.forEach(([px, py, w, h, colour], i) => {
    x += rect(px, py, w, h, `#${colour}`, 'filter="url(#tear)"');
    const mark = at([e, d, a, b, e, b], i);
    const s = Math.min(w, h) / 400;
    if (i % 3 === 0) x += leaf(px + w / 2, py + h / 2, s * 1.15, random.range(-25, 25), `#${mark}`);
    else if (i % 3 === 1) {
      let wave = '';
      for (let k = 0; k < 5; k++)
        wave += path(
          `M${px + 26} ${py + h * 0.18 + k * h * 0.16}q${w * 0.12} -${h * 0.12} ${w * 0.24} 0t${w * 0.24} 0 ${w * 0.24} 0 ${w * 0.13} 0`,
          'none',
          `stroke="#${mark}" stroke-width="${n(h * 0.05)}" stroke-linecap="round"`,
        );
      x += wave;
    } else {
      for (let k = 0; k < 3; k++)
        x += circle(
          px + w / 2,
          py + (h * (k + 1)) / 4,
          Math.min(w, h) * (0.34 - k * 0.05),
          k === 1 ? 'url(#da)' : `#${mark}`,
        );
    }
  });
  return sheet(c, x + ink(rect(600, 20, 660, 680, 'url(#db)', 'opacity="0.22"'), 8, 6));
}

/** A loudspeaker calling, confetti of news. */
function megaphone({ random, c }: Brush): string {
  const [a, b, d, e] = c;
  const bits = Array.from({ length: 26 }, (_, i) => {
    const px = random.range(1010, 1270);
    const py = random.range(20, 700);
    return i % 3
      ? rect(px, py, 26, 26, `#${at([a, d, e], i)}`, `transform="rotate(${random.int(90)} ${n(px)} ${n(py)})"`)
      : circle(px, py, 13, `#${at([a, d, b], i)}`);
  }).join('');
  return sheet(
    c,
    ink(path(`M640 380L1290 -60V820Z`, `#${b}`, 'opacity="0.85"')) +
      ink(path('M640 380L1290 60V700Z', 'url(#dd)')) +
      ink(path('M700 330L1020 150V600L700 430Z', `#${a}`), 6, 5) +
      ink(rect(590, 322, 120, 116, `#${d}`, 'rx="20"')) +
      ink(path('M730 440L770 610H840L812 470Z', `#${d}`)) +
      ink(`<ellipse cx="1020" cy="375" rx="52" ry="226" fill="#${e}"/>`) +
      ink(`<ellipse cx="1026" cy="378" rx="30" ry="170" fill="url(#la)"/>`) +
      bits,
  );
}

/** A bicycle with a basket of flowers. */
function bicycle({ c }: Brush): string {
  const [a, b, d, e, ground] = c;
  const wheel = (x: number): string => {
    let s = ink(circle(x, 500, 150, 'none', `stroke="#${a}" stroke-width="20"`), 3, 3);
    for (let i = 0; i < 12; i++)
      s += path(
        `M${x} 500L${polar(x, 500, 146, i * 30)
          .map(n)
          .join(' ')}`,
        'none',
        `stroke="#${mix(a, ground, 0.35)}" stroke-width="2.5"`,
      );
    return s + circle(x, 500, 16, `#${d}`);
  };
  const flower = (x: number, y: number, r: number, colour: string): string =>
    ink(Array.from({ length: 6 }, (_, i) => circle(...polar(x, y, r, i * 60), r * 0.62, `#${colour}`)).join('')) +
    circle(x, y, r * 0.5, `#${e}`);
  return sheet(
    c,
    ink(circle(960, 330, 285, `#${b}`)) +
      ink(circle(960, 330, 285, 'url(#dd)', 'opacity="0.5"'), 10, 8) +
      rect(560, 650, 720, 12, `#${d}`) +
      wheel(750) +
      wheel(1130) +
      ink(
        path(
          'M750 500L860 300H1070L930 500ZM860 300L930 500M1130 500L1056 250M830 262H895M862 266V300',
          'none',
          `stroke="#${d}" stroke-width="19" stroke-linejoin="round" stroke-linecap="round"`,
        ),
      ) +
      path('M1056 250C1090 226 1110 236 1120 254', 'none', `stroke="#${d}" stroke-width="17" stroke-linecap="round"`) +
      ink(path('M1080 290H1230L1208 400H1102Z', `#${e}`)) +
      ink(path('M1080 290H1230L1208 400H1102Z', 'url(#la)', 'opacity="0.6"')) +
      flower(1105, 240, 34, a) +
      flower(1165, 205, 40, b) +
      flower(1215, 250, 32, d) +
      leaf(1150, 130, 0.34, 10, `#${d}`),
  );
}

const SCENES = [cup, vinyl, fruit, cutouts, megaphone, bicycle];

/** Two or three inks on rough paper, printed a little off. */
export function riso(brush: Brush): Picture {
  return {
    svg: canvas(
      at(SCENES, brush.variant)(brush) + rect(0, 0, WIDTH, HEIGHT, '#fff', 'filter="url(#grain)" opacity="0.16"'),
    ),
  };
}
