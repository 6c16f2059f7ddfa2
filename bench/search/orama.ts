import { load, TOP, type Engine } from './engine.ts';
import { factsOf, textsOf, waysOf } from './in-memory.ts';

type Found = { count: number; hits: { id: string }[] };
type Package = {
  create(options: object): object;
  insertMultiple(index: object, documents: object[], batch: number): unknown;
  search(index: object, query: object): Promise<Found> | Found;
};

let orama: Package | null = null;
let index: object = {};

/** It has no OR of terms: of synonyms it is asked for the first. */
export const oramaEngine: Engine = {
  name: 'Orama',
  missing: async () => ((await load('@orama/orama')) ? null : 'not installed'),
  async build(_place, documents) {
    orama = await load<Package>('@orama/orama');
    if (!orama) throw new Error('not installed');
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      tokenize: (text: string) => text.split(' '),
    };
    const text = { name: 'string', keyword: 'string', labels: 'string' };
    index = orama.create({
      schema: { ...text, fileType: 'enum', themeIds: 'enum[]', createdAt: 'number' },
      components: { tokenizer },
    });
    let rows: object[] = [];
    for (const document of documents) {
      rows.push({ ...textsOf(document), ...factsOf(document), id: String(document.id) });
      if (rows.length < 2_000) continue;
      await orama.insertMultiple(index, rows, 2_000);
      rows = [];
    }
    if (rows.length > 0) await orama.insertMultiple(index, rows, 2_000);
    return { disk: null };
  },
  async open() {
    return {
      async ask(question) {
        const { fileTypes, themeId, since } = question.filter;
        const found = await orama?.search(index, {
          term: waysOf(question)[0]
            ?.map(({ text }) => text)
            .join(' '),
          properties: ['name', 'keyword', 'labels'],
          boost: { name: 12, keyword: 4 },
          // 0: every term must be found.
          threshold: 0,
          limit: TOP,
          where: {
            ...(fileTypes && { fileType: { in: fileTypes } }),
            ...(themeId && { themeIds: { containsAll: [themeId] } }),
            ...(since && { createdAt: { gte: since } }),
          },
        });
        return { ids: found?.hits.map(({ id }) => Number(id)) ?? [], total: found?.count ?? 0 };
      },
      close: () => undefined,
    };
  },
  isInMemory: true,
  every: 8,
  largest: { names: 100_000, whole: 0 },
  processes: 1,
};
