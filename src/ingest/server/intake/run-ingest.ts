import { join } from 'node:path';
import type { Ctx } from '../../../context.ts';
import { listLabelNames } from '../../../library/server/labels.ts';
import { EXIT, OperatorError, printable } from '../../../platform/command-line.ts';
import { isDatabaseAway } from '../../../platform/db/client.ts';
import { createProgress } from '../../../platform/progress.ts';
import { checkOutputs } from './check-outputs.ts';
import type { Collected } from '../source/collect-files.ts';
import { ingestFiles } from './ingest-files.ts';
import { listResults, writeResults } from './write-results.ts';
import type { MatchedManifest } from '../manifest/match-manifest.ts';
import { planBatch, type BatchPlan } from '../manifest/plan-batch.ts';
import { retryWhileDatabaseAway } from '../../../platform/db/retry-database.ts';
import { quarantineFile } from './quarantine.ts';
import { DiskFullError } from '../source/disk-space.ts';
import { stopOnSignal, type SignalStop } from './stop-on-signal.ts';
import { countItems, type ListedItem } from '../store/items.ts';
import { waitForBatch } from './wait-for-batch.ts';
import { watchIngest } from './watch-ingest.ts';

export type RunIngestOptions = {
  json?: boolean;
  watch?: boolean;
  /** Path of the CSV file with a row for each file. */
  result?: string;
  /** The quarantine folder; false for none; DATA_DIR/quarantine when left out. */
  quarantine?: string | false;
};

/** `ceku ingest`: accepts the files, waits for their preparation and reports the results. Ctrl-C ends it in order. */
export async function runIngest(
  ctx: Ctx,
  input: Collected & { matched: MatchedManifest | null },
  options: RunIngestOptions,
): Promise<void> {
  const quarantine = options.quarantine ?? join(ctx.config.dataDir, 'quarantine');
  await checkOutputs({ ...options, quarantine });
  const { files, unreachable, rootOf, matched } = input;
  const plan = matched ? planBatch(matched, files, await listLabelNames(ctx)) : null;
  for (const warning of plan?.warnings ?? []) console.error(printable(warning));
  const stop = stopOnSignal();
  try {
    const acceptEnd = new AbortController();
    let watching = Promise.resolve();
    const accepting = createProgress('accepting files');
    const { batchId, stoppedBy } = await ingestFiles(ctx, {
      paths: files,
      unreachable,
      rootOf,
      factsOf: (path) => plan?.factsOf(path) ?? null,
      onProgress: options.watch ? () => {} : accepting.update,
      onBatch: (id) => {
        // A failure of the progress display must not stop the ingest.
        const until = AbortSignal.any([stop.signal, acceptEnd.signal]);
        if (options.watch) watching = watchIngest(ctx, id, until, files.length).catch(() => undefined);
      },
      signal: stop.signal,
    });
    accepting.end();
    acceptEnd.abort();
    await watching;
    // Files accepted before the disk was full are prepared and reported.
    const isWaiting = stoppedBy === undefined || stoppedBy instanceof DiskFullError;
    const pause = isWaiting ? await waitForBatch(ctx, batchId, stop.signal, options.watch ?? false) : null;
    const stopped = stoppedBy ?? pause ?? undefined;
    const report = { batchId, plan, missing: matched?.missing ?? [], rootOf, quarantine, stoppedBy: stopped, stop };
    await retryWhileDatabaseAway(() => reportBatch(ctx, report, options));
  } finally {
    stop.end();
  }
}

type Report = {
  batchId: number;
  plan: BatchPlan | null;
  missing: string[];
  rootOf: Collected['rootOf'];
  quarantine: string | false;
  stoppedBy: unknown;
  stop: SignalStop;
};

/**
 * Writes the results first: a later failure must not lose them, and a failure to write them must not lose the report.
 */
async function reportBatch(ctx: Ctx, report: Report, options: RunIngestOptions): Promise<void> {
  const { batchId, plan, missing, rootOf, quarantine, stoppedBy, stop } = report;
  let unwritten: OperatorError | null = null;
  if (options.result)
    await writeResults(ctx, batchId, options.result, missing, plan).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      unwritten = error;
    });
  const quarantined = { kept: 0, named: 0, lost: 0 };
  for await (const item of listResults(ctx, batchId, plan)) {
    console.log(options.json ? JSON.stringify(toJson(item)) : lineOf(item));
    if (item.state !== 'refused' || quarantine === false) continue;
    const { path, reasonCode, message, sizeBytes, modifiedAt } = item;
    const stamp = sizeBytes === null || modifiedAt === null ? null : { sizeBytes, modifiedAt };
    const refused = { path, root: rootOf(path), stamp, reasonCode: reasonCode ?? '', message };
    await quarantineFile(quarantine, refused).then(
      ({ isKept }) => quarantined[isKept ? 'kept' : 'named']++,
      (error: unknown) => {
        if (quarantined.lost++ === 0)
          console.error(printable(`${path} could not be copied to quarantine: ${String(error)}`));
      },
    );
  }
  for (const path of missing) console.error(printable(`missing   ${path}: in the manifest, but not found`));
  const counts = await countItems(ctx.db, batchId);
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  console.error(`Batch ${batchId}: ${words.map(([state, count]) => `${count} ${state}`).join(', ') || 'nothing'}.`);
  for (const line of quarantineLines(quarantined, String(quarantine))) console.error(line);
  if (missing.length > 0) console.error(`${missing.length} files of the manifest were not found.`);
  if (counts.refused + counts.failed + missing.length > 0) process.exitCode = EXIT.partial;
  if (stoppedBy !== undefined) sayStopped(stoppedBy);
  if (stop.signal.aborted) {
    console.error('Interrupted. The same command continues where it stopped; the site also continues.');
    process.exitCode = stop.exitCode();
  }
  if (unwritten) throw unwritten;
}

/** Returns what became of the refused files. `named`: the quarantine holds only their reasons. */
function quarantineLines({ kept, named, lost }: Record<'kept' | 'named' | 'lost', number>, folder: string): string[] {
  const files = (count: number) => `${count} refused file${count === 1 ? '' : 's'}`;
  return [
    ...(kept > 0 ? [`${files(kept)} copied to ${folder}, with the reasons.`] : []),
    ...(named > 0 ? [`${files(named)} not copied, only named with the reasons in ${folder}.`] : []),
    ...(lost > 0 ? [`${files(lost)} could not be copied to quarantine.`] : []),
  ];
}

function sayStopped(cause: unknown): void {
  if (cause instanceof DiskFullError) {
    console.error(cause.message);
    process.exitCode = cause.exitCode;
    return;
  }
  const isAway = isDatabaseAway(cause);
  const words = isAway ? 'the database did not answer' : `files cannot be stored: ${String(cause)}`;
  console.error(printable(`Stopped: ${words}. The same command continues where it stopped.`));
  process.exitCode = isAway ? EXIT.unavailable : EXIT.cannotCreate;
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
