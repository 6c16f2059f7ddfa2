import { mix } from '../colour.ts';
import { accent, SLIDE, type Box, type Page } from '../page.ts';
import type { LookKey } from './looks.ts';
import { blankPage, createSheet, type Sheet, type Studio } from './sheet.ts';

/** Adds an inner page with title, kicker and page number in the style of the look. */
export function addSheet(deck: Studio, title: string, kicker: string): Sheet {
  const page = blankPage(deck);
  return createSheet(deck, page, FRAMES[deck.script.look](page, deck, title, kicker));
}

type Frame = (page: Page, deck: Studio, title: string, kicker: string) => Box;

function line(
  page: Page,
  words: string,
  box: Box,
  size: number,
  color: string,
  align: 'left' | 'center' | 'right' = 'left',
  spacing = 0,
): void {
  page.text(words, box, { size, min: 7.5, lines: 1, color, align, spacing, valign: 'middle' });
}

const two = (value: number): string => String(value).padStart(2, '0');

const FRAMES: Record<LookKey, Frame> = {
  editorial(page, deck, title, kicker) {
    const { theme } = page;
    const first = accent(theme, 0);
    page.text(
      two(deck.pages),
      { x: 0.6, y: 0.55, w: 2.6, h: 1.1 },
      { size: 54, display: true, color: first.text, valign: 'middle' },
    );
    page.bar({ x: 0.62, y: 1.78, w: 0.6, h: 0.07 }, theme.ink);
    page.text(title, { x: 0.6, y: 2.0, w: 2.6, h: 1.7 }, { size: 27, min: 17, display: true, leading: 1.05 });
    line(page, kicker, { x: 0.6, y: 3.75, w: 2.6, h: 0.26 }, 9.5, theme.muted, 'left', 2);
    page.bar({ x: 3.45, y: 0.6, w: 0.012, h: 6.3 }, theme.line);
    line(page, deck.script.brand, { x: 0.6, y: 6.65, w: 2.6, h: 0.26 }, 9.5, theme.muted);
    return { x: 3.8, y: 0.7, w: 8.95, h: 6.1 };
  },
  ink(page, deck, title, kicker) {
    const { theme } = page;
    const [first, second] = [accent(theme, 0), accent(theme, 1)];
    for (const [pad, width] of [
      [0.22, 1.5],
      [0.3, 0.5],
    ] as const)
      page.slide.addShape('rect', {
        x: pad,
        y: pad,
        w: SLIDE.w - 2 * pad,
        h: SLIDE.h - 2 * pad,
        fill: { type: 'none' },
        line: { color: second.fill, width },
      });
    page.text(
      title,
      { x: 2.9, y: 0.52, w: 7.533, h: 0.62 },
      { size: 28, min: 18, lines: 1, display: true, align: 'center', valign: 'middle' },
    );
    line(page, kicker, { x: 3.5, y: 1.14, w: 6.333, h: 0.24 }, 9, first.text, 'center', 3);
    for (const x of [1.2, 10.6]) {
      page.bar({ x, y: 0.84, w: 1.5, h: 0.018 }, second.fill);
      page.slide.addShape('diamond', {
        x: x === 1.2 ? 2.64 : 10.52,
        y: 0.775,
        w: 0.15,
        h: 0.15,
        fill: { color: first.fill },
        line: { type: 'none' },
      });
    }
    line(
      page,
      `${deck.script.brand}　·　${two(deck.pages)}`,
      { x: 4.5, y: 6.86, w: 4.333, h: 0.24 },
      9,
      theme.muted,
      'center',
    );
    return { x: 0.95, y: 1.62, w: 11.43, h: 5.1 };
  },
  cyber(page, deck, title, kicker) {
    const { theme } = page;
    const [first, second] = [accent(theme, 0), accent(theme, 1)];
    page.bar({ x: 0.75, y: 0.55, w: 0.1, h: 0.7 }, second.fill);
    page.text(
      title,
      { x: 1.05, y: 0.5, w: 8.6, h: 0.56 },
      { size: 27, min: 17, lines: 1, display: true, valign: 'middle' },
    );
    line(page, `${kicker} // ${two(deck.pages)}`, { x: 1.06, y: 1.05, w: 8, h: 0.24 }, 9.5, first.text, 'left', 2);
    page.bar({ x: 9.9, y: 0.62, w: 2.65, h: 0.02 }, first.fill);
    for (let i = 0; i < 6; i++)
      page.bar({ x: 11.2 + i * 0.24, y: 0.74, w: 0.16, h: 0.07 }, i < 1 + (deck.pages % 6) ? second.fill : theme.line);
    for (const [x, y, w, h] of [
      [0.4, 6.75, 0.02, 0.35],
      [0.4, 7.08, 0.35, 0.02],
      [12.58, 7.08, 0.35, 0.02],
      [12.91, 6.75, 0.02, 0.35],
    ] as const)
      page.bar({ x, y, w, h }, first.fill);
    line(page, deck.script.brand, { x: 0.75, y: 6.9, w: 6, h: 0.22 }, 9, theme.muted);
    return { x: 0.75, y: 1.6, w: 11.83, h: 5.1 };
  },
  clay(page, deck, title, kicker) {
    const { theme } = page;
    const first = accent(theme, 0);
    page.dot(11.75, -0.55, 1.9, mix(theme.paper, accent(theme, 1).fill, 0.45));
    page.dot(12.55, 0.75, 0.5, mix(theme.paper, accent(theme, 2).fill, 0.7));
    page.panel({ x: 0.45, y: 1.42, w: 12.43, h: 5.6 }, 'FFFFFF');
    page.panel({ x: 0.6, y: 0.52, w: 0.72, h: 0.62 }, first.fill);
    page.text(
      two(deck.pages),
      { x: 0.6, y: 0.52, w: 0.72, h: 0.62 },
      { size: 18, display: true, color: first.on, align: 'center', valign: 'middle' },
    );
    page.text(
      title,
      { x: 1.52, y: 0.46, w: 7.2, h: 0.74 },
      { size: 28, min: 18, lines: 1, display: true, valign: 'middle' },
    );
    line(page, kicker, { x: 8.4, y: 0.68, w: 3.1, h: 0.3 }, 9.5, theme.muted, 'right', 2);
    line(page, deck.script.brand, { x: 0.6, y: 7.1, w: 6, h: 0.22 }, 9, theme.muted);
    return { x: 0.85, y: 1.75, w: 11.63, h: 4.95 };
  },
  riso(page, deck, title, kicker) {
    const { theme } = page;
    const [first, second] = [accent(theme, 0), accent(theme, 1)];
    page.bar({ x: 0, y: 0, w: SLIDE.w, h: 0.16 }, theme.ink);
    for (let i = 0; i < 12; i++)
      page.bar({ x: 8.6 + i * 0.4, y: 0, w: 0.2, h: 0.16 }, i % 2 ? first.fill : second.fill);
    const width = Math.min(0.5 * [...title].length + 0.3, 8);
    page.bar({ x: 0.6, y: 0.86, w: width, h: 0.34 }, mix(theme.paper, second.fill, 0.5));
    page.text(
      title,
      { x: 0.7, y: 0.45, w: 8.6, h: 0.74 },
      { size: 32, min: 19, lines: 1, display: true, valign: 'middle' },
    );
    line(page, kicker, { x: 9.0, y: 0.62, w: 2.9, h: 0.3 }, 10, theme.muted, 'right', 2);
    page.dot(12.05, 0.42, 0.72, first.fill);
    page.text(
      two(deck.pages),
      { x: 12.05, y: 0.42, w: 0.72, h: 0.72 },
      { size: 17, display: true, color: first.on, align: 'center', valign: 'middle' },
    );
    page.bar({ x: 0.6, y: 6.98, w: 12.13, h: 0.02 }, theme.ink);
    line(page, deck.script.brand, { x: 0.6, y: 7.04, w: 6, h: 0.24 }, 9, theme.muted);
    line(page, deck.script.slogan, { x: 6.73, y: 7.04, w: 6, h: 0.24 }, 9, theme.muted, 'right');
    return { x: 0.6, y: 1.6, w: 12.13, h: 5.15 };
  },
  noir(page, deck, title, kicker) {
    const { theme } = page;
    const first = accent(theme, 0);
    line(page, kicker, { x: 0.95, y: 0.58, w: 6, h: 0.24 }, 9, first.text, 'left', 4);
    page.text(
      title,
      { x: 0.95, y: 0.84, w: 9, h: 0.6 },
      { size: 25, min: 16, lines: 1, display: true, valign: 'middle', spacing: 3 },
    );
    page.bar({ x: 0.97, y: 1.52, w: 11.4, h: 0.01 }, first.fill);
    page.bar({ x: 0.97, y: 1.505, w: 0.9, h: 0.035 }, first.fill);
    line(page, String(deck.pages), { x: 11.4, y: 0.9, w: 0.97, h: 0.4 }, 15, first.text, 'right');
    line(page, deck.script.brand, { x: 0.95, y: 6.98, w: 6, h: 0.22 }, 8.5, theme.muted, 'left', 2);
    return { x: 0.95, y: 1.85, w: 11.43, h: 4.95 };
  },
  story(page, deck, title, kicker) {
    const { theme } = page;
    const [first, second, third] = [accent(theme, 0), accent(theme, 1), accent(theme, 2)];
    const width = Math.min(0.46 * [...title].length + 0.9, 9);
    page.panel({ x: 0.6, y: 0.45, w: width, h: 0.82 }, first.fill);
    page.text(
      title,
      { x: 0.6, y: 0.45, w: width, h: 0.82 },
      { size: 27, min: 17, lines: 1, display: true, color: first.on, align: 'center', valign: 'middle' },
    );
    line(page, kicker, { x: 9.4, y: 0.72, w: 2.6, h: 0.3 }, 9.5, theme.muted, 'right', 1.5);
    page.dot(12.15, 0.55, 0.36, second.fill);
    page.dot(12.42, 0.78, 0.24, third.fill);
    for (let i = -1; i < 15; i++) page.dot(i * 0.95, 6.98, 1.3, mix(theme.paper, third.fill, i % 2 ? 0.5 : 0.38));
    line(page, `${deck.script.brand} · ${deck.pages}`, { x: 4.67, y: 7.14, w: 4, h: 0.24 }, 9.5, theme.ink, 'center');
    return { x: 0.7, y: 1.6, w: 11.93, h: 5.1 };
  },
  photo(page, deck, title, kicker) {
    const { theme } = page;
    const first = accent(theme, 0);
    page.picture(deck.pictures.strip, { x: 0, y: 0, w: SLIDE.w, h: 1.25 });
    page.panel({ x: 0, y: 0, w: SLIDE.w, h: 1.25 }, theme.deep, { transparency: 42, square: true });
    page.text(
      title,
      { x: 0.75, y: 0.28, w: 8.4, h: 0.7 },
      { size: 28, min: 18, lines: 1, display: true, color: 'FFFFFF', valign: 'middle' },
    );
    line(page, kicker, { x: 8.6, y: 0.48, w: 4, h: 0.3 }, 10, 'FFFFFF', 'right', 3);
    page.bar({ x: 0.75, y: 1.25, w: 1.4, h: 0.08 }, first.fill);
    line(page, deck.script.brand, { x: 0.75, y: 6.98, w: 6, h: 0.24 }, 9, theme.muted);
    line(page, two(deck.pages), { x: 11.6, y: 6.98, w: 0.98, h: 0.24 }, 9, theme.muted, 'right');
    return { x: 0.75, y: 1.7, w: 11.83, h: 5.05 };
  },
};
