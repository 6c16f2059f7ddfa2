import type { Ctx } from '../../../context.ts';
import { differencesOf, type BatchPlan } from '../manifest/plan-batch.ts';
import { selectItems, type ListedItem } from '../store/items.ts';
import { selectDocumentWords } from '../store/batches.ts';

const AT_ONCE = 1_000;

/**
 * Yields the result of each file of a batch, in order, with remarks on its row of the manifest: labels that were left
 * out, and values of the existing document that differ from the row (an ingest never changes existing documents).
 */
export async function* listResults(ctx: Ctx, batchId: number, plan: BatchPlan | null): AsyncGenerator<ListedItem> {
  for (let after = 0; ;) {
    const items = await selectItems(ctx.db, batchId, AT_ONCE, after);
    const named = plan ? items.filter((item) => item.documentId && plan.factsOf(item.path)) : [];
    const documents = await selectDocumentWords(ctx.db, [...new Set(named.flatMap((item) => item.documentId ?? []))]);
    const byId = new Map(documents.map((document) => [document.id, document]));
    for (const item of items) {
      const facts = plan?.factsOf(item.path) ?? null;
      const document = byId.get(item.documentId ?? 0);
      const others = facts && document ? differencesOf(facts, document) : [];
      const difference = `the manifest has a different ${others.join(', ')}; not applied (use ceku document set ${item.documentId})`;
      const notes = [...(plan?.notesOf(item.path) ?? []), ...(others.length > 0 ? [difference] : [])];
      yield notes.length > 0 ? { ...item, message: [item.message, ...notes].filter(Boolean).join('; ') } : item;
    }
    if (items.length < AT_ONCE) return;
    after = items.at(-1)?.id ?? 0;
  }
}
