import type { Brush } from '../svg.ts';
import { palette, type Palette } from '../palette.ts';
import { ink } from './art/ink.ts';
import { cyber } from './art/cyber.ts';
import { landscape } from './art/landscape.ts';
import { noir } from './art/noir.ts';
import type { Picture } from './art/raster.ts';
import { riso } from './art/riso.ts';
import { stillLife } from './art/still-life.ts';
import { story } from './art/story.ts';

/** A visual style: painter, typefaces, containers. Covers and frames are in covers.ts and frames.ts. */
export interface Look {
  paint: (brush: Brush) => Picture;
  display: string;
  body: string;
  /** Style of containers: filled, outlined, a rule above, or filled with a heavy outline. */
  card: 'fill' | 'outline' | 'rule' | 'heavy';
  soft: boolean;
  palettes: readonly Palette[];
}

const sans = '微软雅黑';
const black = 'Noto Sans CJK SC Black';
const serifBlack = 'Noto Serif CJK SC Black';
const serif = 'Noto Serif CJK SC';
const serifLight = 'Noto Serif CJK SC Light';
const smiley = 'Smiley Sans';
const kai = 'LXGW WenKai';

/** The eight looks. The colours of a landscape are zenith, horizon, far, near, light. */
export const LOOKS = {
  /** Magazine: white, one photograph, large serif, columns. */
  editorial: {
    paint: landscape,
    display: serifBlack,
    body: sans,
    card: 'rule',
    soft: false,
    palettes: [
      palette('2F4A7C F6C9A0 9FA9C4 1A2740 FF8A3D', 'FFFFFF', '14171F', '14171F', '6B6F7A', '43021'),
      palette('4E86B8 F3DFC2 F0BE85 9C5A3C FFE0B0', 'FBF7F0', '2A1A12', '2A1A12', '7A6656', '30214'),
      palette('8FB6B8 F1EBD8 A9C4BC 12302B FFE3B0', 'FAFAF5', '12302B', '12302B', '5C726D', '30241'),
      palette('5AA4DE E8F3F7 8FBF5A 3E6B2E F7C928', 'FFFFFF', '1B2A14', '1B2A14', '5E6B55', '30421'),
      palette('3A2A6B F7A9B8 B58AC9 2A1746 FF7E9D', 'FFFBFC', '221338', '221338', '6F6280', '43021'),
    ],
  },
  /** 国潮: mineral colours, ink and gold. */
  ink: {
    paint: ink,
    display: serifBlack,
    body: serif,
    card: 'outline',
    soft: false,
    palettes: [
      palette('1D5C8C 2E8B6E C9942F B98A4A E9D5A6', 'FBF5E6', '1B2E3A', '163C57', '5B4A2A', '01234'),
      palette('0E2440 2A5F8F E8B860 F7EBD2 091628', '0C1B30', 'F7EBD2', 'F7E7C0', 'E8C884', '21301'),
      palette('B3261E 5E0E12 EBBE6C FFE9C0 D9482F', 'FDF6E8', '3D0F10', 'FFE6B8', 'F5CD8A', '02143'),
      palette('1B1B1D 8A938F B8291F E3A0A6 F6F0E2', 'FAF6EC', '1B1B1D', '1B1B1D', '5A5650', '20132'),
      palette('F0E6D2 2E6B4F B98B3C BCD4CC F7F0DC', 'FBF8EE', '1F3A2E', '1F4A37', '5C6B58', '12301'),
      palette('7E1F1B 2E6B4F E6BE74 A9C7BE F3E3C0', 'FCF6EA', '3A1210', 'FBE7BE', 'F0CF94', '01234'),
      palette('14524E 2F7F6B D9B15A E9DDB8 0B2F2E', 'F7F4E6', '123A38', 'F7EBC8', 'E3CD8E', '01234'),
    ],
  },
  /** Neon night. */
  cyber: {
    paint: cyber,
    display: black,
    body: sans,
    card: 'outline',
    soft: false,
    palettes: [
      palette('FF2E88 22D3EE 7C3AED FFC857 0A0718', '0C0920', 'F4F2FF', 'FFFFFF', 'BFE9FF', '10324'),
      palette('FF4D8D 38E1FF 7B4DFF FFD166 080615', '0B0819', 'F6F3FF', 'FFFFFF', 'D5C9FF', '10324'),
      palette('FF5CA8 35D6FF 5B6CFF FFC857 050B1F', '071028', 'EFF5FF', 'FFFFFF', 'BBD4FF', '10324'),
      palette('FF4D6D 2EE6D6 7A5CFF FFE66D 070A1A', '0A0E22', 'F1F7FF', 'FFFFFF', 'B9F2EC', '10324'),
      palette('FF7A3D 2EE6C8 3B82F6 FFD166 04141A', '061A20', 'ECFFFB', 'FFFFFF', 'A9EFE0', '10324'),
    ],
  },
  /** Soft three-dimensional still life. */
  clay: {
    paint: stillLife,
    display: black,
    body: sans,
    card: 'fill',
    soft: true,
    palettes: [
      palette('FF7A59 FFC36B 5B6CFF F9A8C4 F7D9CF', 'FBEAE3', '3A1C14', '3A1C14', '7A4E40', '02314'),
      palette('7C5CFF FF8AC2 38C6F4 FFD166 DCD3FA', 'EBE5FC', '241550', '241550', '5A4A8C', '01324'),
      palette('1F9E8F F2B84B EF6F53 FFE3A8 CDEBE2', 'E2F3EE', '0D3A35', '0D3A35', '41706A', '02134'),
      palette('E5484D FFB84D FFF1D6 D99A2B F6D6C8', 'FBE9E0', '4A1416', '4A1416', '8A4A42', '03142'),
      palette('FF6F91 FFC75F 6C8CFF 9ADBC5 FBE3EC', 'FDEFF4', '45142A', '45142A', '875068', '02314'),
      palette('F2A65A E76F51 2A9D8F F4D58D BFE0EA', 'DDEEF3', '12363F', '12363F', '44707A', '12034'),
      palette('F2B6A0 E9D3C0 8FB7A5 D8A24A F1E2D6', 'F7EFE7', '3F2A20', '3F2A20', '7D6455', '32014'),
      palette('C98B5E F7B2C4 8E5BD0 5A3825 F8E4CF', 'FBF0E2', '3B2115', '3B2115', '7C5A46', '02314'),
      palette('3B82F6 93C5FD F97316 FDE68A DCEAFB', 'E9F2FD', '0F2A52', '0F2A52', '46648F', '02134'),
    ],
  },
  /** Risograph and cut paper. */
  riso: {
    paint: riso,
    display: smiley,
    body: sans,
    card: 'heavy',
    soft: false,
    palettes: [
      palette('E4572E F6C445 1F5673 F3A6B2 F6F0E2', 'F8F3E7', '1F3440', '1F3440', '5B5A50', '02134'),
      palette('23395B F25F5C 247BA0 FFE066 F5EFE6', 'F8F3EB', '1B2B45', '1B2B45', '56606E', '10324'),
      palette('E8553A F9C74F 2A7F62 F9A03F FBF4E4', 'FCF7EA', '1F4034', '1F4034', '5A6B5F', '02134'),
      palette('2B4C9B F4A259 E4572E F4D35E F7F1E3', 'FAF5EA', '1D2F5E', '1D2F5E', '5A6080', '02134'),
      palette('D7263D F7B32B 1B3A6B F49FBC F6F1E7', 'F9F5EC', '1B2A4A', '1B2A4A', '5B5F6E', '02134'),
      palette('3D5A98 F7B7C5 2F6B4F F4C542 F8F3E6', 'FBF7EC', '233A2E', '233A2E', '5E6B5C', '20314'),
    ],
  },
  /** Black, thin, expensive. */
  noir: {
    paint: noir,
    display: serif,
    body: serifLight,
    card: 'outline',
    soft: false,
    palettes: [
      palette('0A0A0C 3A3A42 C9A463 FFF1D0 6B5A3A', '0E0E11', 'F3EDE0', 'F7EBD0', 'C9B48A', '23412'),
      palette('14050A 7A1E36 D9A57B FFD9C8 A8415A', '17070C', 'FBEBE2', 'FBE3D2', 'DDB79E', '23412'),
      palette('0C0D10 24262C D8B06A FFF0C8 8A7444', '101114', 'F5F0E2', 'F8EBC8', 'D2BA86', '23412'),
      palette('050509 2A2236 E8A050 FFF3DC 9A6A3A', '0A0910', 'F8F0E6', 'FFF1DA', 'D9B48A', '23412'),
      palette('07080D 17223A D9AE62 FFF0C0 4F6FA8', '0A0D16', 'F2F0E6', 'F8ECC8', 'CDB98A', '23412'),
      palette('06100D 1C4A3C CFAE6C F3EFD2 3F7F68', '08130F', 'EFF3E8', 'F3EBCB', 'C6B684', '23412'),
    ],
  },
  /** Picture book. */
  story: {
    paint: story,
    display: kai,
    body: sans,
    card: 'fill',
    soft: true,
    palettes: [
      palette('E8573F F6A7B8 7DBE6E F7C548 DDF1F5', 'FBFDFB', '2D4A2B', '2B4A2E', '5F7A5E', '02314'),
      palette('C98A5B F5A6B5 6BB9A8 F6B84C FFF3DF', 'FFFCF5', '4A2F1E', '5A341C', '8A6548', '02314'),
      palette('4B6CB7 5B8DD9 5FAF87 F9C846 E6F0FF', 'FAFCFF', '1D2F5C', 'FFFFFF', 'EAF1FF', '02314'),
      palette('D9482F 3E7CB1 5FA052 F2B441 FFF0DA', 'FFFBF3', '4A1E12', '6A2414', '8E5A3E', '01234'),
      palette('E4572E F29CB7 7FB77E F7C85A E3F2F4', 'FBFDFC', '2F4A36', '2F4F3A', '63806A', '02314'),
    ],
  },
  /** A landscape from edge to edge. */
  photo: {
    paint: (brush: Brush) => landscape(brush, 0.38),
    display: black,
    body: sans,
    card: 'fill',
    soft: false,
    palettes: [
      palette('2F4A7C F6C9A0 9FA9C4 1A2740 E98A4A', 'FAFAFB', '16203A', 'FFFFFF', 'F3E6DA', '34021'),
      palette('28396B F7A46B 6B5277 101B33 FFB347', 'FBF9F7', '141C33', 'FFFFFF', 'FFE9CF', '30421'),
      palette('060B24 2B3A6B 6D5BA8 04060F 9DB4FF', 'F7F8FC', '10163A', 'FFFFFF', 'D6DEFF', '21403'),
      palette('0A1024 2A5BD7 FF5C7A 080A18 FFB347', 'F8F8FB', '10152E', 'FFFFFF', 'FFE3C8', '12403'),
      palette('1F5C58 F1E3BF 7FA79A 0D2B26 F2B45A', 'F8FAF6', '10302A', 'FFFFFF', 'F6EFD8', '30421'),
      palette('3A8ED0 E8F3F7 7FB04A 35602A F7C928', 'FAFCF8', '1B2E14', 'FFFFFF', 'F3FADF', '30421'),
      palette('3A66A8 F9D3B4 D9A8B4 4A68A0 FFB57A', 'F9FAFD', '182A4E', 'FFFFFF', 'FDEBDD', '03421'),
      palette('06122B 12324A 7A4CC6 030912 2EE6A6', 'F5F9F9', '0A1C2E', 'FFFFFF', 'C9F7E6', '12430'),
      palette('3F7FB5 F6DDBB EBB377 8A4A30 FFDCA8', 'FCF8F2', '3A1D12', 'FFFFFF', 'FFF0DC', '30214'),
    ],
  },
} as const satisfies Record<string, Look>;

export type LookKey = keyof typeof LOOKS;
