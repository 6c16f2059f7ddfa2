import type PptxGenJS from 'pptxgenjs';
import { inkOn } from './colour.ts';
import { fitSize } from './measure.ts';
import { at } from './random.ts';
import type { Theme } from './theme.ts';

/** Slide size, in inches (16:9). */
export const SLIDE = { w: 13.333, h: 7.5 };

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Look {
  /** Wished size in points; shrinks to `min` (70 % unless told) until the text fits its box. */
  size: number;
  min?: number;
  lines?: number;
  color?: string;
  display?: boolean;
  bold?: boolean;
  align?: 'left' | 'center' | 'right';
  valign?: 'top' | 'middle' | 'bottom';
  /** Letter spacing in points, and line spacing as a multiple. */
  spacing?: number;
  leading?: number;
}

/** One slide with the deck's theme in hand. */
export interface Page {
  slide: PptxGenJS.Slide;
  theme: Theme;
  text(words: string, box: Box, look: Look): void;
  panel(box: Box, fill: string, options?: { transparency?: number; outline?: string; square?: boolean }): void;
  bar(box: Box, fill: string): void;
  dot(x: number, y: number, size: number, fill: string): void;
  picture(path: string, box: Box): void;
}

export function createPage(pptx: PptxGenJS, theme: Theme): Page {
  const slide = pptx.addSlide();
  slide.background = { color: theme.paper };
  return {
    slide,
    theme,
    text(words, box, look) {
      const leading = look.leading ?? 1;
      const spacing = look.spacing ?? 0;
      const fontSize = fitSize({
        text: words,
        w: box.w,
        h: box.h,
        size: look.size,
        min: look.min ?? look.size * 0.7,
        spacing,
        leading,
        ...(look.lines ? { lines: look.lines } : {}),
      });
      slide.addText(words, {
        ...box,
        fontSize,
        fontFace: look.display ? theme.display : theme.body,
        color: look.color ?? theme.ink,
        bold: look.bold ?? (look.display === true && theme.boldDisplay),
        align: look.align ?? 'left',
        valign: look.valign ?? 'top',
        charSpacing: spacing,
        lineSpacingMultiple: leading,
        margin: 0,
        lang: 'zh-CN',
        fit: 'none',
      });
    },
    panel(box, fill, options = {}) {
      const rounded = theme.soft && !options.square;
      slide.addShape(rounded ? 'roundRect' : 'rect', {
        ...box,
        ...(rounded ? { rectRadius: 0.14 } : {}),
        fill: { color: fill, transparency: options.transparency ?? 0 },
        line: options.outline ? { color: options.outline, width: 0.75 } : { type: 'none' },
      });
    },
    bar(box, fill) {
      slide.addShape('rect', { ...box, fill: { color: fill }, line: { type: 'none' } });
    },
    dot(x, y, size, fill) {
      slide.addShape(theme.legacy ? 'rect' : 'ellipse', {
        x,
        y,
        w: size,
        h: size,
        fill: { color: fill },
        line: { type: 'none' },
      });
    },
    picture(path, box) {
      // Without words of ours the library writes the temporary path there.
      slide.addImage({ path, ...box, altText: '插图' });
    },
  };
}

/** Colour of the nth item in a row: fill, the same as text, and ink on the fill. */
export function accent(theme: Theme, index: number): { fill: string; text: string; on: string } {
  const fill = at(theme.fills, index);
  return { fill, text: at(theme.texts, index), on: inkOn(fill) };
}

export interface Heading {
  title: string;
  kicker: string;
  footer: string;
  number: number;
}

/** Dress an inner page: ground, ornament, title, footer. Content may use x 0.8–12.53, y 1.85–6.75. */
export function dress(page: Page, heading: Heading): void {
  const { theme } = page;
  const first = accent(theme, 0);
  const second = accent(theme, 1);
  const title = (box: Box, color: string, align: 'left' | 'center' = 'left') =>
    page.text(heading.title, box, { size: 30, min: 20, lines: 1, display: true, color, align, valign: 'middle' });
  const kicker = (box: Box, color: string, align: 'left' | 'center' | 'right' = 'left') =>
    page.text(heading.kicker, box, { size: 10.5, min: 8, lines: 1, color, align, spacing: 2.5, valign: 'middle' });
  switch (theme.chrome) {
    case 'frame':
      page.slide.addShape('rect', {
        x: 0.3,
        y: 0.3,
        w: SLIDE.w - 0.6,
        h: SLIDE.h - 0.6,
        fill: { type: 'none' },
        line: { color: second.fill, width: 1 },
      });
      title({ x: 2.2, y: 0.55, w: 8.93, h: 0.72 }, theme.ink, 'center');
      kicker({ x: 2.2, y: 1.26, w: 8.93, h: 0.28 }, first.text, 'center');
      page.bar({ x: 1.0, y: 0.93, w: 1.1, h: 0.02 }, second.fill);
      page.bar({ x: 11.23, y: 0.93, w: 1.1, h: 0.02 }, second.fill);
      break;
    case 'band':
      page.bar({ x: 0, y: 0, w: SLIDE.w, h: 1.36 }, theme.deep);
      page.bar({ x: 0, y: 1.36, w: SLIDE.w, h: 0.06 }, second.fill);
      title({ x: 0.8, y: 0.32, w: 8.2, h: 0.72 }, theme.onDeep);
      kicker({ x: 9.1, y: 0.55, w: 3.43, h: 0.3 }, theme.onDeep, 'right');
      break;
    case 'side':
      page.bar({ x: 0, y: 0, w: 0.2, h: SLIDE.h }, first.fill);
      page.bar({ x: 0, y: 5.2, w: 0.2, h: 2.3 }, second.fill);
      title({ x: 0.8, y: 0.5, w: 9.4, h: 0.72 }, theme.ink);
      kicker({ x: 0.82, y: 1.2, w: 9, h: 0.28 }, first.text);
      break;
    case 'rule':
      kicker({ x: 8.5, y: 0.68, w: 4.03, h: 0.3 }, theme.muted, 'right');
      title({ x: 0.8, y: 0.5, w: 7.6, h: 0.72 }, theme.ink);
      page.bar({ x: 0.8, y: 1.4, w: 11.73, h: 0.025 }, theme.ink);
      page.bar({ x: 0.8, y: 1.37, w: 1.3, h: 0.085 }, first.fill);
      break;
    case 'corner':
      page.dot(12.2, -0.75, 1.9, second.fill);
      page.dot(11.55, -0.42, 0.86, first.fill);
      page.panel(
        { x: 0.8, y: 0.98, w: Math.min(0.43 * [...heading.title].length, 7.5), h: 0.2 },
        accent(theme, 3).fill,
        { transparency: 45 },
      );
      title({ x: 0.8, y: 0.48, w: 9.4, h: 0.72 }, theme.ink);
      kicker({ x: 0.82, y: 1.24, w: 9, h: 0.28 }, first.text);
      break;
    case 'number':
      page.bar({ x: 0.8, y: 0.5, w: 0.92, h: 0.92 }, first.fill);
      page.text(
        String(heading.number).padStart(2, '0'),
        { x: 0.8, y: 0.5, w: 0.92, h: 0.92 },
        { size: 28, display: true, color: first.on, align: 'center', valign: 'middle' },
      );
      title({ x: 1.95, y: 0.44, w: 8.6, h: 0.7 }, theme.ink);
      kicker({ x: 1.97, y: 1.12, w: 8, h: 0.28 }, first.text);
      break;
  }
  page.text(
    heading.footer,
    { x: 0.8, y: 6.93, w: 9.4, h: 0.24 },
    { size: 9, min: 7.5, lines: 1, color: theme.muted, valign: 'middle' },
  );
  page.text(
    String(heading.number),
    { x: 11.73, y: 6.93, w: 0.8, h: 0.24 },
    { size: 9, color: theme.muted, align: 'right', valign: 'middle' },
  );
}
