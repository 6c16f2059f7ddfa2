import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collectionsJson } from './collections.ts';
import { manifestCsv, readCatalogue, type Entry } from './catalogue.ts';
import { writeScript } from './studio/write-script.ts';

const run = promisify(execFile);

const PACK = join(import.meta.dirname, '../../demo/pack');

const FONTS = join(import.meta.dirname, '../../src/ingest/fonts.conf');

/** PDF as an agency exports it for mail: pictures at 110 dpi, fonts as subsets. */
const PDF_FILTER = `pdf:impress_pdf_Export:${JSON.stringify({
  ReduceImageResolution: { type: 'boolean', value: 'true' },
  MaxImageResolution: { type: 'long', value: '110' },
  Quality: { type: 'long', value: '66' },
  // The tags name the charts.
  UseTaggedPDF: { type: 'boolean', value: 'true' },
  ExportBookmarks: { type: 'boolean', value: 'true' },
})}`;

async function convertToPdf(files: readonly string[], workDir: string): Promise<void> {
  if (files.length === 0) return;
  const args = [
    `-env:UserInstallation=file://${workDir}/profile`,
    '--headless',
    '--convert-to',
    PDF_FILTER,
    '--outdir',
    workDir,
    ...files,
  ];
  await run('soffice', args, {
    env: { ...process.env, FONTCONFIG_FILE: FONTS, SOURCE_DATE_EPOCH: '1795132800' },
    timeout: 600_000,
  });
}

/** Writes the decks (all, or those whose numbers from 1 are given) and `manifest.csv` into `outDir/files`. */
export async function generateFiles(outDir: string, only?: ReadonlySet<number>): Promise<Entry[]> {
  const entries = readCatalogue().filter((entry) => !only || only.has(entry.number));
  const filesDir = join(outDir, 'files');
  await mkdir(filesDir, { recursive: true });
  const workDir = await mkdtemp(join(tmpdir(), 'ceku-demo-'));
  try {
    const sources: string[] = [];
    for (const { script, file, fileType, number, date } of entries) {
      const kept = join(filesDir, file);
      if (script === null) {
        if (!existsSync(kept)) await copyFile(join(PACK, 'files', file), kept);
        continue;
      }
      const bytes = await writeScript(script, number, date, workDir, fileType === 'pdf');
      if (fileType === 'pptx') await writeFile(kept, bytes);
      else {
        const source = join(workDir, file.replace(/\.[a-z]+$/, '.pptx'));
        await writeFile(source, bytes);
        sources.push(source);
      }
    }
    await convertToPdf(sources, workDir);
    for (const { script, file, fileType } of entries) {
      if (script === null || fileType === 'pptx') continue;
      const [made, kept] = [join(workDir, file), join(filesDir, file)];
      if (!(await isSamePdf(made, kept))) await copyFile(made, kept);
    }
    await writeFile(join(outDir, 'manifest.csv'), manifestCsv(entries));
    await writeFile(join(outDir, 'collections.json'), collectionsJson(entries));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return entries;
}

/** Parts of a PDF that differ on every run of LibreOffice: times, identity and checksum. */
const STAMPS = /\/(?:CreationDate|ModDate)\([^)]*\)|\/ID \[[^\]]*\]|\/DocChecksum \/\w+/g;

/** Whether two PDFs differ only in those parts; the PDF of the pack and its previews are kept then. */
async function isSamePdf(made: string, kept: string): Promise<boolean> {
  if (!made.endsWith('.pdf') || !existsSync(kept)) return false;
  const [a, b] = await Promise.all([made, kept].map((path) => readFile(path, 'latin1')));
  return a?.replaceAll(STAMPS, '') === b?.replaceAll(STAMPS, '');
}

if (import.meta.main) {
  const [outDir = PACK, ...numbers] = process.argv.slice(2);
  const started = performance.now();
  const entries = await generateFiles(outDir, numbers.length > 0 ? new Set(numbers.map(Number)) : undefined);
  console.log(`${entries.length} decks in ${outDir}, ${Math.round((performance.now() - started) / 1000)} s`);
}
