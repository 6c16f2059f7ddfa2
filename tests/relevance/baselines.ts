import { fold } from '../../src/search/fold.ts';
import { cutWords } from '../../src/search/server/words/cut-words.ts';
import { joinWrappedLines } from '../../src/search/snippet.ts';
import type { DeckTexts } from './automatic-queries.ts';

/** Answers a query with the files of decks, best first. */
export type Baseline = { name: string; ask(query: string): string[] };

type Index = { addAll(documents: object[]): void; search(query: string): { id: string }[] };
/** The part of the package that is used. bench/ installs it (`npm install --prefix bench`). */
export type MiniSearch = new (options: object) => Index;

const foldedText = (text: string) =>
  fold(text)
    .map(({ char, kind }) => (kind === 'gap' ? ' ' : char))
    .join('');

const textsOf = ({ name, labels, pages }: DeckTexts) => ({
  name: foldedText(name),
  keywords: foldedText(labels.join(' ')),
  pages: foldedText(pages.map(joinWrappedLines).join(' ')),
});

/**
 * All words of the query, as jieba cuts it, as substrings anywhere in the deck. Decks are ordered by words in the name, then in the labels, as
 * a plain site would.
 */
export function substringAnd(decks: DeckTexts[]): Baseline {
  const texts = decks.map((deck) => ({ file: deck.file, ...textsOf(deck) }));
  return {
    name: 'substring AND',
    ask(query) {
      const words = foldedText(query)
        .split(' ')
        .flatMap(cutWords)
        .filter((word) => word.trim() !== '');
      if (words.length === 0) return [];
      const count = (text: string) => words.filter((word) => text.includes(word)).length;
      return texts
        .filter((text) => words.every((word) => [text.name, text.keywords, text.pages].some((t) => t.includes(word))))
        .map((text) => ({
          file: text.file,
          score: 3 * count(text.name) + 2 * count(text.keywords) + count(text.pages),
        }))
        .sort((a, b) => b.score - a.score)
        .map(({ file }) => file);
    },
  };
}

/** MiniSearch over pairs of characters and Latin words, any of which is enough; name 3, keywords 2, pages 1. */
export function miniSearchOr(MiniSearch: MiniSearch, decks: DeckTexts[]): Baseline {
  const index = new MiniSearch({
    fields: ['name', 'keywords', 'pages'],
    tokenize: pairsOf,
    processTerm: (term: string) => term,
    searchOptions: { combineWith: 'OR', boost: { name: 3, keywords: 2, pages: 1 } },
  });
  index.addAll(decks.map((deck) => ({ id: deck.file, ...textsOf(deck) })));
  return { name: 'MiniSearch OR', ask: (query) => index.search(foldedText(query)).map(({ id }) => id) };
}

function pairsOf(text: string): string[] {
  return (text.match(/\p{Script=Han}+|[\p{Script=Latin}\p{Nd}]+/gu) ?? []).flatMap((run) => {
    const chars = [...run];
    if (!/^\p{Script=Han}/u.test(run) || chars.length === 1) return [run];
    return chars.slice(1).map((char, index) => `${chars[index] ?? ''}${char}`);
  });
}
