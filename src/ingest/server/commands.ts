import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { EXIT, OperatorError, wholeNumber } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { collectFiles } from './collect-files.ts';
import { ingestFiles, inspectFiles } from './ingest-files.ts';
import { readManifest, type Manifest } from './read-manifest.ts';
import { prepareAgain, retryFiles } from './retry-files.ts';
import { closeBatch, countItems, selectFile, selectItems, type ItemRow } from './store.ts';
import { findDocument } from '../../library/server/find-document.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { prepareFileJob } from './jobs.ts';

/** Opens the app for one command and closes it afterwards; `workers` > 0 also runs jobs meanwhile. */
export type OpenForCommand = <T>(work: (ctx: Ctx) => Promise<T>, options?: { workers?: number }) => Promise<T>;

type IngestOptions = { manifest?: string; dryRun?: boolean; concurrency: number; json?: boolean };

export function ingestCommands(program: Command, open: OpenForCommand): void {
  program
    .command('ingest')
    .description('bring PPTX, PPT and PDF files, or folders of them, into the library')
    .argument('[paths...]', 'files and folders; with --manifest they may be left out')
    .option('--manifest <file>', 'CSV: file,name,themes,industry,organization,keyword,price,date,type,researcher')
    .option('--dry-run', 'only look: say what would be taken in and what refused')
    .option('--concurrency <n>', 'files prepared at once', wholeNumber(1, 16), 2)
    .option('--json', 'one JSON object per file on stdout')
    .action((paths: string[], options: IngestOptions) => ingest(paths, options, open));
  program
    .command('convert')
    .description('make previews again')
    .option('--retry-failed', 'of every file whose preparation failed or waits for LibreOffice')
    .option('--document <id>', 'of one document', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--concurrency <n>', 'files prepared at once', wholeNumber(1, 16), 2)
    .action((options: { retryFailed?: boolean; document?: number; concurrency: number }) => convert(options, open));
}

async function ingest(paths: string[], options: IngestOptions, open: OpenForCommand): Promise<void> {
  const workers = options.concurrency;
  const manifest = options.manifest ? await readManifest(options.manifest) : null;
  if (paths.length === 0 && !manifest) throw new OperatorError('Say which files or folders to bring in.', EXIT.usage);
  const files = await collectFiles(paths.length > 0 ? paths : (manifest?.paths ?? []));
  if (files.length === 0) throw new OperatorError('There are no files to bring in.', EXIT.data);
  for (const column of manifest?.ignoredColumns ?? [])
    console.error(`note: the manifest's column "${column}" is not used`);
  if (options.dryRun) return dryRun(files, options.json ?? false);
  await open((ctx) => takeIn(ctx, files, manifest, options.json ?? false), { workers });
}

async function dryRun(files: string[], isJson: boolean): Promise<void> {
  const progress = createProgress('looking');
  const results = await inspectFiles(files, progress.update);
  progress.end();
  for (const { path, result, words } of results) {
    if (isJson) console.log(JSON.stringify({ path, state: result.ok ? 'accepted' : 'refused', message: words }));
    else console.log(`${result.ok ? 'accept ' : 'refuse '} ${path}: ${words}`);
  }
  const refused = results.filter(({ result }) => !result.ok).length;
  console.error(`${results.length - refused} would be taken in, ${refused} refused. Nothing was changed.`);
  if (refused > 0) process.exitCode = EXIT.partial;
}

async function takeIn(ctx: Ctx, files: string[], manifest: Manifest | null, isJson: boolean): Promise<void> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, onInterrupt);
  const looking = createProgress('looking at files');
  const { batchId } = await ingestFiles(ctx, {
    paths: files,
    factsOf: (path) => manifest?.factsOf(path) ?? null,
    onProgress: looking.update,
    signal: stop.signal,
  });
  looking.end();
  await waitForBatch(ctx, batchId, stop.signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onInterrupt);
  await report(ctx, batchId, isJson, stop.signal.aborted);
}

/** Until every file of the batch has its result, whichever process works on it. */
async function waitForBatch(ctx: Ctx, batchId: number, signal: AbortSignal): Promise<void> {
  const progress = createProgress('preparing');
  while (!signal.aborted) {
    const counts = await countItems(ctx.db, batchId);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const open = counts.queued + counts.running;
    progress.update(total - open, total);
    if (open === 0) break;
    await sleep(300);
  }
  progress.end();
  if (!signal.aborted) await closeBatch(ctx.db, batchId);
}

async function report(ctx: Ctx, batchId: number, isJson: boolean, isInterrupted: boolean): Promise<void> {
  const pageSize = 1_000;
  for (let offset = 0; ; offset += pageSize) {
    const items = await selectItems(ctx.db, batchId, pageSize, offset);
    for (const item of items) console.log(isJson ? JSON.stringify(toJson(item)) : lineOf(item));
    if (items.length < pageSize) break;
  }
  const counts = await countItems(ctx.db, batchId);
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  console.error(`Batch ${batchId}: ${words.map(([state, count]) => `${count} ${state}`).join(', ')}.`);
  if (isInterrupted) console.error('Interrupted. Files already taken in are finished by the next run or by the site.');
  if (isInterrupted || counts.refused + counts.failed > 0) process.exitCode = EXIT.partial;
}

function lineOf(item: ItemRow): string {
  const document = item.documentId && item.state !== 'refused' ? ` document ${item.documentId}` : '';
  return `${item.state.padEnd(10)}${item.path}${document}${item.message ? `: ${item.message}` : ''}`;
}

function toJson(item: ItemRow & { pageCount: number | null }) {
  return {
    path: item.path,
    pages: item.pageCount,
    state: item.state,
    document: item.documentId,
    reason: item.reasonCode,
    message: item.message,
  };
}

async function convert(
  options: { retryFailed?: boolean; document?: number; concurrency: number },
  open: OpenForCommand,
): Promise<void> {
  const workers = options.concurrency;
  if (!options.retryFailed && !options.document) {
    throw new OperatorError('Say --retry-failed or --document <id>.', EXIT.usage);
  }
  await open(
    async (ctx) => {
      const count = options.document
        ? await convertDocument(ctx, options.document)
        : await retryFiles(ctx, ['failed', 'waiting', 'pending-preview']);
      console.error(`${count} file${count === 1 ? '' : 's'} queued.`);
      await waitForJobs(ctx);
    },
    { workers },
  );
}

async function convertDocument(ctx: Ctx, documentId: number): Promise<number> {
  const document = await findDocument(ctx, documentId);
  const file = document ? await selectFile(ctx.db, document.fileId) : null;
  if (!file) throw new OperatorError(`There is no document ${documentId}.`, EXIT.data);
  await prepareAgain(ctx, file);
  return 1;
}

async function waitForJobs(ctx: Ctx): Promise<void> {
  const names = [prepareFileJob.name, documentsChanged.name];
  const progress = createProgress('preparing');
  for (let first = 0; ; await sleep(300)) {
    const left = await ctx.jobs.countOpen(names);
    first = Math.max(first, left);
    progress.update(first - left, first);
    if (left === 0) break;
  }
  progress.end();
}
