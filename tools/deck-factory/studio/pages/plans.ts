import { mix } from '../../colour.ts';
import { accent } from '../../page.ts';
import { addSheet } from '../frames.ts';
import { items, parts, type Block } from '../script.ts';
import { cells, columns, rows, type Studio } from '../sheet.ts';

/** Draws a Gantt chart. Fields: period labels, `task=from-to` (from 1). */
export function addGantt(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'SCHEDULE');
  const periods = (block.fields[0] ?? '').split(',');
  const tasks = items(block.fields[1]);
  const side = area.w * 0.2;
  const unit = (area.w - side) / periods.length;
  const [head, ...lines] = rows(area, tasks.length + 1, 0);
  if (!head) return;
  page.bar({ x: area.x, y: head.y, w: area.w, h: head.h }, theme.surface);
  periods.forEach((period, i) => {
    page.text(
      period,
      { x: area.x + side + i * unit, y: head.y, w: unit, h: head.h },
      { size: 12.5, min: 7, lines: 1, color: theme.ink, bold: true, align: 'center', valign: 'middle' },
    );
    page.bar({ x: area.x + side + i * unit, y: area.y + head.h, w: 0.008, h: area.h - head.h }, theme.line);
  });
  tasks.forEach((task, i) => {
    const box = lines[i];
    if (!box) return;
    const [name = '', span = ''] = task.split('=');
    const [from = 1, to = from] = span.split('-').map(Number);
    const colour = accent(theme, i);
    page.text(
      name,
      { x: area.x, y: box.y, w: side - 0.1, h: box.h },
      { size: 15, min: 8.5, lines: 1, display: true, valign: 'middle' },
    );
    page.bar({ x: area.x, y: box.y + box.h, w: area.w, h: 0.008 }, theme.line);
    const bar = {
      x: area.x + side + (from - 1) * unit + 0.04,
      y: box.y + box.h * 0.22,
      w: (to - from + 1) * unit - 0.08,
      h: box.h * 0.56,
    };
    if (to === from && deck.number % 2)
      page.slide.addShape('diamond', {
        x: bar.x + bar.w / 2 - bar.h / 2,
        y: bar.y,
        w: bar.h,
        h: bar.h,
        fill: { color: colour.fill },
        line: { type: 'none' },
      });
    else page.panel(bar, colour.fill);
  });
}

/** Draws milestones on a line, alternately above and below. */
export function addTimeline(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'TIMELINE');
  const list = items(block.fields[0]).map((item) => parts(item, 3));
  if (area.w < 10) {
    page.bar({ x: area.x + 1.55, y: area.y, w: 0.04, h: area.h }, theme.line);
    rows(area, list.length, 0.08).forEach((box, i) => {
      const [when = '', title = '', text = ''] = list[i] ?? [];
      const colour = accent(theme, i);
      page.text(
        when,
        { x: box.x, y: box.y, w: 1.35, h: box.h },
        { size: 17, min: 9, lines: 1, display: true, color: colour.text, align: 'right', valign: 'middle' },
      );
      page.dot(box.x + 1.45, box.y + box.h / 2 - 0.12, 0.24, colour.fill);
      page.text(
        title,
        { x: box.x + 2.0, y: box.y, w: 2.2, h: box.h },
        { size: 17, min: 10, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        text,
        { x: box.x + 4.3, y: box.y, w: box.w - 4.3, h: box.h },
        { size: 13.5, min: 8.5, color: theme.muted, valign: 'middle' },
      );
    });
    return;
  }
  const middle = area.y + area.h / 2;
  page.bar({ x: area.x, y: middle - 0.03, w: area.w, h: 0.06 }, theme.line);
  const unit = area.w / list.length;
  list.forEach(([when = '', title = '', text = ''], i) => {
    const colour = accent(theme, i);
    const x = area.x + i * unit;
    const up = i % 2 === 0;
    page.dot(x + unit / 2 - 0.16, middle - 0.16, 0.32, colour.fill);
    page.bar({ x: x + unit / 2 - 0.006, y: up ? middle - 0.5 : middle + 0.16, w: 0.012, h: 0.34 }, colour.fill);
    const w = Math.min(unit * 1.5, unit + 1.0);
    const bx = Math.max(area.x, Math.min(area.x + area.w - w, x + unit / 2 - w / 2));
    const y = up ? area.y + 0.05 : middle + 0.55;
    const h = area.h / 2 - 0.6;
    page.text(
      when,
      { x: bx, y, w, h: 0.42 },
      { size: 19, min: 10, lines: 1, display: true, color: colour.text, align: 'center', valign: 'middle' },
    );
    page.text(
      title,
      { x: bx, y: y + 0.44, w, h: 0.42 },
      { size: 16.5, min: 9, lines: 1, display: true, align: 'center', valign: 'middle' },
    );
    page.text(
      text,
      { x: bx + 0.12, y: y + 0.9, w: w - 0.24, h: h - 0.9 },
      { size: 13, min: 8, color: theme.muted, align: 'center', leading: 1.1 },
    );
  });
}

/** Draws a floor plan on a grid of 12 by 7: `name@x,y,w,h`; `@o` makes a place round. Fields: places, notes. */
export function addFloorPlan(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'FLOOR PLAN');
  const notes = items(block.fields[1]).map((item) => parts(item, 2));
  const narrow = area.w < 10;
  const w = notes.length && !narrow ? area.w * 0.66 : area.w;
  const h = narrow && notes.length ? area.h * 0.68 : area.h;
  page.panel({ x: area.x, y: area.y, w, h }, theme.surface, { outline: theme.ink, square: true });
  for (let i = 1; i < 12; i++)
    page.bar({ x: area.x + (w * i) / 12, y: area.y, w: 0.006, h }, mix(theme.surface, theme.ink, 0.08));
  for (let i = 1; i < 7; i++)
    page.bar({ x: area.x, y: area.y + (h * i) / 7, w, h: 0.006 }, mix(theme.surface, theme.ink, 0.08));
  items(block.fields[0]).forEach((item, i) => {
    const [name = '', place = '', shape = ''] = item.split('@');
    const [gx = 0, gy = 0, gw = 1, gh = 1] = place.split(',').map(Number);
    if (gx + gw > 12 || gy + gh > 7) throw new Error(`outside the plan: ${item}`);
    const colour = accent(theme, i);
    const box = {
      x: area.x + (w * gx) / 12 + 0.04,
      y: area.y + (h * gy) / 7 + 0.04,
      w: (w * gw) / 12 - 0.08,
      h: (h * gh) / 7 - 0.08,
    };
    page.slide.addShape(shape === 'o' ? 'ellipse' : 'rect', {
      ...box,
      fill: { color: mix(theme.paper, colour.fill, i ? 0.42 : 0.9) },
      line: { color: colour.fill, width: 1.5 },
    });
    const ink = i ? theme.ink : colour.on;
    page.text(
      name,
      { ...box, x: box.x + 0.03, w: box.w - 0.06 },
      { size: 14.5, min: 6.5, color: ink, bold: true, align: 'center', valign: 'middle' },
    );
  });
  // The entrance.
  page.text(
    '▲ 入口',
    { x: area.x + w * 0.42, y: area.y + h - 0.3, w: 1.4, h: 0.28 },
    { size: 11, min: 8, lines: 1, color: accent(theme, 0).text, align: 'center', valign: 'middle' },
  );
  if (notes.length === 0) return;
  const side = narrow
    ? { ...area, y: area.y + h + 0.2, h: area.h - h - 0.2 }
    : { ...area, x: area.x + w + 0.35, w: area.w - w - 0.35 };
  const grid = narrow
    ? columns(
        side,
        notes.map(() => 1),
        0.3,
      )
    : rows(side, notes.length, 0.15);
  notes.forEach(([title = '', text = ''], i) => {
    const box = grid[i];
    if (!box) return;
    page.bar({ x: box.x, y: box.y, w: 0.5, h: 0.05 }, accent(theme, i).fill);
    page.text(
      title,
      { ...box, y: box.y + 0.12, h: 0.38 },
      { size: 16, min: 9.5, lines: 1, display: true, valign: 'middle' },
    );
    page.text(
      text,
      { ...box, y: box.y + 0.52, h: box.h - 0.54 },
      { size: 13, min: 8, color: theme.muted, leading: 1.12 },
    );
  });
}

/** Draws a year in twelve fields: `theme:text` for each month, or fewer fields with labels, `label:theme:text`. */
export function addCalendar(deck: Studio, block: Block): void {
  const { area, page, theme } = addSheet(deck, block.title, 'CALENDAR');
  const list = items(block.fields[0]).map((item) => parts(item, 3));
  const across = list.length > 8 ? (area.w < 10 ? 3 : 4) : Math.ceil(list.length / 2);
  cells(area, across, Math.ceil(list.length / across), 0.14).forEach((box, i) => {
    const entry = list[i];
    if (!entry) return;
    const [label = '', title = '', text = ''] = entry;
    const colour = accent(theme, Math.floor(i / (list.length > 8 ? 3 : 1)));
    page.panel(box, theme.surface);
    page.bar({ x: box.x, y: box.y, w: box.w, h: 0.07 }, colour.fill);
    const isTall = box.h > 1.6;
    page.text(
      label,
      { x: box.x + 0.15, y: box.y + 0.14, w: isTall ? box.w - 0.3 : 0.95, h: 0.42 },
      { size: 18, min: 8, lines: 1, display: true, color: colour.text, valign: 'middle' },
    );
    const titleBox = isTall
      ? { x: box.x + 0.15, y: box.y + 0.6, w: box.w - 0.3, h: 0.5 }
      : { x: box.x + 1.05, y: box.y + 0.14, w: box.w - 1.15, h: 0.42 };
    page.text(title, titleBox, { size: isTall ? 20 : 14.5, min: 8, lines: 1, display: true, valign: 'middle' });
    const y = titleBox.y + titleBox.h + 0.06;
    page.text(
      text,
      { x: box.x + 0.15, y, w: box.w - 0.3, h: box.y + box.h - y - 0.06 },
      { size: isTall ? 15.5 : 12.5, min: 7.5, color: theme.muted, leading: 1.12 },
    );
  });
}
