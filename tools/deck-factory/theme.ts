import { inkOn, mix, readable, contrast } from './colour.ts';
import { at } from '../../demo/random.ts';
import type { Palette } from './palette.ts';

/** Colours and typefaces of a slide; colours without `#`. */
export interface Theme {
  display: string;
  body: string;
  /** True when the display font is too light for titles in its regular weight. */
  boldDisplay: boolean;
  soft: boolean;
  paper: string;
  surface: string;
  line: string;
  ink: string;
  muted: string;
  /** Fill colours, most important first; `texts` are the same colours with enough contrast on `paper` and `surface`. */
  fills: readonly string[];
  texts: readonly string[];
  cover: { title: string; small: string };
  /** Background of full-bleed slides, and the text colour on it. */
  deep: string;
  onDeep: string;
}

/** Returns the theme for the typefaces of a look and a palette. */
export function themeOf(look: { display: string; body: string; soft: boolean }, palette: Palette): Theme {
  const dark = contrast(palette.paper, 'FFFFFF') > 8;
  const first = palette.accents[0];
  const surface = mix(palette.paper, dark ? mix(first, 'FFFFFF', 0.4) : first, dark ? 0.13 : 0.075);
  const visible = palette.accents.filter((colour) => contrast(colour, palette.paper) > 1.35);
  const fills = visible.length > 2 ? visible : palette.accents;
  const deepest = [...palette.accents].sort((a, b) => contrast(b, 'FFFFFF') - contrast(a, 'FFFFFF'));
  const deep = dark ? palette.paper : mix(deepest[0] ?? first, '000000', 0.08);
  return {
    display: look.display,
    body: look.body,
    boldDisplay: look.display === 'LXGW WenKai' || look.display === 'Noto Serif CJK SC',
    soft: look.soft,
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

/** Returns six chart colours with enough contrast to the paper. */
export function chartColours(theme: Theme): string[] {
  const base = theme.fills.filter((colour) => contrast(colour, theme.paper) > 1.5);
  const all = base.length > 1 ? base : [...theme.fills];
  return Array.from({ length: 6 }, (_, i) => (i < all.length ? at(all, i) : mix(at(all, i), theme.muted, 0.5)));
}
