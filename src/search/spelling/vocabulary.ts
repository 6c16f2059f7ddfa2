/**
 * The words of the library: from names, keywords, organizations and industries of its documents. Completions and corrections propose
 * only these words.
 */
export type Word = {
  /** Folded form (fold.ts), for comparison. */
  text: string;
  /** The word as it is written, for display. */
  shown: string;
  /** Number of documents that contain the word. */
  count: number;
  /** Per character: the pinyin of a Han character, otherwise the character itself. */
  sounds: string[];
  /** The sounds joined. */
  sound: string;
};

/** Every list has the most frequent word first. */
export type Vocabulary = {
  byText: Map<string, Word>;
  /** Words by their joined sounds: xiaohongshu. */
  bySound: Map<string, Word[]>;
  /** Words by their joined sounds, with sounds that are often confused merged into one. */
  byBlur: Map<string, Word[]>;
  /** Words by the first letters of their sounds: xhs. */
  byInitials: Map<string, Word[]>;
  /** Words of three or more characters by their forms with one character left out: words at edit distance one share such a form. */
  byGap: Map<string, Word[]>;
  byFirst: Map<string, Word[]>;
  /** Words by the first letter of their first sound. */
  byLetter: Map<string, Word[]>;
  /** Words by each pair of neighbouring characters after the first: 房地产 by 地产. */
  byMiddle: Map<string, Word[]>;
};

/** Longer words are sentences and are never proposed. */
export const MAX_WORD = 12;

export function emptyVocabulary(): Vocabulary {
  return {
    byText: new Map(),
    bySound: new Map(),
    byBlur: new Map(),
    byInitials: new Map(),
    byGap: new Map(),
    byFirst: new Map(),
    byLetter: new Map(),
    byMiddle: new Map(),
  };
}

/** Adds a word. The caller adds words in the order of their counts, the most frequent first. */
export function addWord(vocabulary: Vocabulary, counted: Omit<Word, 'sound'>): void {
  if (vocabulary.byText.has(counted.text)) return;
  const sound = counted.sounds.join('');
  const word = { ...counted, sound };
  vocabulary.byText.set(word.text, word);
  put(vocabulary.bySound, sound, word);
  put(vocabulary.byBlur, blurred(sound), word);
  put(vocabulary.byInitials, word.sounds.map((syllable) => syllable[0] ?? '').join(''), word);
  put(vocabulary.byFirst, [...word.text][0] ?? '', word);
  put(vocabulary.byLetter, sound[0] ?? '', word);
  for (const pair of middlesOf(word.text)) put(vocabulary.byMiddle, pair, word);
  for (const form of gapsOf(word.text)) put(vocabulary.byGap, form, word);
}

function put(map: Map<string, Word[]>, key: string, word: Word): void {
  const known = map.get(key);
  if (known) known.push(word);
  else map.set(key, [word]);
}

/** Returns the pairs of neighbouring characters of a text that do not begin it, each once. */
function middlesOf(text: string): Set<string> {
  const chars = [...text];
  return new Set(chars.slice(2).map((char, index) => `${chars[index + 1] ?? ''}${char}`));
}

/** Merges sounds that southern accents and quick typing confuse: zh and z, ch and c, sh and s, ng and n, l and n. */
export function blurred(sound: string): string {
  return sound
    .replace(/([zcs])h/g, '$1')
    .replace(/ng/g, 'n')
    .replaceAll('l', 'n');
}

/** Returns the text and all its forms with one character left out; [] for short texts. */
export function gapsOf(text: string): string[] {
  const chars = [...text];
  if (chars.length < 3 || chars.length > MAX_WORD) return [];
  return [
    ...new Set([text, ...chars.map((_, index) => [...chars.slice(0, index), ...chars.slice(index + 1)].join(''))]),
  ];
}
