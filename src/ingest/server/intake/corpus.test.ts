/** Every file of a corpus of decks, where one lies beside the project: the files are other people's and stay there. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { RefusedError, refusalReasons } from '../../refusals.ts';
import type { RefusalCode } from '../../refusals.ts';

import { createIngestPool } from '../convert/converter-pool.ts';
import { prepareFile } from '../steps/prepare-file.ts';
import { sniffFile } from '../sniff/sniff-file.ts';
import { findConverter } from '../convert/convert-to-pdf.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
const MANIFEST = join(CORPUS, 'manifest.csv');

type Line = { file: string; expected: string };
type Outcome = { published: true; as: string } | { published: false; code: RefusalCode };

const lines: Line[] = existsSync(MANIFEST) ? parse(readFileSync(MANIFEST), { columns: true }) : [];
const canRun = lines.length > 0 && findConverter() !== null;

/** What the manifest says in words, as what may come out. */
const CODES: [words: RegExp, codes: RefusalCode[]][] = [
  [/too many pages/, ['too-many-pages']],
  [/zip corrupt/, ['zip-corrupt']],
  [/zip bomb/, ['zip-bomb']],
  [/not a presentation/, ['not-presentation']],
  [/unknown type/, ['unknown-type']],
  [/page size/, ['page-size']],
  [/no pages/, ['no-pages']],
  [/bad entry name/, ['bad-entry-name']],
  [/render time-out/, ['render-timeout']],
  [/refused: empty/, ['empty']],
  [/encrypted/, ['encrypted']],
  [/macros/, ['macros']],
  [/corrupt/, ['corrupt', 'zip-corrupt', 'convert-failed']],
];

function isExpected(expected: string, outcome: Outcome): boolean {
  if (outcome.published) {
    if (/as PPTX/.test(expected)) return outcome.as === 'pptx';
    if (/as PPT$/.test(expected)) return outcome.as === 'ppt';
    return /^(published|accepted)|unless it opens/.test(expected);
  }
  if (/refused or failed(;| with)|refused$/.test(expected)) return outcome.code in refusalReasons;
  return CODES.some(([words, codes]) => words.test(expected) && codes.includes(outcome.code));
}

let root = '';
const slow: string[] = [];

/** Two files at a time, as two workers would: five would measure the queue for the processor. */
const limit = createConcurrencyLimit(2);

/** Good decks that wait together share a start of LibreOffice, as they do in a site; a bad one is always alone. */
const pool = createIngestPool(1);

async function convertInCompany(name: string, workDir: string): Promise<string | null> {
  const path = join(CORPUS, name);
  const sniffed = name.startsWith('good/') ? await sniffFile(path) : null;
  if (!sniffed?.ok || sniffed.fileType === 'pdf') return null;
  const { fileType, bytes, slideCount } = sniffed;
  return (await pool.toPdf({ path, fileType, workDir, slides: slideCount, bytes, signal: undefined })).pdf;
}

async function ingest(file: string, workDir: string, converting: Promise<string | null>): Promise<Outcome> {
  const sniffed = await sniffFile(file);
  if (!sniffed.ok) return { published: false, code: sniffed.code };
  try {
    const pdf = await converting;
    const prepared = await prepareFile({ path: file, fileType: sniffed.fileType, workDir, ...(pdf && { pdf }) });
    expect(prepared.pages).toHaveLength(prepared.pageCount);
    expect(prepared.pages.filter((page) => page.image !== null)).toHaveLength(Math.min(10, prepared.pageCount));
    expect(prepared.cover.color).toMatch(/^#[0-9a-f]{6}$/);
    for (const page of prepared.pages) if (page.image !== null) expect(existsSync(page.image)).toBe(true);
    return { published: true, as: sniffed.fileType };
  } catch (error) {
    if (error instanceof RefusedError) return { published: false, code: error.code };
    throw error;
  }
}

describe.skipIf(!canRun)('the corpus', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'ceku-corpus-'));
  });

  describe('every line of the manifest', { concurrent: true }, () => {
    test.for(lines)('$file', { timeout: 240_000 }, async ({ file, expected }) => {
      const workDir = join(root, file.replace('/', '-'));
      await mkdir(workDir);
      const converting = convertInCompany(file, workDir);
      // What fails there is an outcome, looked at in its turn.
      await converting.catch(() => undefined);
      await limit.run(async () => {
        const start = performance.now();
        const outcome = await ingest(join(CORPUS, file), workDir, converting);
        const seconds = (performance.now() - start) / 1000;
        if (seconds > 5) slow.push(`${file} ${seconds.toFixed(1)} s`);
        expect(isExpected(expected, outcome), `${file}: ${JSON.stringify(outcome)}, expected ${expected}`).toBe(true);
        const left = (await readdir(workDir)).filter(
          (name) => !/^(deck\.pdf|cover(-\d+)?\.webp|strip\.webp|page-\d+(-2x)?\.webp)$/.test(name),
        );
        expect(left).toEqual([]);
      });
    });
  });

  test('leaves no process behind', async () => {
    expect(await processesIn(root)).toEqual([]);
  });

  afterAll(async () => {
    await rm(root, { recursive: true, force: true });
    if (process.env['CORPUS_TIMES']) console.log(slow.join('\n'));
  });
});

/** Processes that work in a folder or were told of it. */
async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const ids = await readdir('/proc').catch(() => []);
  for (const id of ids.filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${id}/cwd`).catch(() => '');
    if (command.includes(folder) || cwd.startsWith(folder)) found.push(command.replaceAll('\0', ' '));
  }
  return found;
}
