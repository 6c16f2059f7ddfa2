import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { failIfDiskIsFull } from '../source/full-disk.ts';
import type { FileIdentity } from '../source/open-source.ts';
import { isCrash, readResults, runRenderChild, type RendererSlot } from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/** The file could not be inspected, for a reason that lies in this machine and not in the file. */
export class InspectionFailed extends Error {}

/** Errors of the system that say nothing about the file. */
const MACHINE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Whether the error says nothing about the file that was sniffed. */
export const isMachineFault = (error: unknown): boolean =>
  error instanceof InspectionFailed ||
  (error instanceof Error && 'code' in error && MACHINE_CODES.has(String(error.code)));

/** Returns the error for a temporary folder or a child that cannot be made; errors about the PDF itself stay as they are. */
function asInspectionFailed(error: unknown): unknown {
  if (error instanceof RefusedError || isMachineFault(error)) return error;
  const isOfFile = error instanceof Error && 'code' in error && !/^(?:mkdtemp|mkdir|spawn)/.test(syscallOf(error));
  return isOfFile ? error : new InspectionFailed(`the file could not be inspected: ${String(error)}`, { cause: error });
}

const syscallOf = (error: Error): string => ('syscall' in error ? String(error.syscall) : '');

/**
 * Opens a PDF in a child and counts its pages without drawing them: for a dry run, and to distinguish a password from a
 * restriction. With `identity` the child must open that file. Throws RefusedError: unreadable, encrypted, corrupt,
 * no-pages, too-many-pages, render-timeout, render-failed; and errors of `isMachineFault`.
 */
export async function inspectPdf(
  path: string,
  options: { identity?: FileIdentity; slot?: RendererSlot } = {},
): Promise<{ pageCount: number; isEncrypted: boolean }> {
  const run = options.slot?.run ?? runRenderChild;
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`)).catch((error: unknown) => {
    throw asInspectionFailed(error);
  });
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
    const { hasBegun, timedOut, tookTooMuch, killedBy } = await run({
      job: { ...job, needCover: false, needBookmarks: false, drawn: {}, mark: null },
      until: () => end,
      signal: undefined,
    }).catch((error: unknown) => {
      throw asInspectionFailed(error);
    });
    for (const line of await readResults(results)) {
      if (line.kind === 'refused') throw new RefusedError(line.code, line.detail);
      if (line.kind === 'document') return { pageCount: line.pageCount, isEncrypted: line.isEncrypted };
    }
    await failIfDiskIsFull(folder);
    // A child that could not start says nothing about the file, as one without memory: Node aborts when it gets no threads.
    if (!hasBegun)
      throw new InspectionFailed(`the child that opens the file ended by ${killedBy ?? 'itself'} before it began`);
    if (timedOut) throw new RefusedError('render-timeout', 'the file cannot be opened');
    if (tookTooMuch) throw new RefusedError('render-failed', 'opening the file takes too much memory');
    if (isCrash(killedBy))
      throw new RefusedError('render-failed', `the child that opened the file ended by ${killedBy}`);
    // The child exits by itself when its results cannot be written.
    throw new InspectionFailed(`the child that opened the file ended by ${killedBy ?? 'itself'}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
