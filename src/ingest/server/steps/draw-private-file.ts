import type { FileType } from '../../../library/file-types.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ctx } from '../../../context.ts';
import type { JobAttempt } from '../../../platform/jobs/jobs.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { readFactsInChild } from '../charts/read-deck.ts';
import { poolOf, type IngestPool, type WorkHooks } from '../convert/converter-pool.ts';
import { withFixedDates } from '../convert/fix-dates.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import type { RenderedPages } from '../render/render-pages.ts';
import type { RendererSlot } from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/** WebP effort, 0 (fast) to 6 (small); the same as of documents. */
const EFFORT = 2;

/** `pool` replaces the pool of the process in tests. */
export type DrawOptions = { pool?: IngestPool };

/**
 * Draws the first pages of a file that was sniffed and is not part of the library: no row, no file and no search entry is made. A
 * presentation is converted first, in the sandbox and with the limits of ingest. `use` gets the pages, whose images are removed when
 * it ends; `onConverted` is called when the conversion has ended, before the pages are drawn. While the file waits for a turn in the pool, `onBegun`
 * has not been called (WorkHooks). Throws RefusedError, ChildLost, and the reason of the signal.
 */
export async function drawPrivateFile(
  ctx: Ctx,
  file: { path: string; fileType: FileType; bytes: number; previewPages: number; attempt: JobAttempt } & DrawOptions,
  use: (drawn: RenderedPages) => Promise<void>,
  { onConverted, ...hooks }: WorkHooks & { onConverted(): void },
): Promise<void> {
  const { path, fileType, attempt } = file;
  const { signal } = attempt;
  const pool = file.pool ?? poolOf(ctx, attempt.workers ?? 1);
  const workDir = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
  try {
    const pdf = fileType === 'pdf' ? path : await convert();
    onConverted();
    const drawn = await pool.render({
      pdf,
      workDir,
      previewPages: file.previewPages,
      effort: EFFORT,
      isUploaded: fileType === 'pdf',
      isLast: attempt.isLast,
      hooks,
      ...(signal && { signal }),
    });
    if (fileType !== 'pdf' && drawn.pageCount > limits.slides)
      throw new RefusedError('too-many-pages', `${drawn.pageCount} slides`);
    await use(drawn);
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
  }

  async function convert(): Promise<string> {
    const isPpt = fileType === 'ppt';
    const facts = isPpt ? null : await pool.run(readFacts, signal, hooks);
    const slides = facts?.slides.length ?? null;
    const made = await pool.toPdf({
      path: facts?.hasDateFields ? await pool.run(fixDates, signal, hooks) : path,
      fileType: isPpt ? 'ppt' : 'pptx',
      workDir,
      slides,
      bytes: file.bytes,
      hooks,
      signal,
    });
    return made.pdf;
  }

  function fixDates(slot: RendererSlot): Promise<string> {
    return withFixedDates({ path, workDir, slot, signal });
  }

  function readFacts(slot: RendererSlot): Promise<PptxFacts> {
    return readFactsInChild({ path, workDir, slot, signal });
  }
}
