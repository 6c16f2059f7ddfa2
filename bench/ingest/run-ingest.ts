import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectFiles } from '../../src/ingest/server/source/collect-files.ts';
import { goOurWay, makeLibrary } from './our-way.ts';
import { goPlainWay } from './plain-way.ts';
import { sampleMemory } from './sample-memory.ts';

const PACK = fileURLToPath(new URL('../../demo/pack/files', import.meta.url));

type Way = { way: string; seconds: number; documents: number; pages: number; peakBytes: number };

/**
 * Documents and pages a minute of `ceku ingest` beside the plain way (`soffice --convert-to pdf` a file, then `pdftoppm
 * -png`), over the same files, one after the other in the same run. The plain way stores nothing, checks nothing and
 * reads no text.
 */
export async function printIngest(options: { documents: number; workers: number; files?: string[] }): Promise<void> {
  const files = (await collectFiles(options.files ?? [PACK])).files.slice(0, options.documents);
  const folder = await mkdtemp(join(tmpdir(), 'ceku-bench-ingest-'));
  const ways: Way[] = [];
  try {
    for (const lanes of [1, options.workers]) ways.push(await measurePlain(files, folder, lanes));
    const dataDir = join(folder, 'data');
    await makeLibrary(dataDir);
    const ours = await goOurWay(files, dataDir, options.workers);
    for (const error of ours.errors) console.error(error);
    ways.push({ way: `ceku ingest, ${options.workers} workers`, documents: ours.published, ...ours });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(files.length, ways);
}

async function measurePlain(files: string[], folder: string, lanes: number): Promise<Way> {
  const memory = sampleMemory(process.pid);
  const startedAt = performance.now();
  const made = await goPlainWay(files, join(folder, `plain-${lanes}`), lanes);
  const seconds = (performance.now() - startedAt) / 1000;
  return { way: `plain way, ${lanes} at a time`, seconds, ...made, peakBytes: memory.stop() };
}

function print(files: number, ways: Way[]): void {
  const base = ways[0];
  console.log(`${files} files`);
  console.table(
    ways.map(({ way, seconds, documents, pages, peakBytes }) => ({
      way,
      seconds: seconds.toFixed(1),
      documents,
      'documents/min': ((documents / seconds) * 60).toFixed(1),
      'pages/min': ((pages / seconds) * 60).toFixed(0),
      'times the plain way': base ? (documents / seconds / (base.documents / base.seconds)).toFixed(2) : '',
      'peak MB': Math.round(peakBytes / 1e6),
    })),
  );
}
