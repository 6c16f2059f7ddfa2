import { transact, type Ctx } from '../../context.ts';
import { notFound } from '../../protocol/envelope.ts';
import { documentsChanged } from '../jobs.ts';
import { selectState, updateToHidden } from './store-changes.ts';
import type { HiddenReason } from './tables.ts';

/**
 * Takes a document off the shelf: gone from every list with this transaction (search by a trigger, see 0002). Doing it
 * again changes nothing but the reason. Throws notFound for a missing one.
 */
export function hideDocument(ctx: Ctx, id: number, reason: HiddenReason): Promise<void> {
  return transact(ctx, async ({ db, jobs }) => {
    if (await updateToHidden(db, id, reason)) return jobs.add(documentsChanged, { ids: [id] });
    if ((await selectState(db, id)) === null) throw notFound();
  });
}
