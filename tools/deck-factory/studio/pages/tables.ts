import type PptxGenJS from 'pptxgenjs';
import { mix } from '../../colour.ts';
import { fitSize, lineWidth } from '../../measure.ts';
import { accent, type Box } from '../../page.ts';
import { addSheet } from '../frames.ts';
import { items, parts, type Block } from '../script.ts';
import { columns, rows, type Sheet, type Studio } from '../sheet.ts';

interface Grid {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Indexes of right-aligned columns (numbers). */
  right?: readonly number[];
  /** True when the last row is a total. */
  total?: boolean;
}

/**
 * Draws a native table that fills its box: column widths follow the text, and the font is as large as every cell
 * allows.
 */
export function drawTable(sheet: Sheet, box: Box, grid: Grid): void {
  const { page, theme, deck } = sheet;
  const wishes = grid.head.map((head, i) => {
    const longest = Math.max(lineWidth(head, 14), ...grid.rows.map((row) => lineWidth(row[i] ?? '', 14)));
    return Math.min(longest, 330) + 26;
  });
  const total = wishes.reduce((sum, wish) => sum + wish, 0);
  const widths = wishes.map((wish) => (box.w * wish) / total);
  const rowHeight = Math.min(0.78, box.h / (grid.rows.length + 1));
  const fontSize = Math.min(
    ...[grid.head, ...grid.rows].flatMap((row) =>
      row.map((text, i) =>
        fitSize({
          text: text || '—',
          w: (widths[i] ?? 1) - 0.28,
          h: rowHeight - 0.06,
          size: 16,
          min: 7.5,
          spacing: 0,
          leading: 1,
          lines: 2,
        }),
      ),
    ),
  );
  const first = accent(theme, 0);
  const plain = deck.look.card === 'rule' || deck.look.card === 'outline';
  const cell = (
    text: string,
    column: number,
    look: { color: string; fill?: string; bold?: boolean },
  ): PptxGenJS.TableCell => ({
    text,
    options: {
      color: look.color,
      ...(look.fill ? { fill: { color: look.fill } } : {}),
      bold: look.bold ?? false,
      align: grid.right?.includes(column) ? 'right' : 'left',
      valign: 'middle',
      fontFace: theme.body,
      fontSize,
    },
  });
  const head = grid.head.map((text, i) =>
    cell(text, i, plain ? { color: first.text, bold: true } : { color: first.on, fill: first.fill, bold: true }),
  );
  const body = grid.rows.map((row, index) => {
    const sum = grid.total === true && index === grid.rows.length - 1;
    const fill = sum ? mix(theme.surface, first.fill, 0.14) : plain || index % 2 === 0 ? undefined : theme.surface;
    return grid.head.map((_, i) =>
      cell(row[i] ?? '', i, {
        color: sum || i === 0 ? theme.ink : theme.muted,
        bold: sum || i === 0,
        ...(fill ? { fill } : {}),
      }),
    );
  });
  const line = { type: 'solid' as const, pt: 0.75, color: theme.line };
  const none = { type: 'none' as const };
  page.slide.addTable([head, ...body], {
    x: box.x,
    y: box.y,
    w: box.w,
    colW: widths,
    rowH: Array.from({ length: grid.rows.length + 1 }, () => rowHeight),
    border: plain ? [none, none, line, none] : [line, line, line, line],
    margin: [0.03, 0.12, 0.03, 0.12],
  });
}

const split = (row: string): string[] => row.split(':').map((part) => part.trim());

/** Draws any table. Fields: heads, rows. */
export function addTable(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'DETAILS');
  drawTable(sheet, sheet.area, { head: (block.fields[0] ?? '').split(','), rows: items(block.fields[1]).map(split) });
}

/** Draws the schedule of a day: time, item, description, person. */
export function addRunsheet(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'RUN OF SHOW');
  const list = items(block.fields[0]).map((row) => (row.split('|').length > 1 ? row.split('|') : runParts(row)));
  const head = list.some((row) => row.length > 3) ? ['时间', '环节', '内容', '负责'] : ['时间', '环节', '内容'];
  drawTable(sheet, sheet.area, { head, rows: list });
}

/** Splits `09:30 name:text:who` without splitting the time. */
function runParts(row: string): string[] {
  const [time = '', ...rest] = row.split(' ');
  return [time, ...split(rest.join(' '))];
}

const money = (yuan: number): string => Math.round(yuan).toLocaleString('en-US');

/** Draws a budget: class, item, count, unit price. Totals are computed; a bar beside each class shows its share. */
export function addBudget(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'BUDGET');
  const lines = items(block.fields[0]).map((item) => {
    const [group = '', name = '', count = '', each = ''] = parts(item, 4);
    const sum = Number(count) * Number(each);
    if (!(sum > 0)) throw new Error(`not a budget line: ${item}`);
    return { group, name, count: Number(count), each: Number(each), sum };
  });
  const total = lines.reduce((sum, line) => sum + line.sum, 0);
  const data = lines.map((line) => [line.group, line.name, money(line.count), money(line.each), money(line.sum)]);
  data.push(['合计', block.fields[1] ?? '含税，不可预见费按 5% 另列', '', '', money(total)]);
  const wide = sheet.area.w > 10 && deck.pages % 2 === 0;
  const [left = sheet.area, right = sheet.area] = wide ? columns(sheet.area, [7.6, 3.6], 0.4) : [sheet.area];
  drawTable(sheet, left, {
    head: ['类别', '项目', '数量', '单价（元）', '小计（元）'],
    rows: data,
    right: [2, 3, 4],
    total: true,
  });
  if (!wide) return;
  const { page, theme } = sheet;
  const groups = [...Map.groupBy(lines, (line) => line.group)].map(([name, list]) => ({
    name,
    sum: list.reduce((sum, line) => sum + line.sum, 0),
  }));
  page.text('费用结构', { ...right, h: 0.4 }, { size: 15, lines: 1, bold: true, valign: 'middle' });
  const top = Math.max(...groups.map((group) => group.sum));
  rows({ ...right, y: right.y + 0.5, h: right.h - 0.5 }, groups.length, 0.12).forEach((box, i) => {
    const group = groups[i];
    if (!group) return;
    const colour = accent(theme, i);
    const h = Math.min(0.26, box.h * 0.42);
    page.text(
      `${group.name}　${((group.sum / total) * 100).toFixed(0)}%`,
      { ...box, h: box.h - h - 0.03 },
      { size: 13, min: 8, lines: 1, color: theme.muted, valign: 'bottom' },
    );
    page.bar({ x: box.x, y: box.y + box.h - h, w: (box.w * group.sum) / top, h }, colour.fill);
  });
}

/** Draws the influencers by tier: tier:count:reach:content:share of the budget in per cent, with dots for the count. */
export function addKol(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'KOL MATRIX');
  const { area, page, theme } = sheet;
  const tiers = items(block.fields[0]).map((item) => parts(item, 5));
  rows(area, tiers.length, 0.16).forEach((box, i) => {
    const [tier = '', count = '', reach = '', content = '', share = ''] = tiers[i] ?? [];
    const colour = accent(theme, i);
    const spread = 0.5 + (0.5 * (i + 1)) / tiers.length;
    const w = box.w * 0.2 * spread;
    page.panel({ x: box.x, y: box.y, w: box.w, h: box.h }, theme.surface);
    page.panel({ x: box.x + (box.w * 0.2 - w) / 2, y: box.y + 0.08, w, h: box.h - 0.16 }, colour.fill);
    page.text(
      tier,
      { x: box.x + (box.w * 0.2 - w) / 2, y: box.y, w, h: box.h },
      { size: 17, min: 9, lines: 1, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    const x = box.x + box.w * 0.22;
    page.text(
      `${count} 位`,
      { x, y: box.y + 0.06, w: box.w * 0.14, h: box.h * 0.5 },
      { size: 21, min: 11, lines: 1, display: true, color: colour.text, valign: 'middle' },
    );
    page.text(
      reach,
      { x, y: box.y + box.h * 0.52, w: box.w * 0.14, h: box.h * 0.4 },
      { size: 11.5, min: 7.5, lines: 1, color: theme.muted, valign: 'middle' },
    );
    page.text(
      content,
      { x: box.x + box.w * 0.37, y: box.y + 0.05, w: box.w * 0.42, h: box.h - 0.1 },
      { size: 14.5, min: 8.5, color: theme.ink, valign: 'middle', leading: 1.08 },
    );
    const freeWidth = box.w * 0.17;
    const x2 = box.x + box.w * 0.81;
    page.text(
      `${share}%`,
      { x: x2, y: box.y + 0.06, w: freeWidth, h: box.h * 0.5 },
      { size: 18, min: 10, lines: 1, display: true, align: 'right', valign: 'middle' },
    );
    page.bar({ x: x2, y: box.y + box.h * 0.68, w: freeWidth, h: 0.1 }, theme.line);
    page.bar(
      {
        x: x2 + freeWidth * (1 - Number(share) / 100),
        y: box.y + box.h * 0.68,
        w: (freeWidth * Number(share)) / 100,
        h: 0.1,
      },
      colour.fill,
    );
  });
}
