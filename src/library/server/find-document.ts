import type { Ctx } from '../../context.ts';
import { selectDocument } from './store.ts';

/** Everything known of one document and its file, whatever its state. */
export type DocumentFacts = NonNullable<Awaited<ReturnType<typeof selectDocument>>>;

/** Null when the id was never given out. Callers decide by `state` what may be seen. */
export function findDocument(ctx: Ctx, id: number): Promise<DocumentFacts | null> {
  return selectDocument(ctx.db, id);
}
