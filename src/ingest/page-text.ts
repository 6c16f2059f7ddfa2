import { ingestLimits as limits } from './rules.ts';

/** The beginning of a text, so many UTF-16 units at most and never half a character: half a pair breaks JSON. */
export function beginningOf(text: string, most: number): string {
  const end = text.charCodeAt(most - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? most - 1 : most);
}

/** Text as we keep it: no control or bidi characters, white space folded within a line, no empty lines. */
export function cleanText(text: string): string {
  return beginningOf(
    text
      .replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n')
      // Lone surrogates, controls, bidi marks, private use and noncharacters: they break JSON, highlight or search.
      .toWellFormed()
      .replace(/[\p{Cc}\p{Co}\p{Cn}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/gu, (char) =>
        char === '\n' || char === '\t' ? char : '',
      )
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n'),
    limits.pageTextChars,
  );
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
const PROSE_CHARS = 1_200;

/** What decoration adds to a title: 目录 C O N T E N T S. */
const SPACED_TAIL = /(?<=\S)(?: [A-Z]){4,}$/;

/**
 * Titles of pages that have no outline of their own: the first line of a page that may be one. A line that opens more than half
 * of the pages is a running header and is passed over.
 */
export function outlineFromText(texts: readonly string[]): { page: number; title: string }[] {
  const heads = texts.map((text) =>
    text.length > PROSE_CHARS ? [] : text.split('\n').slice(0, 4).filter(isTitleLine),
  );
  const seen = new Map<string, number>();
  for (const head of heads) for (const line of new Set(head)) seen.set(line, (seen.get(line) ?? 0) + 1);
  const running = (line: string) => texts.length > 3 && (seen.get(line) ?? 0) > texts.length / 2;
  return heads.flatMap((head, index) => {
    const title = head.find((line) => !running(line))?.replace(SPACED_TAIL, '');
    return title ? [{ page: index + 1, title }] : [];
  });
}
