import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact, type Ctx } from '../../../context.ts';
import { failDocuments } from '../../../library/server/documents.ts';
import { withoutStatement } from '../../../platform/db/client.ts';
import { StoreAway, StoreMissing } from '../../../platform/files/file-store.ts';
import type { JobAttempt } from '../../../platform/jobs/jobs.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { RefusedError, refusalReasons } from '../../refusals.ts';
import { chartsStep } from './charts-step.ts';
import { convertStep, pdfInWorkDir, pdfKey } from './convert-step.ts';
import { fingerprintStep } from './fingerprint-step.ts';
import { findConverter } from '../convert/soffice.ts';
import { poolOf } from '../convert/converter-pool.ts';
import { outlineStep } from './outline-step.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import { publishStep, publishWithoutPreviews } from './publish-step.ts';
import { readFactsInChild } from '../charts/read-deck.ts';
import { renderStep } from './render-step.ts';
import { isDiskFull } from '../../../platform/db/client.ts';
import { findDiskShortage, NO_DISK_SPACE } from '../source/disk-space.ts';
import { sortSteps, runSteps, type StepHook } from './run-steps.ts';
import { selectFile, type FileRow } from '../store/files.ts';
import { updateOpenItems } from '../store/items.ts';
import { updateFileFailed } from '../store/problems.ts';
import { selectSteps } from '../store/steps.ts';
import type { Step, StepInput } from './step.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/** The steps of a stored file, in order. */
const PIPELINE: readonly Step[] = sortSteps([
  convertStep,
  renderStep,
  outlineStep,
  chartsStep,
  fingerprintStep,
  publishStep,
]);

/** How long a job waits for free disk space before it is rescheduled, and by how much it is rescheduled. */
const DISK_SPACE_WAIT_MS = 5_000;
export const DISK_SPACE_RETRY_SECONDS = 60;

/** Replaces the pool or LibreOffice, and observes the steps; used by tests and by the demo library. */
export type PrepareOptions = Partial<Pick<StepInput, 'pool' | 'converter'>> & { onStep?: StepHook };

/**
 * The handler of `prepareFileJob`: runs the steps of a file from the first one that is not recorded as done. Safe to
 * run twice. A refusal is recorded as the final result. An unexpected error is thrown, so that the queue tries again,
 * and recorded as a failure after the last attempt. Throws JobPostponed when a disk is full: that does not count as an
 * attempt.
 */
export async function prepareStoredFile(
  ctx: Ctx,
  fileId: number,
  attempt: JobAttempt,
  options: PrepareOptions = {},
): Promise<void> {
  const file = await selectFile(ctx.db, fileId);
  if (!file) return;
  if (await isPrepared(ctx, file)) {
    return updateOpenItems(ctx.db, fileId, { state: 'published', reasonCode: null, message: '' });
  }
  await waitForDiskSpace(ctx, file, attempt);
  await updateOpenItems(ctx.db, fileId, { state: 'running', reasonCode: null, message: '' });
  let workDir: string | null = null;
  try {
    workDir = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
    const run = { workDir, attempt };
    await ctx.files.withLocalPath(`originals/${file.sha256}`, async (original) => {
      const input = inputOf(ctx, file, { original, ...run, ...options });
      try {
        await runSteps(input, PIPELINE, options.onStep);
      } catch (error) {
        if (!isWaitingForConverter(error) || file.fileType !== 'pptx') throw error;
        await publishWithoutPreviews(input);
      }
    });
  } catch (error) {
    if (attempt.signal?.aborted) {
      await updateOpenItems(ctx.db, fileId, { state: 'queued', reasonCode: null, message: '' });
      throw error;
    }
    const shortage = await shortageBehind(ctx, error);
    if (shortage !== null) throw await reschedule(ctx, fileId, shortage);
    if (error instanceof RefusedError) return await recordRefusal(ctx, file, error);
    if (error instanceof StoreMissing)
      return await recordRefusal(ctx, file, new RefusedError('unreadable', 'the original is not in the file store'));
    if (attempt.isLast) await recordFailure(ctx, file, 'unexpected', String(withoutStatement(error)));
    throw error;
  } finally {
    if (workDir !== null) await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function waitForDiskSpace(ctx: Ctx, file: FileRow, { signal }: JobAttempt): Promise<void> {
  if ((await findDiskShortage(ctx, file.sizeBytes)) === null) return;
  await sleep(DISK_SPACE_WAIT_MS, undefined, signal && { signal });
  const shortage = await findDiskShortage(ctx, file.sizeBytes);
  if (shortage !== null) throw await reschedule(ctx, file.id, shortage);
}

/**
 * Returns the disk shortage that caused an error, or that the disk of the stored files is away; null for any other error. The disk is always checked, because a program that could not
 * write may leave a broken file, which is refused for another reason.
 */
export async function shortageBehind(ctx: Ctx, error: unknown): Promise<string | null> {
  if (error instanceof RefusedError && error.kind === 'waiting') return null;
  if (error instanceof StoreAway || (error instanceof StoreMissing && !(await isStoreThere(ctx))))
    return 'the disk of the stored files is not mounted';
  const shortage = await findDiskShortage(ctx);
  return shortage ?? (isDiskFull(error) ? 'a disk was full' : null);
}

const isStoreThere = (ctx: Ctx) =>
  ctx.files.check().then(
    () => true,
    () => false,
  );

async function reschedule(ctx: Ctx, fileId: number, shortage: string): Promise<JobPostponed> {
  const message = `waits for disk space: ${shortage}`.slice(0, 500);
  await updateOpenItems(ctx.db, fileId, { state: 'queued', reasonCode: NO_DISK_SPACE, message });
  return new JobPostponed(message, DISK_SPACE_RETRY_SECONDS);
}

/** Whether the file is published and not queued to be prepared again. A ready-made file has no steps. */
async function isPrepared(ctx: Ctx, file: FileRow): Promise<boolean> {
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
  const pool = run.pool ?? poolOf(ctx, run.attempt.workers ?? 1);
  const { original: path, workDir } = run;
  const { signal } = run.attempt;
  const readFacts = () => pool.run((slot) => readFactsInChild({ path, workDir, slot, signal }), signal);
  return {
    ctx,
    file,
    original: run.original,
    workDir: run.workDir,
    pool,
    converter: run.converter === undefined ? findConverter() : run.converter,
    signal: run.attempt.signal,
    isLast: run.attempt.isLast,
    facts: () => (facts ??= file.fileType === 'pptx' ? readFacts() : Promise.resolve(null)),
    async withPdf(use) {
      if (file.fileType === 'pdf') return use(run.original);
      if (existsSync(pdfInWorkDir(run.workDir))) return use(pdfInWorkDir(run.workDir));
      if (!(await ctx.files.stat(pdfKey(file.sha256)))) return use(null);
      return ctx.files.withLocalPath(pdfKey(file.sha256), use);
    },
  };
}

const isWaitingForConverter = (error: unknown) => error instanceof RefusedError && error.code === 'converter-missing';

async function recordRefusal(ctx: Ctx, file: FileRow, refusal: RefusedError): Promise<void> {
  const reason = refusalReasons[refusal.code];
  const message = refusal.detail ? `${reason.operator} (${refusal.detail})` : reason.operator;
  if (reason.kind === 'waiting') {
    await updateOpenItems(ctx.db, file.id, { state: 'waiting', reasonCode: refusal.code, message });
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
    await updateFileFailed(tx.db, file.id, { code, detail: message.slice(0, 500) });
    await failDocuments(tx, file.id);
    await updateOpenItems(tx.db, file.id, { state, reasonCode: code, message: message.slice(0, 500) });
  });
}
