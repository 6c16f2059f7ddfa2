import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transact, type Ctx } from '../../context.ts';
import { StoreMissing } from '../../platform/files/file-store.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { mergeFlags } from '../rules.ts';
import { RefusedError, refusalReasons } from '../refusals.ts';
import { describeFile, saveDescription, type Description } from './about/describe-file.ts';
import { chartsStep } from './charts-step.ts';
import { convertStep, madePdf, pdfKey } from './convert-step.ts';
import { fingerprintStep } from './fingerprint-step.ts';
import { createIngestPool, type IngestPool } from './ingest-pool.ts';
import { outlineStep } from './outline-step.ts';
import { readPptxFacts, type PptxFacts } from './pptx-facts.ts';
import { prepareWithoutConverter } from './prepare-file.ts';
import { publishStep, putOnShelf } from './publish-step.ts';
import { renderStep } from './render-step.ts';
import { inOrder, runSteps, type OnBoundary } from './run-steps.ts';
import { failDocuments, saveOutline, savePages, selectFile, settleItems, updateFile, type FileRow } from './store.ts';
import { failFile } from './store-problems.ts';
import { selectSteps } from './store-steps.ts';
import { storeMedia } from './store-media.ts';
import type { Step, StepInput } from './step.ts';
import { WORK_FOLDER } from './work-folders.ts';

/** The way of a stored file. */
const WAY: readonly Step[] = inOrder([convertStep, renderStep, outlineStep, chartsStep, fingerprintStep, publishStep]);

const pools = new Map<number, IngestPool>();

function poolOf(workers: number): IngestPool {
  const known = pools.get(workers);
  if (known) return known;
  const made = createIngestPool(workers);
  pools.set(workers, made);
  return made;
}

export type PrepareOptions = Partial<Pick<StepInput, 'pool' | 'keepsPictures'>> & { onBoundary?: OnBoundary };

/**
 * The work behind `prepareFileJob`: goes on at the first step that is not recorded as done. Safe to run twice. A refusal
 * is a result, recorded and final; anything unexpected is thrown, so that the queue tries again, and recorded as a
 * failure after the last attempt.
 */
export async function prepareStoredFile(
  ctx: Ctx,
  fileId: number,
  attempt: JobAttempt,
  options: PrepareOptions = {},
): Promise<void> {
  const file = await selectFile(ctx.db, fileId);
  if (!file) return;
  if (await isThrough(ctx, file)) {
    return settleItems(ctx.db, fileId, { state: 'published', reasonCode: null, message: '' });
  }
  await settleItems(ctx.db, fileId, { state: 'running', reasonCode: null, message: '' });
  const workDir = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
  try {
    await ctx.files.withLocalPath(`originals/${file.sha256}`, async (original) => {
      const input = inputOf(ctx, file, { original, workDir, attempt, ...options });
      try {
        await runSteps(input, WAY, options.onBoundary);
      } catch (error) {
        if (!isWaitingForConverter(error) || file.fileType !== 'pptx') throw error;
        await publishWithoutPreviews(input);
      }
    });
  } catch (error) {
    if (error instanceof RefusedError) return await recordRefusal(ctx, file, error);
    if (error instanceof StoreMissing)
      return await recordRefusal(ctx, file, new RefusedError('unreadable', 'the original is not in the file store'));
    if (attempt.isLast && !attempt.signal?.aborted) await recordFailure(ctx, file, 'unexpected', String(error));
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Published and not asked for again. A file of the demo library came ready, without steps. */
async function isThrough(ctx: Ctx, file: FileRow): Promise<boolean> {
  if (file.state !== 'ready') return false;
  const steps = await selectSteps(ctx.db, file.id);
  return steps.length === 0 || steps.some(({ step, state }) => step === 'publish' && state === 'done');
}

function inputOf(
  ctx: Ctx,
  file: FileRow,
  run: PrepareOptions & { original: string; workDir: string; attempt: JobAttempt },
): Omit<StepInput, 'detailOf'> {
  let facts: Promise<PptxFacts | null> | undefined;
  return {
    ctx,
    file,
    original: run.original,
    workDir: run.workDir,
    pool: run.pool ?? poolOf(run.attempt.workers ?? 1),
    keepsPictures: run.keepsPictures ?? (() => Promise.resolve(false)),
    signal: run.attempt.signal,
    facts: () => (facts ??= file.fileType === 'pptx' ? readPptxFacts(run.original) : Promise.resolve(null)),
    async withPdf(use) {
      if (file.fileType === 'pdf') return use(run.original);
      if (existsSync(madePdf(run.workDir))) return use(madePdf(run.workDir));
      if (!(await ctx.files.stat(pdfKey(file.sha256)))) return use(null);
      return ctx.files.withLocalPath(pdfKey(file.sha256), use);
    },
  };
}

const isWaitingForConverter = (error: unknown) => error instanceof RefusedError && error.code === 'converter-missing';

/** A PPTX goes on the shelf with its facts and a cover; the steps from `convert` on follow when LibreOffice is there. */
async function publishWithoutPreviews(input: Omit<StepInput, 'detailOf'>): Promise<void> {
  const { ctx, file, workDir, signal } = input;
  // Better previews may be there from before LibreOffice went.
  if (file.state === 'ready') return;
  const facts = await input.facts();
  if (!facts) throw new RefusedError('converter-missing');
  const prepared = await prepareWithoutConverter({ workDir, ...(signal && { signal }) }, facts);
  const media = await storeMedia(ctx.files, file.mediaKey, prepared);
  await transact(ctx, async (tx) => {
    const flags = mergeFlags(file.flags, prepared.flags);
    await savePages(tx.db, file.id, { ...media, cover: prepared.cover, flags });
    await saveOutline(tx.db, file.id, prepared);
  });
  const description = await describePending(ctx, file, facts);
  await transact(ctx, async (tx) => {
    if (description) await saveDescription(tx, description);
    await updateFile(tx.db, file.id, { state: 'pending-preview', failureCode: null, failureDetail: null });
    await putOnShelf(tx, file.id, 'published without previews: LibreOffice is not installed');
  });
}

/** Its text is there without LibreOffice, so it comes out filed; without a description it comes out all the same. */
async function describePending(ctx: Ctx, file: FileRow, facts: PptxFacts): Promise<Description | null> {
  try {
    return await describeFile(ctx, (await selectFile(ctx.db, file.id)) ?? file, () => Promise.resolve(facts.title));
  } catch (error) {
    ctx.log.warn({ fileId: file.id, error }, 'a file could not be described');
    return null;
  }
}

async function recordRefusal(ctx: Ctx, file: FileRow, refusal: RefusedError): Promise<void> {
  const reason = refusalReasons[refusal.code];
  const message = refusal.detail ? `${reason.operator} (${refusal.detail})` : reason.operator;
  if (reason.kind === 'waiting') {
    await settleItems(ctx.db, file.id, { state: 'waiting', reasonCode: refusal.code, message });
    return;
  }
  await recordFailure(ctx, file, refusal.code, message, reason.kind);
}

async function recordFailure(
  ctx: Ctx,
  file: FileRow,
  code: string,
  message: string,
  state: 'refused' | 'failed' = 'failed',
): Promise<void> {
  await transact(ctx, async (tx) => {
    await failFile(tx.db, file.id, { code, detail: message.slice(0, 500) });
    await failDocuments(tx.db, file.id);
    await settleItems(tx.db, file.id, { state, reasonCode: code, message: message.slice(0, 500) });
  });
}
