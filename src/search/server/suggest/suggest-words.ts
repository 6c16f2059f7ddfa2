import type { Ctx } from '../../../context.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { Refusal, unavailable } from '../../../protocol/envelope.ts';
import { isAmount } from '../../amounts.ts';
import { foldedText } from '../../fold.ts';
import { complete } from '../../spelling/complete.ts';
import { isSynonymForm, nearForms, splitBySynonyms } from '../../synonyms.ts';
import type { suggestWords as contract } from '../../contract.ts';
import { typedOf } from '../../decks/deck-levels.ts';
import { EngineBusy } from '../../engine/engine-pool.ts';
import type { DeckWord } from '../../engine/match/deck-words.ts';
import { requiredWords } from '../../generic-words.ts';
import { cleanQuery } from '../../clean-query.ts';
import { cutWords } from '../words/cut-words.ts';
import type { Word } from '../../spelling/vocabulary.ts';
import { pageWordsOf, vocabularyOf } from '../words/vocabulary.ts';

const SHOWN = 8;
const MAX_COUNTED = 100;

/** A word on the pages of one document is most often a name of its own, and is not suggested. */
export const isShared = ({ count }: Pick<Word, 'count'>) => count > 1;

/**
 * Completes the last word of the typed text; the words before it stay. Where the library has no such word, suggests the words that it
 * uses for the same thing (团建: 露营), and an amount that documents state (300人). Reads memory only, never the database: a few
 * milliseconds.
 */
export async function suggestWords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const typed = cleanQuery(input.prefix);
  const cut = typed.lastIndexOf(' ') + 1;
  const before = typed.slice(0, cut);
  const last = typed.slice(cut);
  const named = complete(last, vocabularyOf(ctx), SHOWN);
  const onPages = complete(last, pageWordsOf(ctx), SHOWN, { isStrict: named.length > 0 }).filter(isShared);
  const words = [...named, ...onPages];
  // In the spelling of the library where it has one: SaaS for saas.
  const itself = words.find(({ shown }) => foldedText(shown) === foldedText(last)) ?? { shown: last, count: 0 };
  const completed = isEnglishWord(last) ? [itself, ...words.filter((word) => word !== itself)] : words;
  const related = completed.length === 0 ? relatedWords(ctx, last).slice(0, SHOWN) : [];
  const amounts = completed.length === 0 && isAmount(foldedText(last)) ? [{ shown: last, count: 0 }] : [];
  const notCounted = (error: unknown) => {
    const isBusy = error instanceof EngineBusy || (error instanceof Refusal && error.status === 503);
    if (!isBusy) ctx.log.error({ error }, 'a suggestion was not counted');
    return null;
  };
  const items = await Promise.all(
    [...completed.slice(0, SHOWN), ...amounts, ...related].map(async (word) => {
      const text = before + word.shown;
      // A suggestion shows the count of its last word until it can be counted, as under overload.
      const counted = await ctx.caches.search.suggestionCounts(ctx, text, () => countOf(ctx, text)).catch(notCounted);
      return { text, count: counted ?? word.count, ...('isRelated' in word && { related: 1 as const }) };
    }),
  );
  return { items: items.filter(({ count }) => count > 0) };
}

/** Tells whether a text is an English word or abbreviation of the thesaurus: AI, KOL. It is no pinyin then. */
const isEnglishWord = (text: string) => /^[a-z]{2,}$/i.test(text) && isSynonymForm(foldedText(text));

type RelatedWord = Pick<Word, 'shown' | 'count'> & { isRelated: true };

/** Returns the words of the library that have the same meaning as `typed`, then those with a similar meaning. */
function relatedWords(ctx: Ctx, typed: string): RelatedWord[] {
  const form = foldedText(typed);
  const [piece, ...others] = splitBySynonyms(form, cutWords);
  const same = typeof piece === 'object' && others.length === 0 ? piece.forms : [];
  const [vocabulary, pageWords] = [vocabularyOf(ctx), pageWordsOf(ctx)];
  return [...new Set([...same, ...nearForms(form)])].flatMap((text) => {
    const word = vocabulary.byText.get(text) ?? pageWords.byText.get(text);
    return word && text !== form ? [{ ...word, isRelated: true as const }] : [];
  });
}

/** Counts the documents that hold all words of the text: in their names and labels, or where none does, anywhere. Throws while the engine cannot answer. */
async function countOf({ searchIndex }: Ctx, text: string): Promise<number> {
  const words = requiredWords(text, cutWords);
  const named = await searchIndex.search({ words, filter: {}, sort: 'relevance', limit: 0, offset: 0 });
  if (named && named.total > 0) return named.total;
  const asked = words.map((word): DeckWord => ({ word, related: [], weight: 1 }));
  const gathered = named && (await searchIndex.gather({ words: asked, limit: MAX_COUNTED }));
  if (!gathered) throw unavailable();
  return gathered.decks.filter(({ levels }) => levels.every((level) => typedOf(level) > 0)).length;
}
