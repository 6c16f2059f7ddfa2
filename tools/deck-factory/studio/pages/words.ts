import { accent, SLIDE } from '../../page.ts';
import { addSheet } from '../frames.ts';
import type { Block } from '../script.ts';
import { blankPage, columns, rows, type Studio } from '../sheet.ts';

/** Draws the table of contents: the chapters, or else the titles of the pages. */
export function addAgenda(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title || '目录', 'CONTENTS');
  const chapters = deck.script.blocks.filter((each) => each.kind === 'part');
  const named = deck.script.blocks.filter((each) => each.title && !['agenda', 'idea', 'part'].includes(each.kind));
  const list = (chapters.length > 2 ? chapters : named).slice(0, 10);
  const across = list.length > 5 ? 2 : 1;
  const down = Math.ceil(list.length / across);
  const grid = columns(
    area,
    Array.from({ length: across }, () => 1),
    0.6,
  ).flatMap((column) => rows(column, down, 0.08));
  list.forEach((each, i) => {
    const box = grid[i];
    if (!box) return;
    const colour = accent(theme, i);
    const number = Math.min(1.1, box.h * 1.3);
    page.text(
      String(i + 1).padStart(2, '0'),
      { ...box, w: number },
      { size: 30, min: 14, lines: 1, display: true, color: colour.text, valign: 'middle' },
    );
    page.text(
      each.title,
      { ...box, x: box.x + number, w: box.w - number },
      { size: 20, min: 11, lines: 1, display: true, valign: 'middle' },
    );
    page.bar({ x: box.x, y: box.y + box.h, w: box.w, h: 0.012 }, theme.line);
  });
}

/** Draws the first page of a chapter: number and name over the art. */
export function addPart(deck: Studio, block: Block): void {
  const page = blankPage(deck);
  const { theme } = deck;
  deck.chapters++;
  const form = deck.number % 2;
  page.bar({ x: 0, y: 0, ...SLIDE }, theme.deep);
  if (form) page.picture(deck.pictures.tall, { x: SLIDE.w - 6.433, y: 0, w: 6.433, h: 7.5 });
  else page.picture(deck.pictures.band, { x: 0, y: 0, w: SLIDE.w, h: 4.1 });
  const x = 0.95;
  const y = form ? 2.2 : 4.55;
  page.text(
    String(deck.chapters).padStart(2, '0'),
    { x, y, w: 2, h: 1.5 },
    { size: 84, min: 60, display: true, color: theme.onDeep, valign: 'middle' },
  );
  page.text(
    block.title,
    { x: form ? x : 3.1, y: form ? y + 1.5 : y + 0.1, w: form ? 5.6 : 9, h: 0.9 },
    { size: 42, min: 24, lines: 1, display: true, color: theme.onDeep, valign: 'middle' },
  );
  page.text(
    block.fields[0] ?? '',
    { x: form ? x : 3.12, y: form ? y + 2.45 : y + 1.0, w: form ? 5.6 : 9, h: 0.7 },
    { size: 15, min: 10, color: theme.onDeep },
  );
}

/** Draws one sentence over the art of the cover. */
export function addIdea(deck: Studio, block: Block): void {
  const page = blankPage(deck);
  const { theme } = deck;
  page.picture(deck.pictures.cover, { x: 0, y: 0, ...SLIDE });
  page.panel({ x: 0, y: 0, ...SLIDE }, theme.deep, { transparency: 22, square: true });
  page.text('“', { x: 0.9, y: 0.9, w: 2, h: 1.3 }, { size: 96, min: 60, display: true, color: theme.onDeep });
  page.text(
    block.title,
    { x: 1.2, y: 2.2, w: 10.93, h: 1.7 },
    { size: 60, min: 28, lines: 2, display: true, color: theme.onDeep, align: 'center', valign: 'middle', leading: 1 },
  );
  page.bar({ x: SLIDE.w / 2 - 0.5, y: 4.25, w: 1, h: 0.05 }, theme.onDeep);
  page.text(
    block.fields[0] ?? '',
    { x: 2.2, y: 4.5, w: 8.93, h: 1.3 },
    { size: 20, min: 12, color: theme.onDeep, align: 'center', leading: 1.3 },
  );
}

/** Draws the last page. */
export function addClosing(deck: Studio): void {
  const page = blankPage(deck);
  const { theme, script } = deck;
  page.picture(deck.pictures.cover, { x: 0, y: 0, ...SLIDE });
  page.panel({ x: 0, y: 0, ...SLIDE }, theme.deep, { transparency: 30, square: true });
  const words = ['谢谢观看', '期待同行', '感谢聆听', 'THANK YOU', '愿与您一起完成'][deck.number % 5] ?? '谢谢观看';
  page.text(
    words,
    { x: 1, y: 2.35, w: 11.33, h: 1.4 },
    { size: 64, min: 40, lines: 1, display: true, color: theme.onDeep, align: 'center', valign: 'middle' },
  );
  page.text(
    `${script.brand}　${script.slogan}`,
    { x: 2, y: 3.95, w: 9.33, h: 0.5 },
    { size: 17, min: 11, lines: 1, color: theme.onDeep, align: 'center', valign: 'middle' },
  );
  page.text(
    script.english,
    { x: 2, y: 6.4, w: 9.33, h: 0.3 },
    { size: 10.5, min: 8, lines: 1, color: theme.onDeep, align: 'center', spacing: 4 },
  );
}
