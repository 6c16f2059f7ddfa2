import { transact, type Ctx } from '../../context.ts';
import { conflict, notFound } from '../../protocol/envelope.ts';
import { documentsChanged } from '../jobs.ts';
import { selectState, updateToPublished } from './store-changes.ts';
import type { DocumentState } from './tables.ts';

/**
 * Puts a document on the shelf. Doing it again changes nothing. Throws notFound for a missing one, conflict while its
 * file has nothing to show yet or after it was hidden (that is restoreDocument's to decide).
 */
export function publishDocument(ctx: Ctx, id: number): Promise<void> {
  return putOnShelf(ctx, id, ['processing', 'failed']);
}

/** Puts a hidden document back. Throws like publishDocument. */
export function restoreDocument(ctx: Ctx, id: number): Promise<void> {
  return putOnShelf(ctx, id, ['hidden']);
}

function putOnShelf(ctx: Ctx, id: number, from: DocumentState[]): Promise<void> {
  return transact(ctx, async ({ db, jobs }) => {
    if (await updateToPublished(db, id, from)) return jobs.add(documentsChanged, { ids: [id] });
    const state = await selectState(db, id);
    if (state === null) throw notFound();
    if (state !== 'published') throw conflict('方案还不能上架');
  });
}
