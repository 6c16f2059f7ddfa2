import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertManyToPdf, convertToPdf, type DeckType } from './convert-to-pdf.ts';
import { convertAloneWallMs } from '../../rules.ts';
import { countOwnPdfPages } from './own-pdf.ts';
import { renderPages, type RenderedPages, type RenderInput } from '../render/render-pages.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/** One deck for LibreOffice, whose PDF becomes `deck.pdf` in `workDir`. `slides`: the visible ones, null if unknown. */
export type DeckOrder = {
  path: string;
  fileType: DeckType;
  workDir: string;
  slides: number | null;
  bytes: number;
  signal: AbortSignal | undefined;
};

/** `batch` is how many decks shared the start of LibreOffice that made the PDF. */
export type MadePdf = { pdf: string; batch: number };

/**
 * The children this process may have at work, so many at once. Drawing goes before converting, so that what was begun
 * is finished; decks that wait for LibreOffice share one start of it. What such a batch leaves undone, or done with too
 * few pages, is tried alone, each in a turn of its own: one bad deck ends LibreOffice for all.
 */
export type IngestPool = {
  /** Throws RefusedError like convertToPdf, or the signal's reason. */
  toPdf(order: DeckOrder): Promise<MadePdf>;
  render(input: Omit<RenderInput, 'slot'>): Promise<RenderedPages>;
  /** Other work in a warm render child, in its turn. */
  run<T>(work: (slot: RendererSlot) => Promise<T>): Promise<T>;
};

/** A batch costs a third of single starts; beyond six the gain is gone and the wait grows. */
const MAX_DECKS = 6;
/** What is long or large by itself gains nothing from company and would put it at risk. */
const MAX_SLIDES = 150;
const MAX_BYTES = 60 * 1024 * 1024;
/** Jobs that were taken at the same moment arrive one after the other. */
const GATHER_MS = 60;

type Waiting = { order: DeckOrder; resolve(made: MadePdf): void; reject(error: unknown): void };

/** `size`: how many children work at once. */
export function createIngestPool(size: number): IngestPool {
  const decks: Waiting[] = [];
  /** Of batches, to be tried alone. */
  const singles: (() => Promise<void>)[] = [];
  const others: (() => Promise<void>)[] = [];
  const slots: RendererSlot[] = [];
  let busy = 0;
  let gathering: NodeJS.Timeout | undefined;

  const occupy = (work: Promise<void>) => {
    busy++;
    void work.finally(() => {
      busy--;
      pump();
    });
  };
  const pump = () => {
    while (busy < size) {
      const next = others.shift() ?? singles.shift();
      if (next) occupy(next());
      else if (decks.length === 0 || gathering) return;
      else occupy(convertBatch(takeBatch(decks), singles));
    }
  };
  const inTurn = <T>(work: (slot: RendererSlot) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      others.push(async () => {
        const slot = slots.pop() ?? openRendererSlot();
        await work(slot).then(resolve, reject);
        slots.push(slot);
      });
      pump();
    });

  return {
    run: inTurn,
    render: (input) => inTurn((slot) => renderPages({ ...input, slot })),
    toPdf: (order) =>
      new Promise((resolve, reject) => {
        decks.push({ order, resolve, reject });
        if (decks.length >= MAX_DECKS) {
          clearTimeout(gathering);
          gathering = undefined;
          return pump();
        }
        gathering ??= setTimeout(() => {
          gathering = undefined;
          pump();
        }, GATHER_MS);
      }),
  };
}

function takeBatch(decks: Waiting[]): Waiting[] {
  const batch: Waiting[] = [];
  let slides = 0;
  let bytes = 0;
  for (let next = decks[0]; next && batch.length < MAX_DECKS; next = decks[0]) {
    slides += next.order.slides ?? 20;
    bytes += next.order.bytes;
    if (batch.length > 0 && (slides > MAX_SLIDES || bytes > MAX_BYTES)) break;
    batch.push(next);
    decks.shift();
  }
  return batch;
}

/** Never rejects: each deck gets its answer here, or later from `singles`. */
async function convertBatch(batch: Waiting[], singles: (() => Promise<void>)[]): Promise<void> {
  const alone = ({ order, resolve, reject }: Waiting, spentMs: number) =>
    convertAlone(order, spentMs).then(resolve, reject);
  const [first, ...company] = batch;
  if (first && company.length === 0) return alone(first, 0);
  const startedAt = Date.now();
  const made = await convertTogether(batch);
  const spentMs = Date.now() - startedAt;
  for (const [index, waiting] of batch.entries()) {
    const pdf = made[index];
    if (pdf) waiting.resolve({ pdf, batch: batch.length });
    else singles.push(() => alone(waiting, spentMs));
  }
}

async function convertAlone(order: DeckOrder, spentMs: number): Promise<MadePdf> {
  order.signal?.throwIfAborted();
  const { signal, bytes: _, ...deck } = order;
  const wallMs = convertAloneWallMs(order.slides, spentMs);
  return { pdf: await convertToPdf({ ...deck, wallMs, ...(signal && { signal }) }), batch: 1 };
}

async function convertTogether(batch: Waiting[]): Promise<(string | null)[]> {
  const signals = batch.flatMap(({ order }) => order.signal ?? []);
  let workDir: string | null = null;
  try {
    workDir = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
    const made = await convertManyToPdf({
      decks: batch.map(({ order }) => order),
      workDir,
      // Whoever stops one stops the process; the others are then refused by their own signals.
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    });
    return await Promise.all(made.map((pdf, index) => keepGood(pdf, batch[index]?.order)));
  } catch {
    // Each is tried alone then, and refused with its own reason.
    return [];
  } finally {
    if (workDir !== null) await rm(workDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function keepGood(pdf: string | null, order: DeckOrder | undefined): Promise<string | null> {
  if (pdf === null || !order) return null;
  const pages = await countOwnPdfPages(pdf);
  if (order.slides !== null && pages !== null && pages !== order.slides) return null;
  const kept = join(order.workDir, 'deck.pdf');
  await rename(pdf, kept);
  return kept;
}
