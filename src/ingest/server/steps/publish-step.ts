import { hideDocument, publishDocument } from '../../../library/server/documents.ts';
import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { selectWaitingDocuments, updateFile, updateOutline, selectFile, type FileRow } from '../store/files.ts';
import { updateOpenItems } from '../store/items.ts';
import type { Step, StepInput } from './step.ts';
import { recordCharts } from '../../../charts/server/record-charts.ts';
import { RefusedError } from '../../refusals.ts';
import { remarksOf } from '../../remarks.ts';
import { IMAGES_VERSION, mergeFlags } from '../../rules.ts';
import { describeFile, saveDescription, type Description } from '../about/describe-file.ts';
import { extractCharts, type ExtractedChart } from '../charts/extract-charts.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import { prepareWithoutConverter } from './prepare-without-converter.ts';
import { ChildLost } from '../render/renderer-slot.ts';
import { saveRenderedPages } from './render-step.ts';
import { storeMedia } from '../store/media.ts';

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
        if (file.flags.includes('blank')) await keepOffShelf(tx, file);
        else await publishDocuments(tx, file.id, remarksOf(file));
      },
    }),
};

/** Hides the documents that wait for a file of blank pages: an operator may put them on the shelf. Call it in a transaction. */
async function keepOffShelf(tx: TransactionCtx, file: FileRow): Promise<void> {
  for (const id of await selectWaitingDocuments(tx.db, file.id)) await hideDocument(tx, id, 'operator');
  const message = `${remarksOf(file)} (ceku document restore shows it)`;
  await updateOpenItems(tx.db, file.id, { state: 'failed', reasonCode: 'blank', message });
}

/** Publishes the documents that wait for a file. Call it in a transaction. */
async function publishDocuments(tx: TransactionCtx, fileId: number, message: string): Promise<void> {
  for (const id of await selectWaitingDocuments(tx.db, fileId)) await publishDocument(tx, id);
  await updateOpenItems(tx.db, fileId, { state: 'published', reasonCode: null, message });
}

/**
 * Publishes a PPTX with its text, its charts as numbers and a cover, when LibreOffice is not installed. The steps from
 * `convert` on run once it is. Safe to run twice. Throws RefusedError converter-missing for any other file type.
 */
export async function publishWithoutPreviews(input: Omit<StepInput, 'detailOf'>): Promise<void> {
  const { ctx, file, workDir, isLast, signal } = input;
  // The file has previews from before LibreOffice was removed.
  if (file.state === 'ready') return;
  const facts = await input.facts();
  if (!facts) throw new RefusedError('converter-missing');
  const prepared = await prepareWithoutConverter({ workDir, isLast, ...(signal && { signal }) }, facts);
  const media = await storeMedia(ctx.files, file.mediaKey, prepared);
  await transact(ctx, async (tx) => {
    const flags = mergeFlags(file.flags, prepared.flags);
    await saveRenderedPages(tx, file.id, { ...media, cover: prepared.cover, flags, imagesVersion: IMAGES_VERSION });
    await updateOutline(tx.db, file.id, prepared);
  });
  const description = await describePending(ctx, file, facts);
  const charts = await chartsPending(input);
  const titles = new Map(prepared.outline.map(({ page, title }) => [page, title]));
  await transact(ctx, async (tx) => {
    // The charts step keeps the numbers of the charts, so their ids stay when pictures are added.
    if (charts) await recordCharts(tx, file.id, charts, titles);
    if (description) await saveDescription(tx, description);
    await updateFile(tx.db, file.id, { state: 'pending-preview', failureCode: null, failureDetail: null });
    await publishDocuments(tx, file.id, 'published without previews: LibreOffice is not installed');
  });
}

/**
 * Describes the file by its text, which needs no LibreOffice. Returns null when that fails: the document is published
 * without labels.
 */
async function describePending(ctx: Ctx, file: FileRow, facts: PptxFacts): Promise<Description | null> {
  try {
    return await describeFile(ctx, (await selectFile(ctx.db, file.id)) ?? file, () => Promise.resolve(facts.title));
  } catch (error) {
    ctx.log.warn({ fileId: file.id, error }, 'a file could not be described');
    return null;
  }
}

/**
 * Returns the charts without pictures; null when they cannot be read: the document is published without charts. Throws the reason of the signal,
 * and ChildLost unless this run is the last.
 */
async function chartsPending(input: Omit<StepInput, 'detailOf'>): Promise<ExtractedChart[] | null> {
  const { ctx, file, original, workDir, pool, isLast, signal } = input;
  try {
    const input = { path: original, pdf: null, workDir, ...(signal && { signal }) };
    return await pool.run((slot) => extractCharts({ ...input, slot }), signal);
  } catch (error) {
    if (signal?.aborted || (error instanceof ChildLost && !isLast)) throw error;
    ctx.log.warn({ fileId: file.id, error }, 'the charts of a file could not be read');
    return null;
  }
}
