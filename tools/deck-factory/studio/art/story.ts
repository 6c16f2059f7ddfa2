import { type Brush, canvas, circle, HEIGHT, linear, n, path, rect, ridge, WIDTH } from '../../svg.ts';
import { mix } from '../../colour.ts';
import { at, type Random } from '../../../../demo/random.ts';
import type { Picture } from './raster.ts';

const SKIN = ['F5C9A6', 'E8B088', 'FAD7BC', 'D99C74'];
const HAIR = ['2B1B17', '4A2C20', '1F1F2B', '7A4A2A'];

/** A small person standing at (x, y); `pose` raises one arm or both. */
function person(random: Random, x: number, y: number, s: number, coat: string, pose = 0): string {
  const skin = random.pick(SKIN);
  const hair = random.pick(HAIR);
  const legs = mix(coat, '000000', 0.55);
  const arm = (side: number, up: boolean) =>
    path(
      `M${side * 15} -64Q${side * 34} ${up ? -84 : -46} ${side * 38} ${up ? -116 : -26}`,
      'none',
      `stroke="#${coat}" stroke-width="12" stroke-linecap="round"`,
    ) + circle(side * 38, up ? -118 : -22, 7, `#${skin}`);
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${s})"><path d="M-9 -30V0M9 -30V0" stroke="#${legs}" stroke-width="12" stroke-linecap="round"/>${arm(-1, pose > 1)}${arm(1, pose > 0)}<path d="M-20 -24C-22 -60 -18 -76 0 -76S22 -60 20 -24Z" fill="#${coat}"/>${circle(0, -96, 20, `#${skin}`)}<path d="M-21 -96C-22 -124 22 -124 21 -96C14 -108 -12 -110 -21 -96Z" fill="#${hair}"/>${circle(-7, -94, 2.2, '#2B1B17')}${circle(7, -94, 2.2, '#2B1B17')}<path d="M-5 -86q5 5 10 0" stroke="#2B1B17" stroke-width="2" fill="none" stroke-linecap="round"/></g>`;
}

const tree = (x: number, y: number, s: number, colour: string): string =>
  `<g transform="translate(${n(x)} ${n(y)}) scale(${s})"><path d="M-6 0L-4 -60H4L6 0Z" fill="#7A4A2A"/>${circle(0, -92, 46, `#${colour}`)}${circle(-30, -66, 32, `#${mix(colour, '000000', 0.08)}`)}${circle(30, -66, 34, `#${mix(colour, 'FFFFFF', 0.12)}`)}</g>`;

const cloudlet = (x: number, y: number, s: number): string =>
  `<g transform="translate(${n(x)} ${n(y)}) scale(${s})" fill="#fff" opacity="0.92"><circle r="30"/><circle cx="36" cy="6" r="24"/><circle cx="-36" cy="8" r="22"/><rect x="-58" y="8" width="118" height="22" rx="11"/></g>`;

function bunting(x1: number, x2: number, y: number, sag: number, c: Brush['c']): string {
  let out = path(
    `M${x1} ${y}Q${(x1 + x2) / 2} ${y + sag * 2} ${x2} ${y}`,
    'none',
    'stroke="#5b4636" stroke-width="2.5"',
  );
  const count = Math.round((x2 - x1) / 46);
  for (let i = 0; i < count; i++) {
    const t = (i + 0.5) / count;
    const px = x1 + (x2 - x1) * t;
    const py = y + sag * 4 * t * (1 - t);
    out += path(`M${n(px - 16)} ${n(py)}H${n(px + 16)}L${n(px)} ${n(py + 32)}Z`, `#${at(c, i)}`);
  }
  return out;
}

/** A fair: stalls, bunting, people. */
function fair({ random, c }: Brush): string {
  const [a, b, d, e, ground] = c;
  let x =
    rect(0, 0, WIDTH, HEIGHT, `#${ground}`) +
    circle(1130, 130, 70, `#${e}`) +
    cloudlet(800, 110, 1) +
    cloudlet(1010, 70, 0.6);
  x += path(
    ridge((px) => 440 - Math.sin(px * 0.006 + 1) * 50 - (px / WIDTH) * 30),
    `#${mix(d, ground, 0.45)}`,
  );
  for (let i = 0; i < 6; i++)
    x += tree(600 + i * 128, 470 - (i % 2) * 18, 0.7 + (i % 3) * 0.14, mix(d, e, (i % 3) * 0.14));
  x += path(
    ridge((px) => 520 - Math.sin(px * 0.004) * 18),
    `#${d}`,
  );
  const stall = (px: number, py: number, roof: string, s: number): string => {
    let awning = '';
    for (let i = 0; i < 6; i++)
      awning += path(`M${-96 + i * 32} -128h32v34a16 16 0 0 1 -32 0z`, i % 2 ? '#fff' : `#${roof}`);
    return `<g transform="translate(${px} ${py}) scale(${s})"><path d="M-84 -100V0M84 -100V0" stroke="#7A4A2A" stroke-width="8"/>${path('M-84 -160H84L96 -126H-96Z', `#${mix(roof, '000000', 0.16)}`)}${awning}${rect(-92, -44, 184, 48, '#8A5A3A', 'rx="4"')}${[0, 1, 2, 3, 4].map((i) => circle(-66 + i * 33, -54, 14, `#${at(c, i)}`)).join('')}</g>`;
  };
  x += stall(690, 585, a, 1) + stall(930, 560, b, 1.06) + stall(1170, 590, e, 1);
  x += bunting(560, 920, 210, 26, c) + bunting(920, 1290, 190, 30, c);
  x += path(
    ridge((px) => 624 + Math.sin(px * 0.005 + 2) * 10),
    `#${mix(d, '000000', 0.14)}`,
  );
  for (let i = 0; i < 8; i++)
    x += person(
      random,
      590 + i * 90 + random.range(-14, 14),
      690 + (i % 2) * 14,
      0.95 + (i % 3) * 0.1,
      at([a, b, e, 'FFFFFF'], i),
      i % 3,
    );
  return x;
}

/** Big animals looking over the edge. */
function animals({ c }: Brush): string {
  const [a, b, d, e, ground] = c;
  const eyes = (gap: number, y: number, r = 9) =>
    circle(-gap, y, r, '#2b1b17') +
    circle(gap, y, r, '#2b1b17') +
    circle(-gap + 3, y - 3, r / 3, '#fff') +
    circle(gap + 3, y - 3, r / 3, '#fff');
  const bear = `<circle cx="-78" cy="-120" r="40" fill="#${a}"/><circle cx="78" cy="-120" r="40" fill="#${a}"/><circle cx="-78" cy="-120" r="20" fill="#${mix(a, 'FFFFFF', 0.4)}"/><circle cx="78" cy="-120" r="20" fill="#${mix(a, 'FFFFFF', 0.4)}"/><ellipse cx="0" cy="0" rx="130" ry="136" fill="#${a}"/><ellipse cx="0" cy="34" rx="50" ry="38" fill="#${mix(a, 'FFFFFF', 0.62)}"/><ellipse cx="0" cy="18" rx="16" ry="11" fill="#2b1b17"/>${eyes(46, -26)}<path d="M-16 42q16 14 32 0" fill="none" stroke="#2b1b17" stroke-width="4" stroke-linecap="round"/>`;
  const rabbit = `<ellipse cx="-38" cy="-190" rx="26" ry="92" fill="#fff"/><ellipse cx="38" cy="-190" rx="26" ry="92" fill="#fff"/><ellipse cx="-38" cy="-184" rx="12" ry="64" fill="#${b}"/><ellipse cx="38" cy="-184" rx="12" ry="64" fill="#${b}"/><ellipse rx="108" ry="114" fill="#fff"/>${eyes(38, -16)}<circle cx="-60" cy="26" r="18" fill="#${b}" opacity="0.7"/><circle cx="60" cy="26" r="18" fill="#${b}" opacity="0.7"/><path d="M-8 14h16l-8 10zM0 24v10m0 0q-10 10 -18 2m18 -2q10 10 18 2" fill="#${b}" stroke="#2b1b17" stroke-width="3"/>`;
  const cat = `<path d="M-106 -60L-100 -168L-34 -118ZM106 -60L100 -168L34 -118Z" fill="#${e}"/><ellipse rx="122" ry="112" fill="#${e}"/><path d="M-18 -110v36M0 -112v44M18 -110v36" stroke="#${mix(e, '000000', 0.3)}" stroke-width="9" stroke-linecap="round"/>${eyes(46, -14, 10)}<path d="M-7 16h14l-7 9z" fill="#2b1b17"/><path d="M0 26q-12 14 -24 4M0 26q12 14 24 4" fill="none" stroke="#2b1b17" stroke-width="4" stroke-linecap="round"/><path d="M-60 20l-60 -10M-60 32l-58 8M60 20l60 -10M60 32l58 8" stroke="#2b1b17" stroke-width="3"/>`;
  const bird = `<ellipse rx="84" ry="92" fill="#${d}"/><ellipse cx="0" cy="34" rx="52" ry="50" fill="#${mix(d, 'FFFFFF', 0.5)}"/>${eyes(28, -28)}<path d="M-16 -6H16L0 20Z" fill="#${e}"/><path d="M-10 -88q-16 -34 4 -44M8 -90q0 -36 22 -38" fill="none" stroke="#${d}" stroke-width="9" stroke-linecap="round"/>`;
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`);
  for (let i = 0; i < 34; i++)
    x += circle((i * 211) % WIDTH, (i * 127) % 560, 5 + (i % 3) * 3, `#${at([a, b, d, e], i)}`, 'opacity="0.45"');
  const place = (g: string, px: number, py: number, s: number, turn: number) =>
    `<g transform="translate(${px} ${py}) rotate(${turn}) scale(${s})">${g}</g>`;
  x +=
    place(bear, 850, 470, 1.25, -4) +
    place(rabbit, 1075, 530, 1.1, 6) +
    place(cat, 660, 640, 1.0, -8) +
    place(bird, 1220, 610, 1.05, 8);
  return (
    x +
    path(
      ridge((px) => 668 - Math.sin(px * 0.011) * 12),
      `#${mix(d, '000000', 0.1)}`,
    )
  );
}

/** A whale in the sky, balloons and a town. */
function whale({ random, c }: Brush): string {
  const [a, b, d, e, ground] = c;
  let x = `<defs>${linear('sky', 0, 1, [
    [0, mix(a, ground, 0.25)],
    [1, ground],
  ])}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`;
  for (let i = 0; i < 40; i++)
    x += path(
      `M${n(random.range(20, 1260))} ${n(random.range(20, 380))}m0 -6l2 4 4 2 -4 2 -2 4 -2 -4 -4 -2 4 -2z`,
      '#fff',
      'opacity="0.8"',
    );
  x += `<g transform="translate(930 300) rotate(-7)"><path d="M-280 20C-290 -130 -120 -190 40 -160C170 -136 240 -60 300 -70C320 -110 320 -150 300 -190C350 -170 380 -130 372 -92C410 -120 452 -116 480 -92C440 -60 400 -34 350 -16C290 80 150 130 -20 126C-180 122 -276 100 -280 20Z" fill="#${b}"/><path d="M-280 24C-200 60 -40 70 80 50C40 110 -20 126 -60 126C-190 120 -278 96 -280 24Z" fill="#fff" opacity="0.9"/>${[0, 1, 2, 3, 4].map((i) => path(`M${-230 + i * 56} ${54 + i * 6}q10 30 ${30} 52`, 'none', `stroke="#${mix(b, 'FFFFFF', 0.5)}" stroke-width="4"`)).join('')}${circle(-190, -14, 12, '#1c2433')}${circle(-186, -18, 4, '#fff')}<path d="M-20 70C0 130 50 160 100 160C110 120 80 80 50 60Z" fill="#${mix(b, '000000', 0.15)}"/><path d="M-60 -168c-10 -50 -60 -50 -66 -20M-60 -168c10 -50 60 -54 68 -22M-60 -166v-40" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round"/></g>`;
  const balloon = (px: number, py: number, s: number, colour: string) =>
    `<g transform="translate(${px} ${py}) scale(${s})"><path d="M-46 0C-46 -62 46 -62 46 0C46 34 18 58 12 70H-12C-18 58 -46 34 -46 0Z" fill="#${colour}"/><path d="M-16 -44C-22 0 -14 50 -6 70H6C14 50 22 0 16 -44Z" fill="#fff" opacity="0.55"/><path d="M-10 72L-8 88M10 72L8 88" stroke="#5b4636" stroke-width="2"/>${rect(-12, 88, 24, 18, '#8A5A3A', 'rx="4"')}</g>`;
  x +=
    balloon(640, 200, 0.9, e) +
    balloon(1210, 520, 1.1, d) +
    balloon(700, 480, 0.6, a) +
    cloudlet(1130, 130, 0.9) +
    cloudlet(610, 400, 0.8);
  x += path(
    ridge((px) => 610 - Math.sin(px * 0.005 + 1) * 36),
    `#${d}`,
  );
  for (let i = 0; i < 16; i++) {
    const px = 470 + i * 52;
    const h = 46 + ((i * 37) % 60);
    const py = 640;
    x +=
      rect(px, py - h, 44, h, `#${at(['FFFFFF', e, b, 'FFF1DC'], i)}`) +
      path(`M${px - 5} ${py - h}h54l-27 -28z`, `#${at([a, mix(a, '000000', 0.2), e], i)}`) +
      rect(px + 10, py - h + 14, 9, 11, `#${mix(a, '000000', 0.3)}`) +
      rect(px + 26, py - h + 14, 9, 11, `#${mix(a, '000000', 0.3)}`);
  }
  return (
    x +
    path(
      ridge((px) => 640 + Math.sin(px * 0.007) * 12),
      `#${mix(d, '000000', 0.18)}`,
    )
  );
}

/** A table seen from above: bowls, chopsticks, hands reaching in. */
function table({ random, c }: Brush): string {
  const [a, b, d, e, ground] = c;
  let x =
    rect(0, 0, WIDTH, HEIGHT, `#${ground}`) +
    circle(1000, 370, 400, `#${mix(ground, '7A4A2A', 0.55)}`) +
    circle(1000, 370, 380, `#${mix(ground, '9C6A42', 0.55)}`);
  const bowl = (px: number, py: number, r: number, rim: string, soup: string, top: string) =>
    circle(px + 7, py + 11, r, '#000', 'opacity="0.14"') +
    circle(px, py, r, `#${rim}`) +
    circle(px, py, r * 0.86, '#fff') +
    circle(px, py, r * 0.78, `#${soup}`) +
    top;
  let noodles = '';
  for (let i = 0; i < 11; i++)
    noodles += path(
      `M${900 + i * 9} ${290 + (i % 3) * 16}q60 -46 120 0t70 40`,
      'none',
      'stroke="#F7DFA0" stroke-width="8" stroke-linecap="round"',
    );
  x += bowl(
    1000,
    340,
    165,
    a,
    'D98A3A',
    noodles +
      `<ellipse cx="955" cy="385" rx="44" ry="32" fill="#fff"/>${circle(955, 385, 18, '#F6A623')}${[0, 1, 2, 3, 4, 5].map((i) => circle(1040 + (i % 3) * 22, 280 + Math.floor(i / 3) * 24, 8, `#${d}`)).join('')}<path d="M1050 400q40 -10 70 20q-30 30 -70 10z" fill="#C8573A"/>`,
  );
  const dumplings = [0, 1, 2, 3, 4, 5]
    .map((i) => {
      const t = (i * 60 * Math.PI) / 180;
      const [px, py] = [735 + Math.cos(t) * 52, 560 + Math.sin(t) * 52];
      return path(
        `M${n(px - 30)} ${n(py + 10)}C${n(px - 24)} ${n(py - 28)} ${n(px + 24)} ${n(py - 28)} ${n(px + 30)} ${n(py + 10)}C${n(px + 10)} ${n(py + 20)} ${n(px - 10)} ${n(py + 20)} ${n(px - 30)} ${n(py + 10)}Z`,
        '#FFF6E4',
        'stroke="#E3CFA8" stroke-width="3"',
      );
    })
    .join('');
  x +=
    bowl(735, 560, 118, b, 'FFFFFF', dumplings) +
    bowl(
      1210,
      570,
      96,
      e,
      mix(d, 'FFFFFF', 0.25),
      [0, 1, 2, 3, 4, 5, 6]
        .map((i) => path(`M${1170 + i * 13} 550q10 -24 26 0t-10 36`, `#${mix(d, '000000', 0.12 * (i % 3))}`))
        .join(''),
    );
  x +=
    bowl(
      1225,
      170,
      84,
      d,
      mix(a, '000000', 0.1),
      [0, 1, 2, 3, 4].map((i) => circle(1196 + i * 15, 160 + (i % 2) * 22, 14, `#${mix(a, 'FFFFFF', 0.25)}`)).join(''),
    ) + bowl(745, 190, 72, a, 'F3E3C0', circle(745, 190, 34, `#${d}`, 'opacity="0.5"'));
  x += `<g stroke="#5b2f1c" stroke-width="11" stroke-linecap="round"><path d="M1100 250L1290 90M1122 268L1290 130"/></g>`;
  for (let i = 0; i < 20; i++)
    x += circle(random.range(640, 1270), random.range(10, 710), 4, `#${at([d, e], i)}`, 'opacity="0.7"');
  return x;
}

/** A train through hills and blossom. */
function train({ random, c }: Brush): string {
  const [a, b, d, e, ground] = c;
  let x =
    rect(0, 0, WIDTH, HEIGHT, `#${ground}`) +
    circle(1020, 190, 120, `#${e}`) +
    cloudlet(760, 120, 1.1) +
    cloudlet(1190, 90, 0.8);
  for (let i = 0; i < 3; i++)
    x += path(
      ridge((px) => 360 + i * 70 - Math.sin(px * (0.006 - i * 0.001) + i * 2) * (60 - i * 14)),
      `#${mix(mix(d, ground, 0.55), d, i * 0.34)}`,
    );
  x += rect(0, 548, WIDTH, 16, '#6b5344');
  for (let i = 0; i < 34; i++) x += rect(i * 40, 560, 22, 12, '#8a6e5a');
  for (let i = 0; i < 4; i++) {
    const px = 560 + i * 190;
    x +=
      rect(px, 428, 178, 104, `#${at([a, 'FFFFFF'], i)}`, 'rx="18"') +
      rect(px, 492, 178, 18, `#${b}`) +
      [0, 1, 2]
        .map(
          (k) =>
            rect(px + 18 + k * 50, 446, 38, 36, `#${mix(ground, '7EC8E3', 0.6)}`, 'rx="7"') +
            circle(px + 37 + k * 50, 474, 10, `#${random.pick(SKIN)}`),
        )
        .join('') +
      [0, 1]
        .map((k) => circle(px + 40 + k * 98, 540, 17, '#33302d') + circle(px + 40 + k * 98, 540, 7, '#cfc7bd'))
        .join('');
  }
  x += path(
    ridge((px) => 606 - Math.sin(px * 0.008) * 14),
    `#${mix(d, '000000', 0.12)}`,
  );
  for (let i = 0; i < 9; i++)
    x += tree(
      60 + i * 150 + random.range(-20, 20),
      668,
      0.8 + (i % 2) * 0.35,
      at([b, mix(b, 'FFFFFF', 0.3), mix(d, '000000', 0.2)], i),
    );
  for (let i = 0; i < 40; i++)
    x += `<ellipse cx="${n(random.range(520, 1270))}" cy="${n(random.range(60, 700))}" rx="6" ry="4" fill="#${mix(b, 'FFFFFF', 0.4)}" transform="rotate(${random.int(90)} 900 400)"/>`;
  return x;
}

/** Everybody at one long table under lanterns. */
function supper({ random, c }: Brush): string {
  const [a, b, d, e, ground] = c;
  let x = rect(0, 0, WIDTH, HEIGHT, `#${ground}`) + circle(1090, 180, 96, `#${e}`);
  x += path(
    ridge((px) => 430 - Math.sin(px * 0.007) * 40),
    `#${mix(d, ground, 0.6)}`,
  );
  for (let i = 0; i < 8; i++) {
    const px = 590 + i * 92;
    const py = 96 + Math.sin(i * 1.1) * 26 + 44;
    x +=
      path(`M${px} 0V${n(py)}`, 'none', 'stroke="#8A5A3A" stroke-width="2"') +
      `<ellipse cx="${px}" cy="${n(py + 24)}" rx="25" ry="21" fill="#${at([a, e, b], i)}"/>` +
      rect(px - 9, py + 44, 18, 5, `#${mix(a, '000000', 0.3)}`);
  }
  for (let i = 0; i < 7; i++)
    x += person(random, 620 + i * 104, 560 + (i % 2) * 8, 1.3 + (i % 3) * 0.12, at([a, b, d, e, 'FFFFFF'], i), i % 3);
  x +=
    path('M540 500H1300V580H510Z', '#FFFDF6') +
    path('M510 580H1300V606H510Z', `#${mix(a, 'FFFFFF', 0.25)}`) +
    rect(560, 606, 18, 114, '#8A5A3A') +
    rect(1150, 606, 18, 114, '#8A5A3A');
  for (let i = 0; i < 9; i++) {
    const px = 570 + i * 84;
    x +=
      `<ellipse cx="${px}" cy="${540 + (i % 2) * 14}" rx="32" ry="13" fill="#${at([b, e, a, d], i)}"/><ellipse cx="${px}" cy="${535 + (i % 2) * 14}" rx="23" ry="8" fill="#${at(['F7DFA0', 'D98A3A', 'FFF6E4', mix(d, 'FFFFFF', 0.3)], i)}"/>` +
      (i % 3 === 0
        ? path(
            `M${px - 8} 516q-10 -14 2 -26t2 -26`,
            'none',
            'stroke="#fff" stroke-width="5" stroke-linecap="round" opacity="0.8"',
          )
        : '');
  }
  for (let i = 0; i < 5; i++) {
    const [fx, fy] = [540 + i * 180, 690];
    for (let k = 0; k < 14; k++)
      x += `<ellipse cx="${fx}" cy="${fy - 20}" rx="5" ry="21" fill="#${mix(e, 'FFFFFF', (k % 3) * 0.15)}" transform="rotate(${k * 26} ${fx} ${fy})"/>`;
    x += circle(fx, fy, 10, `#${mix(e, '7A4A2A', 0.4)}`);
  }
  return x;
}

const SCENES = [fair, animals, whale, table, train, supper];

/** Flat, friendly picture-book scenes. */
export function story(brush: Brush): Picture {
  return { svg: canvas(at(SCENES, brush.variant)(brush)) };
}
