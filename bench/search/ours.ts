import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openEnginePool } from '../../src/search/engine/engine-pool.ts';
import { loadSnapshot, saveSnapshot } from '../../src/search/engine/snapshot.ts';
import { TOP, type Engine, type Place } from './engine.ts';

const THREADS = 2;
const fileOf = (place: Place) => join(place.folder, 'ours');

/** As the site asks it: through the pool, which answers itself or hands over to a thread. */
export const ours: Engine = {
  name: 'ours',
  missing: () => Promise.resolve(null),
  async build(place, documents) {
    // The tokenizer belongs to who asks, here as for every engine: only this needs it.
    const { createSegmentBuilder } = await import('../../src/search/engine/build/build-segment.ts');
    const { toIndexed } = await import('../../src/search/engine/build/index-document.ts');
    const builder = createSegmentBuilder();
    for (const document of documents) builder.add(toIndexed(document));
    saveSnapshot(fileOf(place), builder.finish(), { lineage: 'bench', horizon: '1' });
    return { disk: statSync(fileOf(place)).size };
  },
  async open(place) {
    const pool = openEnginePool({
      threads: THREADS,
      onLost: (reason) => console.error(`a search thread was lost: ${reason}`),
    });
    const snapshot = loadSnapshot(fileOf(place));
    if (!snapshot) throw new Error('the snapshot cannot be read');
    pool.adopt(snapshot.buffer, new Map());
    return {
      ask: ({ words, filter }) => pool.search({ words, filter, sort: 'relevance', limit: TOP, offset: 0 }),
      close: () => pool.close(),
    };
  },
  isInMemory: false,
  every: 1,
  largest: Infinity,
  processes: 1,
};
