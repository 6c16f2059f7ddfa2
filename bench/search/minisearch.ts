import { load, TOP, type Engine } from './engine.ts';
import { factsOf, sieveOf, textsOf, type Facts, type Texts } from './in-memory.ts';

type Combination = { combineWith: 'AND' | 'OR'; queries: (Combination | string)[] };
type Index = {
  add(texts: Texts): void;
  search(query: Combination, options: object): { id: number }[];
};
type Package = { default: new (options: object) => Index };

let index: Index | null = null;
const facts: Facts[] = [];

export const minisearch: Engine = {
  name: 'MiniSearch',
  missing: async () => ((await load('minisearch')) ? null : 'not installed'),
  async build(_place, documents) {
    const loaded = await load<Package>('minisearch');
    if (!loaded) throw new Error('not installed');
    const fields = ['name', 'keyword', 'labels'];
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
  async open() {
    return {
      ask(question) {
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
            boost: { name: 12, keyword: 4 },
            prefix: (term: string) => prefixes.has(term),
            ...(sieve && { filter: (hit: { id: number }) => sieve(facts[hit.id]) }),
          },
        );
        return { ids: hits?.slice(0, TOP).map(({ id }) => id) ?? [], total: hits?.length ?? 0 };
      },
      close: () => undefined,
    };
  },
  isInMemory: true,
  every: 4,
  largest: 100_000,
  processes: 1,
};
