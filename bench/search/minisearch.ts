import { load, MAX_DECKS, TOP, type Answer, type Engine } from './engine.ts';
import type { Question } from './questions.ts';
import { factsOf, sieveOf, textsOf, type Facts, type Texts } from './in-memory.ts';

type Combination = { combineWith: 'AND' | 'OR'; queries: (Combination | string)[] };
type Index = {
  add(texts: Texts): void;
  discard(id: number): void;
  search(query: Combination, options: object): { id: number }[];
};
type Package = { default: new (options: object) => Index };

const NAMES = ['name', 'keyword', 'labels'];

let index: Index | null = null;
const facts: Facts[] = [];

export const minisearch: Engine = {
  name: 'MiniSearch',
  missing: async () => ((await load('minisearch')) ? null : 'not installed'),
  async build(_place, documents) {
    const loaded = await load<Package>('minisearch');
    if (!loaded) throw new Error('not installed');
    const fields = [...NAMES, 'inside'];
    index = new loaded.default({
      fields,
      tokenize: (text: string) => text.split(' '),
      processTerm: (term: string) => term,
    });
    for (const document of documents) {
      index.add(textsOf(document));
      facts[document.id] = factsOf(document);
    }
    return { disk: null };
  },
  async open({ isWhole }) {
    const ask = (question: Question): Answer => {
      const prefixes = new Set<string>();
      const queries = question.words.map(({ forms }): Combination => {
        const each = forms.map(({ lexemes }): Combination => {
          for (const { text, isPrefix } of lexemes) if (isPrefix) prefixes.add(text);
          return { combineWith: 'AND', queries: lexemes.map(({ text }) => text) };
        });
        return { combineWith: 'OR', queries: each };
      });
      const sieve = sieveOf(question);
      const hits = index?.search(
        { combineWith: 'AND', queries },
        {
          fields: NAMES,
          boost: { name: 12, keyword: 4 },
          prefix: (term: string) => prefixes.has(term),
          ...(sieve && { filter: (hit: { id: number }) => sieve(facts[hit.id]) }),
        },
      );
      const named = hits?.map(({ id }) => id) ?? [];
      if (!isWhole || named.length >= TOP) return { ids: named.slice(0, TOP), total: named.length };
      const any = index?.search({ combineWith: 'OR', queries }, { boost: { name: 3, keyword: 2, labels: 2 } });
      const found = [...new Set([...named, ...(any?.slice(0, MAX_DECKS).map(({ id }) => id) ?? [])])];
      return { ids: found.slice(0, TOP), total: found.length };
    };
    return {
      ask,
      change(document, mark) {
        const started = performance.now();
        // The text of the document is not stored, so it is left out at first and later removed from the index.
        index?.discard(document.id);
        index?.add(textsOf(document));
        while (ask(mark).ids[0] !== document.id);
        return performance.now() - started;
      },
      close: () => undefined,
    };
  },
  isInMemory: true,
  every: 4,
  largest: { names: 100_000, whole: 10_000 },
  processes: 1,
};
