import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { EXIT, OperatorError, printable, printResult, wholeNumber } from '../../platform/command-line.ts';
import { readConfig } from '../../platform/config.ts';
import { createProgress } from '../../platform/progress.ts';
import { checkOutputs } from './check-outputs.ts';
import { collectFiles } from './collect-files.ts';
import { inspectFiles } from './ingest-files.ts';
import { readManifest } from './read-manifest.ts';
import { prepareAgain, retryFiles } from './retry-files.ts';
import { selectFile } from './store.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { takeIn, type TakeInOptions } from './take-in.ts';
import { watchIngest } from './watch-ingest.ts';
import { findDocument } from '../../library/server/find-document.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { prepareFileJob } from './jobs.ts';

/** Opens the app for one command and closes it afterwards; `workers` > 0 also runs jobs meanwhile. */
export type OpenForCommand = <T>(work: (ctx: Ctx) => Promise<T>, options?: { workers?: number }) => Promise<T>;

type IngestOptions = TakeInOptions & { manifest?: string; dryRun?: boolean; concurrency: number };

export function ingestCommands(program: Command, open: OpenForCommand): void {
  const group = program
    .command('ingest')
    .description('bring PPTX, PPT and PDF files, or folders of them, into the library')
    .argument('[paths...]', 'files and folders; with --manifest they may be left out')
    .option(
      '--manifest <file>',
      'CSV or XLSX: file,name,themes,industry,organization,keyword,price,date,type,researcher',
    )
    .option('--dry-run', 'only look: say what would be taken in and what refused')
    .option('--watch', 'show steps, rate and problems; without files: of whatever is under way')
    .option('--concurrency <n>', 'converters and renderers at work at once', wholeNumber(1, 16), 2)
    .option('--result <file>', 'write what became of each file as CSV')
    .option('--quarantine <folder>', 'copy refused files there, each with its reason (default: DATA_DIR/quarantine)')
    .option('--no-quarantine', 'leave refused files where they are')
    .option('--json', 'one JSON object per file on stdout')
    .action((paths: string[], options: IngestOptions) => ingest(paths, options, open));
  group
    .command('sweep')
    .description('remove what broken runs left in the file store and in the temporary folder')
    .option('--json', 'as JSON')
    // `ingest` has a --json too, and takes it from behind `sweep`: both are asked.
    .action((_options: object, command: Command) =>
      open(async (ctx) => {
        const options = command.optsWithGlobals<{ json?: boolean }>();
        const sweep = await sweepOrphans(ctx);
        const words = `${sweep.looked} stored files looked at, ${sweep.removed} orphans (${sweep.bytes} bytes) and ${sweep.workFolders} work folders removed.`;
        printResult(options, sweep, words);
      }),
    );
  program
    .command('convert')
    .description('make previews again')
    .option('--retry-failed', 'of every file whose preparation failed or waits for LibreOffice')
    .option('--document <id>', 'of one document', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--concurrency <n>', 'files prepared at once', wholeNumber(1, 16), 2)
    .action((options: { retryFailed?: boolean; document?: number; concurrency: number }) => convert(options, open));
}

async function ingest(paths: string[], options: IngestOptions, open: OpenForCommand): Promise<void> {
  const manifest = options.manifest ? await readManifest(options.manifest) : null;
  if (paths.length === 0 && !manifest && options.watch) return watch(open);
  if (paths.length === 0 && !manifest) throw new OperatorError('Say which files or folders to bring in.', EXIT.usage);
  const found = await collectFiles(
    paths.length > 0 ? paths : (manifest?.paths.filter((path) => existsSync(path)) ?? []),
  );
  // Both often lie in the folder they speak of.
  const ours = [options.manifest, options.result].flatMap((path) => (path ? resolve(path) : []));
  const files = found.filter((path) => !ours.includes(path));
  const missing = manifest?.missingAmong(files) ?? [];
  if (files.length === 0) throw new OperatorError('There are no files to bring in.', EXIT.data);
  for (const column of manifest?.ignoredColumns ?? [])
    console.error(`note: the manifest's column "${column}" is not used`);
  if (options.dryRun) return dryRun(files, missing, options.json ?? false);
  await checkOutputs(options);
  await open((ctx) => takeIn(ctx, { files, manifest, missing }, options), { workers: options.concurrency });
}

async function watch(open: OpenForCommand): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  await open((ctx) => watchIngest(ctx, null, stop.signal));
}

async function dryRun(files: string[], missing: string[], isJson: boolean): Promise<void> {
  const progress = createProgress('looking');
  const results = await inspectFiles(files, progress.update, { allowMacros: readConfig().takesMacros });
  progress.end();
  const seen = new Map<string, string>();
  let refused = 0;
  let repeated = 0;
  for (const { path, result, words } of results) {
    const first = result.ok ? seen.get(result.sha256) : undefined;
    if (result.ok && !first) seen.set(result.sha256, path);
    if (!result.ok) refused++;
    if (first) repeated++;
    const message = first ? `same content as ${first}` : words;
    if (isJson) console.log(JSON.stringify({ path, state: stateOf(result.ok, first), message }));
    else console.log(printable(`${result.ok ? 'accept ' : 'refuse '} ${path}: ${message}`));
  }
  for (const path of missing) console.error(`missing ${path}: named by the manifest, not found`);
  const more = repeated > 0 ? `, ${repeated} of them the same as others` : '';
  console.error(`${results.length - refused} would be taken in${more}, ${refused} refused. Nothing was changed.`);
  if (refused + missing.length > 0) process.exitCode = EXIT.partial;
}

function stateOf(isAccepted: boolean, first: string | undefined): string {
  if (!isAccepted) return 'refused';
  return first ? 'duplicate' : 'accepted';
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
