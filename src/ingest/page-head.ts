import { isTitleLine, joinLines, type HeadLine } from './page-text.ts';
import type { WordBox } from './word-boxes.ts';

type Line = { text: string; x: number; y: number; right: number; height: number };

/** The number of a chapter before its title: 02 招生任务. */
const CHAPTER = /^0\d\s+(?=\p{Script=Han}{2})/u;

const MAX_LINES = 5;
/** Text of more rows is prose, not a title. */
const MAX_ROWS = 4;

/**
 * Returns the first lines of a page that may be its title, in reading order. Text at the same height but far to the
 * right (a page number, a decorative English word) is a separate line. A title that continues in the next row in the
 * same style is one line.
 */
export function headOf(words: readonly WordBox[]): HeadLine[] {
  const rows = joinRows(linesOf(words));
  const titles = rows.filter(({ text }) => isTitleLine(text));
  return titles.slice(0, MAX_LINES).map(({ text, height }) => [text.replace(CHAPTER, ''), height]);
}

/** Weight of a horizontal distance: the page is about twice as wide as high. */
const ACROSS = 0.6;

function linesOf(words: readonly WordBox[]): Line[] {
  const lines: Line[] = [];
  for (const [text, x, y, width, height] of words) {
    const last = lines.at(-1);
    const gap = last ? x - last.right : 0;
    const isBeside =
      last !== undefined &&
      Math.abs(y + height / 2 - (last.y + last.height / 2)) < Math.max(height, last.height) * 0.5 &&
      gap > -last.height * ACROSS &&
      gap < Math.max(height, last.height) * ACROSS * 1.5;
    if (!last || !isBeside) {
      lines.push({ text, x, y, right: x + width, height });
      continue;
    }
    last.text =
      gap > Math.max(height, last.height) * ACROSS * 0.2 ? `${last.text} ${text}` : joinLines(last.text, text);
    last.right = x + width;
    last.height = Math.max(last.height, height);
  }
  return lines;
}

/** Joins rows of a title. Only the largest text of a page is joined, because the rows of a list share a style too. */
function joinRows(lines: readonly Line[]): Line[] {
  const largest = Math.max(0, ...lines.filter(({ text }) => /\p{L}/u.test(text)).map(({ height }) => height));
  const joined: Line[] = [];
  let rows = 1;
  for (const line of lines) {
    const last = joined.at(-1);
    const gap = last ? line.y - (last.y + last.height) : 0;
    const isNext =
      last !== undefined &&
      rows < MAX_ROWS &&
      line.height > largest * 0.85 &&
      isSameStyle(last, line) &&
      gap > -line.height * 0.3 &&
      gap < line.height &&
      (Math.abs(line.x - last.x) < line.height || Math.abs(line.x + line.right - last.x - last.right) < line.height);
    rows = isNext ? rows + 1 : 1;
    if (!isNext) {
      joined.push({ ...line });
      continue;
    }
    last.text = joinLines(last.text, line.text);
    last.y = line.y;
    last.right = Math.max(last.right, line.right);
  }
  return joined;
}

/** The ink height of rows in one style differs a little with their characters. */
const isSameStyle = (one: Line, other: Line) =>
  Math.min(one.height, other.height) > Math.max(one.height, other.height) * 0.85;
