import { documentsChanged } from '../../library/jobs.ts';
import { publishDocument } from '../../library/server/publish-document.ts';
import type { Ctx } from '../../context.ts';
import { selectShownDocuments, selectWaitingDocuments, updateFile } from './store.ts';
import { settleItems } from './store-items.ts';
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

/** Within a transaction: shows the documents that wait for a file, and says of those shown already that they changed. */
export async function putOnShelf(tx: Ctx, fileId: number, message: string): Promise<void> {
  for (const id of await selectWaitingDocuments(tx.db, fileId)) await publishDocument(tx, id);
  // Those on the shelf already have new pages, which search reads too.
  const shown = await selectShownDocuments(tx.db, fileId);
  if (shown.length > 0) await tx.jobs.add(documentsChanged, { ids: shown });
  await settleItems(tx.db, fileId, { state: 'published', reasonCode: null, message });
}
