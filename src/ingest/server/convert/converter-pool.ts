import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ctx } from '../../../context.ts';
import { convertManyToPdf, convertToPdf, type DeckType } from './convert-to-pdf.ts';
import { convertAloneWallMs, convertTogetherWallMs } from '../../rules.ts';
import { countOwnPdfPages } from './own-pdf.ts';
import { renderPages, type RenderedPages, type RenderInput } from '../render/render-pages.ts';
import type { RendererSlot } from '../render/renderer-slot.ts';
import { openConverterSlots, type ConverterSlots } from './converter-slots.ts';
import { openChildRunner, type ChildRunner } from './child-runner.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

/**
 * `onBegun` is called when a piece of the work gets its turn, and its error rejects the work; `onEnded` is called when that piece is over,
 * unless the process is killed in it, and never rejects. A deck that a batch did not convert has two pieces, and has not begun while it waits between them.
 */
export type WorkHooks = { onBegun(): Promise<void>; onEnded(): Promise<void> };

/**
 * A deck to convert. LibreOffice writes `deck.pdf` in `workDir`. `slides` is the number of visible slides, null when
 * unknown.
 */
export type DeckOrder = {
  path: string;
  fileType: DeckType;
  workDir: string;
  slides: number | null;
  bytes: number;
  signal: AbortSignal | undefined;
  hooks?: WorkHooks;
};

/** `batch` is the number of decks that LibreOffice converted in the same start. */
type MadePdf = { pdf: string; batch: number };

/**
 * Limits how many children of this process work at once. Drawing has priority over conversion, so that files that were
 * begun are finished. Decks that wait for LibreOffice are converted in one batch. A deck that a batch leaves without a
 * PDF, or with another number of pages than slides, is converted alone in a turn of its own, because one bad deck ends
 * LibreOffice for the whole batch.
 */
export type IngestPool = {
  /** Throws RefusedError as convertToPdf does, or the reason of the signal. */
  toPdf(order: DeckOrder): Promise<MadePdf>;
  render(input: Omit<RenderInput, 'slot'> & { hooks?: WorkHooks }): Promise<RenderedPages>;
  /** Runs other work in a render child, when a child is free. Work whose signal is aborted does not wait for other processes. */
  run<T>(work: (slot: RendererSlot) => Promise<T>, signal?: AbortSignal, hooks?: WorkHooks): Promise<T>;
  /** For tests: ends the children that wait for work. */
  closeIdle(): void;
};

/**
 * A start of LibreOffice takes 1.2 s of processor time and a deck half a second: twelve decks in one start cost a tenth less than in two. With more
 * the gain is small, and a deck that ends LibreOffice sends too many others back into the queue.
 */
export const MAX_DECKS = 12;
/** A batch has at most this many slides and bytes: a long deck gains little from a batch and may time out in it. */
const MAX_SLIDES = 150;
const MAX_BYTES = 60 * 1024 * 1024;
/** How long to wait for more decks: jobs that were taken at the same moment arrive one after the other. */
const BATCH_WAIT_MS = 60;

type Task = { signal: AbortSignal | undefined; go(slot: RendererSlot): Promise<void> };

type Waiting = { order: DeckOrder; resolve(made: MadePdf): void; reject(error: unknown): void };

/**
 * `size` is how many children work at once; `slots` are the slots of the library, of which each working child holds one; `pageMs` is the
 * time limit of drawing one page, which tests of pages that hang shorten.
 */
export function createIngestPool(
  size: number,
  { pageMs, slots = null }: { pageMs?: number; slots?: ConverterSlots | null } = {},
): IngestPool {
  const decks: Waiting[] = [];
  /** Decks that a batch did not convert; each is converted alone. */
  const singles: Task[] = [];
  const others: Task[] = [];
  const idle: ChildRunner[] = [];
  /** Child runners that are not idle, and those of them that work; the others wait for a slot of the library. */
  let busy = 0;
  let working = 0;
  let batchTimer: NodeJS.Timeout | undefined;

  const hasWork = () => others.length + singles.length > 0 || (decks.length > 0 && !batchTimer);
  /** Whether work was aborted, which ends at once and needs no slot. */
  const isCancelled = () =>
    [...others, ...singles, ...decks.map(({ order }) => order)].some(({ signal }) => signal?.aborted ?? false);
  const nextWork = (): Task['go'] | undefined => {
    const next = others.shift() ?? singles.shift();
    if (next || decks.length === 0 || batchTimer) return next?.go;
    // Free child runners share the waiting decks, so that none of them is idle.
    const batch = takeBatch(decks, Math.ceil(decks.length / (size - working)));
    // A child runner that became free meanwhile takes some of the decks that the batch did not convert.
    return () => convertBatch(batch, singles).then(pump);
  };
  const work = async (runner: ChildRunner) => {
    while (hasWork()) {
      if (slots && !isCancelled()) await runner.claim(isCancelled);
      const next = nextWork();
      if (!next) break;
      working++;
      await next(runner.slot).finally(() => working--);
    }
    runner.rest();
  };
  const pump = () => {
    while (busy < size && hasWork()) {
      busy++;
      const runner = idle.pop() ?? openChildRunner(slots);
      void work(runner).finally(() => {
        busy--;
        idle.push(runner);
        pump();
      });
    }
  };
  const inTurn = <T>(task: (slot: RendererSlot) => Promise<T>, signal?: AbortSignal, hooks?: WorkHooks): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      others.push({ signal, go: (slot) => during(hooks, () => task(slot)).then(resolve, reject) });
      pump();
    });

  return {
    run: inTurn,
    closeIdle: () => idle.forEach(({ slot }) => slot.close()),
    render: ({ hooks, ...input }) => inTurn((slot) => renderPages({ ...input, pageMs, slot }), input.signal, hooks),
    toPdf: (order) =>
      new Promise((resolve, reject) => {
        decks.push({ order, resolve, reject });
        if (decks.length >= MAX_DECKS) {
          clearTimeout(batchTimer);
          batchTimer = undefined;
          return pump();
        }
        batchTimer ??= setTimeout(() => {
          batchTimer = undefined;
          pump();
        }, BATCH_WAIT_MS);
      }),
  };
}

const pools = new Map<string, IngestPool>();

/** For tests: ends the children of this process that wait for work, which otherwise stay warm for some seconds. */
export const closeIdleChildren = (): void => pools.forEach((pool) => pool.closeIdle());

/**
 * Returns the pool of this process that runs `workers` conversions of a library at once; all preparations share it. It shares the
 * converter slots of the library with the other processes.
 */
export function poolOf({ databaseUrl }: Pick<Ctx, 'databaseUrl'>, workers: number): IngestPool {
  const key = `${workers} ${databaseUrl}`;
  const known = pools.get(key);
  if (known) return known;
  const made = createIngestPool(workers, { slots: openConverterSlots(databaseUrl, workers) });
  pools.set(key, made);
  return made;
}

function takeBatch(decks: Waiting[], share: number): Waiting[] {
  const batch: Waiting[] = [];
  let slides = 0;
  let bytes = 0;
  for (let next = decks[0]; next && batch.length < Math.min(share, MAX_DECKS); next = decks[0]) {
    slides += next.order.slides ?? 20;
    bytes += next.order.bytes;
    if (batch.length > 0 && (slides > MAX_SLIDES || bytes > MAX_BYTES)) break;
    batch.push(next);
    decks.shift();
  }
  return batch;
}

/** Never rejects: every deck is resolved here, or later from `singles`. */
async function convertBatch(taken: Waiting[], singles: Task[]): Promise<void> {
  const batch = await begin(taken);
  const [first, ...company] = batch;
  if (!first) return;
  if (company.length === 0) return alone(first, 0);
  const startedAt = Date.now();
  const made = await convertTogether(batch);
  // Any further time was spent on waiting for a processor.
  const spentMs = Math.min(Date.now() - startedAt, convertTogetherWallMs(batch.length));
  await Promise.all(batch.map(async ({ order }) => order.hooks?.onEnded()));
  for (const [index, waiting] of batch.entries()) {
    const pdf = made[index];
    if (pdf) waiting.resolve({ pdf, batch: batch.length });
    else
      singles.push({
        signal: waiting.order.signal,
        go: async () => {
          for (const deck of await begin([waiting])) await alone(deck, spentMs);
        },
      });
  }
}

/** Converts a deck that has begun. Never rejects. */
function alone({ order, resolve, reject }: Waiting, spentMs: number): Promise<void> {
  return endAfter(order.hooks, convertAlone(order, spentMs)).then(resolve, reject);
}

/** Returns the decks that may begin; the others are rejected. */
async function begin(decks: Waiting[]): Promise<Waiting[]> {
  const begun = await Promise.all(
    decks.map(async (deck) => {
      try {
        await deck.order.hooks?.onBegun();
        return [deck];
      } catch (error) {
        deck.reject(error);
        return [];
      }
    }),
  );
  return begun.flat();
}

async function during<T>(hooks: WorkHooks | undefined, work: () => Promise<T>): Promise<T> {
  await hooks?.onBegun();
  return endAfter(hooks, work());
}

async function endAfter<T>(hooks: WorkHooks | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await hooks?.onEnded();
  }
}

async function convertAlone(order: DeckOrder, spentMs: number): Promise<MadePdf> {
  order.signal?.throwIfAborted();
  const { signal, bytes: _, hooks: __, ...deck } = order;
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
      // A signal stops the whole process, so every deck of the batch is rejected by its own signal.
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    });
    return await Promise.all(made.map((pdf, index) => keepGood(pdf, batch[index]?.order)));
  } catch {
    // Every deck of the batch is then converted alone and refused with its own reason.
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
