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

export const WAYS = ['plain', 'plain-together', 'ingest'] as const;
type Options = { documents: number; workers: number; files?: string[]; ways?: (typeof WAYS)[number][] };

/**
 * Documents and pages a minute of `ceku ingest` beside the plain way (`soffice --convert-to pdf` a file, then `pdftoppm
 * -png`, one at a time and `workers` at a time), over the same files, one after the other in the same run. The plain way stores nothing,
 * checks nothing and reads no text. `ways`: only these, where all of them take too long for one sitting.
 */
export async function printIngest(options: Options): Promise<void> {
  const files = (await collectFiles(options.files ?? [PACK])).files.slice(0, options.documents);
  const folder = await mkdtemp(join(tmpdir(), 'ceku-bench-ingest-'));
  const ways: Way[] = [];
  try {
    for (const way of options.ways ?? WAYS)
      ways.push(
        way === 'ingest'
          ? await measureIngest(files, folder, options.workers)
          : await measurePlain(files, folder, way === 'plain' ? 1 : options.workers),
      );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(files.length, ways);
}

async function measureIngest(files: string[], folder: string, workers: number): Promise<Way> {
  const dataDir = join(folder, 'data');
  await makeLibrary(dataDir);
  const ours = await goOurWay(files, dataDir, workers);
  for (const error of ours.errors) console.error(error);
  return { way: `ceku ingest, ${workers} workers`, documents: ours.published, ...ours };
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
      'times the first row': base ? (documents / seconds / (base.documents / base.seconds)).toFixed(2) : '',
      'peak MB': Math.round(peakBytes / 1e6),
    })),
  );
}
