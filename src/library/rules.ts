import { DAY_MS } from '../protocol/durations.ts';
import { isBlank } from '../protocol/hidden-characters.ts';
import { occasionsIn } from './occasions.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Shanghai keeps no summer time (since 1991), so its calendar is a fixed offset. */
const SHANGHAI_OFFSET_MS = 8 * HOUR_MS;

/** Similar documents shown (C-77). */
export const SIMILAR_COUNT = 8;
const NAME_CHARACTERS = 200;
const KEYWORDS = 40;

/** Calendar day in Shanghai, YYYY-MM-DD (C-05). */
export function dayText(at: Date): string {
  return new Date(at.getTime() + SHANGHAI_OFFSET_MS).toISOString().slice(0, 10);
}

/** Calendar year in Shanghai. */
export const yearOf = (at: Date): number => Number(dayText(at).slice(0, 4));

/** The first day that a document may have, YYYY-MM-DD. */
export const EARLIEST_DAY = '1900-01-01';

/** Tells whether a document may have this day of Shanghai. One of tomorrow would lead all lists, as new, until it comes. */
export function isPlanDay(day: Date, now: number): boolean {
  return isKnownYear(day) && day.getTime() < startOfNextDay(now);
}

/** Tells whether a day is not before EARLIEST_DAY, as 0000-03-05 is, which PostgreSQL does not know. */
export const isKnownYear = (day: Date): boolean => day.getTime() >= Date.parse(`${EARLIEST_DAY}T00:00:00+08:00`);

/** Returns the next midnight in Shanghai after `now`; both in epoch milliseconds. At midnight it is the one after. */
export function startOfNextDay(now: number): number {
  return (Math.floor((now + SHANGHAI_OFFSET_MS) / DAY_MS) + 1) * DAY_MS - SHANGHAI_OFFSET_MS;
}

/** Returns the first moment of the next calendar month in Shanghai after `now`; both in epoch milliseconds. */
export function startOfNextMonth(now: number): number {
  const today = new Date(now + SHANGHAI_OFFSET_MS);
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1) - SHANGHAI_OFFSET_MS;
}

/** First moment of a Shanghai calendar year. */
export function startOfYear(year: number): Date {
  return new Date(Date.UTC(year, 0, 1) - SHANGHAI_OFFSET_MS);
}

/** 刚刚 / N分钟前 / N小时前 / N天前 (up to 30) / the day, each followed by 更新 (C-05). `now` in epoch ms. */
export function updateText(at: Date, now: number): string {
  const age = now - at.getTime();
  if (age < MINUTE_MS) return '刚刚更新';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}分钟前更新`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}小时前更新`;
  if (age < 31 * DAY_MS) return `${Math.floor(age / DAY_MS)}天前更新`;
  return `${dayText(at)}更新`;
}

/** 1 within 7 days of creation (C-86). */
export function isNew(createdAt: Date, now: number): 0 | 1 {
  return now - createdAt.getTime() < 7 * DAY_MS ? 1 : 0;
}

/** Tells whether a file is for previews only: decks with macros (MACROS=previews) are never downloadable. */
export const isPreviewOnly = (file: { flags: readonly string[] }) => file.flags.includes('macros');

/** Megabytes of 1024², two decimals; never 0 for a file that has a byte. */
export function megabytes(bytes: number): number {
  return Math.max(Math.round((bytes / 1_048_576) * 100) / 100, 0.01);
}

/** The unit of freshness in recommendScore: 60 days. */
export const FRESHNESS_SECONDS = 5_184_000;

/**
 * Returns ln(1 + heat) + creation time in units of 60 days. Among documents of one day those with more heat lead (heat:
 * ranking/rules.ts), and e times the heat outweighs 60 days of age. No score has to be recomputed as time passes.
 */
export function recommendScore(createdAt: Date, heat: number): number {
  return Math.log1p(heat) + createdAt.getTime() / (FRESHNESS_SECONDS * SECOND_MS);
}

/** Characters that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text as one line that PostgreSQL and a page can hold: no control characters, no lone surrogates, white space collapsed; "" when nobody would see anything of the line. */
export function cleanLine(text: string, maxCharacters = NAME_CHARACTERS): string {
  const line = text
    .toWellFormed()
    .normalize('NFC')
    .replace(DIRECTION_MARKS, '')
    .replace(/[\p{Cc}\u200b\u2028\u2029\ufeff\ufffd]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const name = [...line].slice(0, maxCharacters).join('').trim();
  return isBlank(name) ? '' : name;
}

/** Returns keywords separated by commas, without duplicates, for any typed separator. */
export function cleanKeywords(text: string): string {
  const words = text.split(/[,，、;；|\n]/u).map((word) => cleanLine(word, 40));
  return [...new Set(words)].filter(Boolean).slice(0, KEYWORDS).join(',');
}

/** Two decks on one subject have a cosine of about 0.3, which then weighs as much as the industry or two themes. */
const TEXT_WEIGHT = 12;
/** A shared industry weighs more than a shared theme: judges of search results found 40 % of the plans of the same industry useful, and 7 % of the plans with one theme in common. */
const INDUSTRY_WEIGHT = 7;

/** The same occasion in both names weighs more than industry and theme together; two different occasions weigh a little. */
const OCCASION_WEIGHT = 8;
const OTHER_OCCASION_WEIGHT = 1;

/** The facts that similarity is computed from. */
export type LikenessFacts = {
  id: number;
  name: string;
  fileId: number;
  industryId: number | null;
  typeId: number | null;
  themeIds: number[];
  keyword: string;
  recommendScore: number;
};

/**
 * Returns the ids of the documents most similar to `self`, at most `count`, the best first. Similarity adds up the texts (`textScores`:
 * cosine by file id), the same occasion in the name (a festival, a shopping day), the same industry, shared themes and keywords, and the
 * same type; the recommend score decides between equals. Neither the document itself nor a file twice is returned (C-77).
 */
export function pickSimilar(
  self: LikenessFacts,
  candidates: LikenessFacts[],
  textScores: ReadonlyMap<number, number> = new Map(),
  count = SIMILAR_COUNT,
): number[] {
  const keywords = new Set(self.keyword.split(',').filter(Boolean));
  const occasions = occasionsIn(self.name);
  const byOccasion = (name: string) => {
    if (occasions.size === 0) return 0;
    const others = occasionsIn(name);
    if ([...others].some((occasion) => occasions.has(occasion))) return OCCASION_WEIGHT;
    return others.size > 0 ? OTHER_OCCASION_WEIGHT : 0;
  };
  const likeness = (other: LikenessFacts) =>
    byOccasion(other.name) +
    TEXT_WEIGHT * (textScores.get(other.fileId) ?? 0) +
    (self.industryId !== null && other.industryId === self.industryId ? INDUSTRY_WEIGHT : 0) +
    2 * other.themeIds.filter((id) => self.themeIds.includes(id)).length +
    Math.min(4, other.keyword.split(',').filter((word) => keywords.has(word)).length) +
    (self.typeId !== null && other.typeId === self.typeId ? 1 : 0);
  const ranked = candidates
    .filter((other) => other.id !== self.id)
    .map((facts) => ({ facts, likeness: likeness(facts) }))
    .sort(
      (a, b) => b.likeness - a.likeness || b.facts.recommendScore - a.facts.recommendScore || b.facts.id - a.facts.id,
    );
  const seenFiles = new Set([self.fileId]);
  const picked: number[] = [];
  for (const { facts } of ranked) {
    if (seenFiles.has(facts.fileId)) continue;
    seenFiles.add(facts.fileId);
    picked.push(facts.id);
    if (picked.length === count) break;
  }
  return picked;
}

/** Names with a lower similarity, 0 to 1, are not proposed. */
const MIN_SIMILARITY = 0.3;

const MAX_NEAREST = 3;

/** Returns at most MAX_NEAREST of the names that share letters with `word`, in any order, the most similar first. */
export function nearestNames(word: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, likeness: likeness(letters(word), letters(name)) }))
    .filter(({ likeness: score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_NEAREST)
    .map(({ name }) => name);
}

const letters = (text: string) => [...text.normalize('NFKC').toLowerCase()].filter((letter) => letter.trim() !== '');

/** Returns the share of common letters, 0 to 1, and a little more for the same first letter. */
function likeness(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const left = [...b];
  let shared = 0;
  for (const letter of a) {
    const at = left.indexOf(letter);
    if (at === -1) continue;
    left.splice(at, 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length) + (a[0] === b[0] ? 0.05 : 0);
}
