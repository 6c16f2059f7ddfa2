import { ingestLimits as limits } from './rules.ts';
import { joinSpread } from './spread-letters.ts';

/** The beginning of a text, so many UTF-16 units at most and never half a character: half a pair breaks JSON. */
export function beginningOf(text: string, most: number): string {
  const end = text.charCodeAt(most - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? most - 1 : most);
}

/**
 * Text as we keep it: no control or bidi characters, words that are set wide joined, white space folded within a line, no empty
 * lines.
 */
export function cleanText(text: string): string {
  return cleanPage(text).text;
}

/** The same of a page, with what was set wide on it; `words` are the page's as their places tell them. */
export function cleanPage(raw: string, words: readonly string[] = []): { text: string; wide: string[] } {
  const wide: string[] = [];
  const text = beginningOf(
    raw
      .replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n')
      // Lone surrogates, controls, bidi marks, private use and noncharacters: they break JSON, highlight or search.
      .toWellFormed()
      .replace(/[\p{Cc}\p{Co}\p{Cn}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/gu, (char) =>
        char === '\n' || char === '\t' ? char : '',
      )
      .split('\n')
      .map((line) =>
        joinSpread(line, words, (joined) => wide.push(joined))
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((line) => line !== '')
      .join('\n'),
    limits.pageTextChars,
  );
  return { text, wide };
}

/** The first characters of all pages, on one line. */
export function excerptOf(texts: readonly string[]): string {
  const folded: string[] = [];
  let length = 0;
  for (const text of texts) {
    const line = text.replace(/\s+/g, ' ').trim();
    if (line === '') continue;
    folded.push(line);
    length += line.length;
    if (length > limits.excerptChars * 2) break;
  }
  return [...folded.join(' ')].slice(0, limits.excerptChars).join('').trim();
}

/** What programs call the pages that nobody has named. */
const PAGE_NUMBER = /^(page|slide|幻灯片|第)\s*\d+\s*[页张]?$/i;
/** A number and what it counts, as slides show it large: 38分钟, 1.2 万人次. */
const FIGURE = new RegExp(
  `^[约近超达]?\\s*[\\d.,]+\\s*[千百万亿]*\\s*(?:${[
    '毫秒|秒|分钟?|小时|点半?|天|周|个?月|年|岁|倍',
    '毫?米|厘米|公里|千米|平方?米|克|公?斤|吨|升|元|bpm',
    '人次?|名|位|家|户|组|桌|场|次|份|件|张|只|个|套|台|辆|封|瓶|杯|盏|条|篇|款|城|站|店|工位',
  ].join('|')})?[+＋]?$`,
  'i',
);

/** A line that may stand as a title: some letters, not too long, neither a date, an address, a figure nor a page number. */
export function isTitleLine(line: string): boolean {
  if (line.length < 2 || line.length > 48) return false;
  if (!/\p{L}{2}/u.test(line)) return false;
  if (/^(https?:|www\.)|@[\w-]+\./i.test(line) || PAGE_NUMBER.test(line) || FIGURE.test(line)) return false;
  if (/[。；，、,;]$|[a-z]\.$/.test(line)) return false;
  return !/^[\d\s年月日./:\-–—]+$/.test(line);
}

/** The bookmarks of a PDF as its outline; null where there are too few, or where they only count the pages (Slide 1, Slide 2…). */
export function outlineFromBookmarks<Bookmark extends { title: string }>(bookmarks: Bookmark[]): Bookmark[] | null {
  const named = bookmarks.filter(({ title }) => !PAGE_NUMBER.test(title));
  return named.length > 1 ? named : null;
}

/** More than this is prose, and its first line the middle of a sentence. */
export const PROSE_CHARS = 1_200;

/** A line without what is set wide at its ends (目录 C O N T E N T S): that is decoration. */
function withoutWide(line: string, wide: readonly string[]): string {
  for (let rest = line; ;) {
    const first = wide.find((one) => `${rest} `.startsWith(`${one} `));
    const last = wide.find((one) => rest.endsWith(` ${one}`));
    if (first === undefined && last === undefined) return rest;
    const left = first === undefined ? rest.slice(0, -(last ?? '').length) : rest.slice(first.length);
    rest = left.replace(/^[\s/&·|-]+|[\s/&·|-]+$/g, '');
  }
}

/** A line of a page as it is seen, and its height in ten-thousandths of the page. */
export type HeadLine = [text: string, height: number];

/** What is set wide on one page, and the lines that may be its title (`page-head.ts`). */
export type WidePage = { page: number; wide: string[]; head?: HeadLine[] };

const HAN = String.raw`[\p{Script=Han}，、：；！？。「」『』《》（）“”]`;
const HAN_LINES = new RegExp(`(?<=${HAN})\\s*\\n\\s*(?=${HAN})`, 'gu');

/** The lines of one title as one: Chinese goes on without a space. */
export const foldLines = (text: string): string => text.replace(HAN_LINES, '').replace(/\s*\n\s*/g, ' ');

export const joinLines = (before: string, after: string): string => foldLines(`${before}\n${after}`);

/** Lower than this (3 % of the page) stands a label or a decoration above a title, if the title is so much higher. */
const LABEL_HEIGHT = 300;
const LABEL_SHARE = 0.4;

/** The title among the lines of a page that may be one, by their order and their height. */
function titleOfHead(head: readonly HeadLine[]): string | undefined {
  const [first, ...next] = head;
  const largest = next.slice(0, 2).reduce<HeadLine | undefined>((a, b) => (a && a[1] >= b[1] ? a : b), undefined);
  if (first && largest && first[1] < LABEL_HEIGHT && first[1] < largest[1] * LABEL_SHARE) return largest[0];
  return first?.[0];
}

/**
 * Returns the lines that are not set wide: those are decoration, unless the page has no other. Words of one wide line that stand far
 * apart are lines of their own here.
 */
function withoutWideHeads(head: readonly HeadLine[], wide: readonly string[]): readonly HeadLine[] {
  const letters = (text: string) => text.replace(/\s/g, '');
  const isWide = (line: string) =>
    wide.some((one) => ` ${one} `.includes(` ${line} `) || letters(one) === letters(line));
  const plain = head.filter(([line]) => !isWide(line));
  return plain.length > 0 ? plain : head.filter(([line]) => /\p{Script=Han}/u.test(line));
}

/** English in capitals, more than an abbreviation or a short name, as decks repeat their titles in: MARKET INSIGHT, not SWOT. */
const ENGLISH_LINE = /^(?:[A-Z]{8,}|(?=[A-Z &]*[A-Z]{4})[A-Z]+(?: (?:& )?[A-Z]+)+)$/;

/**
 * Titles of pages that have no outline of their own: the first line of a page that may be one. A line that opens more than half
 * of the pages is a running header and is passed over. What is set wide is a title only where a page has no other.
 */
export function outlineFromText(
  texts: readonly string[],
  widePages: readonly WidePage[] = [],
): { page: number; title: string }[] {
  const wideOf = new Map(widePages.map(({ page, wide }) => [page, wide]));
  const headOf = new Map(widePages.map(({ page, head }) => [page, head]));
  const heads = texts.map((text, index) => {
    if (text.length > PROSE_CHARS) return [];
    const wide = wideOf.get(index + 1) ?? [];
    const head = headOf.get(index + 1);
    if (head?.length) return withoutWideHeads(head, wide).map(([line]) => line);
    const lines = text.split('\n').slice(0, 4);
    const plain = lines.map((line) => withoutWide(line, wide)).filter(isTitleLine);
    return plain.length > 0 ? plain : lines.filter((line) => isTitleLine(line) && /\p{Script=Han}/u.test(line));
  });
  const seen = new Map<string, number>();
  for (const head of heads) for (const line of new Set(head)) seen.set(line, (seen.get(line) ?? 0) + 1);
  const running = (line: string) => texts.length > 3 && (seen.get(line) ?? 0) > texts.length / 2;
  return heads.flatMap((head, index) => {
    const left = head.filter((line) => !running(line));
    const heights = new Map(headOf.get(index + 1));
    const first = titleOfHead(left.map((line) => [line, heights.get(line) ?? 0]));
    if (first === undefined) return [];
    const second = left[left.indexOf(first) + 1] ?? '';
    const title = ENGLISH_LINE.test(first) && /\p{Script=Han}{2}/u.test(second) ? second : first;
    return [{ page: index + 1, title }];
  });
}
