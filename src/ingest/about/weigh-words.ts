/** A word and its part of speech, as jieba tags it. */
type TaggedWord = { word: string; tag: string };
export type TagWords = (text: string) => TaggedWord[];

/** Gives the rarity of a word: higher when fewer documents have the word. */
type Rarity = (word: string) => number;

/** A word of a document and its weighted frequency there. */
export type CountedWord = { word: string; frequency: number; tag: string };
/** `rarity` is the inverse document frequency; `weight` the product of frequency and rarity. */
type WeighedWord = CountedWord & { rarity: number; weight: number };

const IN_NAME = 1.5;
const IN_HEADING = 0.5;
/** Number of characters of a document that are read; later pages of a book of 400 pages add no new words. */
const MAX_CHARACTERS = 100_000;
const WORD_CHARACTERS = 16;

/**
 * Returns the meaningful words of a document. The frequency is the logarithm of the number of pages with the word,
 * raised when the word is in the name or in the title of a page. Words of one character, numbers and `stopWords` are
 * left out.
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

/** Returns the words with their TF-IDF weights, largest first. */
export function weighWords(words: readonly CountedWord[], rarityOf: Rarity): WeighedWord[] {
  return words
    .map((counted) => {
      const rarity = round(rarityOf(counted.word));
      return { ...counted, rarity, weight: round(counted.frequency * rarity) };
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
/**
 * Parts of speech of keywords: nouns, verbal nouns, abbreviations, idioms, times, English words; no adjectives, adverbs
 * or numerals.
 */
const KEYWORD_TAG = /^(?:n|vn|j|l|t|eng|$)/;
/**
 * Frequency from which a word that jieba takes for a person's name (`nr`) is believed: it is in the document's name, or
 * on four pages.
 */
const SURE_NAME_FREQUENCY = Math.log1p(4) - 0.01;
/** Lowest frequency of a keyword: the document's name, a page title or two pages have it. */
const MIN_FREQUENCY = Math.log1p(2) - 0.01;

/** Returns the keywords of a document: its nouns with the largest weights, none a part of another. */
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

/** Returns the vector by which texts are compared: the words with the largest weights, normalised to length 1. */
export function vectorOf(words: readonly WeighedWord[]): { word: string; weight: number }[] {
  const heaviest = words.slice(0, VECTOR_WORDS);
  const length = Math.hypot(...heaviest.map(({ weight }) => weight)) || 1;
  return heaviest.map(({ word, weight }) => ({ word, weight: weight / length }));
}

/** Number of library documents that count as much as the frequencies of general Chinese. */
const GENERAL_DOCUMENTS = 200;
/** Rarity of a word that nobody has counted; about that of jieba's rare words. */
const UNKNOWN_RARITY = 11;

/**
 * Returns the inverse document frequency of words: in a small library that of general Chinese, in a large one that of
 * the library. `general` is jieba's IDF; `library` the number of the `files` that have each word.
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

/** The text of a document: its name, the titles of its pages, and the text of each page. */
export type DocumentText = { name: string; headings: readonly string[]; pages: readonly string[] };

/** A line on more than this share of the pages is a running header or footer. */
const RUNNING_SHARE = 0.5;
const RUNNING_PAGES = 4;

/** Returns the pages without running headers and footers, which would count once for every page. */
export function withoutRunningLines(pages: readonly string[]): string[] {
  if (pages.length < RUNNING_PAGES) return [...pages];
  const seen = new Map<string, number>();
  for (const page of pages) for (const line of new Set(page.split('\n'))) seen.set(line, (seen.get(line) ?? 0) + 1);
  const most = pages.length * RUNNING_SHARE;
  return pages.map((page) =>
    page
      .split('\n')
      .filter((line) => (seen.get(line) ?? 0) <= most)
      .join('\n'),
  );
}
