import type PptxGenJS from 'pptxgenjs';
import { inkOn } from './colour.ts';
import { fitSize } from './measure.ts';
import { at } from '../../demo/random.ts';
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
  /** Preferred size in points; reduced to `min` (70 % by default) until the text fits. */
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

/** A slide and the theme of its deck. */
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
      slide.addShape('ellipse', {
        x,
        y,
        w: size,
        h: size,
        fill: { color: fill },
        line: { type: 'none' },
      });
    },
    picture(path, box) {
      // Without an alternative text pptxgenjs writes the temporary path there.
      slide.addImage({ path, ...box, altText: '插图' });
    },
  };
}

/** Returns the colours of the nth item in a row: fill, text in that colour, and text on the fill. */
export function accent(theme: Theme, index: number): { fill: string; text: string; on: string } {
  const fill = at(theme.fills, index);
  return { fill, text: at(theme.texts, index), on: inkOn(fill) };
}
