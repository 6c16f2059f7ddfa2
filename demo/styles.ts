import { report, swiss, bauhaus, neon } from './art/modern.ts';
import { gold, lanterns, stage } from './art/festive.ts';
import { iso, motion, skyline } from './art/city.ts';
import { bloom, paper, shanshui } from './art/nature.ts';
import { pop } from './art/pop.ts';
import type { Art, Brush } from './art/svg.ts';

type Colours = Brush['c'];

/** How inner pages are dressed: where the title stands and which ornament goes with it. */
export type Chrome = 'frame' | 'band' | 'side' | 'rule' | 'corner' | 'number';

export interface Style {
  art: (brush: Brush) => Art;
  chrome: Chrome;
  /** Face of titles and numbers, and of running text, as PPTX names them. */
  display: string;
  body: string;
  /** Rounded panels (true) or square ones. */
  soft: boolean;
  palettes: readonly Palette[];
}

export interface Palette {
  /** What the art is painted with. */
  art: Colours;
  /** Ground and ink of inner pages. */
  paper: string;
  ink: string;
  /** Accents of inner pages, most important first. */
  accents: readonly [string, string, string, string, string];
  /** Cover words: title, and the small lines. */
  title: string;
  small: string;
}

const sans = '微软雅黑';
const black = 'Noto Sans CJK SC Black';
const serifBlack = 'Noto Serif CJK SC Black';
const serif = 'Noto Serif CJK SC';
const smiley = 'Smiley Sans';
const kai = 'LXGW WenKai';

/** Five art colours, ground, ink, the two cover inks, and the accents by their place among the five. */
export function palette(
  art: string,
  paper: string,
  ink: string,
  title: string,
  small: string,
  order = '01234',
): Palette {
  const a = art.split(' ');
  const pick = (i: number) => a[i] ?? 'C8371F';
  const five = (indexes: readonly number[]): Colours => [
    pick(indexes[0] ?? 0),
    pick(indexes[1] ?? 1),
    pick(indexes[2] ?? 2),
    pick(indexes[3] ?? 3),
    pick(indexes[4] ?? 4),
  ];
  return { art: five([0, 1, 2, 3, 4]), paper, ink, accents: five([...order].map(Number)), title, small };
}

/** The fourteen looks of the demo library. */
export const STYLES = {
  shanshui: {
    art: shanshui,
    chrome: 'frame',
    display: serifBlack,
    body: serif,
    soft: false,
    palettes: [
      palette('1F5260 D9A544 A8452F 16222A FBEFD6', 'FBF6EA', '2B1D18', 'FFF6E0', 'F6D894', '20130'),
      palette('F0DFC0 B8802F B5382A 24423F FFFFFF', 'FCF8EE', '2A201A', '4A1712', '7A3A22', '23120'),
      palette('123A63 E0B45C 2F6F86 0C1B33 F4E8CC', 'F7F5EC', '14233A', 'FFF4D8', 'F0D390', '02130'),
      palette('7C2433 E2B35A B4523C 2B0F1D FCEBD0', 'FBF4EC', '34131C', 'FFF1D6', 'F6D08A', '02130'),
      palette('2E6B58 DDB25B 4F8A5B 12302B F6EFD8', 'F8F6EA', '17302A', 'FFF6DC', 'F4DC9C', '02130'),
    ],
  },
  bauhaus: {
    art: bauhaus,
    chrome: 'number',
    display: smiley,
    body: sans,
    soft: false,
    palettes: [
      palette('E2402B F5B921 1F4FA3 1B1B1F FBF5E6', 'FFFDF7', '1B1B1F', '1B1B1F', '4A4742', '02134'),
      palette('0E8F6E FFC93C FF6F7D 14213D F7F3E8', 'FFFDF8', '14213D', '14213D', '46506A', '02310'),
      palette('FF7A1A 2A9D8F 5B3FA0 22223B FFF7EC', 'FFFCF7', '22223B', '22223B', '55536B', '02130'),
      palette('D7263D F46036 1B998B 2E294E F3EFE4', 'FDFBF5', '2E294E', '2E294E', '59547A', '02310'),
    ],
  },
  gold: {
    art: gold,
    chrome: 'rule',
    display: serifBlack,
    body: sans,
    soft: false,
    palettes: [
      palette('0B0A0C D4AF6A 7A5A24 F7E3B0 6B4A1E', '121013', 'F6EEDC', 'F9E7BC', 'DCC08A', '13102'),
      palette('240812 DDB36B 84552A FBE3B8 9A2138', '1D0A11', 'FBEFE0', 'FCE6BE', 'E3BE88', '13042'),
      palette('07162B D9BC7C 6D5A2E FBEBC2 1F4C86', '0B182B', 'F3EFE2', 'FBEBC4', 'D8C08C', '13042'),
      palette('06221C D6B870 6B5B2A F8E9BC 15614E', '0A211C', 'F1F1E2', 'F8EBC2', 'D5BF86', '13042'),
    ],
  },
  paper: {
    art: paper,
    chrome: 'corner',
    display: kai,
    body: sans,
    soft: true,
    palettes: [
      palette('4E9F7D A9D6B5 2C6E63 F4B459 EAF5EC', 'FBFDF8', '1F3B36', '17443B', '3B665B', '02310'),
      palette('E98A6B F7C9A9 B4553F FFD56B FFF1E4', 'FFFBF6', '46231A', '5A2417', '7E4634', '02310'),
      palette('4C8FC7 B4D9F0 265C94 FFC861 EAF5FC', 'F9FCFF', '17324F', '143C66', '35618B', '02310'),
      palette('9C7BC4 D9C5EE 5F4291 FFCB74 F6F0FC', 'FDFBFF', '32224F', '3E2470', '654B94', '02310'),
      palette('7FA650 CFE0A0 4C6B2D F28C5A F6F8E6', 'FDFDF6', '2B3A1B', '2F4A18', '587040', '02310'),
    ],
  },
  neon: {
    art: neon,
    chrome: 'side',
    display: black,
    body: sans,
    soft: true,
    palettes: [
      palette('4F6DFF 22D3EE A855F7 F472B6 090D26', '0A0F2C', 'F2F5FF', 'FFFFFF', 'BCD0FF', '10324'),
      palette('0FB5A6 6EF3C5 2F6BFF F5E663 04161C', '071B22', 'EEFFFB', 'FFFFFF', 'B5EFE2', '10324'),
      palette('FF4D8D FFB347 8B3DFF 5CE1E6 170823', '190B28', 'FFF3FA', 'FFFFFF', 'F5C9E6', '01324'),
      palette('2E8BFF 8CF0FF 00C2A8 FFD166 061229', '081630', 'F0F7FF', 'FFFFFF', 'B9DBFF', '01324'),
    ],
  },
  swiss: {
    art: swiss,
    chrome: 'rule',
    display: black,
    body: sans,
    soft: false,
    palettes: [
      palette('E5321B 17161A F2B705 8A8680 F4F1EA', 'FFFFFF', '17161A', '17161A', '4B4843', '01234'),
      palette('FFE14A FFFFFF FF5C39 8093F0 1E3FE0', 'FFFFFF', '10205E', 'FFFFFF', 'E4E9FF', '42013'),
      palette('0F7B5F F25C2E F7C948 777777 F3EBDD', 'FFFDF9', '13302A', '13302A', '3E5A52', '01234'),
      palette('17161A FFFFFF 2B50E2 999999 FF6B3D', 'FFFFFF', '17161A', '17161A', '2B211D', '42013'),
      palette('F7A8C4 E63B2E 2B2B6B 888888 FBEFEA', 'FFFBFA', '2B2B6B', '2B2B6B', '54548A', '12034'),
    ],
  },
  skyline: {
    art: skyline,
    chrome: 'band',
    display: black,
    body: sans,
    soft: false,
    palettes: [
      palette('23305F F2876B 3B3560 1A1A3A FFE3B0', 'FBF9F6', '1E2143', 'FFFFFF', 'FFE9D2', '01234'),
      palette('0A2A4A 2F7F9E 1B4A66 061A2E FFD98A', 'F7FAFB', '0C2740', 'FFFFFF', 'D8F0F8', '01243'),
      palette('4A2A5E E9A0A8 6A3F74 2A163D FFF0D8', 'FCF9FB', '301A42', 'FFFFFF', 'FFE9EC', '02134'),
      palette('14504F E8B878 2C5F58 0B2E2F FFF1CC', 'FBFAF4', '0F3334', 'FFFFFF', 'FFF3D8', '01234'),
    ],
  },
  lanterns: {
    art: lanterns,
    chrome: 'band',
    display: serifBlack,
    body: serif,
    soft: false,
    palettes: [
      palette('C4271E F0C469 7E120F FFB347 FFF3D8', 'FEF8EE', '3F100C', 'FFF0CC', 'FBD98F', '01203'),
      palette('A81C36 EFC07A 5B0C22 FF9F5A FFEFD9', 'FDF6EF', '3B0A18', 'FFEFD2', 'F7D39A', '01203'),
      palette('D5482A F7D070 92210F FFC24D FFF5DC', 'FFF9EF', '4A1409', 'FFF3CF', 'FFE0A0', '01203'),
      palette('1E3A6E EBC573 0D1D42 FFB057 FFF3DA', 'F9F6EE', '12234A', 'FFF0CC', 'F4D691', '01203'),
    ],
  },
  pop: {
    art: pop,
    chrome: 'corner',
    display: smiley,
    body: sans,
    soft: true,
    palettes: [
      palette('FF5C8A 7B61FF FFD23F 24C6A6 FFF3F7', 'FFFCFD', '2B1533', '2B1533', '6A3B6E', '01324'),
      palette('3DB2FF FF6B35 FFE156 7ED957 EFF9FF', 'FBFEFF', '10304A', '10304A', '335A78', '01324'),
      palette('FF8A1F 2BB673 FFD84D E0457B FFF6E6', 'FFFDF8', '3A1D0A', '3A1D0A', '70452A', '03124'),
      palette('8C6BFF FF7AB6 C6F24E 35C9E8 F5F1FF', 'FDFCFF', '241550', '241550', '56458C', '01324'),
      palette('E63946 FFB703 8ECAE6 219EBC FFF8EA', 'FFFDF8', '3B1216', '3B1216', '7A3A3E', '03124'),
    ],
  },
  bloom: {
    art: bloom,
    chrome: 'frame',
    display: serif,
    body: serif,
    soft: false,
    palettes: [
      palette('E79AA9 F7C9CF B0566E C99A4B FFF3F0', 'FFFAF8', '4B1F2D', '6B2338', '8F4A5D', '23014'),
      palette('A8BFA0 DCE7D2 5E7D5C C4A052 F6F7EE', 'FCFCF7', '2A3B2A', '2E4A2F', '566E54', '23014'),
      palette('B9A5D6 E4D8F2 7457A0 C7A25A F8F4FC', 'FDFBFF', '34234F', '452B73', '6D559A', '23014'),
      palette('E9B384 F8DEC2 B06A3B B98A3E FFF6EC', 'FFFBF6', '4A2A15', '6A3614', '8E5D38', '23014'),
      palette('8FB8D8 D6E7F3 43719C C7A867 F2F8FC', 'FAFDFF', '173450', '1C4468', '48719A', '23014'),
    ],
  },
  iso: {
    art: iso,
    chrome: 'number',
    display: black,
    body: sans,
    soft: false,
    palettes: [
      palette('2F6BFF 5CC8FF 1B3C8C FF8A3D EDF4FF', 'FFFFFF', '10224E', '10224E', '3A5285', '03124'),
      palette('12A594 8CE0C9 0B5D5B FFB020 EAF8F4', 'FCFFFE', '0B3433', '0B3433', '35605E', '03124'),
      palette('7A5CFF FF9DC6 3A2B8C FFC53D F3F0FF', 'FDFCFF', '21174F', '21174F', '514690', '01324'),
      palette('F26B38 FFC48A 8F2F1B 2A9DA8 FFF3EA', 'FFFDFB', '3D170E', '3D170E', '75402F', '03124'),
    ],
  },
  motion: {
    art: motion,
    chrome: 'side',
    display: smiley,
    body: sans,
    soft: false,
    palettes: [
      palette('E8402C FF8A3D 8E1F1B 17161A FFF4EC', 'FFFDFB', '17161A', '17161A', '4F3E38', '01234'),
      palette('0B63E5 19B5FE 0A2E80 FFC400 EEF6FF', 'FCFEFF', '0A1F4A', '0A1F4A', '38527F', '03214'),
      palette('0E9F6E 8BD450 04563D FF7A2F F1FAEC', 'FCFFFA', '08301F', '08301F', '37604B', '03214'),
      palette('17161A D7FF3E 6B6B6B FF4D2E E9E7E1', 'FBFAF7', '17161A', '17161A', '4A4843', '03214'),
    ],
  },
  stage: {
    art: stage,
    chrome: 'side',
    display: black,
    body: sans,
    soft: true,
    palettes: [
      palette('6A2BD9 FF5CA8 FFD24D FF8F4D 12072B', '150A2E', 'FBF4FF', 'FFFFFF', 'F0D5FF', '12304'),
      palette('0E5BD8 19C8D8 F9F871 FF6F91 05112E', '081535', 'F1F7FF', 'FFFFFF', 'CDE9FF', '12304'),
      palette('D92B4B FF8B3D FFD76A FFB25C 240812', '240A14', 'FFF4EE', 'FFFFFF', 'FFDCC8', '12304'),
      palette('0B7A6B 7BE495 F6F36B FFA64D 04211F', '062523', 'F0FFFA', 'FFFFFF', 'CDF5E4', '12304'),
    ],
  },
  report: {
    art: report,
    chrome: 'rule',
    display: serifBlack,
    body: sans,
    soft: false,
    palettes: [
      palette('1F3A5F E4572E D9A441 6C8EAD F5F2EA', 'FFFFFF', '16263D', '16263D', '4A5A70', '01234'),
      palette('2B5D50 D98E32 B23A48 8FB8A4 F3F5EC', 'FFFFFF', '17332C', '17332C', '48625A', '02134'),
      palette('4B2E6B E0785A C9A24B 9C89B8 F6F2F7', 'FFFFFF', '281A3D', '281A3D', '5D4F72', '01234'),
      palette('22313F 1FA3A3 F2A541 93A8B5 EFF4F5', 'FFFFFF', '17222C', '17222C', '4B5C68', '01234'),
    ],
  },
} as const satisfies Record<string, Style>;

export type StyleKey = keyof typeof STYLES;
