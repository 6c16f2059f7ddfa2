import { isDayOfPeople } from '../../event-kinds.ts';
import { foldedText } from '../../fold.ts';
import { requiredWords, saysNothing, timesOf } from '../../generic-words.ts';
import { isSynonymForm } from '../../synonyms.ts';
import { type QueryWord, queryWords, wholeWord } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { isPlaceName, isVerb, weightOf } from '../words/word-weights.ts';
import { countNamed } from './find-named.ts';
import { type DeckCtx, matchDecks } from './match-decks.ts';
import { isHeldWhole } from './query-spelling.ts';
import { asTyped } from '../../typed-words.ts';

/** Returns the words of a query that is answered to the letter: every character with a meaning counts. */
export function wordsToTheLetter(key: string): QueryWord[] {
  const words = queryWords(key, cutWords, { keepsSingles: true });
  return [...words, ...compoundsOf(key, words)];
}

/** In longer queries single characters are said by the way (坐在黑屋子里听). */
const MAX_WORDS_IN_FULL = 3;

/**
 * Returns the words of the query with all single characters when anything matches them (代茶饮), else without those that make no word of the
 * library with their neighbour (高净值 stays, 客户办 is 客户). A character with a meaning is not passed over: 签到墙 asks for 签到, and for 签到墙 too,
 * which no deck holds. A day of people stays whole (护士节).
 */
export async function wordsOfQuery(ctx: DeckCtx, key: string): Promise<QueryWord[]> {
  const words = requiredWords(key, cutWords).map(asPlace);
  const whole = requiredWords(key, cutWords, { keepsSingles: true }).map(asPlace);
  const asked = textOf(whole) === textOf(words) ? words : await withSingles(ctx, words, whole);
  // Beside what most plans are about the time is the subject: 年底 of 年底营销.
  const isLight = asked.every((word) => weightOf(word).held < 1);
  const times = isLight ? timesOf(key, cutWords).filter((time) => !textOf(asked).includes(firstText(time))) : [];
  const kept = [...times, ...asked];
  if (kept.length > MAX_WORDS_IN_FULL) return kept;
  const added: QueryWord[] = [];
  for (const compound of compoundsOf(key, kept)) {
    if (!(await isHeldWhole(ctx, [compound]))) added.push(compound);
  }
  return [...kept, ...added];
}

/** Returns a place without what kind of place it is: 昆明 of 昆明市, 云南 of 云南省. */
function asPlace(word: QueryWord): QueryWord {
  const [place] = /^\p{Script=Han}{2,}(?=[市省]$)/u.exec(firstText(word)) ?? [];
  return place !== undefined && word.forms.length === 1 && isPlaceName(firstText(word))
    ? wholeWord(place, cutWords)
    : word;
}

async function withSingles(ctx: DeckCtx, words: QueryWord[], whole: QueryWord[]): Promise<QueryWord[]> {
  if ((await countNamed(ctx, whole)) > 0) return whole;
  const { full, isKnown } = await matchDecks(ctx, whole);
  if (full.length > 0) return whole;
  const kept = whole.flatMap((word, at) => {
    const text = firstText(word);
    const parts = words.filter((part) => text.includes(firstText(part)));
    const [only] = parts;
    // 在小红书投了三个月 asks for 小红书, and not for 小红书投放; 发小红书 for 小红书, and not for 发小.
    if (only && parts.length === 1 && isActOn(text, firstText(only))) return parts;
    if ((isKnown[at] && parts.length > 0) || isDayOfPeople(text)) return [word];
    if (parts.length === 0) return [];
    const left = parts.reduce((rest, part) => rest.replace(firstText(part), ''), text);
    return whole.length > MAX_WORDS_IN_FULL || saysNothing(left) ? parts : [...parts, word];
  });
  return [...new Map(kept.map((word) => [firstText(word), word])).values()];
}

/** Verbs that people put behind a thing: 怎么把中药卖给年轻人. 电竞赛, which ends with one too, is a thing. */
const VERBS_BEHIND = '卖买发投开放拍讲喝吃玩看送逛';
/** Tells whether a word is another one with a verb of one character before or behind it. */
function isActOn(text: string, part: string): boolean {
  const rest = text.replace(part, '');
  return [...rest].length === 1 && isVerb(rest);
}

/** Returns the words of the thesaurus with the character that stands behind them in a query and belongs to no other word: 电竞赛 is no 电竞. */
function compoundsOf(key: string, words: QueryWord[]): QueryWord[] {
  const typed = foldedText(key);
  return words.flatMap((word) => {
    const part = asTyped(word, typed);
    if (!isSynonymForm(part)) return [];
    const [rest = ''] = /^\p{Script=Han}*/u.exec(typed.slice(typed.indexOf(part) + part.length)) ?? [];
    const [next = ''] = cutWords(rest);
    const isForm = word.forms.some(({ text }) => text === part + next);
    // 赏屋 stands behind 预售屋.
    const isOther = words.some((other) => rest.startsWith(asTyped(other, typed)));
    return [...next].length === 1 && !saysNothing(next) && !VERBS_BEHIND.includes(next) && !isForm && !isOther
      ? [wholeWord(part + next, cutWords)]
      : [];
  });
}

export const firstText = ({ forms }: QueryWord) => forms[0]?.text ?? '';
export const textOf = (words: QueryWord[]) => words.map(firstText).join(' ');
