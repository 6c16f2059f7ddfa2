import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { patternOf, simplified } from '../../../library/simplified.ts';
import { normalizedText } from '../../../library/normalized-text.ts';
import { listPagesWithText } from '../../../library/server/catalogue.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import type * as contract from '../../contract.ts';
import { openForReading } from './open-for-reading.ts';

/** How many pages are searched before the event loop serves other requests. */
const PAGES_AT_ONCE = 20;

/** Characters before and after a hit in an excerpt. */
const AROUND = 24;

/**
 * Finds words in the pages of a document that the reader may see: each of them anywhere on the page, in simplified or traditional characters. Other
 * pages are not looked at: a count of their hits would tell their text, word by word. Throws notLoggedIn and notFound.
 */
export async function findInDocument(
  ctx: Ctx,
  { fid, text }: Parsed<typeof contract.findInDocument>,
): Promise<Output<typeof contract.findInDocument>> {
  const { file, readablePages } = await openForReading(ctx, fid);
  const words = text.split(/\s+/u).map(normalizedText).filter(Boolean);
  if (words.length === 0) return { readable_pages: readablePages, total: 0, words: [], pages: [] };
  const patterns = words.map(patternOf);
  const found = await listPagesWithText(ctx, file.id, { patterns, lastPage: readablePages });
  const spellings = new Map([text, simplified(text)].map((each) => [normalizedText(each), each]));
  const pages: Output<typeof contract.findInDocument>['pages'] = [];
  for (const { page, text: pageText } of found) {
    // A thousand long pages take seconds, in which other requests are answered as well.
    if (pages.length % PAGES_AT_ONCE === PAGES_AT_ONCE - 1) await setImmediate();
    const plain = normalizedText(pageText);
    const together = placesOf(plain, [patterns.join('')]);
    const places = together.length > 0 ? together : placesOf(plain, patterns);
    const written = together.length > 0 ? together.map((place) => textAt(plain, place)) : spellingsOf(plain, patterns);
    for (const each of written) if (!spellings.has(normalizedText(each))) spellings.set(normalizedText(each), each);
    pages.push({ page, count: places.length, excerpt: excerptOf(pageText, plain, places[0]) });
  }
  const total = pages.reduce((sum, { count }) => sum + count, 0);
  return { readable_pages: readablePages, total, words: [...spellings.values()], pages };
}

type Place = { from: number; to: number };

/** Returns where the patterns match a normalized text, from the first. */
function placesOf(plain: string, patterns: readonly string[]): Place[] {
  const places = patterns.flatMap((pattern) =>
    Array.from(plain.matchAll(new RegExp(pattern, 'gu')), ({ index, 0: hit }) => ({
      from: index,
      to: index + hit.length,
    })),
  );
  places.sort((a, b) => a.from - b.from || b.to - a.to);
  // 活动 within 活动方案 is no other place.
  let end = 0;
  return places.filter((place) => place.from >= end && (end = place.to) > 0);
}

const textAt = (plain: string, { from, to }: Place): string => plain.slice(from, to);

/** Returns the words as a normalized text writes them, in their order: as often as the word with most spellings has some. */
function spellingsOf(plain: string, patterns: readonly string[]): string[] {
  const written = patterns.map((pattern) => [
    ...new Set(placesOf(plain, [pattern]).map((place) => textAt(plain, place))),
  ]);
  const most = Math.max(...written.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => written.map((each) => each[at] ?? each[0] ?? '').join(' '));
}

/** Letters with their combining marks: normalized one by one they are the normalized text, which single characters are not. */
const GRAPHEMES = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/** A text is normalized in pieces of this many characters up to its hit: letter by letter a long page takes a fifth of a second. */
const PIECE = 256;

/** Returns the text around a hit as it is written. The hit is given in the normalized text. */
function excerptOf(text: string, plain: string, hit: Place | undefined): string {
  if (!hit) return '';
  const from = Math.max(hit.from - AROUND, 0);
  const to = Math.min(hit.to + AROUND, plain.length);
  let { start, at } = pieceWith(text, from);
  let end = start;
  for (const { segment } of GRAPHEMES.segment(text.slice(start))) {
    if (at <= from) start = end;
    at += normalizedText(segment).length;
    end += segment.length;
    if (at >= to) break;
  }
  const excerpt = text.slice(start, end).replace(/\s+/gu, ' ').trim();
  return `${from > 0 ? '…' : ''}${excerpt}${to < plain.length ? '…' : ''}`;
}

/** Returns where the piece of a text begins that holds place `from` of the normalized text: `start` in the text, `at` in the normalized text. */
function pieceWith(text: string, from: number): { start: number; at: number } {
  const letters = GRAPHEMES.segment(text);
  for (let start = 0, at = 0; ;) {
    const last = letters.containing(start + PIECE);
    if (!last) return { start, at };
    const end = last.index + last.segment.length;
    const next = at + normalizedText(text.slice(start, end)).length;
    if (next > from) return { start, at };
    [start, at] = [end, next];
  }
}
