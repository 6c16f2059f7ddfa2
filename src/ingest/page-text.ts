import { withoutContacts } from '../library/contacts.ts';
import { isPlaceholder, withoutPlaceholders } from './placeholders.ts';
import { ingestLimits as limits } from './rules.ts';
import { joinLetterSpaced } from './letter-spacing.ts';

/**
 * Returns the beginning of a text, at most `most` UTF-16 units, without splitting a surrogate pair, which would break
 * JSON.
 */
export function beginningOf(text: string, most: number): string {
  const end = text.charCodeAt(most - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? most - 1 : most);
}

/**
 * Returns text in the form in which it is stored: without control and bidi characters, letter-spaced words joined,
 * white space folded within a line, no empty lines.
 */
export function cleanText(text: string): string {
  return cleanPage(text).text;
}

/**
 * Cleans the text of a page and returns its letter-spaced lines. `words` are the words of the page found by their
 * positions.
 */
export function cleanPage(raw: string, words: readonly string[] = []): { text: string; wide: string[] } {
  const wide: string[] = [];
  const text = beginningOf(
    raw
      .replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n')
      // Lone surrogates, control, bidi, private-use and noncharacters break JSON, highlighting or search.
      .toWellFormed()
      .replace(/[\p{Cc}\p{Co}\p{Cn}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/gu, (char) =>
        char === '\n' || char === '\t' ? char : '',
      )
      .split('\n')
      .map((line) =>
        joinLetterSpaced(line, words, (joined) => wide.push(joined))
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((line) => line !== '')
      .join('\n'),
    limits.pageTextChars,
  );
  return { text, wide };
}

/** A page that lists the chapters, and a line of such a list: 一、项目背景………3. */
const CONTENTS = /^(?:目\s*录|目\s*次|contents|table of contents|agenda)(?:\s|$)/imu;
const CONTENTS_LINE = /(?:[.．·…‥]\s?){3}\s*\d{1,4}$/u;

/** Marks that end a sentence. */
const SENTENCE_END = /[。！？；…!?][”」』）]?$/u;
const CLAUSE_MARK = /[，。！？；：]/u;
/** The number or bullet before an item of a list. */
const BULLET = /^(?:[•·●■◆▪▲○※>*–—-]\s*|\d{1,2}[.、)）\s]\s*(?!\d))+/u;
/** A line that names where figures come from, or remarks on a sum. */
const REMARK = /^(?:(?:数据|资料|图片|信息)?来源|注|备注)\s*[:：]|^(?:合计|总计|小计|[未不]?含税)/u;
/** Chinese characters in a line that says something: a shorter line without punctuation is a label. */
const STATEMENT_CHARS = 10;
const CLAUSE_CHARS = 7;
/** Characters below which no line is broken because it is full. */
const BROKEN_CHARS = 8;
/** A line that stands on at least this many pages is a header or a footer. */
const RUNNING_PAGES = 3;

const countHan = (text: string): number => text.match(/\p{Script=Han}/gu)?.length ?? 0;
const withoutDigits = (line: string): string => line.replace(/[\d\s]/g, '');

/** Whether a line is a sentence or a statement, and not a label, a figure, a row of a table or a part of a sentence. */
function isStatement(line: string): boolean {
  const han = countHan(line);
  if (han < (CLAUSE_MARK.test(line) ? CLAUSE_CHARS : STATEMENT_CHARS)) return false;
  if (han * 2 < line.replace(/\s/g, '').length) return false;
  if (REMARK.test(line) || FOOTER.test(line) || TORN.test(line) || /^[的了和与及或]|[，、：,]$/u.test(line))
    return false;
  // A single character after the last comma is the beginning of a broken word.
  if (/[，、]\p{Script=Han}$/u.test(line)) return false;
  return (line.match(/\p{Script=Han}[\s|/·]+(?=\p{Script=Han})/gu)?.length ?? 0) < 2;
}

/**
 * Returns the sentences of lines as a PDF displays them: a line is joined with the next where it was broken because it was full, which shows in a
 * next line that is no longer. Lines that may be parts of a sentence without an end are left out.
 */
function joinBroken(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length === 1 || SENTENCE_END.test(run.at(-1) ?? '')) whole.push(foldLines(run.join('\n')));
    run = [];
  };
  for (const line of lines) {
    const last = run.at(-1);
    const isBroken =
      last !== undefined && !SENTENCE_END.test(last) && last.length >= BROKEN_CHARS && line.length <= last.length + 1;
    if (!isBroken) endRun();
    run.push(line);
  }
  endRun();
  return whole;
}

/**
 * Returns the first statements of the preview pages, at most `excerptChars` characters: visitors see them (C-21), and nothing of later pages. Labels,
 * figures, headers and footers, telephone numbers, mail addresses, the text of templates and tables of contents are left out. `areLinesWhole`: a
 * line of the texts is a paragraph, as in a PPTX, and not a line as displayed.
 */
export function excerptOf(texts: readonly string[], { areLinesWhole }: { areLinesWhole: boolean }): string {
  const pagesOf = new Map<string, number>();
  for (const text of texts)
    for (const line of new Set(text.split('\n').map(withoutDigits))) pagesOf.set(line, (pagesOf.get(line) ?? 0) + 1);
  const found: string[] = [];
  // The last page of a deck is thanks and contacts.
  const shown = (texts.length > RUNNING_PAGES ? texts.slice(0, -1) : texts).slice(0, limits.previewPages);
  let left = limits.excerptChars;
  for (const [index, text] of shown.entries()) {
    if (CONTENTS.test(text.slice(0, 40)) && texts.length > 2) continue;
    const ownLines = withoutPlaceholders(text)
      .split('\n')
      .filter((line) => !CONTENTS_LINE.test(line) && (pagesOf.get(withoutDigits(line)) ?? 0) < RUNNING_PAGES);
    const lines = withoutContacts(ownLines.join('\n'))
      .split('\n')
      .map((line) => line.trim().replace(BULLET, ''));
    for (const line of areLinesWhole ? lines : joinBroken(lines)) {
      // The longest lines of a cover are the title, which the page shows above.
      const isTitle = index === 0 && texts.length > 1 && !CLAUSE_MARK.test(line);
      if (isTitle || !isStatement(line)) continue;
      const statement = sentencesWithin(SENTENCE_END.test(line) ? line : `${line}。`, left);
      if (statement === '' || found.some((earlier) => earlier.includes(statement))) continue;
      found.push(statement);
      left -= [...statement].length;
    }
    if (left < STATEMENT_CHARS) break;
  }
  return found.join('');
}

/** Returns the whole sentences at the beginning of a text that have at most `most` characters. */
function sentencesWithin(text: string, most: number): string {
  const sentences = text.match(/[^。！？；]*[。！？；]+[”」』）]?|[^。！？；]+$/gu) ?? [];
  let kept = '';
  for (const sentence of sentences) {
    if ([...kept, ...sentence].length > most) break;
    kept += sentence;
  }
  return kept.trim();
}

/** The default names of pages in presentation programs. */
const PAGE_NUMBER =
  /^[-—–]?\s*(?:page|slide|幻灯片|第)?\s*\d+\s*[页张]?\s*(?:(?:of|\/|[,，]?\s*共)\s*\d+\s*页?)?\s*[-—–]?$/i;
/** A footer: a copyright mark, a note of secrecy, an address of a site. */
const FOOTER =
  /^(?:©|\(c\)|copyright|版权所有|all rights reserved|内部资料|confidential|机密|请务必阅读)|©|all rights reserved|版权所有|免责声明$/i;
/** A line that begins in the middle of a sentence. */
const TORN = /^[，。、；：！？）」』】”,.;:!?)\]]|^[a-z]+ [a-z]+ [a-z]+/u;
/** A number with its unit, which slides show in large type: 38分钟, 1.2 万人次. */
const FIGURE = new RegExp(
  `^[约近超达]?\\s*[\\d.,]+\\s*[千百万亿]*\\s*(?:${[
    '毫秒|秒|分钟?|小时|点半?|天|周|个?月|年|岁|倍',
    '毫?米|厘米|公里|千米|平方?米|克|公?斤|吨|升|元|bpm',
    '人次?|名|位|家|户|组|桌|场|次|份|件|张|只|个|套|台|辆|封|瓶|杯|盏|条|篇|款|城|站|店|工位',
  ].join('|')})?[+＋]?$`,
  'i',
);

/**
 * Whether a line may be a title: it has letters, is not too long, and is neither a date, an address, a figure nor a
 * page number.
 */
export function isTitleLine(line: string): boolean {
  if (line.length < 2 || line.length > 48) return false;
  if (!/\p{L}{2}/u.test(line)) return false;
  if (/^(https?:|www\.)|@[\w-]+\./i.test(line) || PAGE_NUMBER.test(line) || FIGURE.test(line)) return false;
  if (FOOTER.test(line) || TORN.test(line) || CONTENTS_LINE.test(line) || isPlaceholder(line)) return false;
  if (/[。；，、,;]$|[a-z]\.$/.test(line)) return false;
  return !/^[\d\s年月日./:\-–—]+$/.test(line);
}

/**
 * Returns the bookmarks of a PDF as its outline; null when they are too few or only count the pages (Slide 1, Slide
 * 2…).
 */
export function outlineFromBookmarks<Bookmark extends { title: string }>(bookmarks: Bookmark[]): Bookmark[] | null {
  const named = bookmarks.filter(({ title }) => !PAGE_NUMBER.test(title));
  return named.length > 1 ? named : null;
}

/** A page with more text is prose, and its first line may be the middle of a sentence. */
export const PROSE_CHARS = 1_200;

/** Returns a line without the letter-spaced text at its ends (目录 C O N T E N T S), which is decoration. */
function withoutWide(line: string, wide: readonly string[]): string {
  for (let rest = line; ;) {
    const first = wide.find((text) => `${rest} `.startsWith(`${text} `));
    const last = wide.find((text) => rest.endsWith(` ${text}`));
    if (first === undefined && last === undefined) return rest;
    const left = first === undefined ? rest.slice(0, -(last ?? '').length) : rest.slice(first.length);
    rest = left.replace(/^[\s/&·|-]+|[\s/&·|-]+$/g, '');
  }
}

/** A line of a page as displayed, and its height in ten-thousandths of the page. */
export type HeadLine = [text: string, height: number];

/** The letter-spaced lines of a page, and the lines that may be its title (`page-head.ts`). */
export type WidePage = { page: number; wide: string[]; head?: HeadLine[] };

const HAN = String.raw`[\p{Script=Han}，、：；！？。「」『』《》（）“”]`;
const HAN_LINES = new RegExp(`(?<=${HAN})\\s*\\n\\s*(?=${HAN})`, 'gu');

/** Returns the lines of a title as one line; Chinese lines are joined without a space. */
export const foldLines = (text: string): string => text.replace(HAN_LINES, '').replace(/\s*\n\s*/g, ' ');

export const joinLines = (before: string, after: string): string => foldLines(`${before}\n${after}`);

/** A line lower than this (3 % of the page) above a much higher line is a label or a decoration, not the title. */
const LABEL_HEIGHT = 300;
const LABEL_SHARE = 0.4;

/** Returns the title among the lines that may be one, by their order and height. */
function titleOfHead(head: readonly HeadLine[]): string | undefined {
  const [first, ...next] = head;
  const largest = next.slice(0, 2).reduce<HeadLine | undefined>((a, b) => (a && a[1] >= b[1] ? a : b), undefined);
  if (first && largest && first[1] < LABEL_HEIGHT && first[1] < largest[1] * LABEL_SHARE) return largest[0];
  return first?.[0];
}

/**
 * Returns the lines that are not letter-spaced, which are decoration, unless the page has no others. Words of a
 * letter-spaced line that are far apart are separate lines here.
 */
function withoutWideHeads(head: readonly HeadLine[], wide: readonly string[]): readonly HeadLine[] {
  const letters = (text: string) => text.replace(/\s/g, '');
  const isWide = (line: string) =>
    wide.some((text) => ` ${text} `.includes(` ${line} `) || letters(text) === letters(line));
  const plain = head.filter(([line]) => !isWide(line));
  return plain.length > 0 ? plain : head.filter(([line]) => /\p{Script=Han}/u.test(line));
}

/** English in capitals, longer than an abbreviation, in which decks repeat their titles: MARKET INSIGHT, not SWOT. */
const ENGLISH_LINE = /^(?:[A-Z]{8,}|(?=[A-Z &]*[A-Z]{4})[A-Z]+(?: (?:& )?[A-Z]+)+)$/;

/**
 * Returns the outline of a document without bookmarks: of each page the first line that may be a title. A line that
 * begins more than half of the pages is a running header and is skipped. Letter-spaced text is a title only on a page
 * without other text.
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
