import { appendFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError, type RefusalCode } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { readCharts, type DeckCharts } from './read-charts.ts';
import { failIfDiskIsFull } from '../source/full-disk.ts';
import { readPptxFacts, type PptxFacts } from '../formats/pptx-facts.ts';
import type { ReadJob, ReportProgress } from '../render/child-jobs.ts';
import { failIfLost, type RendererSlot } from '../render/renderer-slot.ts';

type Answer<T> = { value: T } | { code: RefusalCode; detail: string };

type Order = { path: string; workDir: string; slot: RendererSlot; signal?: AbortSignal | undefined };

/**
 * Runs `readPptxFacts` in a render child, so that a hostile deck cannot stop the site. Throws the RefusedError of
 * `readPptxFacts`, and convert-timeout or convert-failed when the child was too slow, took too much memory or died of
 * the deck. Throws ChildLost when it ended for another reason.
 */
export async function readFactsInChild(order: Order): Promise<PptxFacts> {
  const facts = await readInChild<Omit<PptxFacts, 'thumbnail'> & { thumbnail: string | null }>('facts', order);
  return { ...facts, thumbnail: facts.thumbnail === null ? null : Buffer.from(facts.thumbnail, 'base64') };
}

/** Runs `readCharts` in a render child. Throws as `readFactsInChild` does. */
export const readChartsInChild = (order: Order): Promise<DeckCharts> => readInChild<DeckCharts>('charts', order);

async function readInChild<T>(what: ReadJob['what'], { path, workDir, slot, signal }: Order): Promise<T> {
  const results = join(workDir, `${what}.json`);
  const end = Date.now() + limits.renderWallMs;
  const job: ReadJob = { kind: 'read-deck', what, deck: path, results };
  try {
    const outcome = await slot.run({ job, until: () => end, signal });
    signal?.throwIfAborted();
    const text = await readFile(results, 'utf8');
    // `readDeck` writes one line. Without its line end the line is incomplete.
    const answer = text.endsWith('\n') ? (JSON.parse(text) as Answer<T>) : null;
    if (answer && 'value' in answer) return answer.value;
    if (answer) throw new RefusedError(answer.code, answer.detail);
    await failIfDiskIsFull(workDir);
    if (outcome.timedOut) throw new RefusedError('convert-timeout', 'while reading the slides');
    failIfLost(outcome, 'reads the slides');
    throw new RefusedError(
      'convert-failed',
      `reading the slides ${outcome.tookTooMuch ? 'took too much memory' : 'ended unexpectedly'}`,
    );
  } finally {
    await rm(results, { force: true });
  }
}

/** Runs in the render child: reads the deck and writes the answer to the results file. */
export async function readDeck(job: ReadJob, reportProgress: ReportProgress): Promise<void> {
  await reportProgress(0, 0);
  const answer = await answerOf(job).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    return { code: error.code, detail: error.detail };
  });
  appendFileSync(job.results, `${JSON.stringify(answer)}\n`);
}

async function answerOf(job: ReadJob): Promise<Answer<unknown>> {
  if (job.what === 'charts') return { value: await readCharts(job.deck) };
  const facts = await readPptxFacts(job.deck);
  return { value: { ...facts, thumbnail: facts.thumbnail?.toString('base64') ?? null } };
}
