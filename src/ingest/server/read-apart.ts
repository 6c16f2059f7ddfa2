import { appendFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError, type RefusalCode } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import { readCharts, type DeckCharts } from './deck-charts/read-charts.ts';
import { failIfDiskIsFull } from './full-disk.ts';
import { readPptxFacts, type PptxFacts } from './pptx-facts.ts';
import type { RenderSeat } from './run-render-child.ts';

/** Asked of a render child: to read a deck's XML, which may be a hundred megabytes of a stranger's tags. */
export type ReadJob = {
  read: 'facts' | 'charts';
  deck: string;
  pdf: null;
  /** One JSON object is written here. */
  results: string;
};

type Answer<T> = { value: T } | { code: RefusalCode; detail: string };

type Order = { path: string; workDir: string; seat: RenderSeat; signal?: AbortSignal | undefined };

/**
 * `readPptxFacts` in a render child: our own process goes on serving, and outlives what it reads. Throws RefusedError
 * as that does, and convert-timeout or convert-failed when the child was too slow, too large or died.
 */
export async function readFactsApart(order: Order): Promise<PptxFacts> {
  const facts = await readApart<Omit<PptxFacts, 'thumbnail'> & { thumbnail: string | null }>('facts', order);
  return { ...facts, thumbnail: facts.thumbnail === null ? null : Buffer.from(facts.thumbnail, 'base64') };
}

/** `readCharts`, likewise. */
export const readChartsApart = (order: Order): Promise<DeckCharts> => readApart<DeckCharts>('charts', order);

async function readApart<T>(read: ReadJob['read'], { path, workDir, seat, signal }: Order): Promise<T> {
  const results = join(workDir, `${read}.json`);
  const end = Date.now() + limits.renderWallMs;
  const job: ReadJob = { read, deck: path, pdf: null, results };
  try {
    const { timedOut, tookTooMuch } = await seat.run({ job, until: () => end, signal });
    signal?.throwIfAborted();
    const text = await readFile(results, 'utf8');
    // Written below, whole with its last line end or not at all.
    const answer = text.endsWith('\n') ? (JSON.parse(text) as Answer<T>) : null;
    if (answer && 'value' in answer) return answer.value;
    if (answer) throw new RefusedError(answer.code, answer.detail);
    await failIfDiskIsFull(workDir);
    if (timedOut) throw new RefusedError('convert-timeout', 'while reading the slides');
    throw new RefusedError(
      'convert-failed',
      `reading the slides ${tookTooMuch ? 'took too much memory' : 'broke off'}`,
    );
  } finally {
    await rm(results, { force: true });
  }
}

/** The child's part. */
export async function readDeckApart(job: ReadJob, beat: (page: number, pageCount: number) => Promise<void>) {
  await beat(0, 0);
  const answer = await answerOf(job).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    return { code: error.code, detail: error.detail };
  });
  appendFileSync(job.results, `${JSON.stringify(answer)}\n`);
}

async function answerOf(job: ReadJob): Promise<Answer<unknown>> {
  if (job.read === 'charts') return { value: await readCharts(job.deck) };
  const facts = await readPptxFacts(job.deck);
  return { value: { ...facts, thumbnail: facts.thumbnail?.toString('base64') ?? null } };
}
