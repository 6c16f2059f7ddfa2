import { foldedText } from '../../fold.ts';
import { REPEATED, requiredWords, saysNothing } from '../../generic-words.ts';
import { SEARCH_PAGE_SIZE } from '../../limits.ts';
import { correctQuery } from '../../spelling/correct-query.ts';
import { isSynonymForm } from '../../synonyms.ts';
import type { QueryWord } from '../../words.ts';
import { cutWords, soundsOf, tonesOf } from '../words/cut-words.ts';
import { pageWordsOf, vocabularyOf } from '../words/vocabulary.ts';
import { countNamed } from './find-named.ts';
import { type DeckCtx, matchDecks } from './match-decks.ts';
import { asTyped } from '../../typed-words.ts';

/** Another spelling of a query, "" when there is none; its words, and how many decks hold them all. */
type Spelling = { spelling: string; correctedWords: QueryWord[]; total: number };

/** Returns another spelling of a query. Pinyin that was typed in pieces may be that of one word: tuandui jianshe. */
export async function spellingOf(ctx: DeckCtx, key: string): Promise<Spelling> {
  const known = { names: vocabularyOf(ctx), pages: pageWordsOf(ctx), isSynonym: isSynonymForm, cut: cutWords, tonesOf };
  const read = async (text: string): Promise<Spelling> => {
    const spelling = correctQuery(text, known, soundsOf) ?? '';
    const correctedWords = spelling ? requiredWords(spelling, cutWords) : [];
    return { spelling, correctedWords, total: correctedWords.length > 0 ? await countFull(ctx, correctedWords) : 0 };
  };
  const inPieces = await read(key.replace(REPEATED, ' ').trim() || key);
  if (!PINYIN_IN_PIECES.test(key)) return inPieces;
  const letters = key.toLowerCase().replaceAll(' ', '');
  const isSoundOf = ({ spelling }: Spelling) =>
    !/[a-z]/iu.test(spelling) && soundsOf(spelling.replaceAll(' ', '')).join('') === letters;
  // A syllable is one character: jie is 节, and not 饥饿.
  const isBySyllables = ({ spelling }: Spelling) => [...spelling.replaceAll(' ', '')].length === key.split(' ').length;
  if (isSoundOf(inPieces) && isBySyllables(inPieces)) return inPieces;
  const asOne = await read(letters);
  return isSoundOf(asOne) && (isBySyllables(asOne) || !isSoundOf(inPieces)) ? asOne : inPieces;
}

const HAN = /\p{Script=Han}/u;
const PINYIN_IN_PIECES = /^[a-z]+(?: [a-z]+)+$/iu;

/** Tells whether a query ends with a character that no word has and that carries a meaning: 送 of 马拉送. */
export function dropsLastCharacter(key: string, words: QueryWord[]): boolean {
  const last = words.at(-1);
  const typed = foldedText(key);
  const piece = last ? asTyped(last, typed) : '';
  const end = typed.slice(-1);
  return piece !== '' && HAN.test(end) && !saysNothing(end) && typed.endsWith(piece + end);
}

/** Counts the decks that contain all words, whatever the filter. A page of results is enough to know. */
export async function countFull(ctx: DeckCtx, words: QueryWord[]): Promise<number> {
  const named = await countNamed(ctx, words);
  if (named >= SEARCH_PAGE_SIZE) return named;
  const { full, mentions } = await matchDecks(ctx, words);
  return Math.max(named, full.length + mentions.length);
}

/** Tells whether any deck holds all words, in its name, its labels or on its pages. */
export async function isHeldWhole(ctx: DeckCtx, words: QueryWord[]): Promise<boolean> {
  return (await countFull(ctx, words)) > 0;
}
