import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openEnginePool } from '../../src/search/engine/engine-pool.ts';
import { loadSnapshot, runsPathOf, saveSnapshot } from '../../src/search/engine/snapshot.ts';
import { MAX_DECKS, TOP, type Answer, type Engine, type Place } from './engine.ts';
import type { Question } from './questions.ts';

const THREADS = 2;
const fileOf = (place: Place) => join(place.folder, 'ours');

/** As the site asks it: through the pool, which answers itself or hands over to a thread. */
export const ours: Engine = {
  name: 'ours',
  missing: () => Promise.resolve(null),
  async build(place) {
    // The tokenizer belongs to who asks, here as for every engine: only this needs it.
    const { createSegmentBuilder } = await import('../../src/search/engine/build/build-segment.ts');
    const { readTokenized } = await import('./tokenized-corpus.ts');
    const builder = createSegmentBuilder(runsPathOf(fileOf(place)));
    for (const document of readTokenized(place.tokenized)) builder.add(document);
    saveSnapshot(fileOf(place), { lineage: 'bench', horizon: '1' }, builder.finish);
    builder.close();
    return { disk: statSync(fileOf(place)).size };
  },
  async open(place) {
    const pool = openEnginePool({
      threads: THREADS,
      onLost: (reason) => console.error(`a search thread was lost: ${reason}`),
    });
    const snapshot = loadSnapshot(fileOf(place));
    if (!snapshot) throw new Error('the snapshot cannot be read');
    pool.adopt(snapshot.segment, new Map());
    const names = ({ words, filter }: Question) =>
      pool.search({ words, filter, sort: 'relevance', limit: TOP, offset: 0 });
    const decks = async (question: Question): Promise<Answer> => {
      const named = await names(question);
      if (named.total >= TOP || question.words.length === 0) return named;
      const words = question.words.map((word) => ({ word, related: [], weight: 1 }));
      const { decks: found } = await pool.gather({ words, limit: MAX_DECKS });
      const ids = [...new Set([...named.ids, ...found.map(({ id }) => id)])];
      return { ids: ids.slice(0, TOP), total: ids.length };
    };
    const ask = place.isWhole ? decks : names;
    return {
      ask,
      async change(document, mark) {
        const { toIndexed } = await import('../../src/search/engine/build/index-document.ts');
        const started = performance.now();
        pool.apply([{ id: document.id, document: toIndexed(document) }]);
        for (let isFound = false; !isFound;) isFound = (await ask(mark)).ids[0] === document.id;
        return performance.now() - started;
      },
      close: () => pool.close(),
    };
  },
  isInMemory: false,
  every: 1,
  largest: { names: Infinity, whole: Infinity },
  processes: 1,
};
