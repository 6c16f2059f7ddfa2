import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { FileIdentity } from '../source/open-source.ts';
import { readResults, runRenderChild, type RendererSlot } from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/**
 * Opens a PDF in a child and counts its pages without drawing them: for a dry run, and to distinguish a password from a
 * restriction. With `identity` the child must open that file. Throws RefusedError: unreadable, encrypted, corrupt,
 * no-pages, too-many-pages, render-timeout.
 */
export async function inspectPdf(
  path: string,
  options: { identity?: FileIdentity; signal?: AbortSignal; slot?: RendererSlot } = {},
): Promise<{ pageCount: number }> {
  const run = options.slot?.run ?? runRenderChild;
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
  try {
    const results = join(folder, 'results.jsonl');
    const job = {
      kind: 'render' as const,
      pdf: path,
      pdfIs: options.identity,
      picture: null,
      outDir: folder,
      results,
      firstPage: limits.pdfPages + 1,
      previewPages: 0,
      effort: 0,
    };
    const end = Date.now() + limits.renderPageMs * 2;
    const { timedOut } = await run({
      job: { ...job, needCover: false, needBookmarks: false, drawn: {}, mark: null },
      until: () => end,
      signal: options.signal,
    });
    for (const line of await readResults(results)) {
      if (line.kind === 'refused') throw new RefusedError(line.code, line.detail);
      if (line.kind === 'document') return { pageCount: line.pageCount };
    }
    throw new RefusedError(timedOut ? 'render-timeout' : 'corrupt', 'the file cannot be opened');
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
