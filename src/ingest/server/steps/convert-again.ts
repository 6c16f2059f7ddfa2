import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { EXIT, OperatorError, printable } from '../../../platform/command-line.ts';
import { createProgress } from '../../../platform/progress.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { countHopelessFiles, listRequeuedFiles, prepareAgain, redrawOutdated, retryFiles } from './retry-files.ts';
import { findDiskShortage, DiskFullError } from '../source/disk-space.ts';
import { selectFile } from '../store/files.ts';
import { selectOpenFiles, selectOutcomes, type Outcome } from '../store/problems.ts';

const AT_ONCE = 1_000;
const MIN_WAIT_MS = 300;
/** Largest share of the time spent on asking for the files that are left, which takes longer for large numbers. */
const ASKING_SHARE = 0.05;
const MAX_WAIT_MS = 5_000;

/**
 * The files that `ceku convert` prepares: the file of one document, files that failed or wait, or files whose images
 * were drawn with an older version.
 */
export type ConvertWhich = { documentId: number; redraws: boolean } | 'failed' | 'outdated-images';

/**
 * `ceku convert`: queues the files to prepare them again, waits for them and for files that an earlier, stopped command
 * queued, and prints the result of each. The exit code is 1 when a file is not prepared, and 73 when a disk is full.
 */
export async function convertAgain(ctx: Ctx, which: ConvertWhich): Promise<void> {
  const before = typeof which === 'string' ? await listRequeuedFiles(ctx) : [];
  const queued = await queue(ctx, which);
  const ids = [...new Set([...before, ...queued])];
  const requeued = before.length > 0 ? `, ${before.length} already queued` : '';
  console.error(`${queued.length} file${queued.length === 1 ? '' : 's'} queued${requeued}.`);
  const hopeless = which === 'failed' ? await countHopelessFiles(ctx) : 0;
  if (hopeless > 0) console.error(`Not tried again, because the fault is in the file itself: ${hopeless} failed.`);
  const shortage = await waitForFiles(ctx, ids);
  const isAllDone = await report(ctx, ids);
  if (shortage) throw shortage;
  if (!isAllDone) process.exitCode = EXIT.partial;
}

async function queue(ctx: Ctx, which: ConvertWhich): Promise<number[]> {
  if (which === 'outdated-images') return redrawOutdated(ctx);
  if (which === 'failed') return retryFiles(ctx, ['failed', 'waiting', 'pending-preview']);
  return [await queueDocument(ctx, which.documentId, which.redraws)];
}

async function queueDocument(ctx: Ctx, documentId: number, redraws: boolean): Promise<number> {
  const document = await findDocument(ctx, documentId);
  const file = document ? await selectFile(ctx.db, document.fileId) : null;
  if (!file) throw new OperatorError(`There is no document ${documentId}.`, EXIT.data);
  if (file.destroyedAt)
    throw new OperatorError(`The file of document ${documentId} was destroyed: nothing is left to prepare.`, EXIT.data);
  await prepareAgain(ctx, file, redraws);
  return file.id;
}

/** Waits until the files are prepared by any process. Returns the reason when waiting is useless: a disk is full. */
async function waitForFiles(ctx: Ctx, ids: number[]): Promise<DiskFullError | null> {
  const progress = createProgress('preparing');
  try {
    for (let left = ids; ;) {
      const begunAt = performance.now();
      const open = await selectOpenFiles(ctx.db, left);
      left = open.map((file) => file.id);
      progress.update(ids.length - left.length, ids.length);
      const largest = open.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
      if (left.length === 0) return null;
      const shortage = await findDiskShortage(ctx, largest);
      if (shortage) return new DiskFullError(shortage);
      const taken = performance.now() - begunAt;
      await sleep(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, taken / ASKING_SHARE)));
    }
  } finally {
    progress.end();
  }
}

/** Returns lines about missing fonts: page images were kept, or drawn with other fonts. */
function fontLines({ documentId, fonts, keptFor }: Outcome): string[] {
  if (keptFor.length > 0)
    return [
      `page images kept: this machine lacks ${keptFor.join(', ')} (ceku convert --document ${documentId} --redraw draws new ones with other fonts)`,
    ];
  return Object.entries(fonts).map(([named, drawn]) => `font ${named} was drawn as ${drawn}`);
}

/** Prints the result of each file. Returns true when every file is prepared. */
async function report(ctx: Ctx, ids: number[]): Promise<boolean> {
  const counts = { prepared: 0, waiting: 0, failed: 0 };
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const outcomes = await selectOutcomes(ctx.db, ids.slice(at, at + AT_ONCE));
    for (const one of outcomes) {
      const { documentId, name, isPublished, hasFailed, isShown, reason } = one;
      const outcome = isPublished && !hasFailed ? 'prepared' : hasFailed || reason ? 'failed' : 'waiting';
      counts[outcome]++;
      const what = documentId === null ? name : `${name} document ${documentId}`;
      const still = outcome === 'failed' && isShown ? '; the document stays published as it was' : '';
      console.log(printable(`${outcome.padEnd(10)}${what}${reason ? `: ${reason}` : ''}${still}`));
      if (outcome === 'prepared') for (const line of fontLines(one)) console.log(`${''.padEnd(10)}${printable(line)}`);
    }
  }
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  console.error(`${words.map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'Nothing to do'}.`);
  return counts.waiting + counts.failed === 0;
}
