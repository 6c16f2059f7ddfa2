import { mix } from '../colour.ts';
import { balance } from '../measure.ts';
import { accent, createPage, SLIDE, type Box, type Page } from '../page.ts';
import type { LookKey } from './looks.ts';
import type { Studio } from './sheet.ts';

type Cover = (page: Page, deck: Studio) => void;

const month = (deck: Studio): string => `${deck.date.slice(0, 4)}.${deck.date.slice(5, 7)}`;

/** Draws the first page; its layout depends on the look. */
export function addCover(deck: Studio): void {
  deck.pages++;
  COVERS[deck.script.look](createPage(deck.pptx, deck.theme), deck);
}

const full = (page: Page, deck: Studio): void => page.picture(deck.pictures.cover, { x: 0, y: 0, ...SLIDE });

/** Breaks a slogan of more than five characters into two lines, at a comma when there is one. */
function stacked(slogan: string, longest = 5): string {
  if (slogan.includes('，')) return slogan.replace('，', '\n');
  const letters = [...slogan];
  if (letters.length <= longest) return slogan;
  const words = [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(slogan)].map((each) => each.segment);
  let head = '';
  for (const word of words) {
    if (head !== '' && [...head].length + [...word].length / 2 > letters.length / 2) break;
    head += word;
  }
  return `${head}\n${slogan.slice(head.length)}`;
}

function small(
  page: Page,
  words: string,
  box: Box,
  size: number,
  color: string,
  align: 'left' | 'center' | 'right' = 'left',
  spacing = 0,
): void {
  page.text(words, box, { size, min: 8, lines: 1, color, align, spacing, valign: 'middle' });
}

const COVERS: Record<LookKey, Cover> = {
  editorial(page, deck) {
    const { script, theme, pictures } = deck;
    const first = accent(theme, 0);
    const form = deck.number % 3;
    if (form === 0) {
      page.picture(pictures.tall, { x: 6.9, y: 0, w: 6.433, h: 7.5 });
      small(page, script.english, { x: 0.7, y: 0.62, w: 5.6, h: 0.3 }, 11, theme.muted, 'left', 3);
      page.bar({ x: 0.7, y: 1.05, w: 5.5, h: 0.02 }, theme.ink);
      page.text(
        stacked(script.slogan),
        { x: 0.7, y: 1.45, w: 5.9, h: 2.9 },
        { size: 76, min: 40, display: true, leading: 0.98, valign: 'middle' },
      );
      page.text(
        balance(script.name, 5.4, 19),
        { x: 0.7, y: 4.6, w: 5.5, h: 0.9 },
        { size: 19, min: 13, lines: 2, leading: 1.1 },
      );
      page.bar({ x: 0.7, y: 5.72, w: 0.9, h: 0.09 }, first.fill);
      small(
        page,
        `${script.brand}　${script.city}　${month(deck)}`,
        { x: 0.7, y: 6.55, w: 5.6, h: 0.3 },
        12,
        theme.muted,
      );
      page.text(
        String(deck.number),
        { x: 5.1, y: 5.7, w: 1.5, h: 1.2 },
        { size: 54, display: true, color: first.text, align: 'right', valign: 'bottom' },
      );
      return;
    }
    if (form === 1) {
      page.picture(pictures.band, { x: 0, y: 0, w: SLIDE.w, h: 4.1 });
      page.bar({ x: 0.7, y: 3.45, w: 1.3, h: 1.3 }, first.fill);
      page.text(
        script.type.slice(0, 2),
        { x: 0.7, y: 3.45, w: 1.3, h: 1.3 },
        { size: 28, display: true, color: first.on, align: 'center', valign: 'middle' },
      );
      page.text(
        script.slogan,
        { x: 0.7, y: 4.85, w: 7.6, h: 1.5 },
        { size: 78, min: 36, lines: 1, display: true, valign: 'middle' },
      );
      page.text(balance(script.name, 4, 17), { x: 8.7, y: 5.0, w: 4.0, h: 1.2 }, { size: 17, min: 12, leading: 1.15 });
      page.bar({ x: 8.45, y: 5.0, w: 0.02, h: 1.5 }, theme.line);
      small(page, script.english, { x: 0.72, y: 6.55, w: 6.5, h: 0.3 }, 11, theme.muted, 'left', 3);
      small(page, `${script.brand}　${month(deck)}`, { x: 8.7, y: 6.3, w: 4, h: 0.3 }, 12, theme.muted);
      return;
    }
    page.bar({ x: 0, y: 0, ...SLIDE }, theme.deep);
    page.picture(pictures.wide, { x: 4.35, y: 0.6, w: 8.4, h: 4.725 });
    page.text(
      stacked(script.slogan, 4),
      { x: 0.6, y: 3.3, w: 8.4, h: 2.9 },
      { size: 88, min: 40, display: true, color: 'FFFFFF', leading: 0.95, valign: 'bottom' },
    );
    small(page, script.english, { x: 0.65, y: 0.62, w: 3.5, h: 0.3 }, 10.5, theme.onDeep, 'left', 2);
    page.text(
      balance(script.name, 3.9, 16),
      { x: 8.85, y: 5.62, w: 3.9, h: 0.95 },
      { size: 16, min: 11, lines: 3, color: 'FFFFFF', leading: 1.12 },
    );
    small(page, `${script.brand}　${script.city}　${month(deck)}`, { x: 0.65, y: 6.6, w: 7, h: 0.3 }, 12, theme.onDeep);
    page.bar({ x: 8.85, y: 6.75, w: 3.9, h: 0.03 }, first.fill);
  },
  ink(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    if ([...script.slogan].length <= 6 && deck.number % 3 !== 0) {
      const letters = [...script.slogan].join('\n');
      page.text(
        letters,
        { x: 0.95, y: 0.6, w: 1.6, h: 6.1 },
        { size: 84, min: 40, display: true, color: title, align: 'center', leading: 0.86, valign: 'middle' },
      );
      page.bar({ x: 2.72, y: 0.9, w: 0.025, h: 5.5 }, soft);
      page.text(
        script.name,
        { x: 3.0, y: 0.95, w: 3.4, h: 1.6 },
        { size: 20, min: 13, color: title, display: true, leading: 1.12 },
      );
      page.text(
        [...script.tagline].join(''),
        { x: 3.0, y: 2.7, w: 3.0, h: 1.1 },
        { size: 15, min: 10, color: soft, leading: 1.25 },
      );
      page.bar({ x: 3.02, y: 5.3, w: 0.62, h: 0.62 }, 'B8291F');
      page.text(
        script.brand.slice(0, 2),
        { x: 3.02, y: 5.3, w: 0.62, h: 0.62 },
        { size: 16, min: 9, display: true, color: 'FFF3DC', align: 'center', valign: 'middle' },
      );
      small(page, `${script.city} · ${month(deck)}`, { x: 3.0, y: 6.08, w: 3.5, h: 0.3 }, 12.5, soft);
      return;
    }
    small(page, script.english, { x: 0.9, y: 0.75, w: 6, h: 0.3 }, 11, soft, 'left', 3);
    page.text(
      stacked(script.slogan, 4),
      { x: 0.85, y: 1.4, w: 6.4, h: 2.9 },
      { size: 92, min: 44, display: true, color: title, leading: 0.95, valign: 'middle' },
    );
    page.bar({ x: 0.92, y: 4.5, w: 2.4, h: 0.03 }, soft);
    page.bar({ x: 0.92, y: 4.58, w: 2.4, h: 0.01 }, soft);
    page.text(
      balance(script.name, 5.2, 19),
      { x: 0.9, y: 4.8, w: 5.3, h: 0.95 },
      { size: 19, min: 13, lines: 2, color: title, display: true, leading: 1.12 },
    );
    small(page, `${script.brand} · ${script.city} · ${month(deck)}`, { x: 0.9, y: 6.4, w: 5, h: 0.3 }, 12.5, soft);
  },
  cyber(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    const hot = accent(theme, 1);
    for (const [x, y, w, h] of [
      [0.45, 0.45, 0.5, 0.03],
      [0.45, 0.45, 0.03, 0.5],
      [12.38, 7.02, 0.5, 0.03],
      [12.85, 6.55, 0.03, 0.5],
    ] as const)
      page.bar({ x, y, w, h }, accent(theme, 0).fill);
    small(page, `${script.english} // ${month(deck)}`, { x: 0.85, y: 0.7, w: 7, h: 0.3 }, 11.5, soft, 'left', 2.5);
    page.text(
      stacked(script.slogan),
      { x: 0.82, y: 1.75, w: 6.7, h: 2.75 },
      { size: 84, min: 40, display: true, color: title, leading: 0.95, valign: 'middle' },
    );
    page.bar({ x: 0.85, y: 4.68, w: 1.5, h: 0.1 }, hot.fill);
    page.bar({ x: 2.45, y: 4.68, w: 0.4, h: 0.1 }, accent(theme, 0).fill);
    page.text(
      balance(script.name, 5.4, 19),
      { x: 0.85, y: 4.95, w: 5.6, h: 0.95 },
      { size: 19, min: 13, lines: 2, color: title, leading: 1.12 },
    );
    page.panel({ x: 0.85, y: 6.4, w: 1.7, h: 0.38 }, hot.fill, { square: true });
    small(page, script.type, { x: 0.85, y: 6.4, w: 1.7, h: 0.38 }, 12, hot.on, 'center');
    small(page, `${script.brand} / ${script.city}`, { x: 2.75, y: 6.4, w: 4, h: 0.38 }, 12.5, soft);
  },
  clay(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    const first = accent(theme, 0);
    page.panel({ x: 0.8, y: 0.75, w: 2.1, h: 0.46 }, 'FFFFFF', { transparency: 25 });
    small(page, `${script.type} · ${month(deck)}`, { x: 0.8, y: 0.75, w: 2.1, h: 0.46 }, 12, title, 'center');
    page.text(
      stacked(script.slogan),
      { x: 0.78, y: 1.6, w: 6.4, h: 2.7 },
      { size: 84, min: 42, display: true, color: title, leading: 0.98, valign: 'middle' },
    );
    page.text(
      balance(script.name, 5.5, 19),
      { x: 0.82, y: 4.45, w: 5.6, h: 0.95 },
      { size: 19, min: 13, lines: 2, color: title, leading: 1.12 },
    );
    page.panel({ x: 0.8, y: 5.75, w: 2.6, h: 0.58 }, first.fill);
    small(page, script.brand, { x: 0.8, y: 5.75, w: 2.6, h: 0.58 }, 14, first.on, 'center');
    small(page, script.english, { x: 0.82, y: 6.6, w: 5.5, h: 0.28 }, 10, soft, 'left', 2.5);
  },
  riso(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title } = theme.cover;
    const first = accent(theme, 0);
    const second = accent(theme, 1);
    page.bar({ x: 0.6, y: 0.6, w: 5.2, h: 0.07 }, title);
    small(page, script.english, { x: 0.6, y: 0.8, w: 4.2, h: 0.3 }, 11, title, 'left', 2);
    small(page, `No.${String(deck.number).padStart(3, '0')}`, { x: 4.4, y: 0.8, w: 1.4, h: 0.3 }, 11, title, 'right');
    const lines = stacked(script.slogan, 4).split('\n');
    const [size, height] = lines.length === 1 ? [118, 2.5] : [88, 1.45];
    lines.forEach((line, i) => {
      page.text(
        line,
        { x: 0.66, y: 1.52 + i * 1.42, w: 5.6, h: height },
        { size, min: 40, lines: 1, display: true, color: i ? second.fill : first.fill, valign: 'middle' },
      );
      page.text(
        line,
        { x: 0.58, y: 1.45 + i * 1.42, w: 5.6, h: height },
        { size, min: 40, lines: 1, display: true, color: title, valign: 'middle' },
      );
    });
    page.text(
      balance(script.name, 4.9, 18),
      { x: 0.6, y: 4.55, w: 5.1, h: 1.0 },
      { size: 18, min: 12.5, color: title, bold: true, leading: 1.14 },
    );
    page.bar({ x: 0.6, y: 5.85, w: 5.2, h: 0.025 }, title);
    small(page, script.brand, { x: 0.6, y: 6.0, w: 2.6, h: 0.34 }, 13, title);
    small(page, `${script.city}  ${month(deck)}`, { x: 3.2, y: 6.0, w: 2.6, h: 0.34 }, 13, title, 'right');
    page.dot(5.55, 4.35, 1.25, first.fill);
    page.text(
      script.type.slice(0, 2),
      { x: 5.55, y: 4.35, w: 1.25, h: 1.25 },
      { size: 22, display: true, color: first.on, align: 'center', valign: 'middle' },
    );
  },
  noir(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    small(page, script.english, { x: 0.95, y: 1.0, w: 6, h: 0.3 }, 10.5, soft, 'left', 5);
    page.text(
      script.slogan,
      { x: 0.9, y: 2.2, w: 7.2, h: 1.7 },
      { size: 84, min: 40, lines: 1, display: true, bold: false, color: title, spacing: 8, valign: 'middle' },
    );
    page.bar({ x: 0.97, y: 4.05, w: 0.7, h: 0.02 }, soft);
    page.text(
      balance(script.name, 5.2, 17),
      { x: 0.95, y: 4.3, w: 5.4, h: 0.9 },
      { size: 17, min: 11.5, lines: 2, color: title, leading: 1.2, spacing: 1 },
    );
    small(
      page,
      `${script.brand}　　${script.city}　　${month(deck)}`,
      { x: 0.95, y: 6.35, w: 6, h: 0.3 },
      11.5,
      soft,
      'left',
      1.5,
    );
  },
  story(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    const first = accent(theme, 0);
    page.panel({ x: 0.75, y: 0.7, w: 2.3, h: 0.48 }, first.fill);
    small(page, script.brand, { x: 0.75, y: 0.7, w: 2.3, h: 0.48 }, 13.5, first.on, 'center');
    page.text(
      stacked(script.slogan, 4),
      { x: 0.72, y: 1.4, w: 5.6, h: 2.75 },
      { size: 86, min: 40, display: true, color: title, leading: 0.96, valign: 'middle' },
    );
    page.panel({ x: 0.6, y: 4.2, w: 5.2, h: 1.6 }, theme.cover.title === 'FFFFFF' ? theme.deep : 'FFFFFF', {
      transparency: 35,
    });
    page.text(
      balance(script.name, 4.8, 18),
      { x: 0.78, y: 4.3, w: 4.9, h: 0.95 },
      { size: 18, min: 12.5, lines: 2, color: title, leading: 1.14 },
    );
    small(page, `${script.city} · ${month(deck)}`, { x: 0.78, y: 5.35, w: 4.5, h: 0.3 }, 12.5, soft);
  },
  photo(page, deck) {
    full(page, deck);
    const { script, theme } = deck;
    const { title, small: soft } = theme.cover;
    const form = deck.number % 3;
    if (form === 0) {
      page.slide.addShape('rect', {
        x: 0.5,
        y: 0.5,
        w: SLIDE.w - 1,
        h: SLIDE.h - 1,
        fill: { type: 'none' },
        line: { color: title, width: 1 },
      });
      small(page, script.english, { x: 2, y: 0.95, w: 9.333, h: 0.3 }, 11.5, soft, 'center', 5);
      page.text(
        script.slogan,
        { x: 1.2, y: 1.3, w: 10.933, h: 1.85 },
        { size: 86, min: 48, lines: 1, display: true, color: title, align: 'center', valign: 'middle', spacing: 6 },
      );
      page.text(
        script.name,
        { x: 2, y: 3.3, w: 9.333, h: 0.5 },
        { size: 19, min: 13, lines: 1, color: title, align: 'center', valign: 'middle' },
      );
      small(
        page,
        `${script.brand}　｜　${script.city}　｜　${month(deck)}`,
        { x: 2, y: 6.35, w: 9.333, h: 0.3 },
        13,
        soft,
        'center',
      );
      return;
    }
    if (form === 1) {
      page.text(
        stacked(script.slogan),
        { x: 0.8, y: 0.9, w: 7, h: 2.7 },
        { size: 88, min: 44, display: true, color: title, leading: 0.98, valign: 'top' },
      );
      page.panel({ x: 0, y: 6.02, w: SLIDE.w, h: 1.48 }, mix(theme.deep, '000000', 0.2), {
        transparency: 28,
        square: true,
      });
      page.text(
        balance(script.name, 6.6, 18),
        { x: 0.8, y: 6.2, w: 6.7, h: 1.1 },
        { size: 18, min: 12.5, lines: 2, color: 'FFFFFF', leading: 1.12, valign: 'middle' },
      );
      small(page, script.english, { x: 7.8, y: 6.4, w: 4.75, h: 0.3 }, 10.5, 'FFFFFF', 'right', 3);
      small(
        page,
        `${script.brand}　${script.city}　${month(deck)}`,
        { x: 7.8, y: 6.76, w: 4.75, h: 0.3 },
        12.5,
        'FFFFFF',
        'right',
      );
      return;
    }
    small(page, script.english, { x: 0.85, y: 0.72, w: 7, h: 0.3 }, 11.5, soft, 'left', 4);
    page.text(
      stacked(script.slogan),
      { x: 0.82, y: 1.15, w: 6.8, h: 2.6 },
      { size: 84, min: 42, display: true, color: title, leading: 0.98, valign: 'middle' },
    );
    page.bar({ x: 0.87, y: 3.95, w: 1.1, h: 0.06 }, title);
    page.text(
      balance(script.name, 5.6, 19),
      { x: 0.85, y: 4.2, w: 5.7, h: 0.95 },
      { size: 19, min: 13, lines: 2, color: title, bold: true, leading: 1.12 },
    );
    small(page, `${script.brand}　${script.city}　${month(deck)}`, { x: 0.85, y: 6.6, w: 7, h: 0.3 }, 13, soft);
  },
};
