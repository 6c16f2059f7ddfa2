import { mix } from '../../colour.ts';
import { accent } from '../../page.ts';
import { at } from '../../../../demo/random.ts';
import { addSheet } from '../frames.ts';
import { items, parts, type Block } from '../script.ts';
import { cells, columns, rows, type Studio } from '../sheet.ts';

/** Draws a matrix: four fields between two axes. Fields: `x low,x high,y low,y high`, `name@x,y` in per cent. */
export function addMatrix(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'POSITIONING');
  const [left = '', right = '', low = '', high = ''] = (block.fields[0] ?? '').split(',');
  cells(area, 2, 2, 0.06).forEach((box, i) =>
    page.panel(box, i === 1 ? mix(theme.surface, accent(theme, 0).fill, 0.16) : theme.surface, { square: true }),
  );
  const label = (text: string, x: number, y: number, align: 'left' | 'right' | 'center') =>
    page.text(
      text,
      { x, y, w: 2.4, h: 0.3 },
      { size: 12, min: 8, lines: 1, color: theme.muted, align, valign: 'middle' },
    );
  label(left, area.x + 0.1, area.y + area.h / 2 + 0.05, 'left');
  label(right, area.x + area.w - 2.5, area.y + area.h / 2 + 0.05, 'right');
  label(high, area.x + area.w / 2 + 0.1, area.y + 0.05, 'left');
  label(low, area.x + area.w / 2 + 0.1, area.y + area.h - 0.35, 'left');
  items(block.fields[1]).forEach((item, i) => {
    const [name = '', place = ''] = item.split('@');
    const [px = 50, py = 50] = place.split(',').map(Number);
    const colour = accent(theme, i);
    const size = i === 0 ? 0.42 : 0.28;
    const x = area.x + (area.w * px) / 100;
    const y = area.y + area.h * (1 - py / 100);
    page.dot(x - size / 2, y - size / 2, size, colour.fill);
    page.text(
      name,
      { x: Math.min(x - 0.9, area.x + area.w - 1.9), y: y + size / 2 + 0.02, w: 1.8, h: 0.32 },
      { size: i === 0 ? 15 : 12.5, min: 8, lines: 1, bold: i === 0, align: 'center', valign: 'middle' },
    );
  });
}

/** Draws an organisation chart: a head and groups under it. Fields: head, `group:people:duty`. */
export function addTeam(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'TEAM');
  const groups = items(block.fields[1]).map((item) => parts(item, 3));
  const first = accent(theme, 0);
  const w = Math.min(3.4, area.w * 0.4);
  const cx = area.x + area.w / 2;
  page.panel({ x: cx - w / 2, y: area.y, w, h: 0.85 }, first.fill);
  page.text(
    block.fields[0] ?? '',
    { x: cx - w / 2, y: area.y, w, h: 0.85 },
    { size: 18, min: 10, lines: 1, display: true, color: first.on, align: 'center', valign: 'middle' },
  );
  page.bar({ x: cx - 0.01, y: area.y + 0.85, w: 0.02, h: 0.35 }, theme.muted);
  const cols = columns(
    { ...area, y: area.y + 1.5, h: area.h - 1.5 },
    groups.map(() => 1),
    0.22,
  );
  const [left] = cols;
  const right = cols.at(-1);
  if (left && right)
    page.bar(
      { x: left.x + left.w / 2, y: area.y + 1.2, w: right.x + right.w / 2 - left.x - left.w / 2, h: 0.02 },
      theme.muted,
    );
  groups.forEach(([name = '', people = '', duty = ''], i) => {
    const box = cols[i];
    if (!box) return;
    const colour = accent(theme, i + 1);
    page.bar({ x: box.x + box.w / 2, y: area.y + 1.2, w: 0.02, h: 0.3 }, theme.muted);
    page.panel({ ...box, h: 0.72 }, colour.fill);
    page.text(
      name,
      { ...box, h: 0.72 },
      { size: 16, min: 8.5, lines: 1, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    page.panel({ ...box, y: box.y + 0.8, h: box.h - 0.8 }, theme.surface);
    page.text(
      people,
      { x: box.x + 0.12, y: box.y + 0.95, w: box.w - 0.24, h: 0.7 },
      { size: 24, min: 12, lines: 1, display: true, color: colour.text, align: 'center', valign: 'middle' },
    );
    page.text(
      duty,
      { x: box.x + 0.15, y: box.y + 1.7, w: box.w - 0.3, h: box.h - 1.85 },
      { size: 13.5, min: 8, color: theme.muted, align: 'center', leading: 1.2 },
    );
  });
}

/** Draws a visitor's journey: stages, touchpoints and the mood from 1 to 5 as a line of dots. */
export function addJourney(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'JOURNEY');
  const list = items(block.fields[0]).map((item) => parts(item, 3));
  const cols = columns(
    area,
    list.map(() => 1),
    0.12,
  );
  const wave = area.h * 0.42;
  list.forEach(([stage = '', touch = '', mood = '3'], i) => {
    const box = cols[i];
    if (!box) return;
    const colour = accent(theme, i);
    page.slide.addShape('homePlate', {
      x: box.x,
      y: box.y,
      w: box.w,
      h: 0.6,
      fill: { color: colour.fill },
      line: { type: 'none' },
    });
    page.text(
      stage,
      { ...box, w: box.w - 0.2, h: 0.6 },
      { size: 15, min: 8.5, lines: 1, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    page.panel({ x: box.x, y: box.y + 0.72, w: box.w, h: area.h - wave - 0.9 }, theme.surface);
    page.text(
      touch,
      { x: box.x + 0.12, y: box.y + 0.82, w: box.w - 0.24, h: area.h - wave - 1.1 },
      { size: 13, min: 8, color: theme.ink, leading: 1.15, align: 'center', valign: 'middle' },
    );
    const y = area.y + area.h - 0.35 - ((Number(mood) - 1) / 4) * (wave - 0.75);
    const next = Number(parts(items(block.fields[0])[i + 1] ?? '', 3)[2] || mood);
    if (i + 1 < list.length) {
      const y2 = area.y + area.h - 0.35 - ((next - 1) / 4) * (wave - 0.75);
      const unit = (cols[i + 1]?.x ?? box.x) - box.x;
      page.slide.addShape('line', {
        x: box.x + box.w / 2,
        y: Math.min(y, y2),
        w: unit,
        h: Math.abs(y2 - y),
        flipV: y2 < y,
        line: { color: theme.muted, width: 2 },
      });
    }
    page.dot(box.x + box.w / 2 - 0.2, y - 0.2, 0.4, colour.fill);
    page.text(
      mood,
      { x: box.x + box.w / 2 - 0.2, y: y - 0.2, w: 0.4, h: 0.4 },
      { size: 14, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
  });
  page.text('情绪', { x: area.x, y: area.y + area.h - wave, w: 1, h: 0.3 }, { size: 11, lines: 1, color: theme.muted });
}

/** Draws a mood board: pictures, colours and words. Fields: words, note. */
export function addMood(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'MOOD BOARD');
  const words = items(block.fields[0]);
  const { tall, more } = deck.pictures;
  const left = area.w * 0.62;
  const gap = 0.1;
  const h = (area.h - gap) / 2;
  const w = (left - gap) / 2;
  const side = (h * 16) / 9 > w ? w : (h * 16) / 9;
  const ph = (side * 9) / 16;
  page.picture(at(more, 0), { x: area.x, y: area.y, w: side, h: ph });
  page.picture(at(more, 1), { x: area.x, y: area.y + ph + gap, w: side, h: ph });
  const tw = Math.min(left - side - gap, ((ph * 2 + gap) * 6.433) / 7.5);
  page.picture(tall, { x: area.x + side + gap, y: area.y, w: tw, h: (tw * 7.5) / 6.433 });
  const rest = area.y + area.h - (area.y + ph * 2 + gap) - 0.25;
  if (rest > 0.5) {
    const swatches = columns(
      { x: area.x, y: area.y + ph * 2 + gap + 0.2, w: left, h: Math.min(rest, 0.9) },
      theme.fills.map(() => 1),
      0.1,
    );
    theme.fills.forEach((fill, i) => {
      const box = swatches[i];
      if (!box) return;
      page.panel({ ...box, h: box.h * 0.62 }, fill, { outline: theme.line });
      page.text(
        `#${fill}`,
        { ...box, y: box.y + box.h * 0.66, h: box.h * 0.34 },
        { size: 10, min: 6.5, lines: 1, color: theme.muted, valign: 'middle' },
      );
    });
  }
  const x = area.x + left + 0.35;
  const freeWidth = area.w - left - 0.35;
  page.text(
    words[0] ?? '',
    { x, y: area.y, w: freeWidth, h: 0.9 },
    { size: 32, min: 14, lines: 1, display: true, color: accent(theme, 0).text, valign: 'middle' },
  );
  const chips = rows(
    { x, y: area.y + 1.05, w: freeWidth, h: Math.min(2.5, words.length * 0.5) },
    Math.max(1, words.length - 1),
    0.1,
  );
  words.slice(1).forEach((word, i) => {
    const box = chips[i];
    if (!box) return;
    page.dot(box.x, box.y + box.h / 2 - 0.09, 0.18, accent(theme, i).fill);
    page.text(word, { ...box, x: box.x + 0.32, w: box.w - 0.32 }, { size: 16, min: 9, lines: 1, valign: 'middle' });
  });
  page.text(
    block.fields[1] ?? '',
    { x, y: area.y + 3.75, w: freeWidth, h: area.h - 3.8 },
    { size: 13.5, min: 8, color: theme.muted, leading: 1.2, valign: 'bottom' },
  );
}

/** Draws an overview of places, then a page with a picture for each place. */
export function addSpots(deck: Studio, block: Block): void {
  const list = items(block.fields[0]).map((item) => parts(item, 3));
  const pictures = [deck.pictures.wide, ...deck.pictures.more];
  list.forEach(([title = '', text = '', facts = ''], i) => {
    const { area, page, theme } = addSheet(
      deck,
      block.title ? `${block.title} · ${title}` : title,
      `HIGHLIGHT ${String(i + 1).padStart(2, '0')}`,
    );
    const colour = accent(theme, i);
    const w = Math.min(area.w * 0.58, (area.h * 0.92 * 16) / 9);
    const h = (w * 9) / 16;
    const right = i % 2 === 0;
    const px = right ? area.x + area.w - w : area.x;
    page.picture(at(pictures, i), { x: px, y: area.y, w, h });
    const tx = right ? area.x : area.x + w + 0.4;
    const freeWidth = area.w - w - 0.4;
    page.bar({ x: tx, y: area.y + 0.05, w: 0.7, h: 0.09 }, colour.fill);
    page.text(
      title,
      { x: tx, y: area.y + 0.3, w: freeWidth, h: 0.8 },
      { size: 27, min: 13, lines: 2, display: true, valign: 'middle' },
    );
    page.text(
      text,
      { x: tx, y: area.y + 1.25, w: freeWidth, h: h - 1.35 },
      { size: 16.5, min: 9, color: theme.muted, leading: 1.3 },
    );
    const chips = facts.split(';').filter(Boolean);
    const grid = columns(
      { x: area.x, y: area.y + h + 0.2, w: area.w, h: Math.min(0.95, area.h - h - 0.2) },
      chips.map(() => 1),
      0.2,
    );
    if (area.h - h < 0.75) return;
    chips.forEach((chip, k) => {
      const box = grid[k];
      if (!box) return;
      page.panel(box, theme.surface);
      page.text(
        chip,
        { ...box, x: box.x + 0.15, w: box.w - 0.3 },
        { size: 14.5, min: 8, color: theme.ink, align: 'center', valign: 'middle' },
      );
    });
  });
}
