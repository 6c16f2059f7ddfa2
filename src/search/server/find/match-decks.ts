import type { Ctx } from '../../../context.ts';
import type { FilterFacts } from '../../../library/document-filter.ts';
import { fileKindOf } from '../../../library/file-types.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { isOnPages, levelOf, relatedOf, TYPED, typedOf } from '../../decks/deck-levels.ts';
import { isNamedFully, missingOf, type QueryFacts, rankDecks } from '../../decks/deck-ranking.ts';
import { EngineBusy } from '../../engine/engine-pool.ts';
import type { DeckWord } from '../../engine/match/deck-words.ts';
import type { GatheredDeck } from '../../engine/match/deck-facts.ts';
import type { Gathered } from '../../engine/match/gather.ts';
import { amountPattern, isAmount } from '../../amounts.ts';
import { isFactForm } from '../../fact-words.ts';
import { queryLiteral } from '../../literals.ts';
import { relatedWords, type QueryWord } from '../../words.ts';
import { type PageCheck, selectDecks, selectHeld, type WordLiterals } from '../indexing/store-decks.ts';
import { cutWords } from '../words/cut-words.ts';
import {
  isAside,
  isEvent,
  isOfAnyTrade,
  isOfFewTrades,
  isOtherDocument,
  isTrade,
  weightOf,
} from '../words/word-weights.ts';

/** A deck that holds at least one word. `levels`: what it holds of each (deck-levels.ts); `missing`: the positions of the others. */
export type MatchedDeck = Deck & { missing: number[] };
type Deck = FilterFacts & Pick<GatheredDeck, 'id' | 'fileId' | 'levels' | 'popularity' | 'recommendScore'>;

export type MatchedDecks = {
  /** Decks with all words anywhere: in name, labels, themes or on any page. */
  full: MatchedDeck[];
  /** Further decks with all words, on pages only, in passing, in decks about something else: shown where the very letters are wanted. */
  mentions: MatchedDeck[];
  /** Decks with some of the words. */
  partial: MatchedDeck[];
  /** For each word: whether any deck of the library holds it. */
  isKnown: boolean[];
  /** For each word: whether it names a subject of few trades that the name or labels of any deck hold. */
  isNamed: boolean[];
  /** True when there are more decks with all words than are listed. */
  isCapped: boolean;
  /** About how many decks hold all words when there are more than are listed; 0 when that is not known. */
  about: number;
};

/** The context of one answer, which tells in the end whether any read of whole decks for it has failed. */
export type DeckCtx = Ctx & { deckReads: { haveFailed: boolean } };

export const withDeckReads = (ctx: Ctx): DeckCtx => ({ ...ctx, deckReads: { haveFailed: false } });

/** English words: their related ones are Chinese. */
const ENGLISH = /^[a-z][a-z' -]+$/;
/** Maximum number of listed decks; nobody reads longer lists. */
const MAX_DECKS = 300;
/** Matching whole decks is an extra to the list of names, so it ends sooner. */
const EXTRA_READ_MS = PUBLIC_READ_MS / 2;

export const NO_DECKS: MatchedDecks = {
  full: [],
  mentions: [],
  partial: [],
  isKnown: [],
  isNamed: [],
  isCapped: false,
  about: 0,
};

const noDecksWith = (words: readonly unknown[]): MatchedDecks => ({
  ...NO_DECKS,
  isKnown: words.map(() => false),
  isNamed: words.map(() => false),
});

/** Matches the words with whole decks, whatever the filter: the caller filters, sorts and counts them. Best first. */
export async function matchDecks(ctx: DeckCtx, words: QueryWord[]): Promise<MatchedDecks> {
  if (words.length === 0) return NO_DECKS;
  const asked = askedWords(words);
  // The facts of decks are those of a version of the index.
  const key = JSON.stringify([ctx.searchIndex.version(), asked]);
  try {
    return await ctx.caches.search.decks(ctx, key, () => match(ctx, asked));
  } catch (error) {
    passOver(ctx, error);
    return noDecksWith(asked);
  }
}

/** Returns what the decks that hold most of the words hold of each, by id. */
export async function levelsByDeck(ctx: DeckCtx, words: QueryWord[]): Promise<Map<number, number[]>> {
  try {
    const { decks } = await gatherDecks(ctx, askedWords(words));
    return new Map(decks.map(({ id, levels }) => [id, levels]));
  } catch (error) {
    passOver(ctx, error);
    return new Map();
  }
}

const askedWords = (words: QueryWord[]): DeckWord[] =>
  words.map((word) => ({ word, related: relatedWords(word, cutWords), weight: weightOf(word).held }));

async function gatherDecks(ctx: Ctx, asked: DeckWord[]): Promise<{ gathered: Gathered; decks: Deck[] }> {
  const gathered = (await askEngine(ctx, asked)) ?? (await askDatabase(ctx, asked));
  return { gathered, decks: await checkPages(ctx, asked, gathered.decks.map(deckOf)) };
}

async function match(ctx: Ctx, asked: DeckWord[]): Promise<MatchedDecks> {
  const { gathered, decks } = await gatherDecks(ctx, asked);
  if (decks.length === 0) return noDecksWith(asked);
  const areAsides = asidesOf(asked, decks);
  const query: QueryFacts = {
    areAsides,
    documents: gathered.documents,
    frequencies: gathered.frequencies,
    weights: asked.map(({ weight }) => weight),
    pageWeights: asked.map(({ word }) => weightOf(word).onPages),
    unknownWeights: asked.map(({ word }) => weightOf(word).unknown),
    areOfAnyTrade: asked.map(({ word }) => isOfAnyTrade(word)),
    areOtherDocuments: asked.map(({ word }) => isOtherDocument(word)),
    areEvents: asked.map(({ word }) => isEvent(word)),
    areTrades: asked.map(({ word }) => isTrade(word)),
    areForeign: asked.map(({ word }) => word.forms.every(({ text }) => ENGLISH.test(text))),
    significantOf: (id) => ctx.searchIndex.significant(id),
  };
  const { full, mentions, partial } = rankDecks(oncePerFile(decks), query);
  const withMissing = (deck: (typeof decks)[number]): MatchedDeck => ({
    ...deck,
    missing: missingOf(deck, query.areAsides),
  });
  return {
    full: full.map(withMissing),
    mentions: mentions.map(withMissing),
    partial: partial.map(withMissing),
    isKnown: asked.map((_, at) => decks.some(({ levels }) => typedOf(levels[at] ?? 0) > 0)),
    isNamed: asked.map(
      ({ word }, at) => isOfFewTrades(word) && decks.some(({ levels }) => typedOf(levels[at] ?? 0) >= TYPED.inLabels),
    ),
    ...estimateFull(gathered, full.length + mentions.length),
  };
}

/** Throws UNAVAILABLE when the engine is busy. Other failures are logged, noted in `deckReads`, and leave the names that were found. */
function passOver(ctx: DeckCtx, error: unknown): void {
  if (error instanceof EngineBusy) throw unavailable();
  ctx.log.warn({ error }, 'whole decks were not searched');
  ctx.deckReads.haveFailed = true;
}

/** Tells which words are said by the way. A name may hold such a word, which is meant then (大同); so it is where nothing else is said. */
function asidesOf(asked: DeckWord[], decks: Deck[]): boolean[] {
  const isName = (at: number) => decks.some(({ levels }) => typedOf(levels[at] ?? 0) >= TYPED.inLabels);
  const areAsides = asked.map(({ word }, at) => isAside(word) && !(weightOf(word).held === 1 && isName(at)));
  return areAsides.every(Boolean) ? areAsides.map(() => false) : areAsides;
}

const deckOf = ({ fileType, createdAt, ...deck }: GatheredDeck): Deck => ({
  ...deck,
  fileKind: fileKindOf(fileType).id,
  createdAt: new Date(createdAt),
});

/** Lowers the levels of words that a deck holds on its pages, but on no single page. Only such words are looked for. */
async function checkPages(ctx: Ctx, asked: DeckWord[], decks: Deck[]): Promise<Deck[]> {
  const checks = asked.flatMap(({ word }, at) => checkOf(word, at) ?? []);
  const checked = checks.map(({ at }) => at);
  const doubtful = decks.filter(({ levels }) => checked.some((word) => isOnPages(levels[word] ?? 0)));
  if (doubtful.length === 0) return decks;
  const fileIds = [...new Set(doubtful.map(({ fileId }) => fileId))];
  const held = await readWithin(ctx, EXTRA_READ_MS, (db) => selectHeld(db, fileIds, checks));
  return decks.map((deck) => ({ ...deck, levels: checkedLevels(deck.levels, checked, held.get(deck.fileId) ?? []) }));
}

/**
 * Tells how many decks with all words there are beyond the gathered ones. Words are checked on the pages of gathered decks alone, so the others are
 * taken to pass as often.
 */
function estimateFull({ full, decks }: Gathered, checked: number): Pick<MatchedDecks, 'isCapped' | 'about'> {
  const gathered = decks.filter(({ levels }) => levels.every((level) => level > 0)).length;
  const isCapped = checked > 0 && (full === null ? gathered >= MAX_DECKS : full > gathered);
  return { isCapped, about: isCapped && full !== null ? Math.round(full * (checked / gathered)) : 0 };
}

const askEngine = (ctx: Ctx, words: DeckWord[]): Promise<Gathered | null> =>
  ctx.searchIndex.gather({ words, limit: MAX_DECKS });

function askDatabase(ctx: Ctx, words: DeckWord[]): Promise<Gathered> {
  const literals = words.map(({ word, related }): WordLiterals => ({
    typed: queryLiteral([word]),
    typedInName: queryLiteral([word], [], 'A'),
    related: related.map((form) => ({
      word: queryLiteral([{ forms: [form] }]),
      wordInName: queryLiteral([{ forms: [form] }], [], 'A'),
    })),
  }));
  return readWithin(ctx, EXTRA_READ_MS, (db) => selectDecks(db, literals, MAX_DECKS));
}

/**
 * Returns how a word is checked page by page; null when the index is certain. The lexemes of a long word may stand on different pages (运营
 * and 营商 for 运营商), and a number may be a part of another (六一 in 六一八, 百人 in 三百人).
 */
function checkOf({ forms }: QueryWord, at: number): (PageCheck & { at: number }) | null {
  // No page holds what a plan states as a fact.
  const written = forms.filter(({ text }) => !isFactForm(text));
  const isNumeral = written.some(({ text }) => isAmount(text));
  if (written.length === 0 || (!isNumeral && written.every(({ lexemes }) => lexemes.length === 1))) return null;
  const pattern = isNumeral ? written.map(({ text }) => amountPattern(text)).join('|') : '';
  return { word: queryLiteral([{ forms: written }]), pattern, at };
}

/** Keeps of the decks with the same file the one that holds most in its name and labels: the others have the same pages. */
function oncePerFile<Deck extends { fileId: number; levels: number[] }>(decks: Deck[]): Deck[] {
  const named = ({ levels }: Deck) => levels.filter((level) => typedOf(level) >= TYPED.inLabels).length;
  const best = new Map<number, Deck>();
  for (const deck of decks) {
    const other = best.get(deck.fileId);
    if (!other || named(deck) > named(other)) best.set(deck.fileId, deck);
  }
  return decks.filter((deck) => isNamedFully(deck) || best.get(deck.fileId) === deck);
}

/** Lowers the level of each word that counts as page text when no single page of the deck holds the word. `held`: per `checked` word, whether a page does. */
function checkedLevels(levels: number[], checked: number[], held: boolean[]): number[] {
  return levels.map((level, word) => {
    const at = checked.indexOf(word);
    return at >= 0 && isOnPages(level) && held[at] === false ? levelOf(TYPED.nowhere, relatedOf(level)) : level;
  });
}
