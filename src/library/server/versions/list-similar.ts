import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { notFound } from '../../../protocol/envelope.ts';
import type { DocumentItem } from '../../contract.ts';
import { pickSimilar, SIMILAR_COUNT } from '../../rules.ts';
import { listByIds } from '../list-documents.ts';
import { NEIGHBORS } from './record-versions.ts';
import { selectLikelySimilar, selectLikeness, selectLikenessOfFiles } from './store-similar.ts';
import { selectGroups, selectNeighbors, selectSuperseded } from './store-versions.ts';

/** Candidates per industry and per theme: enough to choose from, and read in milliseconds. */
const CANDIDATES = 100;
/** Documents picked before superseded versions are removed. */
const PICKED = 3 * SIMILAR_COUNT;

/**
 * Lists up to eight documents similar to this one (C-77), by the similarity of their texts, which a job computes, and by their labels.
 * Only the newest of several versions of a plan is listed, and no version of this document. Throws notFound for a missing or
 * hidden document.
 */
export async function listSimilar(ctx: Ctx, documentId: number): Promise<DocumentItem[]> {
  const ids = await readWithin(ctx, PUBLIC_READ_MS, async (db) => {
    const self = await selectLikeness(db, documentId);
    if (!self) throw notFound();
    const neighbors = await selectNeighbors(db, self.fileId, NEIGHBORS);
    const alike = await selectLikenessOfFiles(
      db,
      neighbors.map(({ fileId }) => fileId),
    );
    const likely = await selectLikelySimilar(db, self, CANDIDATES);
    const found = [...new Map([...likely, ...alike].map((facts) => [facts.id, facts])).values()];
    const groups = new Map(
      (await selectGroups(db, [self.fileId, ...found.map(({ fileId }) => fileId)])).map((row) => [
        row.fileId,
        row.groupId,
      ]),
    );
    const own = groups.get(self.fileId);
    const candidates = found.filter(({ fileId }) => own === undefined || groups.get(fileId) !== own);
    const scores = new Map(neighbors.map(({ fileId, score }) => [fileId, score]));
    const picked = pickSimilar(self, candidates, scores, PICKED);
    const superseded = await selectSuperseded(db, picked);
    return picked.filter((id) => !superseded.has(id)).slice(0, SIMILAR_COUNT);
  });
  return listByIds(ctx, ids);
}
