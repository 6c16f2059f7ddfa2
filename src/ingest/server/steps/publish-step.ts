import { publishDocument } from '../../../library/server/documents.ts';
import type { Ctx } from '../../../context.ts';
import { selectWaitingDocuments, updateFile } from '../store/files.ts';
import { settleItems } from '../store/items.ts';
import type { Step } from './step.ts';

/** Everything is there: the documents of the file go on the shelf. */
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
        await putOnShelf(tx, file.id, '');
      },
    }),
};

/** Within a transaction: shows the documents that wait for a file. */
export async function putOnShelf(tx: Ctx, fileId: number, message: string): Promise<void> {
  for (const id of await selectWaitingDocuments(tx.db, fileId)) await publishDocument(tx, id);
  await settleItems(tx.db, fileId, { state: 'published', reasonCode: null, message });
}
