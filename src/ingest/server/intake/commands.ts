import { InvalidArgumentError, type Command } from 'commander';
import type { Open } from '../../../context.ts';
import { EXIT, OperatorError, printable, printResult, wholeNumber } from '../../../platform/command-line.ts';
import { readConfig } from '../../../config.ts';
import { checkOutputs } from './check-outputs.ts';
import { collectFiles } from '../source/collect-files.ts';
import { convertAgain, type ConvertWhich } from '../steps/convert-again.ts';
import { dryRun } from './dry-run.ts';
import { COLUMNS } from '../manifest/manifest-cells.ts';
import { findNamedFiles, matchManifest } from '../manifest/match-manifest.ts';
import { planBatch } from '../manifest/plan-batch.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { destroyCommand } from '../steps/destroy-command.ts';
import { sweepOrphans } from '../steps/sweep-orphans.ts';
import { runIngest, type RunIngestOptions } from './run-ingest.ts';
import { watchIngest } from './watch-ingest.ts';
import { FIRST_LABEL_NAMES } from '../../../library/server/labels.ts';

/** Refuses an empty path: `--manifest "$list"` with an unset variable would ingest the files without the manifest. */
function notEmpty(path: string): string {
  if (path.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return path;
}

type IngestOptions = RunIngestOptions & { manifest?: string; dryRun?: boolean; concurrency: number };

export function ingestCommands(program: Command, open: Open): void {
  destroyCommand(program, open);
  const group = program
    .command('ingest')
    .description('ingest PPTX, PPT and PDF files, or folders of such files')
    .argument('[paths...]', 'files and folders; may be left out with --manifest')
    .option('--manifest <file>', `CSV or XLSX: ${COLUMNS.join(',')}`, notEmpty)
    .option('--dry-run', 'print which files would be accepted or refused, and change nothing')
    .option('--watch', 'show steps, rate and problems; without files: of all open batches')
    .option(
      '--concurrency <n>',
      'number of converters and renderers that run at once, those of the site included',
      wholeNumber(1, 16),
      2,
    )
    .option('--result <file>', 'write the result of each file as CSV', notEmpty)
    .option(
      '--quarantine <folder>',
      'copy refused files to this folder, with their reasons (default: DATA_DIR/quarantine)',
      notEmpty,
    )
    .option('--no-quarantine', 'do not copy refused files')
    .option('--json', 'print one JSON object per file')
    .action((paths: string[], options: IngestOptions) => ingest(paths, options, open));
  group
    .command('sweep')
    .description('remove files that broken runs left in the file store and in the temporary folder')
    .option('--json', 'print JSON')
    // `ingest` has a --json too and takes the option from behind `sweep`, so both are read.
    .action((_options: object, command: Command) => {
      const options = command.optsWithGlobals<{ json?: boolean }>();
      refuseOptionsOf(group, 'sweep', 'json');
      return open(async (ctx) => {
        const sweep = await sweepOrphans(ctx);
        const words = `${sweep.checked} stored files checked; removed ${sweep.removed} orphans (${sweep.bytes} bytes) and ${sweep.workFolders} work folders.`;
        printResult(options, sweep, words);
      });
    });
  program
    .command('convert')
    .description('make previews again')
    .option('--retry-failed', 'for every file whose preparation failed or waits for LibreOffice')
    .option('--outdated-images', 'for every file whose covers and pages were drawn before larger sizes existed')
    .option('--document <id>', 'for one document', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--redraw', 'with --document: draw the pages of a demo deck again even if this machine lacks its fonts')
    .option('--concurrency <n>', 'number of files prepared at once, those of the site included', wholeNumber(1, 16), 2)
    .action((options: ConvertOptions) => convert(options, open));
}

/**
 * Refuses options of the parent command, which commander accepts silently: `ceku ingest sweep --dry-run` would remove
 * files.
 */
function refuseOptionsOf(group: Command, verb: string, except: string): void {
  const given = group.options.filter((option) => group.getOptionValueSource(option.attributeName()) === 'cli');
  const stray = given.find((option) => option.attributeName() !== except);
  if (stray)
    throw new OperatorError(`ceku ${group.name()} ${verb} has no option ${stray.long ?? stray.flags}.`, EXIT.usage);
}

async function ingest(paths: string[], options: IngestOptions, open: Open): Promise<void> {
  const manifest = options.manifest ? await readManifest(options.manifest, Date.now()) : null;
  if (paths.length === 0 && !manifest && options.watch) return watch(open);
  if (paths.length === 0 && !manifest)
    throw new OperatorError('Name files or folders to ingest, or a manifest.', EXIT.usage);
  // The data folder often lies inside the ingested folder; its files are not documents.
  const { dataDir } = readConfig();
  const { result, quarantine } = options;
  const outputs = [...(result ? [result] : []), ...(quarantine ? [quarantine] : [])];
  const ours = [...(options.manifest ? [options.manifest] : []), ...outputs, dataDir];
  const given = manifest && paths.length === 0 ? findNamedFiles(options.manifest ?? '', manifest) : paths;
  const collected = await collectFiles(given, ours);
  const { files, unreachable } = collected;
  if (files.length + unreachable.length === 0) throw new OperatorError('There are no files to ingest.', EXIT.data);
  const matched = manifest && matchManifest(options.manifest ?? '', manifest, files);
  for (const column of manifest?.ignoredColumns ?? [])
    console.error(printable(`note: the manifest's column "${column}" is not used`));
  const repeated = manifest?.repeatedLines ?? [];
  if (repeated.length > 0) console.error(`note: lines ${listOf(repeated)} of the manifest repeat other lines`);
  if (options.dryRun) {
    const plan = matched && planBatch(matched, files, FIRST_LABEL_NAMES);
    for (const warning of plan?.warnings ?? []) console.error(printable(warning));
    const notesOf = (path: string) => plan?.notesOf(path) ?? [];
    const { takesMacros } = readConfig();
    if (result) {
      await checkOutputs({ result });
      console.error('note: a dry run writes no results');
    }
    return dryRun({ ...collected, missing: matched?.missing ?? [], notesOf }, { ...options, allowMacros: takesMacros });
  }
  await checkOutputs(options);
  await open((ctx) => runIngest(ctx, { ...collected, matched }, options), {
    workers: options.concurrency,
    createsDatabase: true,
  });
}

const listOf = (lines: number[]) => `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;

async function watch(open: Open): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  await open((ctx) => watchIngest(ctx, null, stop.signal));
  if (stop.signal.aborted) process.exitCode = EXIT.interrupted;
}

type ConvertOptions = {
  retryFailed?: boolean;
  outdatedImages?: boolean;
  document?: number;
  redraw?: boolean;
  concurrency: number;
};

async function convert(options: ConvertOptions, open: Open): Promise<void> {
  const { document, retryFailed, outdatedImages, redraw, concurrency } = options;
  const given: ConvertWhich[] = [
    ...(document === undefined ? [] : [{ documentId: document, redraws: redraw ?? false }]),
    ...(retryFailed ? (['failed'] as const) : []),
    ...(outdatedImages ? (['outdated-images'] as const) : []),
  ];
  const [which] = given;
  // Each option selects files; a combination would be ambiguous.
  if (!which || given.length > 1)
    throw new OperatorError('Give exactly one of --retry-failed, --outdated-images and --document <id>.', EXIT.usage);
  if (redraw && document === undefined) throw new OperatorError('--redraw needs --document <id>.', EXIT.usage);
  await open((ctx) => convertAgain(ctx, which), { workers: concurrency });
}
