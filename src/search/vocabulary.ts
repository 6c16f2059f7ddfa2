/**
 * The words the library knows: what its documents say in names and keywords, who made them, their industries. Only such
 * a word is ever proposed, be it as a completion or in the place of a slip.
 */
export type Word = {
  /** Folded (fold.ts), as it is compared. */
  text: string;
  /** As it is written, to be shown. */
  shown: string;
  /** In how many documents. */
  count: number;
  /** One for each character: the sound of a Han character, the character itself otherwise. */
  sounds: string[];
  /** The sounds run together. */
  sound: string;
};

/** Every list has the most frequent word first. */
export type Vocabulary = {
  byText: Map<string, Word>;
  /** Sounds run together: xiaohongshu. */
  bySound: Map<string, Word[]>;
  /** As bySound, with what is often confused made one. */
  byBlur: Map<string, Word[]>;
  /** First letters: xhs. */
  byInitials: Map<string, Word[]>;
  /** A word of three characters or more with any one left out: neighbours by one edit share such a form. */
  byGap: Map<string, Word[]>;
  byFirst: Map<string, Word[]>;
  /** By the first letter of the first sound. */
  byLetter: Map<string, Word[]>;
};

/** Longer ones are sentences; nobody means them by a slip. */
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
  };
}

/** Words must come in the order of their counts, the most frequent first. */
export function addWord(vocabulary: Vocabulary, counted: Omit<Word, 'sound'>): void {
  if (vocabulary.byText.has(counted.text)) return;
  const sound = counted.sounds.join('');
  const word = { ...counted, sound };
  vocabulary.byText.set(word.text, word);
  put(vocabulary.bySound, sound, word);
  put(vocabulary.byBlur, blurred(sound), word);
  put(vocabulary.byInitials, word.sounds.map((one) => one[0] ?? '').join(''), word);
  put(vocabulary.byFirst, [...word.text][0] ?? '', word);
  put(vocabulary.byLetter, sound[0] ?? '', word);
  for (const form of gapsOf(word.text)) put(vocabulary.byGap, form, word);
}

function put(map: Map<string, Word[]>, key: string, word: Word): void {
  const known = map.get(key);
  if (known) known.push(word);
  else map.set(key, [word]);
}

/** What southern speech and quick typing mix up: zh and z, ch and c, sh and s, ng and n, l and n. */
export function blurred(sound: string): string {
  return sound
    .replace(/([zcs])h/g, '$1')
    .replace(/ng/g, 'n')
    .replaceAll('l', 'n');
}

/** The text itself and all that is left of it when one character is taken out; none for short texts. */
export function gapsOf(text: string): string[] {
  const chars = [...text];
  if (chars.length < 3 || chars.length > MAX_WORD) return [];
  return [
    ...new Set([text, ...chars.map((_, index) => [...chars.slice(0, index), ...chars.slice(index + 1)].join(''))]),
  ];
}
