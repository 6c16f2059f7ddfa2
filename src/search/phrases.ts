import { type Folded, fold } from './fold.ts';
import { lazily } from '../platform/lazily.ts';
import { type Span, utf16SpansOf } from './spans.ts';

/**
 * What people say in several words for one thing of the trade: 对着手机…卖 for 直播带货. `cues`: the parts in their order, each with its alternatives,
 * folded (fold.ts); `near`: the words of the trade.
 */
export type Phrase = { cues: readonly (readonly string[])[]; near: readonly string[] };

/** A phrase in a text: where it stands, and where each of its cues does. */
type FoundPhrase = Span & { cues: Span[] };
type CutWords = (text: string) => string[];

/** Between two cues of a phrase stand this number of characters at most. */
const MAX_GAP = 6;

/** The phrases by the first character of their first cue. */
type PhrasesFrom = ReadonlyMap<string, readonly { cue: string; phrase: Phrase }[]>;
let phrasesFrom = lazily<PhrasesFrom>(() => new Map());

/** Replaces the table. `read` is called when the first phrase is looked for. */
export function setPhrases(read: () => readonly Phrase[]): void {
  phrasesFrom = lazily(() => {
    const starts = read().flatMap((phrase) => (phrase.cues[0] ?? []).map((cue) => ({ cue, phrase })));
    return Map.groupBy(starts, ({ cue }) => cue.charAt(0));
  });
}

/** Returns the phrases of a query, folded, each from the first cue to the last. */
export function phrasesIn(query: string, cut: CutWords): string[] {
  const text = textOf(fold(query));
  const words = lazily(() => utf16SpansOf(cut(text)));
  // `end - start` counts UTF-16 units, which are characters here: textOf keeps no character of two units.
  const isWord = ({ start, end }: Span) =>
    end - start > 1 || words().some((word) => word.start === start && word.end === end);
  const found: string[] = [];
  for (let start = 0; start < text.length; start++) {
    const [phrase] = matchesAt(text, start).filter(({ cues }) => cues.every(isWord));
    if (!phrase) continue;
    found.push(text.slice(phrase.start, phrase.end));
    start = phrase.end - 1;
  }
  return found;
}

/** Returns the words of the trade that a folded phrase, as phrasesIn returns it, stands for; [] for any other text. */
export const nearOfPhrase = (text: string): readonly string[] =>
  matchesAt(text, 0).find(({ end }) => end === text.length)?.phrase.near ?? [];

/** Tells whether a folded text is such a phrase. */
export const isPhrase = (text: string): boolean => nearOfPhrase(text).length > 0;

/** Tells whether a phrase says a word of its query, or two characters of it that the dictionary cut with what follows: 猫狗找 in 没人要的猫狗找个家. */
export const saysWord = (phrase: string, word: string): boolean => {
  const chars = [...word];
  return chars.slice(1).some((char, at) => phrase.includes(`${chars[at] ?? ''}${char}`));
};

/** Returns the phrases that begin at a place of a text, the longest first. */
function matchesAt(text: string, start: number): (FoundPhrase & { phrase: Phrase })[] {
  return (phrasesFrom().get(text.charAt(start)) ?? [])
    .flatMap(({ cue, phrase }) => {
      if (!text.startsWith(cue, start)) return [];
      const cues = [{ start, end: start + cue.length }];
      for (const alternatives of phrase.cues.slice(1)) {
        const next = nextCue(text, cues.at(-1)?.end ?? start, alternatives);
        if (!next) return [];
        cues.push(next);
      }
      return [{ start, end: cues.at(-1)?.end ?? start, cues, phrase }];
    })
    .sort((a, b) => b.end - a.end);
}

/** Returns where the first of the alternatives stands behind a place; the longest of those that begin there. */
function nextCue(text: string, from: number, alternatives: readonly string[]): Span | null {
  for (let start = from; start <= from + MAX_GAP && start < text.length; start++) {
    const lengths = alternatives.filter((cue) => text.startsWith(cue, start)).map((cue) => cue.length);
    if (lengths.length > 0) return { start, end: start + Math.max(...lengths) };
  }
  return null;
}

// One UTF-16 unit for each folded character, so that the places of both are the same.
const textOf = (folded: Folded) => folded.map(({ char }) => (char.length === 1 ? char : ' ')).join('');
