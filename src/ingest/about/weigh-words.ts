import type { DocumentText } from './document-text.ts';

/** A piece of text and its part of speech, as jieba tags them. */
export type TaggedWord = { word: string; tag: string };
export type TagWords = (text: string) => TaggedWord[];

/** How much a word says: more, the fewer documents have it. */
export type Rarity = (word: string) => number;

/** A word of a document, and how much of the document it is. */
export type CountedWord = { word: string; frequency: number; tag: string };
/** How rare it is elsewhere, and both together. */
export type WeighedWord = CountedWord & { rarity: number; weight: number };

const IN_NAME = 1.5;
const IN_HEADING = 0.5;
/** Read of a document: what a book of 400 pages says later, it has said before. */
const MAX_CHARACTERS = 100_000;
const WORD_CHARACTERS = 16;

/**
 * The words of a document that say something. A word counts by the pages that have it (logarithm), and more in the name
 * or in the title of a page. Words of one character, numbers and `stopWords` are left out.
 */
export function countWords(
  text: DocumentText,
  tools: { tagWords: TagWords; stopWords: ReadonlySet<string> },
): CountedWord[] {
  const tags = new Map<string, string>();
  const wordsOf = (part: string) => {
    const words = new Set<string>();
    for (const { word, tag } of tools.tagWords(part)) {
      const folded = word.normalize('NFKC').toLowerCase();
      if (!saysSomething(folded) || tools.stopWords.has(folded)) continue;
      words.add(folded);
      if (!tags.has(folded)) tags.set(folded, tag);
    }
    return words;
  };
  const pages = new Map<string, number>();
  let left = MAX_CHARACTERS;
  for (const page of text.pages) {
    if (left <= 0) break;
    for (const word of wordsOf(page.slice(0, left))) pages.set(word, (pages.get(word) ?? 0) + 1);
    left -= page.length;
  }
  const inName = wordsOf(text.name);
  const inHeadings = wordsOf(text.headings.join('\n'));
  return [...new Set([...pages.keys(), ...inName, ...inHeadings])].map((word) => ({
    word,
    frequency: round(
      Math.log1p(pages.get(word) ?? 0) + (inName.has(word) ? IN_NAME : 0) + (inHeadings.has(word) ? IN_HEADING : 0),
    ),
    tag: tags.get(word) ?? '',
  }));
}

/** TF-IDF, heaviest first. */
export function weighWords(words: readonly CountedWord[], rarityOf: Rarity): WeighedWord[] {
  return words
    .map((one) => {
      const rarity = round(rarityOf(one.word));
      return { ...one, rarity, weight: round(one.frequency * rarity) };
    })
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
}

const round = (value: number) => Math.round(value * 100) / 100;

function saysSomething(word: string): boolean {
  if (word.length > WORD_CHARACTERS) return false;
  if (/^\p{Script=Han}+$/u.test(word)) return word.length > 1;
  return /^[\p{L}][\p{L}\p{Nd}-]{2,}$/u.test(word);
}

const KEYWORDS = 8;
/** Names of things, of days, kinds of doing and fixed expressions; not how or how many. */
const KEYWORD_TAG = /^(?:n|vn|j|l|t|eng|$)/;
/** In the name, or on four pages: what jieba takes for a person's name (`nr`) is mostly a guess. */
const SURE_NAME_FREQUENCY = Math.log1p(4) - 0.01;
/** A keyword stands on more than one page, unless the document's name or a page's title has it. */
const MIN_FREQUENCY = Math.log1p(2) - 0.01;

/** The words to find a document by: its heaviest names of things, none a part of another. */
export function keywordsOf(words: readonly WeighedWord[], count = KEYWORDS): string[] {
  const chosen: string[] = [];
  for (const { word, tag, frequency } of words) {
    if (chosen.length === count) break;
    if (!KEYWORD_TAG.test(tag) || frequency < (tag === 'nr' ? SURE_NAME_FREQUENCY : MIN_FREQUENCY)) continue;
    if (chosen.some((other) => other.includes(word) || word.includes(other))) continue;
    chosen.push(word);
  }
  return chosen;
}

const VECTOR_WORDS = 24;

/** What texts are compared by: the heaviest words, their weights brought to length 1. */
export function vectorOf(words: readonly WeighedWord[]): { word: string; weight: number }[] {
  const heaviest = words.slice(0, VECTOR_WORDS);
  const length = Math.hypot(...heaviest.map(({ weight }) => weight)) || 1;
  return heaviest.map(({ word, weight }) => ({ word, weight: weight / length }));
}

/** So many documents does general language count for, beside the library's own. */
const GENERAL_DOCUMENTS = 200;
/** For a word nobody has counted: about what jieba's rare words have. */
const UNKNOWN_RARITY = 11;

/**
 * Inverse document frequency: that of general Chinese in a small library, more and more the library's own as it grows.
 * `general` is jieba's IDF, `library` how many of `files` have the word.
 */
export function rarityIn(
  library: { files: number; withWord: ReadonlyMap<string, number> },
  general: ReadonlyMap<string, number>,
): Rarity {
  return (word) => {
    const generalShare = Math.exp(-(general.get(word) ?? UNKNOWN_RARITY));
    const withWord = (library.withWord.get(word) ?? 0) + GENERAL_DOCUMENTS * generalShare;
    return Math.max(0.1, Math.log((library.files + GENERAL_DOCUMENTS) / (withWord + 0.5)));
  };
}
