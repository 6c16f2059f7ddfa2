import { load, TOP, type Engine } from './engine.ts';
import { factsOf, sieveOf, textsOf, waysOf, type Facts } from './in-memory.ts';

type Index = { add(id: number, text: string): void; search(query: string, options: object): number[] };
type Package = { default: { Index: new (options: object) => Index } };

let index: Index | null = null;
const facts: Facts[] = [];

/** FlexSearch neither filters a plain index nor ranks by BM25: this adapter filters, and the order is FlexSearch's. */
export const flexsearch: Engine = {
  name: 'FlexSearch',
  missing: async () => ((await load('flexsearch')) ? null : 'not installed'),
  async build(_place, documents) {
    const loaded = await load<Package>('flexsearch');
    if (!loaded) throw new Error('not installed');
    index = new loaded.default.Index({ tokenize: 'strict', encode: (text: string) => text.split(' '), cache: false });
    for (const document of documents) {
      const { name, keyword, labels } = textsOf(document);
      index.add(document.id, `${name} ${keyword} ${labels}`);
      facts[document.id] = factsOf(document);
    }
    return { disk: null };
  },
  async open({ documents }) {
    return {
      ask(question) {
        const ways = waysOf(question).map((lexemes) => lexemes.map(({ text }) => text).join(' '));
        const found = ways.map((way) => index?.search(way, { limit: documents }) ?? []);
        const hits = found.length === 1 ? (found[0] ?? []) : [...new Set(found.flat())];
        const sieve = sieveOf(question);
        const kept = sieve ? hits.filter((id) => sieve(facts[id])) : hits;
        return { ids: kept.slice(0, TOP), total: kept.length };
      },
      close: () => undefined,
    };
  },
  isInMemory: true,
  every: 1,
  largest: { names: 100_000, whole: 0 },
  processes: 1,
};
