import { inkOn, mix, readable, contrast } from './colour.ts';
import { at } from './random.ts';
import { STYLES, type Chrome, type Palette, type Style, type StyleKey } from './styles.ts';

/** Everything a slide needs to know about colour and type; colours without `#`. */
export interface Theme {
  chrome: Chrome;
  display: string;
  body: string;
  /** The display face is too light for titles in its regular weight. */
  boldDisplay: boolean;
  soft: boolean;
  /** Squares only: LibreOffice loses round shapes when it writes the old .ppt format. */
  legacy: boolean;
  paper: string;
  surface: string;
  line: string;
  ink: string;
  muted: string;
  /** Fills, most important first; `texts` are the same made readable on `paper` and `surface`. */
  fills: readonly string[];
  texts: readonly string[];
  cover: { title: string; small: string };
  /** Ground of full-bleed slides, and the ink on it. */
  deep: string;
  onDeep: string;
}

export function styleOf(key: StyleKey): Style {
  return STYLES[key];
}

export function paletteOf(key: StyleKey, index: number): Palette {
  return at<Palette>(STYLES[key].palettes, index);
}

export function createTheme(key: StyleKey, paletteIndex: number, legacy: boolean): Theme {
  return themeOf(styleOf(key), paletteOf(key, paletteIndex), legacy);
}

/** The theme of any style with its faces, and a palette. */
export function themeOf(
  style: Pick<Style, 'chrome' | 'display' | 'body' | 'soft'>,
  palette: Palette,
  legacy: boolean,
): Theme {
  const dark = contrast(palette.paper, 'FFFFFF') > 8;
  const first = palette.accents[0];
  const surface = mix(palette.paper, dark ? mix(first, 'FFFFFF', 0.4) : first, dark ? 0.13 : 0.075);
  const visible = palette.accents.filter((colour) => contrast(colour, palette.paper) > 1.35);
  const fills = visible.length > 2 ? visible : palette.accents;
  const deepest = [...palette.accents].sort((a, b) => contrast(b, 'FFFFFF') - contrast(a, 'FFFFFF'));
  const deep = dark ? palette.paper : mix(deepest[0] ?? first, '000000', 0.08);
  return {
    chrome: style.chrome,
    display: style.display,
    body: style.body,
    boldDisplay: style.display === 'LXGW WenKai' || style.display === 'Noto Serif CJK SC',
    soft: style.soft && !legacy,
    legacy,
    paper: palette.paper,
    surface,
    line: mix(palette.paper, palette.ink, 0.16),
    ink: palette.ink,
    muted: readable(mix(palette.ink, palette.paper, 0.34), surface, 5),
    fills,
    texts: fills.map((colour) => readable(colour, surface, 4.6)),
    cover: { title: palette.title, small: palette.small },
    deep,
    onDeep: inkOn(deep),
  };
}
