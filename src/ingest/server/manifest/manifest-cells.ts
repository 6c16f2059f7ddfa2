import { cleanLine, EARLIEST_DAY, isPlanDay } from '../../../library/rules.ts';
import { SINGLE_KINDS, type SingleKind } from '../../../library/taxonomy.ts';
import type { ManifestFacts } from './manifest-facts.ts';

const MAX_PRICE = 99_999;
const MAX_NAME = 200;

/** Columns of a manifest, and the other names that spreadsheets use for them. A kind of labels has the column of its name. */
const NAMES = {
  file: ['文件', '文件名', '文件名称', '文件路径', '路径', 'filename', 'filepath', 'path'],
  name: ['名称', '标题', '方案名称', '方案标题', 'title'],
  themes: ['活动类型', '主题', '专题', 'theme'],
  industry: ['行业', '所属行业'],
  organization: ['机构', '出品方', '公司', '出品机构', 'organisation'],
  keyword: ['关键词', '关键字', '标签', 'keywords', 'tags'],
  price: ['价格', '定价', '售价'],
  date: ['日期', '时间', '创建日期', '创建时间', '发布日期'],
  type: ['类型', '方案类型', '文档类型'],
  researcher: ['作者', '研究员', '策划人', 'author'],
} as const satisfies Record<SingleKind, readonly string[]> & Record<string, readonly string[]>;

export type Column = keyof typeof NAMES;

const COLUMN_OF = new Map<string, Column>(
  // Safe: the keys of the literal above.
  (Object.keys(NAMES) as Column[]).flatMap((column) =>
    [column, ...NAMES[column]].map((name) => [name, column] as const),
  ),
);

export const COLUMNS: readonly string[] = Object.keys(NAMES);

/** Returns the column of a header cell; null when the column is not used. */
export function columnOf(header: string): Column | null {
  return (
    COLUMN_OF.get(
      header
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_*]/g, ''),
    ) ?? null
  );
}

export type Row = Partial<Record<Column, string>>;

/** Returns the faults in the cells of a row, in an operator's words. `now` is in epoch milliseconds. */
export function problemsOf({ name = '', price = '', date = '' }: Row, now: number): string[] {
  const day = dayOf(date);
  return [
    ...([...name].length > MAX_NAME ? [`the name is longer than ${MAX_NAME} characters`] : []),
    ...(price && coinsOf(price) === null ? [`the price "${price}" is not a whole number of coins`] : []),
    ...(date && day === null ? [`the date "${date}" is not a day such as 2025-03-05`] : []),
    ...(day && !isPlanDay(day, now) ? [`the date "${date}" is not between ${EARLIEST_DAY} and today`] : []),
  ];
}

/** Returns the facts in a row; empty cells are left out. The day of `now` (epoch milliseconds) begins no later than `now`. */
export function factsOf(row: Row, now: number): Partial<ManifestFacts> {
  const text = (column: Column) => cleanLine(row[column] ?? '', 1_000);
  const themes = (row.themes ?? '')
    .split(/[;；,，、|\n]/)
    .map((theme) => cleanLine(theme))
    .filter(Boolean);
  const day = dayOf(row.date ?? '');
  return {
    ...(text('name') && { name: text('name') }),
    ...(row.keyword && { keyword: row.keyword }),
    ...(row.price && { priceCoins: coinsOf(row.price) ?? 0 }),
    ...Object.fromEntries(SINGLE_KINDS.filter((kind) => text(kind)).map((kind) => [kind, text(kind)])),
    ...(themes.length > 0 && { themes }),
    ...(text('researcher') && { researcher: text('researcher') }),
    // 09:00 of today may lie in the future, and no document is created there.
    ...(day && { createdAt: new Date(Math.min(day.getTime(), now)) }),
  };
}

/**
 * Returns the coins of 12, 12.0, 1,200, １２, 免费. Null for a price in yuan, which is another unit, and for a part of a
 * coin.
 */
export function coinsOf(cell: string): number | null {
  const text = cell.normalize('NFKC').replace(/\s/g, '');
  if (text === '免费') return 0;
  const plain = /^\d{1,3}(,\d{3})+(\.0+)?$/.test(text) ? text.replaceAll(',', '') : text;
  const coins = /^\d{1,5}(\.0+)?$/.test(plain) ? Number(plain) : Number.NaN;
  return coins <= MAX_PRICE ? coins : null;
}

/** Day numbers of a spreadsheet between 1954 and 2099; other numbers are probably not dates. */
const SERIAL_DAYS = { from: 20_000, to: 73_050 };

/**
 * Returns 09:00 in Shanghai, which is the same day in UTC, of a day: 2025-03-05, 2025/3/5, 2025.3.5, 20250305, 2025年3月5日,
 * also with a time behind it, or the day number of a spreadsheet program (45721). Null when there is no such day, and for
 * 3/5/2025, which is ambiguous.
 */
export function dayOf(cell: string): Date | null {
  const text = cell.normalize('NFKC').trim();
  const serial = /^\d{5}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : 0;
  if (serial >= SERIAL_DAYS.from && serial <= SERIAL_DAYS.to) return new Date(Date.UTC(1899, 11, 30 + serial, 1));
  const [, year, month, day] =
    /^(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|年(\d{1,2})月(\d{1,2})[日号]?)(?:[\sT]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/
      .exec(text)
      ?.filter((part) => part !== undefined) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    [];
  if (!year || !month || !day) return null;
  const wanted = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const found = new Date(`${wanted}T09:00:00+08:00`);
  return !Number.isNaN(found.getTime()) && found.toISOString().startsWith(wanted) ? found : null;
}
