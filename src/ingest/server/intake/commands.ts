import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx } from '../../../context.ts';
import { EXIT, OperatorError, printResult, wholeNumber } from '../../../platform/command-line.ts';
import { readConfig } from '../../../platform/config.ts';
import { checkOutputs } from './check-outputs.ts';
import { collectFiles } from '../source/collect-files.ts';
import { convertAgain, type ConvertWhich } from '../steps/convert-again.ts';
import { dryRun } from './dry-run.ts';
import { findNamedFiles, matchManifest } from '../manifest/match-manifest.ts';
import { planBatch } from '../manifest/plan-batch.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { sweepOrphans } from '../steps/sweep-orphans.ts';
import { runIngest, type RunIngestOptions } from './run-ingest.ts';
import { watchIngest } from './watch-ingest.ts';
import { FIRST_LABEL_NAMES } from '../../../library/server/labels.ts';

/** `--manifest "$list"` where nothing was set would bring the files in without it. */
function notEmpty(path: string): string {
  if (path.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return path;
}

/** Opens the app for one command and closes it afterwards; `workers` > 0 also runs jobs meanwhile. */
export type OpenForCommand = <T>(work: (ctx: Ctx) => Promise<T>, options?: { workers?: number }) => Promise<T>;

type IngestOptions = RunIngestOptions & { manifest?: string; dryRun?: boolean; concurrency: number };

export function ingestCommands(program: Command, open: OpenForCommand): void {
  const group = program
    .command('ingest')
    .description('bring PPTX, PPT and PDF files, or folders of them, into the library')
    .argument('[paths...]', 'files and folders; with --manifest they may be left out')
    .option(
      '--manifest <file>',
      'CSV or XLSX: file,name,themes,industry,organization,keyword,price,date,type,researcher',
      notEmpty,
    )
    .option('--dry-run', 'only look: say what would be taken in and what refused')
    .option('--watch', 'show steps, rate and problems; without files: of whatever is under way')
    .option('--concurrency <n>', 'converters and renderers at work at once', wholeNumber(1, 16), 2)
    .option('--result <file>', 'write what became of each file as CSV', notEmpty)
    .option(
      '--quarantine <folder>',
      'copy refused files there, each with its reason (default: DATA_DIR/quarantine)',
      notEmpty,
    )
    .option('--no-quarantine', 'leave refused files where they are')
    .option('--json', 'one JSON object per file on stdout')
    .action((paths: string[], options: IngestOptions) => ingest(paths, options, open));
  group
    .command('sweep')
    .description('remove what broken runs left in the file store and in the temporary folder')
    .option('--json', 'as JSON')
    // `ingest` has a --json too, and takes it from behind `sweep`: both are asked.
    .action((_options: object, command: Command) => {
      const options = command.optsWithGlobals<{ json?: boolean }>();
      refuseOptionsOf(group, 'sweep', 'json');
      return open(async (ctx) => {
        const sweep = await sweepOrphans(ctx);
        const words = `${sweep.looked} stored files looked at, ${sweep.removed} orphans (${sweep.bytes} bytes) and ${sweep.workFolders} work folders removed.`;
        printResult(options, sweep, words);
      });
    });
  program
    .command('convert')
    .description('make previews again')
    .option('--retry-failed', 'of every file whose preparation failed or waits for LibreOffice')
    .option('--outdated-images', 'of every document whose covers and pages were drawn before larger sizes existed')
    .option('--document <id>', 'of one document', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--redraw', 'with --document: draw the pages of a demo deck anew although its fonts are missing here')
    .option('--concurrency <n>', 'files prepared at once', wholeNumber(1, 16), 2)
    .action((options: ConvertOptions) => convert(options, open));
}

/** `ceku ingest sweep --dry-run` must not be taken for one, and remove: a subcommand's parent takes its own options silently. */
function refuseOptionsOf(group: Command, verb: string, except: string): void {
  const given = group.options.filter((option) => group.getOptionValueSource(option.attributeName()) === 'cli');
  const stray = given.find((option) => option.attributeName() !== except);
  if (stray) throw new OperatorError(`ceku ${group.name()} ${verb} takes no ${stray.long ?? stray.flags}.`, EXIT.usage);
}

async function ingest(paths: string[], options: IngestOptions, open: OpenForCommand): Promise<void> {
  const manifest = options.manifest ? await readManifest(options.manifest) : null;
  if (paths.length === 0 && !manifest && options.watch) return watch(open);
  if (paths.length === 0 && !manifest) throw new OperatorError('Say which files or folders to bring in.', EXIT.usage);
  // Ours often lies in the folder that is brought in.
  const { dataDir } = readConfig();
  const { result, quarantine } = options;
  const outputs = [...(result ? [result] : []), ...(quarantine ? [quarantine] : [])];
  const ours = [...(options.manifest ? [options.manifest] : []), ...outputs, dataDir];
  const given = manifest && paths.length === 0 ? findNamedFiles(options.manifest ?? '', manifest) : paths;
  const collected = await collectFiles(given, ours);
  const { files, unreachable } = collected;
  if (files.length + unreachable.length === 0) throw new OperatorError('There are no files to bring in.', EXIT.data);
  const matched = manifest && matchManifest(options.manifest ?? '', manifest, files);
  for (const column of manifest?.ignoredColumns ?? [])
    console.error(`note: the manifest's column "${column}" is not used`);
  const repeated = manifest?.repeatedLines ?? [];
  if (repeated.length > 0) console.error(`note: lines ${listOf(repeated)} of the manifest say again what others said`);
  if (options.dryRun) {
    const plan = matched && planBatch(matched, files, FIRST_LABEL_NAMES);
    for (const warning of plan?.warnings ?? []) console.error(warning);
    const notesOf = (path: string) => plan?.notesOf(path) ?? [];
    const { takesMacros } = readConfig();
    if (options.result) console.error('note: a dry run writes no results');
    return dryRun({ ...collected, missing: matched?.missing ?? [], notesOf }, { ...options, allowMacros: takesMacros });
  }
  await checkOutputs(options);
  await open((ctx) => runIngest(ctx, { ...collected, matched }, options), { workers: options.concurrency });
}

const listOf = (lines: number[]) => `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;

async function watch(open: OpenForCommand): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  await open((ctx) => watchIngest(ctx, null, stop.signal));
}

type ConvertOptions = {
  retryFailed?: boolean;
  outdatedImages?: boolean;
  document?: number;
  redraw?: boolean;
  concurrency: number;
};

async function convert(options: ConvertOptions, open: OpenForCommand): Promise<void> {
  const { document, retryFailed, outdatedImages, redraw, concurrency } = options;
  const given: ConvertWhich[] = [
    ...(document === undefined ? [] : [{ documentId: document, redraws: redraw ?? false }]),
    ...(retryFailed ? (['failed'] as const) : []),
    ...(outdatedImages ? (['outdated-images'] as const) : []),
  ];
  const [which] = given;
  // Each option says which files: two at once is a mistake, and any guess would be wrong.
  if (!which || given.length > 1)
    throw new OperatorError('Say --retry-failed, --outdated-images or --document <id>, one of them.', EXIT.usage);
  if (redraw && document === undefined) throw new OperatorError('--redraw goes with --document <id>.', EXIT.usage);
  await open((ctx) => convertAgain(ctx, which), { workers: concurrency });
}
