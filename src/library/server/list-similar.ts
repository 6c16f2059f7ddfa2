import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { notFound } from '../../protocol/envelope.ts';
import type { DocumentItem } from '../contract.ts';
import { pickSimilar, SIMILAR_COUNT } from '../rules.ts';
import { listByIds } from './list-documents.ts';
import { NEIGHBORS } from './record-versions.ts';
import { selectGroups, selectNeighbors, selectSuperseded } from './store-versions.ts';
import { selectLikelySimilar, selectLikeness, selectLikenessOfFiles } from './store-similar.ts';

/** Of the industry and of each theme: enough to choose from, few enough to stay a matter of milliseconds. */
const CANDIDATES = 100;
/** Picked before the versions among them are taken out. */
const PICKED = 3 * SIMILAR_COUNT;

/**
 * Up to eight documents like this one (C-77): by their texts, whose likeness a job has computed, and by what they are filed under. Of
 * a plan in several versions the newest alone, and never a version of this one. Throws notFound for one that is missing or off the
 * shelf.
 */
export function listSimilar(ctx: Ctx, documentId: number): Promise<DocumentItem[]> {
  return readWithin(ctx.db, PUBLIC_READ_MS, async (db) => {
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
    return listByIds({ ...ctx, db }, picked.filter((id) => !superseded.has(id)).slice(0, SIMILAR_COUNT));
  });
}
