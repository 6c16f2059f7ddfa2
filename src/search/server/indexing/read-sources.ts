import { openDatabase } from '../../../platform/db/client.ts';
import { createLog } from '../../../platform/log.ts';
import type { SourceDocument } from '../../engine/format/document.ts';
import { selectHorizon, selectSources } from './store-feed.ts';

const BATCH = 500;

/**
 * Gives all documents to `add`, over a connection of its own. Returns the horizon, which is selected before them, so that the feed finds
 * changes made in between.
 */
export async function readSources(url: string, add: (source: SourceDocument) => void): Promise<string> {
  const database = openDatabase(url, { max: 1, log: createLog('silent'), applicationName: 'ceku-search' });
  try {
    const horizon = await selectHorizon(database.db);
    for (let afterId = 0; ;) {
      const sources = await selectSources(database.db, afterId, BATCH);
      for (const source of sources) add(source);
      const last = sources.at(-1);
      if (!last) return horizon;
      afterId = last.id;
    }
  } finally {
    await database.close();
  }
}
