import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/client.ts';
import type { Change, DocumentFacts } from '../../engine/format/document.ts';
import { toFacts, toIndexed } from '../../engine/build/index-document.ts';
import { type ChangeRow, type Outside, selectChanges, selectHorizon, withInside } from './store-feed.ts';

/** Reads all changes of the database, in order and at least once. */
export type EngineFeed = {
  /** Applies the changes since the last call. `isAll`: the index must be rebuilt, on request or after a failover. */
  read(index: Fed): Promise<{ isAll: boolean }>;
  /** The changes of all transactions before it have been applied. */
  horizon(): string;
};

/** The index that a feed keeps current. */
type Fed = {
  apply(changes: Change[]): void;
  /** Tells whether a document is in it, and can be given these facts without its texts. */
  canTakeFacts(facts: DocumentFacts): boolean;
};

/** Changes per statement. */
const BATCH = 200;
/** A changed document is tokenized with the text of all its pages. After this many milliseconds of it the process serves other requests first. */
const TURN_MS = 10;
/** The document id of a rebuild request (0003-search-changes.sql). */
const ALL = 0;

/**
 * Creates a feed that starts at the horizon `from`. Each read repeats the changes of transactions that were open at the last read and of
 * later ones; changes that were applied already are skipped by their transaction ids, so that one long import does not make the others
 * repeat. Both ids of a row are compared: a transaction that commits after a younger one on the same document changes one of them, and often not
 * the later, by which rows are ordered.
 */
export function createEngineFeed(db: Db, from: string): EngineFeed {
  let horizon = from;
  let applied = new Map<number, Omit<ChangeRow, 'source'>>();
  // Kept until a read ends: a read that fails after the batch with the request does not find it again.
  let isAllDue = false;
  const isApplied = ({ documentId, textChangedIn, factsChangedIn }: ChangeRow) => {
    const known = applied.get(documentId);
    return known?.textChangedIn === textChangedIn && known.factsChangedIn === factsChangedIn;
  };

  async function read({ apply, canTakeFacts }: Fed): Promise<{ isAll: boolean }> {
    // Selected before the changes: a transaction that ends in between is read twice rather than never.
    const nextHorizon = await selectHorizon(db);
    const from = BigInt(horizon);
    if (BigInt(nextHorizon) < from) {
      // Another server took over that lacks the last transactions: its ids mean others.
      horizon = nextHorizon;
      applied = new Map();
      return { isAll: true };
    }
    /**
     * The index includes the texts that every transaction before the horizon left. A label that a trigger notes as a fact, and that the index
     * has not met yet, needs the whole document.
     */
    const areFactsEnough = (textChangedIn: string, source: Outside) =>
      BigInt(textChangedIn) < from && canTakeFacts(toFacts(source));
    for (let place = { changedIn: horizon, documentId: -1 }; ;) {
      const rows = await selectChanges(db, place, BATCH);
      const news = rows.filter((row) => !isApplied(row));
      isAllDue ||= news.some((row) => row.documentId === ALL);
      const documents = news.filter((row) => row.documentId !== ALL);
      let turnedAt = performance.now();
      let changes: Change[] = [];
      const sources = await withInside(
        db,
        documents.flatMap(({ textChangedIn, source }) =>
          source && !areFactsEnough(textChangedIn, source) ? [source] : [],
        ),
      );
      const byId = new Map(sources.map((source) => [source.id, source]));
      for (const { documentId, source } of documents) {
        const whole = byId.get(documentId);
        if (source && !whole) changes.push({ id: documentId, facts: toFacts(source) });
        else changes.push({ id: documentId, document: whole ? toIndexed(whole) : null });
        if (performance.now() - turnedAt < TURN_MS) continue;
        apply(changes);
        changes = [];
        await setImmediate();
        turnedAt = performance.now();
      }
      if (changes.length > 0) apply(changes);
      for (const { source: _, ...row } of rows) applied.set(row.documentId, row);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      place = last;
    }
    horizon = nextHorizon;
    const open = BigInt(nextHorizon);
    applied = new Map([...applied].filter(([, { changedIn }]) => BigInt(changedIn) >= open));
    const isAll = isAllDue;
    isAllDue = false;
    return { isAll };
  }

  return { read, horizon: () => horizon };
}
