/** Prepares every file of a corpus of decks, when one lies beside the project: the files are other people's and stay there. */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { buying } from '../../../../tests/buyers.ts';
import { listWorkFolders, prepareInStore } from '../../../../tests/prepared-file.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchCharts } from '../../../search/contract-charts.ts';
import { indexDocuments } from '../../../search/server/indexing/index-documents.ts';
import { RefusedError, refusalReasons } from '../../refusals.ts';
import type { RefusalCode } from '../../refusals.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';
import { sniffFile } from '../sniff/sniff-file.ts';
import { findConverter } from '../convert/convert-to-pdf.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
const MANIFEST = join(CORPUS, 'manifest.csv');

type Line = { file: string; expected: string };
type Outcome = { published: true; as: string } | { published: false; code: RefusalCode };

const lines: Line[] = existsSync(MANIFEST) ? parse(readFileSync(MANIFEST), { columns: true }) : [];
const canRun = lines.length > 0 && findConverter() !== null;

/** The refusal codes that each wording of the manifest allows. */
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
  [/corrupt/, ['corrupt', 'zip-corrupt', 'convert-failed', 'not-loadable']],
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

let app: TestApp;
const buyers = buying(() => app);
const slow: string[] = [];

/** Good files run six at a time, so that decks share starts of LibreOffice. Hostile ones run two at a time, as with two workers. */
const limits = { good: createConcurrencyLimit(6), hostile: createConcurrencyLimit(2) };

async function ingest(file: string): Promise<Outcome> {
  const sniffed = await sniffFile(file);
  if (!sniffed.ok) return { published: false, code: sniffed.code };
  try {
    const prepared = await prepareInStore(app.ctx, { path: file, fileType: sniffed.fileType, workers: 2 });
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
    app = await openTestApp();
  });

  describe('every line of the manifest', { concurrent: true }, () => {
    test.for(lines)('$file', { timeout: 240_000 }, ({ file, expected }) =>
      limits[file.startsWith('good/') ? 'good' : 'hostile'].run(async () => {
        const start = performance.now();
        const outcome = await ingest(join(CORPUS, file));
        const seconds = (performance.now() - start) / 1000;
        if (seconds > 5) slow.push(`${file} ${seconds.toFixed(1)} s`);
        expect(isExpected(expected, outcome), `${file}: ${JSON.stringify(outcome)}, expected ${expected}`).toBe(true);
      }),
    );
  });

  // The charts that the lines above have recorded; a search of charts is some milliseconds.
  test('every chart of a PPTX is found by its name and by one of its series', { timeout: 60_000 }, async () => {
    const charts = await rowsOf<{ id: number; document: number; name: string; series: string | null }>(
      app.ctx.db,
      sql`select c.id, d.id as document, c.name,
          (select one ->> 'name' from jsonb_array_elements(c.data -> 'series') as one where one ->> 'name' <> '' limit 1) as series
        from charts c join files f on f.id = c.file_id join documents d on d.file_id = c.file_id
        where f.file_type = 'pptx' and d.state = 'published' order by c.id`,
    );
    expect(charts.length).toBeGreaterThan(0);
    await indexDocuments(app.ctx, [...new Set(charts.map(({ document }) => document))]);
    const { token } = await buyers.addBuyer({ tier: 2 });
    const lost: string[] = [];
    for (const { id, name, series } of charts)
      for (const keyword of [name, series ?? ''].filter(Boolean)) {
        const found = expectOk(await app.call(searchCharts, { keyword, pageSize: 50 }, token)).charts;
        if (!found.some((chart) => chart.id === id)) lost.push(`${id}: ${keyword}`);
      }
    expect(lost).toEqual([]);
  });

  test('leaves neither work folder nor process behind', { timeout: 30_000 }, async () => {
    expect(await listWorkFolders()).toEqual([]);
    // An idle render child ends after some seconds.
    const processes = () => processesIn(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
    await expect.poll(processes, { timeout: 15_000 }).toEqual([]);
  });

  afterAll(async () => {
    await app.close();
    if (process.env['CORPUS_TIMES']) console.log(slow.join('\n'));
  });
});

/** Returns the command lines of the processes that work in a folder, or name it, whose path begins with `prefix`. */
async function processesIn(prefix: string): Promise<string[]> {
  const found: string[] = [];
  const ids = await readdir('/proc').catch(() => []);
  for (const id of ids.filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${id}/cwd`).catch(() => '');
    if (command.includes(prefix) || cwd.startsWith(prefix)) found.push(command.replaceAll('\0', ' '));
  }
  return found;
}
