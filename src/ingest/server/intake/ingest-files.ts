import { access, constants, lstat, stat } from 'node:fs/promises';
import { transact, type Ctx } from '../../../context.ts';
import { isDatabaseAway, withoutStatement } from '../../../platform/db/client.ts';
import { StoreAway } from '../../../platform/files/file-store.ts';
import { refusalReasons, type Refused } from '../../refusals.ts';
import type { ManifestFacts } from '../manifest/manifest-facts.ts';
import { acceptFile, refusedItem } from './accept-file.ts';
import type { Unreachable } from '../source/collect-files.ts';
import { stampOf, type FileStamp, type Root } from '../source/open-source.ts';
import { prepareFileJob } from '../steps/jobs.ts';
import { isDiskFull } from '../../../platform/db/client.ts';
import { DiskFullError } from '../source/disk-space.ts';
import type { Sniffed } from '../../prepared-file.ts';
import type { StepHook } from '../steps/run-steps.ts';
import { InspectionFailed } from '../sniff/inspect-pdf.ts';
import { sniffFile, sniffOptions } from '../sniff/sniff-file.ts';
import { prepareFileKey } from '../store/prepare-job.ts';
import { insertBatch, insertItem } from '../store/items.ts';
import { retryOnDeadlock } from '../../../platform/db/retry-database.ts';
import {
  insertItems,
  lockFiles,
  selectFirstStates,
  selectKnownItems,
  selectFilesWithoutJob,
  type KnownItem,
  type NewItem,
} from '../store/batches.ts';

/** How many files are looked up, and results inserted, in one statement. */
const AT_ONCE = 1_000;
const STATS_AT_ONCE = 32;
/** How many files are sniffed ahead. Few, because a PDF with a password starts a child process. */
const SNIFFED_AHEAD = 6;

type IngestInput = {
  /** Absolute paths of the files. */
  paths: string[];
  factsOf: (path: string) => Partial<ManifestFacts> | null;
  /** Returns the folder that was listed to find a file; left out, every file was given by its path (open-source.ts). */
  rootOf?: (path: string) => Root | null;
  /** Files that were found and cannot be read; each is recorded with its reason. */
  unreachable?: Unreachable[];
  /** Called after each file. */
  onProgress?: (done: number, total: number) => void;
  /** Called with the id of the batch before the first file is sniffed. */
  onBatch?: (batchId: number) => void;
  signal?: AbortSignal;
  onStep?: StepHook;
};

/** The database or the file store does not answer, so every other file would fail too. */
class IntakeStopped extends Error {}

/**
 * Sniffs every file, accepts the good files and queues their preparation. A bad file never stops the others: the reason
 * is its result. Returns the batch, whose items hold the result of each file, and the error that stopped the run
 * halfway.
 */
export async function ingestFiles(ctx: Ctx, input: IngestInput): Promise<{ batchId: number; stoppedBy?: unknown }> {
  const batchId = await insertBatch(ctx.db);
  input.onBatch?.(batchId);
  const { paths, unreachable = [], signal } = input;
  try {
    for (let at = 0; at < unreachable.length; at += AT_ONCE) {
      const some = unreachable.slice(at, at + AT_ONCE);
      await insertItems(
        ctx.db,
        some.map(({ path, refused }) => refusedItem(ctx, { batchId, path }, refused)),
      );
    }
    for (let at = 0; at < paths.length && !signal?.aborted; at += AT_ONCE)
      await ingestSome(ctx, batchId, paths.slice(at, at + AT_ONCE), {
        ...input,
        onProgress: (done) => input.onProgress?.(at + done, paths.length),
      });
  } catch (error) {
    if (error instanceof IntakeStopped) return { batchId, stoppedBy: error.cause };
    if (isDatabaseAway(error)) return { batchId, stoppedBy: error };
    throw error;
  }
  return { batchId };
}

type FoundFile = { path: string; root: Root | null; stamp: FileStamp; known: KnownItem | null };

/** Ingests some files in order. Results without a new document are inserted together. */
async function ingestSome(ctx: Ctx, batchId: number, paths: string[], input: IngestInput): Promise<void> {
  let waiting: (NewItem | FoundFile)[] = [];
  const record = async () => {
    const rows = waiting;
    waiting = [];
    for (const file of await recordAll(ctx, batchId, rows)) {
      const item = await ingestOne(ctx, batchId, file, input);
      if (item) await insertItem(ctx.db, item);
    }
  };
  const rootOf = input.rootOf ?? (() => null);
  const found = await lookUpFiles(ctx, paths, rootOf);
  const nextSniff = sniffAhead(
    ctx,
    found.filter((file) => !isKnown(file)),
  );
  for (const [index, file] of found.entries()) {
    if (input.signal?.aborted) break;
    const row = isKnown(file)
      ? file
      : await ingestOne(ctx, batchId, file, input, { sniff: nextSniff(), before: record });
    if (row) waiting.push(row);
    input.onProgress?.(index + 1, paths.length);
  }
  await record();
}

const isKnown = ({ known }: FoundFile) => known !== null && known.state !== 'failed';

/**
 * Returns a function whose every call returns the result of the next file. Some files are sniffed ahead, because a
 * network disk answers late.
 */
function sniffAhead(ctx: Ctx, found: FoundFile[]): () => Promise<Sniffed | Refused> | undefined {
  const begun: Promise<Sniffed | Refused>[] = [];
  let at = 0;
  const begin = () => {
    const file = found[at++];
    if (file === undefined) return;
    const sniff = sniffFile(file.path, { ...sniffOptions(ctx), root: file.root });
    // After a stop nobody awaits the files sniffed ahead.
    sniff.catch(() => undefined);
    begun.push(sniff);
  };
  while (at < SNIFFED_AHEAD) begin();
  return () => {
    begin();
    return begun.shift();
  };
}

async function lookUpFiles(ctx: Ctx, paths: string[], rootOf: (path: string) => Root | null): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (let at = 0; at < paths.length; at += STATS_AT_ONCE)
    found.push(...(await Promise.all(paths.slice(at, at + STATS_AT_ONCE).map((path) => statFile(path, rootOf(path))))));
  const asked = found.map(({ path, stamp }) => ({ path, ...stamp }));
  const known = await selectKnownItems(ctx.db, asked);
  return found.map((file, index) => ({ ...file, known: known.get(index) ?? null }));
}

async function statFile(path: string, root: Root | null): Promise<FoundFile> {
  const found = await (root ? lstat : stat)(path).catch(() => null);
  return { path, root, stamp: stampOf(found ?? { size: -1, mtimeMs: 0 }), known: null };
}

/**
 * Records the waiting results. A file that was accepted before, with the same size and modification time, is not read
 * again: a run over 100,000 files continues where the last one stopped. Returns the files whose document has failed
 * since: they are sniffed again.
 */
async function recordAll(ctx: Ctx, batchId: number, waiting: (NewItem | FoundFile)[]): Promise<FoundFile[]> {
  const found = waiting.filter((row) => 'known' in row);
  const fileIds = found.flatMap(({ known }) => (known?.state === 'processing' ? [known.fileId] : []));
  return retryOnDeadlock(() =>
    transact(ctx, async (tx) => {
      // Publishing a file needs its lock: a result recorded before is read below, and a later one updates the new item.
      await lockFiles(tx.db, fileIds);
      const states = await selectFirstStates(
        tx.db,
        found.flatMap(({ known }) => known?.fileId ?? []),
      );
      const failed: FoundFile[] = [];
      const items = waiting.flatMap((row) => {
        if (!('known' in row)) return [row];
        const state = row.known ? states.get(row.known.fileId) : undefined;
        if (row.known && state && state !== 'failed')
          return [knownItem(batchId, row, row.known, state === 'processing')];
        failed.push(row);
        return [];
      });
      await insertItems(tx.db, items);
      const open = items.flatMap(({ state, fileId }) => (state === 'queued' && fileId ? [fileId] : []));
      for (const fileId of await selectFilesWithoutJob(tx.db, open))
        await tx.jobs.add(prepareFileJob, { fileId }, { key: prepareFileKey(fileId), isKept: true });
      return failed;
    }),
  );
}

function knownItem(batchId: number, { path, stamp }: FoundFile, known: KnownItem, isOnItsWay: boolean): NewItem {
  const { fileId, documentId, sha256 } = known;
  const item = { batchId, path, ...stamp, fileId, documentId, sha256 };
  if (isOnItsWay) return { ...item, state: 'queued' };
  return { ...item, state: 'duplicate', message: `already ingested as document ${documentId}` };
}

/**
 * Sniffs and accepts one file. Returns the row to insert for a file that was not accepted; `before` inserts the rows of
 * earlier files. A fault of this file alone becomes its result.
 */
async function ingestOne(
  ctx: Ctx,
  batchId: number,
  { path, root, stamp }: FoundFile,
  input: IngestInput,
  way: { sniff?: Promise<Sniffed | Refused> | undefined; before?: () => Promise<void> } = {},
): Promise<NewItem | null> {
  const item = { batchId, path, ...stamp, sizeBytes: Math.max(0, stamp.sizeBytes) };
  const alone = async <T>(work: () => Promise<T>): Promise<T | NewItem> => {
    try {
      return await work();
    } catch (error) {
      if (await stopsIntake(path, error)) throw new IntakeStopped('intake stopped', { cause: error });
      return failedItem(ctx, item, error);
    }
  };
  const sniffed = await alone(() => way.sniff ?? sniffFile(path, { ...sniffOptions(ctx), root }));
  if ('batchId' in sniffed) return sniffed;
  if (!sniffed.ok) return refusedItem(ctx, item, sniffed);
  await way.before?.();
  const { onStep } = input;
  const facts = input.factsOf(path) ?? {};
  const accepted = await alone(() =>
    acceptFile(ctx, { batchId, path, root, sniffed, stamp, facts, ...(onStep && { onStep }) }),
  );
  return 'batchId' in accepted ? accepted : null;
}

/**
 * Whether the error stops the run: the database or the file store does not answer, a disk is full, or the file can be read but not
 * stored.
 */
async function stopsIntake(path: string, error: unknown): Promise<boolean> {
  if (isDatabaseAway(error) || isDiskFull(error) || error instanceof DiskFullError || error instanceof StoreAway)
    return true;
  if (!isSystemError(error)) return false;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code)) && 'syscall' in error;
}

function failedItem(ctx: Ctx, item: { batchId: number; path: string }, error: unknown): NewItem {
  const isUnreadable = isSystemError(error);
  const words = isUnreadable
    ? `${refusalReasons.unreadable.operator} (${error.code})`
    : String(withoutStatement(error)).slice(0, 500);
  const failedCode = error instanceof InspectionFailed ? 'render-failed' : 'unexpected';
  const reasonCode = isUnreadable ? 'unreadable' : failedCode;
  return { ...item, state: 'failed', reasonCode, message: words, finishedAt: new Date(ctx.clock.now()) };
}
