import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { notFound } from '../../protocol/envelope.ts';
import type { DocumentItem } from '../contract.ts';
import { pickSimilar } from '../rules.ts';
import { listByIds } from './list-documents.ts';
import { selectLikelySimilar, selectLikeness } from './store.ts';

/** Of the industry and of each theme: enough to choose from, few enough to stay a matter of milliseconds. */
const CANDIDATES = 100;

/** Up to eight documents like this one (C-77). Throws notFound for one that is missing or off the shelf. */
export function listSimilar(ctx: Ctx, documentId: number): Promise<DocumentItem[]> {
  return readWithin(ctx.db, PUBLIC_READ_MS, async (db) => {
    const self = await selectLikeness(db, documentId);
    if (!self) throw notFound();
    const candidates = await selectLikelySimilar(db, self, CANDIDATES);
    return listByIds({ ...ctx, db }, pickSimilar(self, candidates));
  });
}
