import type PptxGenJS from 'pptxgenjs';
import { mix } from '../colour.ts';
import { fitSize } from '../measure.ts';
import { accent, type Page } from '../page.ts';

export interface Grid {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Column widths and row height, in inches; together 11.73 wide. */
  widths: readonly number[];
  rowHeight: number;
  /** Columns set flush right (numbers). */
  right?: readonly number[];
  /** The last row is a sum. */
  total?: boolean;
}

/** A native table in the deck's colours, one line a cell; font size shrinks until every cell fits. */
export function addGrid(page: Page, grid: Grid): void {
  const { theme } = page;
  const first = accent(theme, 0);
  const sizes = [...grid.rows, grid.head].flatMap((row) =>
    row.map((words, column) =>
      fitSize({
        text: words || '—',
        w: (grid.widths[column] ?? 1) - 0.36,
        h: grid.rowHeight,
        size: 17,
        min: 10,
        spacing: 0,
        leading: 1,
        lines: 1,
      }),
    ),
  );
  const fontSize = Math.min(...sizes);
  const cell = (
    words: string,
    column: number,
    look: { color: string; fill: string; bold?: boolean; face?: string },
  ): PptxGenJS.TableCell => ({
    text: words,
    options: {
      color: look.color,
      fill: { color: look.fill },
      bold: look.bold ?? false,
      align: grid.right?.includes(column) ? 'right' : 'left',
      valign: 'middle',
      fontFace: look.face ?? theme.body,
      fontSize,
    },
  });
  const rows: PptxGenJS.TableRow[] = [
    grid.head.map((words, column) => cell(words, column, { color: first.on, fill: first.fill, bold: true })),
    ...grid.rows.map((row, index) => {
      const sum = grid.total === true && index === grid.rows.length - 1;
      const fill = sum ? mix(theme.surface, first.fill, 0.12) : index % 2 ? theme.surface : theme.paper;
      return row.map((words, column) =>
        cell(words, column, { color: sum || column === 0 ? theme.ink : theme.muted, fill, bold: sum || column === 0 }),
      );
    }),
  ];
  page.slide.addTable(rows, {
    x: 0.8,
    y: 1.9,
    w: 11.73,
    colW: [...grid.widths],
    rowH: rows.map(() => grid.rowHeight),
    border: { type: 'solid', pt: 0.5, color: theme.line },
    margin: [0.04, 0.16, 0.04, 0.16],
  });
}
