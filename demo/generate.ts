import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collectionsJson } from './collections.ts';
import { manifestCsv, readCatalogue, type Entry } from './catalogue.ts';
import { writeDeck } from './write-deck.ts';

const run = promisify(execFile);

const FONTS = join(import.meta.dirname, '../src/ingest/fonts.conf');

/** PDF as an agency would export it for mail: pictures at 110 dpi, fonts as subsets. */
const PDF_FILTER = `pdf:impress_pdf_Export:${JSON.stringify({
  ReduceImageResolution: { type: 'boolean', value: 'true' },
  MaxImageResolution: { type: 'long', value: '110' },
  Quality: { type: 'long', value: '66' },
  UseTaggedPDF: { type: 'boolean', value: 'false' },
  ExportBookmarks: { type: 'boolean', value: 'true' },
})}`;

async function convert(files: readonly string[], target: 'pdf' | 'ppt', workDir: string): Promise<void> {
  if (files.length === 0) return;
  const args = [
    `-env:UserInstallation=file://${workDir}/profile`,
    '--headless',
    '--convert-to',
    target === 'pdf' ? PDF_FILTER : 'ppt',
    '--outdir',
    workDir,
    ...files,
  ];
  await run('soffice', args, {
    env: { ...process.env, FONTCONFIG_FILE: FONTS, SOURCE_DATE_EPOCH: '1795132800' },
    timeout: 600_000,
  });
}

/** Write the decks (all, or those whose numbers from 1 are given) and `manifest.csv` into `outDir/files`. */
export async function generateFiles(outDir: string, only?: ReadonlySet<number>): Promise<Entry[]> {
  const entries = readCatalogue().filter((entry) => !only || only.has(entry.number));
  const filesDir = join(outDir, 'files');
  await mkdir(filesDir, { recursive: true });
  const workDir = await mkdtemp(join(tmpdir(), 'ceku-demo-'));
  try {
    const sources: Record<'pdf' | 'ppt', string[]> = { pdf: [], ppt: [] };
    for (const entry of entries) {
      const bytes = await writeDeck(entry, workDir);
      if (entry.fileType === 'pptx') {
        await writeFile(join(filesDir, entry.file), bytes);
        continue;
      }
      const source = join(workDir, entry.file.replace(/\.[a-z]+$/, '.pptx'));
      await writeFile(source, bytes);
      sources[entry.fileType].push(source);
    }
    await convert(sources.pdf, 'pdf', workDir);
    await convert(sources.ppt, 'ppt', workDir);
    for (const entry of entries) {
      if (entry.fileType === 'pptx') continue;
      const [made, kept] = [join(workDir, entry.file), join(filesDir, entry.file)];
      if (!(await isSamePdf(made, kept))) await move(made, kept);
    }
    await writeFile(join(outDir, 'manifest.csv'), manifestCsv(entries));
    await writeFile(join(outDir, 'collections.json'), collectionsJson(entries));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return entries;
}

/** What LibreOffice stamps anew into every PDF: the times, the identity and the checksum of the run. */
const STAMPS = /\/(?:CreationDate|ModDate)\([^)]*\)|\/ID \[[^\]]*\]|\/DocChecksum \/\w+/g;

/** Nothing but the stamps of the run sets them apart: then the file in the pack, and its previews, stay. */
async function isSamePdf(made: string, kept: string): Promise<boolean> {
  if (!made.endsWith('.pdf') || !existsSync(kept)) return false;
  const [a, b] = await Promise.all([made, kept].map((path) => readFile(path, 'latin1')));
  return a?.replaceAll(STAMPS, '') === b?.replaceAll(STAMPS, '');
}

async function move(from: string, to: string): Promise<void> {
  const { copyFile } = await import('node:fs/promises');
  await rename(from, to).catch(() => copyFile(from, to));
}

if (import.meta.main) {
  const [outDir = join(import.meta.dirname, 'pack'), ...numbers] = process.argv.slice(2);
  const started = performance.now();
  const entries = await generateFiles(outDir, numbers.length > 0 ? new Set(numbers.map(Number)) : undefined);
  console.log(`${entries.length} decks in ${outDir}, ${Math.round((performance.now() - started) / 1000)} s`);
}
