import { isTitleLine, joinLines, type HeadLine } from './page-text.ts';
import type { WordBox } from './word-boxes.ts';

type Line = { text: string; x: number; y: number; right: number; height: number };

/** The number of a chapter before its title, as the page shows it: 02 招生任务. */
const CHAPTER = /^0\d\s+(?=\p{Script=Han}{2})/u;

const MAX_LINES = 5;
/** A title of more rows is prose. */
const MAX_ROWS = 4;

/**
 * The first lines of a page that may be its title, in reading order. What stands far to the right on the same height (a page number, an
 * English word as decoration) is a line of its own, and a title that goes on in the next row in the same style is one line.
 */
export function headOf(words: readonly WordBox[]): HeadLine[] {
  const rows = joinRows(linesOf(words));
  const titles = rows.filter(({ text }) => isTitleLine(text));
  return titles.slice(0, MAX_LINES).map(({ text, height }) => [text.replace(CHAPTER, ''), height]);
}

/** The page is about twice as wide as high, so that a length across counts half of one down. */
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

/** Only what is set largest on its page is joined: the rows of a list have one style as well. */
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

/** The ink of a row's characters is a little higher or lower than that of another's. */
const isSameStyle = (one: Line, other: Line) =>
  Math.min(one.height, other.height) > Math.max(one.height, other.height) * 0.85;
