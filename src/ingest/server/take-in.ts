import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { EXIT, printable } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { ingestFiles } from './ingest-files.ts';
import { quarantineFile } from './quarantine.ts';
import type { Manifest } from './read-manifest.ts';
import { closeBatch, countItems, selectItems, type ListedItem } from './store.ts';
import { watchIngest } from './watch-ingest.ts';
import { writeResults } from './write-results.ts';

export type TakeInOptions = {
  json?: boolean;
  watch?: boolean;
  /** Where the per-file results go as CSV. */
  result?: string;
  /** A folder, or false for none; left out, DATA_DIR/quarantine. */
  quarantine?: string | false;
};

/** `ceku ingest`: looks at the files, takes them in, waits for their results and reports them; Ctrl-C ends it in order. */
export async function takeIn(
  ctx: Ctx,
  input: { files: string[]; manifest: Manifest | null; missing: string[] },
  options: TakeInOptions,
): Promise<void> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, onInterrupt);
  const looked = new AbortController();
  let watching = Promise.resolve();
  const looking = createProgress('looking at files');
  const { batchId } = await ingestFiles(ctx, {
    paths: input.files,
    factsOf: (path) => input.manifest?.factsOf(path) ?? null,
    onProgress: options.watch ? () => {} : looking.update,
    onBatch: (id) => {
      if (options.watch) watching = watchIngest(ctx, id, AbortSignal.any([stop.signal, looked.signal]), true);
    },
    signal: stop.signal,
  });
  looking.end();
  looked.abort();
  await watching;
  await waitForBatch(ctx, batchId, stop.signal, options.watch ?? false);
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onInterrupt);
  await report(ctx, batchId, options, { missing: input.missing, isInterrupted: stop.signal.aborted });
}

/** Until every file of the batch has its result, whichever process works on it. */
async function waitForBatch(ctx: Ctx, batchId: number, signal: AbortSignal, isWatched: boolean): Promise<void> {
  if (isWatched) await watchIngest(ctx, batchId, signal);
  const progress = createProgress('preparing');
  while (!signal.aborted) {
    const counts = await countItems(ctx.db, batchId);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const open = counts.queued + counts.running;
    progress.update(total - open, total);
    if (open === 0) break;
    await sleep(total > 5_000 ? 1_000 : 300);
  }
  progress.end();
  if (!signal.aborted) await closeBatch(ctx.db, batchId);
}

async function report(
  ctx: Ctx,
  batchId: number,
  options: TakeInOptions,
  end: { missing: string[]; isInterrupted: boolean },
): Promise<void> {
  const quarantine = options.quarantine ?? join(ctx.config.dataDir, 'quarantine');
  const pageSize = 1_000;
  let quarantined = 0;
  for (let offset = 0; ; offset += pageSize) {
    const items = await selectItems(ctx.db, batchId, pageSize, offset);
    for (const item of items) {
      console.log(options.json ? JSON.stringify(toJson(item)) : lineOf(item));
      if (item.state !== 'refused' || quarantine === false) continue;
      await quarantineFile(quarantine, { path: item.path, reasonCode: item.reasonCode ?? '', message: item.message });
      quarantined++;
    }
    if (items.length < pageSize) break;
  }
  for (const path of end.missing) console.error(`missing   ${path}: named by the manifest, not found`);
  if (options.result) await writeResults(ctx, batchId, options.result, end.missing);
  const counts = await countItems(ctx.db, batchId);
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  console.error(`Batch ${batchId}: ${words.map(([state, count]) => `${count} ${state}`).join(', ') || 'nothing'}.`);
  if (quarantined > 0) console.error(`Refused files lie with their reasons in ${String(quarantine)}.`);
  if (end.missing.length > 0) console.error(`${end.missing.length} of the manifest's files were not found.`);
  if (end.isInterrupted) console.error('Interrupted. The same command goes on where it stopped; so does the site.');
  if (end.isInterrupted || end.missing.length > 0 || counts.refused + counts.failed > 0)
    process.exitCode = EXIT.partial;
}

function lineOf(item: ListedItem): string {
  const document = item.documentId && item.state !== 'refused' ? ` document ${item.documentId}` : '';
  return printable(`${item.state.padEnd(10)}${item.path}${document}${item.message ? `: ${item.message}` : ''}`);
}

function toJson(item: ListedItem) {
  return {
    path: item.path,
    state: item.state,
    document: item.documentId,
    pages: item.pageCount,
    reason: item.reasonCode,
    message: item.message,
  };
}
