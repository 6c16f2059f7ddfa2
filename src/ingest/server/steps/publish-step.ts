import { publishDocument } from '../../../library/server/documents.ts';
import type { Ctx } from '../../../context.ts';
import { selectWaitingDocuments, updateFile } from '../store/files.ts';
import { updateOpenItems } from '../store/items.ts';
import type { Step } from './step.ts';

/** Publishes the documents of a file whose other steps are done. */
export const publishStep: Step = {
  name: 'publish',
  run: ({ file }) =>
    Promise.resolve({
      async save(tx) {
        await updateFile(tx.db, file.id, {
          state: 'ready',
          failureCode: null,
          failureDetail: null,
          preparedAt: new Date(tx.clock.now()),
        });
        await publishDocuments(tx, file.id, '');
      },
    }),
};

/** Publishes the documents that wait for a file. Call it in a transaction. */
export async function publishDocuments(tx: Ctx, fileId: number, message: string): Promise<void> {
  for (const id of await selectWaitingDocuments(tx.db, fileId)) await publishDocument(tx, id);
  await updateOpenItems(tx.db, fileId, { state: 'published', reasonCode: null, message });
}
