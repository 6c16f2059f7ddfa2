import type PptxGenJS from 'pptxgenjs';
import { mix } from '../colour.ts';
import { accent, createPage, type Box, type Page } from '../page.ts';
import type { Random } from '../../../demo/random.ts';
import type { Theme } from '../theme.ts';
import type { Look } from './looks.ts';
import type { Script } from './script.ts';

/** The pictures of a deck, as JPEG files on disk. */
export interface Pictures {
  /** The art of the cover, 16:9, and its crops. */
  cover: string;
  tall: string;
  band: string;
  strip: string;
  wide: string;
  /** More pictures in the same style, 16:9. */
  more: readonly string[];
}

/** The state that all pages of a deck share. */
export interface Studio {
  pptx: PptxGenJS;
  script: Script;
  look: Look;
  theme: Theme;
  random: Random;
  pictures: Pictures;
  /** `YYYY-MM-DD` */
  date: string;
  /** Number of the deck among all decks, from 1; it chooses between layouts. */
  number: number;
  /** Number of pages and of chapters written so far. */
  pages: number;
  chapters: number;
  /** The deck becomes a PDF, in which its charts are described (charts.ts). */
  isPdf: boolean;
}

/** An inner page with its frame. Content is placed in `area` (inches). */
export interface Sheet {
  deck: Studio;
  page: Page;
  theme: Theme;
  area: Box;
  /** Draws a container in the style of the look. Returns the area inside. */
  card(box: Box, index: number, strong?: boolean): Box;
}

export function blankPage(deck: Studio): Page {
  deck.pages++;
  return createPage(deck.pptx, deck.theme);
}

export const inset = (box: Box, dx: number, dy = dx): Box => ({
  x: box.x + dx,
  y: box.y + dy,
  w: box.w - 2 * dx,
  h: box.h - 2 * dy,
});

/** Splits a box into columns with the given shares, `gap` inches apart. */
export function columns(box: Box, shares: readonly number[], gap = 0.3): Box[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const freeWidth = box.w - gap * (shares.length - 1);
  let x = box.x;
  return shares.map((share) => {
    const w = (freeWidth * share) / total;
    const cell = { x, y: box.y, w, h: box.h };
    x += w + gap;
    return cell;
  });
}

export function rows(box: Box, count: number, gap = 0.2): Box[] {
  const h = (box.h - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ x: box.x, y: box.y + i * (h + gap), w: box.w, h }));
}

export function cells(box: Box, across: number, down: number, gap = 0.24): Box[] {
  return rows(box, down, gap).flatMap((row) =>
    columns(
      row,
      Array.from({ length: across }, () => 1),
      gap,
    ),
  );
}

export function createSheet(deck: Studio, page: Page, area: Box): Sheet {
  const { theme, look } = deck;
  return {
    deck,
    page,
    theme,
    area,
    card(box, index, strong = false) {
      const colour = accent(theme, index);
      if (strong) {
        page.panel(box, colour.fill);
        return inset(box, 0.24, 0.2);
      }
      switch (look.card) {
        case 'fill':
          page.panel(box, theme.surface);
          return inset(box, 0.24, 0.2);
        case 'outline':
          page.panel(box, theme.surface, { outline: mix(theme.paper, colour.fill, 0.6), transparency: 25 });
          return inset(box, 0.24, 0.2);
        case 'rule':
          page.bar({ x: box.x, y: box.y, w: box.w, h: 0.03 }, theme.ink);
          page.bar({ x: box.x, y: box.y, w: Math.min(0.6, box.w), h: 0.08 }, colour.fill);
          return { x: box.x, y: box.y + 0.22, w: box.w - 0.1, h: box.h - 0.26 };
        case 'heavy':
          page.slide.addShape('rect', {
            x: box.x + 0.07,
            y: box.y + 0.07,
            w: box.w - 0.07,
            h: box.h - 0.07,
            fill: { color: colour.fill },
            line: { type: 'none' },
          });
          page.slide.addShape('rect', {
            x: box.x,
            y: box.y,
            w: box.w - 0.09,
            h: box.h - 0.09,
            fill: { color: theme.paper },
            line: { color: theme.ink, width: 1.75 },
          });
          return inset({ ...box, w: box.w - 0.09, h: box.h - 0.09 }, 0.22, 0.18);
      }
    },
  };
}
