import type { CoverLayout } from '../art/svg.ts';
import { accent, createPage, dress, SLIDE, type Box, type Page } from '../page.ts';
import { balance } from '../measure.ts';
import { at } from '../random.ts';
import type { Deck } from '../deck.ts';

/** Cover: the art full-bleed, one large title, everything else small. */
export function addCover(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  page.picture(deck.coverPath, { x: 0, y: 0, ...SLIDE });
  COVERS[deck.coverLayout](page, deck);
}

const month = (deck: Deck): string => `${deck.date.slice(0, 4)}.${deck.date.slice(5, 7)}`;

const COVERS: Record<CoverLayout, (page: Page, deck: Deck) => void> = {
  left(page, deck) {
    const { title, small } = deck.theme.cover;
    const style = deck.copy.index % 3;
    const x = 0.85;
    const w = 5.95;
    const top = style === 1 ? 3.35 : style === 2 ? 1.5 : 2.25;
    kicker(page, deck, { x, y: 0.72, w, h: 0.3 });
    page.text(
      deck.copy.slogan,
      { x, y: top, w, h: 1.55 },
      { size: 98, min: 50, lines: 1, display: true, color: title, valign: 'middle' },
    );
    const below = top + 1.68;
    if (style !== 2) page.bar({ x: x + 0.03, y: below, w: 0.9, h: 0.07 }, small);
    page.text(
      balance(deck.copy.name, 5.7, 22),
      { x, y: below + 0.24, w: 5.7, h: 1.0 },
      { size: 23, min: 15, lines: 2, color: title, leading: 1.12 },
    );
    if (style === 2) pill(page, deck, { x, y: below + 1.4, w: 2.6, h: 0.46 });
    foot(page, deck, { x, y: 6.5, w, h: 0.3 });
  },
  vertical(page, deck) {
    const { title, small } = deck.theme.cover;
    const letters = [...deck.copy.slogan].join('\n');
    page.text(
      letters,
      { x: 0.95, y: 0.72, w: 1.4, h: 5.7 },
      { size: 72, min: 36, display: true, color: title, align: 'center', leading: 0.92 },
    );
    page.bar({ x: 2.52, y: 0.95, w: 0.02, h: 4.9 }, small);
    page.text(
      deck.copy.name,
      { x: 2.85, y: 0.95, w: 3.4, h: 1.62 },
      { size: 22, min: 15, color: title, display: true, leading: 1.15 },
    );
    kicker(page, deck, { x: 2.85, y: 2.62, w: 3.6, h: 0.3 });
    pill(page, deck, { x: 2.85, y: 3.52, w: 2.2, h: 0.46 });
    foot(page, deck, { x: 2.85, y: 3.02, w: 4, h: 0.3 });
  },
  center(page, deck) {
    const { title, small } = deck.theme.cover;
    kicker(page, deck, { x: 2, y: 0.85, w: 9.333, h: 0.3 }, 'center');
    page.text(
      deck.copy.slogan,
      { x: 1.4, y: 1.45, w: 10.533, h: 1.8 },
      { size: 96, min: 60, lines: 1, display: true, color: title, align: 'center', valign: 'middle', spacing: 4 },
    );
    page.text(
      deck.copy.name,
      { x: 2.2, y: 3.4, w: 8.933, h: 0.6 },
      { size: 24, min: 15, lines: 1, color: title, align: 'center', valign: 'middle' },
    );
    page.text(
      `${deck.copy.brand}　|　${deck.copy.city}　|　${month(deck)}`,
      { x: 2.2, y: 4.1, w: 8.933, h: 0.36 },
      { size: 14, min: 10, lines: 1, color: small, align: 'center', valign: 'middle' },
    );
  },
  lower(page, deck) {
    const { title } = deck.theme.cover;
    kicker(page, deck, { x: 0.85, y: 3.68, w: 7, h: 0.3 });
    page.text(
      deck.copy.slogan,
      { x: 0.85, y: 4.0, w: 6.9, h: 1.7 },
      { size: 88, min: 56, lines: 1, display: true, color: title, valign: 'middle' },
    );
    page.text(
      balance(deck.copy.name, 4.4, 19),
      { x: 8.1, y: 4.32, w: 4.4, h: 1.1 },
      { size: 20, min: 14, lines: 3, color: title, leading: 1.15, valign: 'middle' },
    );
    pill(page, deck, { x: 8.1, y: 5.75, w: 2.4, h: 0.46 });
    foot(page, deck, { x: 0.85, y: 6.5, w: 6.9, h: 0.3 });
  },
  stack(page, deck) {
    const { title } = deck.theme.cover;
    const letters = [...deck.copy.slogan];
    const half = Math.ceil(letters.length / 2);
    const words =
      letters.length > 3 ? `${letters.slice(0, half).join('')}\n${letters.slice(half).join('')}` : deck.copy.slogan;
    kicker(page, deck, { x: 0.88, y: 0.68, w: 6, h: 0.3 });
    page.text(
      words,
      { x: 0.82, y: 1.1, w: 6.0, h: 3.9 },
      { size: 128, min: 80, display: true, color: title, valign: 'middle', leading: 0.84 },
    );
    page.text(
      balance(deck.copy.name, 5.6, 21),
      { x: 0.88, y: 5.2, w: 5.6, h: 0.98 },
      { size: 22, min: 14, lines: 2, color: title, leading: 1.08 },
    );
    foot(page, deck, { x: 0.88, y: 6.5, w: 6, h: 0.3 });
  },
  upper(page, deck) {
    const { title, small } = deck.theme.cover;
    kicker(page, deck, { x: 0.88, y: 0.72, w: 7, h: 0.3 });
    page.text(
      deck.copy.slogan,
      { x: 0.85, y: 1.02, w: 6.3, h: 1.5 },
      { size: 98, min: 50, lines: 1, display: true, color: title, valign: 'middle' },
    );
    page.text(
      balance(deck.copy.name, 6.0, 21),
      { x: 0.88, y: 2.58, w: 6.0, h: 0.92 },
      { size: 22, min: 14, lines: 2, color: title, leading: 1.1 },
    );
    page.text(
      `${deck.copy.brand}　/　${deck.copy.city}　/　${month(deck)}`,
      { x: 0.88, y: 3.55, w: 6, h: 0.3 },
      { size: 13, min: 9, lines: 1, color: small, valign: 'middle' },
    );
  },
};

function kicker(page: Page, deck: Deck, box: Box, align: 'left' | 'center' = 'left'): void {
  page.text(deck.copy.play.kicker, box, {
    size: 12.5,
    min: 8,
    lines: 1,
    color: deck.theme.cover.small,
    spacing: 3.5,
    align,
    valign: 'middle',
  });
}

function foot(page: Page, deck: Deck, box: Box): void {
  const words = `${deck.copy.brand}　/　${deck.copy.city}　/　${month(deck)}`;
  page.text(words, box, { size: 13, min: 9, lines: 1, color: deck.theme.cover.small, valign: 'middle' });
}

function pill(page: Page, deck: Deck, box: Box): void {
  const first = accent(deck.theme, 0);
  page.slide.addShape(deck.theme.legacy ? 'rect' : 'roundRect', {
    ...box,
    rectRadius: box.h / 2,
    fill: { color: first.fill },
    line: { type: 'none' },
  });
  page.text(
    [...new Set([deck.copy.themes[0], deck.copy.type])].join(' · '),
    { ...box, x: box.x + 0.1, w: box.w - 0.2 },
    { size: 12.5, min: 9, lines: 1, color: first.on, align: 'center', valign: 'middle' },
  );
}

/** Agenda: a grid of numbered cards, or rows beside a strip of the cover. */
export function addAgenda(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme } = deck;
  const items = deck.chapters;
  if (deck.look % 2 === 0) {
    dress(page, deck.heading('目录', 'CONTENTS'));
    const columns = items.length > 4 ? 3 : 2;
    const rows = Math.ceil(items.length / columns);
    const w = (11.73 - (columns - 1) * 0.3) / columns;
    const h = (4.85 - (rows - 1) * 0.3) / rows;
    items.forEach((item, i) => {
      const x = 0.8 + (i % columns) * (w + 0.3);
      const y = 1.85 + Math.floor(i / columns) * (h + 0.3);
      const colour = accent(theme, i);
      page.panel({ x, y, w, h }, i === 0 ? colour.fill : theme.surface);
      page.text(
        String(i + 1).padStart(2, '0'),
        { x: x + 0.32, y: y + 0.22, w: 1.6, h: 0.85 },
        { size: 40, display: true, color: i === 0 ? colour.on : colour.text },
      );
      page.text(
        item.title,
        { x: x + 0.32, y: y + h - 1.12, w: w - 0.64, h: 0.48 },
        { size: 21, min: 15, lines: 1, display: true, color: i === 0 ? colour.on : theme.ink },
      );
      page.text(
        item.text,
        { x: x + 0.32, y: y + h - 0.62, w: w - 0.64, h: 0.36 },
        { size: 12.5, min: 9, lines: 1, color: i === 0 ? colour.on : theme.muted },
      );
    });
    return;
  }
  page.picture(deck.stripPath, { x: 0, y: 0, w: 4.1, h: SLIDE.h });
  page.bar({ x: 4.1, y: 0, w: 0.08, h: SLIDE.h }, accent(theme, 0).fill);
  page.text('目录', { x: 5.0, y: 0.62, w: 3.4, h: 0.8 }, { size: 36, display: true, valign: 'middle' });
  page.text(
    'CONTENTS',
    { x: 8.6, y: 0.9, w: 3.93, h: 0.3 },
    { size: 11, color: accent(theme, 0).text, spacing: 4, align: 'right', valign: 'middle' },
  );
  const step = 5.2 / items.length;
  items.forEach((item, i) => {
    const y = 1.72 + i * step;
    page.bar({ x: 5.0, y, w: 7.53, h: 0.012 }, theme.line);
    page.text(
      String(i + 1).padStart(2, '0'),
      { x: 5.0, y: y + 0.08, w: 0.95, h: step - 0.16 },
      { size: 28, min: 20, display: true, color: accent(theme, i).text, valign: 'middle' },
    );
    page.text(
      item.title,
      { x: 6.1, y: y + 0.08, w: 2.9, h: step - 0.16 },
      { size: 20, min: 14, lines: 1, display: true, valign: 'middle' },
    );
    page.text(
      item.text,
      { x: 9.05, y: y + 0.08, w: 3.48, h: step - 0.16 },
      { size: 12.5, min: 9, lines: 1, color: theme.muted, align: 'right', valign: 'middle' },
    );
  });
}

/** Concept: the cover art under a veil, the slogan alone. */
export function addConcept(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  page.picture(deck.coverPath, { x: 0, y: 0, ...SLIDE });
  const centred = deck.look % 2 === 0;
  const veil: Box = centred ? { x: 0, y: 0, ...SLIDE } : { x: 0, y: 0, w: 7.2, h: SLIDE.h };
  page.panel(veil, theme.deep, { transparency: centred ? 20 : 4, square: true });
  const x = centred ? 1.2 : 0.85;
  const w = centred ? SLIDE.w - 2.4 : 5.7;
  const align = centred ? 'center' : 'left';
  page.text(
    deck.label('concept'),
    { x, y: 1.75, w, h: 0.42 },
    { size: 16, lines: 1, color: theme.onDeep, spacing: 6, align, valign: 'middle' },
  );
  page.text(
    `「${copy.slogan}」`,
    { x: centred ? x : x - 0.3, y: 2.35, w: centred ? w : w + 0.5, h: 1.6 },
    { size: 78, min: 38, lines: 1, display: true, color: theme.onDeep, align, valign: 'middle' },
  );
  page.bar({ x: centred ? SLIDE.w / 2 - 0.6 : x, y: 4.2, w: 1.2, h: 0.05 }, theme.onDeep);
  page.text(
    copy.tagline,
    { x, y: 4.45, w, h: 0.62 },
    { size: 22, min: 14, lines: 1, color: theme.onDeep, align, valign: 'middle' },
  );
  const strategy = at(copy.play.strategy, 0);
  page.text(
    `${strategy.title}：${strategy.text}`,
    { x, y: 5.12, w, h: 0.86 },
    { size: 15, min: 11, lines: 2, color: theme.onDeep, align, leading: 1.15 },
  );
}

const FAREWELLS = ['谢谢聆听', '期待同行', '敬请指正', '一起开始吧', '感谢您的时间'];

/** Closing: the cover's composition once more, with thanks. */
export function addClosing(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { copy } = deck;
  const { title, small } = deck.theme.cover;
  page.picture(deck.coverPath, { x: 0, y: 0, ...SLIDE });
  const layout = deck.coverLayout;
  const centred = layout === 'center';
  const y = layout === 'lower' ? 4.1 : layout === 'upper' ? 1.0 : centred ? 1.6 : 2.4;
  const x = centred ? 1.4 : 0.85;
  const w = centred ? 10.533 : 6.1;
  const align = centred ? 'center' : 'left';
  page.text(
    at(FAREWELLS, copy.index),
    { x, y, w, h: 1.3 },
    { size: 60, min: 44, lines: 1, display: true, color: title, align, valign: 'middle' },
  );
  page.text(
    `愿与${copy.brand}共赴「${copy.slogan}」`,
    { x, y: y + 1.42, w, h: 0.5 },
    { size: 19, min: 13, lines: 1, color: title, align, valign: 'middle' },
  );
  page.text(
    `${copy.city}项目组　${copy.type}`,
    { x, y: y + 1.98, w, h: 0.36 },
    { size: 13, min: 10, lines: 1, color: small, align, valign: 'middle' },
  );
}
