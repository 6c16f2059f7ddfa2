import type { Db } from '../../../platform/db/client.ts';
import type { Change } from '../../engine/document.ts';
import { toIndexed } from '../../engine/index-document.ts';
import { selectChanges, selectHorizon } from './store-feed.ts';

/** Everything that changed in the database, in order and nothing missed; some of it twice. */
export type EngineFeed = {
  /** Hands over what has changed since the last look. `isAll`: everything has to be read anew. */
  read(apply: (changes: Change[]) => void): Promise<{ isAll: boolean }>;
  /** Whatever transactions before it did has been handed over. */
  horizon(): string;
};

/** Read into the index between two other things a node does: some ten milliseconds. */
const BATCH = 200;
/** Stands for all documents (0003-search-changes.sql). */
const ALL = 0;

/**
 * Reads on from `horizon`. Transactions that were still open at the last look are looked for again, with all that began
 * after them: what was handed over already is remembered by its transaction, so that one long import does not make the
 * others come again and again.
 */
export function createEngineFeed(db: Db, from: string): EngineFeed {
  let horizon = from;
  let handedOver = new Map<number, string>();

  async function read(apply: (changes: Change[]) => void): Promise<{ isAll: boolean }> {
    // Before the changes: what finishes between the two is then read twice rather than never.
    const nextHorizon = await selectHorizon(db);
    let isAll = false;
    for (let place = { changedIn: horizon, documentId: -1 }; ;) {
      const rows = await selectChanges(db, place, BATCH);
      const news = rows.filter((row) => handedOver.get(row.documentId) !== row.changedIn);
      isAll ||= news.some((row) => row.documentId === ALL);
      const changes = news
        .filter((row) => row.documentId !== ALL)
        .map(({ documentId, source }) => ({ id: documentId, document: source && toIndexed(source) }));
      if (changes.length > 0) apply(changes);
      for (const { documentId, changedIn } of rows) handedOver.set(documentId, changedIn);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      place = last;
    }
    horizon = nextHorizon;
    const open = BigInt(nextHorizon);
    handedOver = new Map([...handedOver].filter(([, changedIn]) => BigInt(changedIn) >= open));
    return { isAll };
  }

  return { read, horizon: () => horizon };
}
