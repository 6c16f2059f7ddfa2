import { fitSize } from '../../measure.ts';
import { accent } from '../../page.ts';
import { addSheet } from '../frames.ts';
import { items, parts, series, type Block } from '../script.ts';
import { cells, columns, inset, rows, type Studio } from '../sheet.ts';

/** Draws cards with a title and a sentence each; the layout depends on their number. */
export function addCards(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'KEY POINTS');
  const { area, page, theme } = sheet;
  const list = items(block.fields[0]).map((item) => parts(item, 2));
  const narrow = area.w < 10;
  const across =
    list.length > 4
      ? 3
      : narrow && list.length === 4
        ? 2
        : list.length === 4 && (deck.pages + deck.number) % 2
          ? 2
          : list.length;
  const grid = cells(area, across, Math.ceil(list.length / across), 0.28);
  list.forEach(([title = '', text = ''], i) => {
    const cell = grid[i];
    if (!cell) return;
    const strong = i === 0 && deck.look.card === 'fill';
    const colour = accent(theme, i);
    const box = sheet.card(cell, i, strong);
    const head = Math.min(0.62, box.h * 0.3);
    const tall = box.h > 2.6;
    if (tall)
      page.text(
        String(i + 1).padStart(2, '0'),
        { ...box, h: 0.8 },
        { size: 38, min: 20, lines: 1, display: true, color: strong ? colour.on : colour.text, valign: 'middle' },
      );
    const top = box.y + (tall ? 0.95 : 0);
    page.text(
      title,
      { ...box, y: top, h: head },
      {
        size: tall ? 25 : 21,
        min: 12,
        lines: 1,
        display: true,
        color: strong ? colour.on : theme.ink,
        valign: 'middle',
      },
    );
    page.text(
      text,
      { ...box, y: top + head + 0.1, h: box.y + box.h - top - head - 0.1 },
      {
        size: tall ? 19 : [...text].length < 22 ? 20 : 15.5,
        min: 9,
        color: strong ? colour.on : theme.muted,
        leading: tall ? 1.3 : 1.18,
      },
    );
  });
}

/** Draws large numbers with their labels, and a note below. */
export function addFigures(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'BY NUMBERS');
  const { area, page, theme } = sheet;
  const list = items(block.fields[0]).map((item) => parts(item, 3));
  const note = block.fields[1];
  const top = note ? { ...area, h: area.h - 1.15 } : area;
  const across = area.w < 10 && list.length > 3 ? 2 : list.length > 5 ? 3 : list.length;
  const grid = cells(top, across, Math.ceil(list.length / across), 0.28);
  // All numbers have one size, at which the widest fits in the heaviest font.
  const freeWidth = (grid[0]?.w ?? 3) - 0.48;
  const valueSize = Math.min(
    ...list.map(([value = '']) =>
      fitSize({ text: value, w: freeWidth * 0.86, h: 2, size: 54, min: 12, spacing: 0, leading: 1, lines: 1 }),
    ),
  );
  list.forEach(([value = '', label = '', text = ''], i) => {
    const cell = grid[i];
    if (!cell) return;
    const strong = i === 0 && deck.look.card !== 'rule';
    const colour = accent(theme, i);
    const box = sheet.card(cell, i, strong);
    const on = strong ? colour.on : undefined;
    page.text(
      value,
      { ...box, h: box.h * 0.48 },
      { size: valueSize, min: 12, lines: 1, display: true, color: on ?? colour.text, valign: 'middle' },
    );
    page.text(
      label,
      { ...box, y: box.y + box.h * 0.5, h: Math.min(0.5, box.h * 0.22) },
      { size: 18, min: 10, lines: 1, color: on ?? theme.ink, bold: true, valign: 'middle' },
    );
    if (text)
      page.text(
        text,
        {
          ...box,
          y: box.y + box.h * 0.5 + Math.min(0.5, box.h * 0.22) + 0.05,
          h: box.h * 0.5 - Math.min(0.5, box.h * 0.22) - 0.05,
        },
        { size: 15.5, min: 8.5, color: on ?? theme.muted, leading: 1.15 },
      );
  });
  if (note) {
    page.bar({ x: area.x, y: area.y + area.h - 0.85, w: 0.08, h: 0.7 }, accent(theme, 1).fill);
    page.text(
      note,
      { x: area.x + 0.28, y: area.y + area.h - 0.9, w: area.w - 0.28, h: 0.8 },
      { size: 16, min: 10, color: theme.ink, valign: 'middle', leading: 1.12 },
    );
  }
}

/** Draws steps as a row of arrows. */
export function addSteps(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'PROCESS');
  const list = items(block.fields[0]).map((item) => parts(item, 2));
  if (area.w < 10 || deck.number % 3 === 0) {
    rows(area, list.length, 0.18).forEach((box, i) => {
      const [title = '', text = ''] = list[i] ?? [];
      const colour = accent(theme, i);
      const indent = (i * Math.min(2.4, area.w * 0.2)) / Math.max(1, list.length - 1);
      page.panel({ x: box.x + indent, y: box.y, w: box.w - indent, h: box.h }, theme.surface);
      page.panel({ x: box.x + indent, y: box.y, w: box.h, h: box.h }, colour.fill);
      page.text(
        String(i + 1),
        { x: box.x + indent, y: box.y, w: box.h, h: box.h },
        { size: 26, min: 14, display: true, color: colour.on, align: 'center', valign: 'middle' },
      );
      const x = box.x + indent + box.h + 0.25;
      page.text(
        title,
        { x, y: box.y, w: 2.1, h: box.h },
        { size: 19, min: 11, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        text,
        { x: x + 2.2, y: box.y + 0.03, w: box.x + box.w - x - 2.4, h: box.h - 0.06 },
        { size: 14, min: 8.5, color: theme.muted, valign: 'middle' },
      );
    });
    return;
  }
  columns(
    area,
    list.map(() => 1),
    0.12,
  ).forEach((box, i) => {
    const [title = '', text = ''] = list[i] ?? [];
    const colour = accent(theme, i);
    page.slide.addShape(i ? 'chevron' : 'homePlate', {
      x: box.x,
      y: box.y + 0.3,
      w: box.w,
      h: 1.15,
      fill: { color: colour.fill },
      line: { type: 'none' },
    });
    page.text(
      title,
      { x: box.x + box.w * 0.2, y: box.y + 0.3, w: box.w * 0.62, h: 1.15 },
      { size: 18, min: 10, lines: 2, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    page.text(
      String(i + 1).padStart(2, '0'),
      { x: box.x + 0.1, y: box.y + 1.7, w: box.w - 0.2, h: 0.6 },
      { size: 26, display: true, color: colour.text, valign: 'middle' },
    );
    page.text(
      text,
      { x: box.x + 0.1, y: box.y + 2.35, w: box.w - 0.3, h: box.h - 2.5 },
      { size: 15, min: 9, color: theme.muted, leading: 1.22 },
    );
    page.bar({ x: box.x + 0.1, y: box.y + 2.32, w: box.w - 0.4, h: 0.015 }, theme.line);
  });
}

/** Draws a comparison of two sides. */
export function addCompare(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'BEFORE / AFTER');
  const { area, page, theme } = sheet;
  const sides = items(block.fields[0]).map((item) => parts(item, 2));
  columns(area, [1, 1], 0.5).forEach((cell, side) => {
    const [title = '', list = ''] = sides[side] ?? [];
    const colour = accent(theme, side ? 0 : 2);
    const box = sheet.card(cell, side, side === 1);
    const on = side ? accent(theme, 1).on : theme.ink;
    page.text(
      title,
      { ...box, h: 0.62 },
      { size: 23, min: 13, lines: 1, display: true, color: side ? on : colour.text, valign: 'middle' },
    );
    rows({ ...box, y: box.y + 0.85, h: box.h - 0.95 }, list.split(';').length, 0.1).forEach((row, i) => {
      page.bar({ ...row, h: 0.012 }, side ? on : theme.line);
      page.text(list.split(';')[i] ?? '', inset(row, 0, 0.06), {
        size: 16,
        min: 9.5,
        color: side ? on : theme.ink,
        valign: 'middle',
      });
    });
  });
  page.dot(area.x + area.w / 2 - 0.36, area.y + area.h / 2 - 0.36, 0.72, theme.ink);
  page.text(
    '→',
    { x: area.x + area.w / 2 - 0.36, y: area.y + area.h / 2 - 0.36, w: 0.72, h: 0.72 },
    { size: 22, color: theme.paper, align: 'center', valign: 'middle' },
  );
}

/** Draws a SWOT: strengths, weaknesses, opportunities, threats. */
export function addSwot(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'SWOT');
  const { area, page, theme } = sheet;
  const names = ['优势 Strengths', '劣势 Weaknesses', '机会 Opportunities', '威胁 Threats'];
  cells(area, 2, 2, 0.26).forEach((cell, i) => {
    const colour = accent(theme, i);
    page.panel(cell, theme.surface);
    page.bar({ x: cell.x, y: cell.y, w: 0.9, h: cell.h }, colour.fill);
    page.text(
      'SWOT'[i] ?? '',
      { x: cell.x, y: cell.y, w: 0.9, h: cell.h },
      { size: 44, min: 24, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    const box = { x: cell.x + 1.1, y: cell.y + 0.12, w: cell.w - 1.3, h: cell.h - 0.24 };
    page.text(
      names[i] ?? '',
      { ...box, h: 0.42 },
      { size: 14.5, min: 10, lines: 1, bold: true, color: colour.text, valign: 'middle' },
    );
    const points = (items(block.fields[0])[i] ?? '').split(';');
    page.text(
      points.map((point) => `· ${point}`).join('\n'),
      { ...box, y: box.y + 0.48, h: box.h - 0.5 },
      { size: 14.5, min: 8.5, color: theme.ink, leading: 1.08 },
    );
  });
}

/** Draws a funnel: each step narrower, with the share that continues. */
export function addFunnel(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'FUNNEL');
  const steps = items(block.fields[0]).map((item) => series(item));
  const [left = area, right = area] = columns(area, [6, 4], 0.5);
  const top = steps[0]?.values[0] ?? 1;
  rows(left, steps.length, 0.1).forEach((box, i) => {
    const value = steps[i]?.values[0] ?? 0;
    const colour = accent(theme, i);
    const w = box.w * Math.max(0.44, (value / top) ** 0.2);
    page.panel({ x: box.x + (box.w - w) / 2, y: box.y, w, h: box.h }, colour.fill);
    page.text(
      `${steps[i]?.name ?? ''}　${value.toLocaleString('en-US')}`,
      { x: box.x + (box.w - w) / 2 + 0.05, y: box.y, w: w - 0.1, h: box.h },
      { size: 17, min: 8.5, lines: 1, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
  });
  const notes = items(block.fields[1]).map((item) => parts(item, 2));
  cells(right, 1, steps.length, 0.1).forEach((box, i) => {
    const before = steps[i - 1]?.values[0];
    const value = steps[i]?.values[0] ?? 0;
    const [title = '', text = ''] = notes[i] ?? [];
    const share = before ? `${((value / before) * 100).toFixed(1)}%` : '100%';
    page.text(
      share,
      { ...box, w: 1.2 },
      { size: 20, min: 11, lines: 1, display: true, color: accent(theme, i).text, valign: 'middle' },
    );
    page.text(
      text ? `${title}：${text}` : title,
      { ...box, x: box.x + 1.3, w: box.w - 1.3 },
      { size: 14, min: 8, color: theme.muted, valign: 'middle' },
    );
    page.bar({ x: box.x, y: box.y + box.h + 0.04, w: box.w, h: 0.01 }, theme.line);
  });
}
