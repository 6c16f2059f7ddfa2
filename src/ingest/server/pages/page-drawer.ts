import { mkdtemp, rm } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate } from '../../../platform/http/limits/gate.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { PagesJob, PagesLine } from '../render/child-jobs.ts';
import { drawMark } from '../render/draw-mark.ts';
import { drawUnembeddedPages, mayHaveUnembedded } from '../render/draw-unembedded.ts';
import {
  ChildLost,
  isKilledFromOutside,
  openRendererSlot,
  readLines,
  type RendererSlot,
} from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';

type PageOrder = {
  /** Path of the PDF on this machine. */
  pdf: string;
  /** SHA-256 of the PDF when it is the uploaded file, whose Chinese fonts may not be embedded; null for a rendition. */
  uploadedSha256: string | null;
  pages: number[];
  size: PagesJob['size'];
  /** The text that is drawn into the corner of page images; null for none. */
  mark: string | null;
  /** A key of the session that waits: one session never takes both children. */
  client: string;
};

/** A page that was drawn, with paths of its images. */
export type DrawnFiles = Exclude<PagesLine, { kind: 'refused' }>;

/**
 * Draws single pages for readers, in render children of its own: a page that somebody waits for never queues behind the
 * preparation of files, and its child gets more processor time than theirs.
 */
export type PageDrawer = {
  /**
   * Draws pages and hands them to `use`; the images are gone afterwards. A page that cannot be drawn, takes too long or
   * crashes its child is `failed`. Pages that were not reached are missing from the list, and so is a page whose child
   * was ended from outside. Throws `unavailable` (503) when too many readers wait.
   */
  draw<T>(order: PageOrder, use: (pages: DrawnFiles[]) => Promise<T>): Promise<T>;
  /** Does `work`, or waits for the same work that another reader has begun. */
  once(key: string, work: () => Promise<void>): Promise<void>;
  /** Starts a child for the page that a reader is about to ask for, unless one is there or drawing. */
  warm(): Promise<void>;
  /** The times, by a key of the page, until which a page that could not be drawn is not drawn again. */
  failures: LRUCache<string, number>;
  /** Whether nobody waits for a page: pages that nobody has asked for yet may be drawn. */
  isIdle(): boolean;
  close(): void;
};

type FindUnembedded = typeof mayHaveUnembedded;
type DrawUnembedded = typeof drawUnembeddedPages;
/** Draws the pages of an order that need poppler. `lost`: poppler was ended from outside. */
type DrawMissing = (order: PageOrder, folder: string) => Promise<Record<string, string> | 'lost'>;

/** Pages wait for two children; thumbnails, which fill a side bar, share one that is nobody's page's. */
const PAGES = { atOnce: 2, atOncePerClient: 1, maxWaiting: 200, maxWaitingPerClient: 12, maxWaitMs: 20_000 };
const THUMBNAILS = { ...PAGES, atOnce: 1 };
/** Anybody may ask for the cover of any document: covers have a child of their own, and wait for a short time. */
const COVERS = { atOnce: 1, atOncePerClient: 1, maxWaiting: 24, maxWaitingPerClient: 24, maxWaitMs: 3_000 };

/** Starting a child takes 0.4 s, and seconds on a busy machine, which the first reader after a pause would wait. */
const SLOT = { idleMs: 120_000, niceness: 0 };
/** A document's cover is drawn once, and a smaller one is there meanwhile: pages of readers go first. */
const COVER_SLOT = { idleMs: 10_000 };

const MAX_DRAW_MS = 30_000;

/** How many uploaded files the drawer remembers as having embedded fonts or not. */
const FILES_OF_FONTS = 1_000;

/** How many pages that could not be drawn the drawer remembers. */
const FAILED_PAGES = 10_000;

/** `findUnembedded` asks a PDF for fonts that are not embedded, once for a file; `drawUnembedded` draws the pages of one that has some. */
export function createPageDrawer(
  findUnembedded: FindUnembedded = mayHaveUnembedded,
  drawUnembedded: DrawUnembedded = drawUnembeddedPages,
): PageDrawer {
  const known = new LRUCache<string, Promise<boolean>>({ max: FILES_OF_FONTS });
  const hasUnembedded = ({ uploadedSha256: sha256, pdf, size }: PageOrder): Promise<boolean> => {
    if (sha256 === null || size === 'thumbnail') return Promise.resolve(false);
    const asked = known.get(sha256) ?? findUnembedded({ pdf, niceness: SLOT.niceness });
    known.set(sha256, asked);
    // A failure, such as a full disk, is not the file's.
    asked.catch(() => known.delete(sha256));
    return asked;
  };
  const drawMissing: DrawMissing = async (order, folder) => {
    if (!(await hasUnembedded(order))) return {};
    const { pdf, pages } = order;
    const range = { firstPage: Math.min(...pages), lastPage: Math.max(...pages) };
    return drawUnembedded({ pdf, folder, ...range, niceness: SLOT.niceness }).catch((error: unknown) => {
      if (error instanceof ChildLost) return 'lost';
      throw error;
    });
  };
  const queues = {
    page: { gate: createGate(PAGES), slotOptions: SLOT, free: [] as RendererSlot[] },
    thumbnail: { gate: createGate(THUMBNAILS), slotOptions: SLOT, free: [] as RendererSlot[] },
    cover: { gate: createGate(COVERS), slotOptions: COVER_SLOT, free: [] as RendererSlot[] },
  };
  const begun = new Map<string, Promise<void>>();
  let waiting = 0;
  let isClosed = false;
  return {
    async draw(order, use) {
      const { gate, slotOptions, free } =
        queues[order.size === 'normal' || order.size === 'large' ? 'page' : order.size];
      const readers = order.size === 'cover' ? 0 : 1;
      waiting += readers;
      try {
        return await gate.run(order.client, async () => {
          const slot = free.pop() ?? openRendererSlot(slotOptions);
          try {
            return await drawInFolder(slot, order, drawMissing, use);
          } finally {
            if (isClosed) slot.close();
            else {
              free.push(slot);
              // A worn child is replaced now, and not when the next reader waits.
              void slot.warm();
            }
          }
        });
      } finally {
        waiting -= readers;
      }
    },
    once(key, work) {
      const known = begun.get(key);
      if (known) return known;
      const made = work().finally(() => begun.delete(key));
      begun.set(key, made);
      return made;
    },
    async warm() {
      if (isClosed || waiting > 0) return;
      const { free } = queues.page;
      if (free.length === 0) free.push(openRendererSlot(SLOT));
      await free.at(-1)?.warm();
    },
    failures: new LRUCache<string, number>({ max: FAILED_PAGES }),
    isIdle: () => waiting === 0,
    close() {
      isClosed = true;
      for (const { free } of Object.values(queues)) for (const slot of free.splice(0)) slot.close();
    },
  };
}

async function drawInFolder<T>(
  slot: RendererSlot,
  order: PageOrder,
  drawMissing: DrawMissing,
  use: (pages: DrawnFiles[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
  try {
    return await use(await drawPagesIn(slot, order, drawMissing, folder));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function drawPagesIn(
  slot: RendererSlot,
  order: PageOrder,
  drawMissing: DrawMissing,
  folder: string,
): Promise<DrawnFiles[]> {
  const mark = join(folder, 'mark.png');
  const hasMark = order.mark !== null && (await drawMark(mark, order.mark));
  const plain: PagesJob = {
    kind: 'draw-pages',
    pdf: order.pdf,
    outDir: folder,
    results: join(folder, 'results.jsonl'),
    pages: order.pages,
    size: order.size,
    drawn: {},
    mark: hasMark ? mark : null,
  };
  // Poppler looks for missing fonts while PDFium draws: few pages have any, and those are drawn a second time.
  const both = [runJob(slot, plain), drawMissing(order, folder)] as const;
  // When one fails the other is still at work: the slot is not free and the folder not removed before both have ended.
  await Promise.allSettled(both);
  const [first, drawn] = await Promise.all(both);
  if (drawn === 'lost') return [];
  const job = { ...plain, results: join(folder, 'unembedded.jsonl'), drawn };
  let { lines, isMachineFault } = Object.keys(drawn).length > 0 ? await runJob(slot, job) : first;
  const findMissing = () =>
    order.pages.filter((page) => !lines.some((line) => line.kind !== 'refused' && line.page === page));
  const isRefused = lines.some((line) => line.kind === 'refused');
  const missing = findMissing();
  // The large image has four times the pixels: a page that took too long or too much memory is drawn without one.
  if (missing.length > 0 && !isRefused && order.size === 'large') {
    const normal: PagesJob = { ...job, results: join(folder, 'normal.jsonl'), pages: missing, size: 'normal' };
    const second = await runJob(slot, normal);
    for (const line of second.lines) lines.push(line.kind === 'page' ? { ...line, largeWidth: 0 } : line);
    isMachineFault = second.isMachineFault;
  }
  // No page of a refused file can be drawn; a child that stops does so at the first page that it leaves out.
  const failed = isMachineFault ? [] : findMissing().slice(0, isRefused ? undefined : 1);
  return [
    ...lines.flatMap((line) => (line.kind === 'refused' ? [] : [line])),
    ...failed.map((page): DrawnFiles => ({ kind: 'failed', page })),
  ];
}

/** `isMachineFault`: the child was ended from outside, which says nothing about the page that it worked on. */
async function runJob(slot: RendererSlot, job: PagesJob): Promise<{ lines: PagesLine[]; isMachineFault: boolean }> {
  const until = Date.now() + Math.min(limits.renderPageMs * (1 + job.pages.length), MAX_DRAW_MS);
  const outcome = await slot.run({ job, until: () => until, signal: undefined });
  return { lines: await readLines<PagesLine>(job.results), isMachineFault: isKilledFromOutside(outcome) };
}
