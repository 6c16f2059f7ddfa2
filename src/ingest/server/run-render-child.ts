import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ingestLimits as limits } from '../rules.ts';
import type { CutJob } from './deck-charts/cut-charts.ts';
import type { ReadJob } from './read-apart.ts';
import type { FigureJob } from './deck-charts/extract-pdf-charts.ts';
import type { RenderBeat, RenderJob, RenderLine, RenderRest } from './render-job.ts';
import { copyIn, emptyBox } from './box-files.ts';
import { runChild, type ChildControls } from './run-child.ts';
import { openBox, sandboxed, type Box } from './sandbox.ts';
import { watchUsage } from './watch-usage.ts';

const CHILD = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/** A child is replaced after so much or so long: what strangers' files do to it goes with it. */
const MOST_DOCUMENTS = 40;
const MOST_BYTES = 320 * 1024 * 1024;
const MOST_MS = 10 * 60_000;
const IDLE_MS = 3_000;

type Job = RenderJob | CutJob | FigureJob | ReadJob;

/**
 * The files that the job names are copied into the child's box; what the child makes is moved to the folder of `results`, which must be
 * ours alone, and that of a job with an `outDir`.
 */
export type RenderOrder = {
  job: Job;
  /** When the document has had its time (epoch milliseconds), for its number of pages; 0 while they are not counted. */
  until: (pageCount: number) => number;
  signal: AbortSignal | undefined;
  onPage?: (beat: RenderBeat) => void;
};

/** `lastPage` is the page the child was at when it ended, died or was killed. */
export type RenderEnd = { lastPage: number; timedOut: boolean; tookTooMuch: boolean };

/** A place for one render child at a time: started when needed, kept warm, replaced when tired or dead. */
export type RenderSeat = { run(order: RenderOrder): Promise<RenderEnd>; close(): void };

type Living = {
  box: Box;
  controls: ChildControls;
  ended: Promise<unknown>;
  isGone: boolean;
  /** It has done what the renderer never does. */
  isStrange: boolean;
  documents: number;
  bytes: number;
  bornAt: number;
  hear: (message: RenderBeat | RenderRest) => void;
};

export function openRenderSeat(): RenderSeat {
  let child: Living | null = null;
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    if (child) void end(child);
    child = null;
  };
  return {
    close,
    async run(order) {
      clearTimeout(idle);
      if (order.signal?.aborted) return { lastPage: 0, timedOut: false, tookTooMuch: false };
      if (!child || child.isGone || isTired(child)) {
        close();
        child = await startChild();
      }
      const mine = child;
      // A stop while the child was being started: nobody listened for it yet.
      if (order.signal?.aborted) {
        close();
        return { lastPage: 0, timedOut: false, tookTooMuch: false };
      }
      mine.controls.work();
      mine.documents++;
      const ending = await runOrder(mine, order);
      if (mine.isGone || mine.isStrange) close();
      else {
        mine.controls.rest();
        idle = setTimeout(close, IDLE_MS).unref();
      }
      return ending;
    },
  };
}

/** One job in a child of its own. */
export async function runRenderChild(order: RenderOrder): Promise<RenderEnd> {
  const seat = openRenderSeat();
  try {
    return await seat.run(order);
  } finally {
    seat.close();
  }
}

function isTired(child: Living): boolean {
  const { documents, bytes, bornAt } = child;
  return documents >= MOST_DOCUMENTS || bytes > MOST_BYTES || Date.now() - bornAt > MOST_MS;
}

async function runOrder(child: Living, order: RenderOrder): Promise<RenderEnd> {
  const { job, until, signal } = order;
  const pdf = job.pdf === null ? null : await stat(job.pdf).catch(() => null);
  const jobFile = join(child.box.in, 'job.json');
  await writeFile(jobFile, JSON.stringify(await copyJobIn(child.box, job)), { mode: 0o644 });
  let lastPage = 0;
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;
  const watch = ({ page, pageCount }: RenderBeat) => {
    clearTimeout(timer);
    // Opening reads the whole file and starts the renderer.
    const stepMs = page === 0 ? limits.renderPageMs * 2 : limits.renderPageMs;
    timer = setTimeout(
      () => {
        timedOut = true;
        child.controls.kill();
      },
      Math.max(0, Math.min(stepMs, until(pageCount) - Date.now())),
    );
  };
  const kill = () => child.controls.kill();
  let tookTooMuch = false;
  const residentBytes = limits.renderResidentBytes + 2 * (pdf?.size ?? 0);
  const unwatch = watchUsage(child.controls.pid, { residentBytes }, () => {
    tookTooMuch = true;
    kill();
  });
  signal?.addEventListener('abort', kill, { once: true });
  const rested = new Promise<void>((resolve) => {
    child.hear = (message) => {
      if ('restingBytes' in message) {
        child.bytes = message.restingBytes;
        return resolve();
      }
      lastPage = message.page;
      watch(message);
      order.onPage?.(message);
    };
  });
  watch({ page: 0, pageCount: 0 });
  child.controls.send({ jobFile });
  await Promise.race([rested, child.ended]);
  clearTimeout(timer);
  unwatch();
  signal?.removeEventListener('abort', kill);
  await collectResults(child, job);
  return { lastPage, timedOut, tookTooMuch };
}

const RESULTS = 'results.jsonl';

/** The job as the child gets it: with copies in the box in the place of our paths. */
async function copyJobIn(box: Box, job: Job): Promise<Job> {
  const copy = (path: string, name: string) => copyIn(box, path, name);
  const copyIfAny = async (path: string | null, name: string) => (path === null ? null : copy(path, name));
  const results = join(box.out, RESULTS);
  if ('read' in job) return { ...job, deck: await copy(job.deck, 'deck'), results };
  if ('figures' in job) return { ...job, pdf: await copy(job.pdf, 'deck.pdf'), results };
  if ('frames' in job) return { ...job, pdf: await copy(job.pdf, 'deck.pdf'), outDir: box.out, results };
  const { pdfIs, ...rest } = job;
  const drawn: Record<string, string> = {};
  for (const [page, picture] of Object.entries(job.drawn)) drawn[page] = await copy(picture, `drawn-${Number(page)}`);
  return {
    ...rest,
    pdf: job.pdf === null ? null : await copyIn(box, job.pdf, 'deck.pdf', pdfIs),
    picture: await copyIfAny(job.picture, 'picture'),
    mark: await copyIfAny(job.mark, 'mark'),
    drawn,
    outDir: box.out,
    results,
  };
}

/** More than the text and the words of the largest file. */
const MAX_RESULTS_BYTES = 256 * 1024 * 1024;

async function collectResults(child: Living, job: Job): Promise<void> {
  const { box } = child;
  const folder = 'outDir' in job ? job.outDir : dirname(job.results);
  child.isStrange = !(await emptyBox(box, folder));
  const taken = join(folder, RESULTS);
  const size = await stat(taken).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > MAX_RESULTS_BYTES) await writeFile(taken, '');
  if (size > 0 && 'outDir' in job) await writeFile(taken, inFolder(await readFile(taken, 'utf8'), box.out, folder));
  if (taken !== job.results) await rename(taken, job.results);
}

/** What a stranger's file says: it may look like a path, and is none. */
const WORDS = new Set(['text', 'title', 'alt', 'detail', 'words', 'wide', 'head', 'items']);

/**
 * Result lines with the paths of the files where they lie now. A line with a path that leads anywhere else is left out: whoever reads
 * it opens that file as the site's user.
 */
function inFolder(text: string, out: string, folder: string): string {
  const moved: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      moved.push(`${JSON.stringify(movePaths(JSON.parse(line)))}\n`);
    } catch {
      // Cut by a kill or a full disk, or a path that was refused.
    }
  }
  return moved.join('');

  function movePaths(value: unknown): unknown {
    if (typeof value === 'string') return value.startsWith('/') ? movePath(value) : value;
    if (Array.isArray(value)) return value.map(movePaths);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, WORDS.has(key) ? one : movePaths(one)]));
  }
  function movePath(path: string): string {
    const name = basename(path);
    if (path !== join(out, name) || !/^\w[\w.-]*$/.test(name)) throw new Error('a path outside the box');
    return join(folder, name);
  }
}

/** Kills a child and removes its box when it is gone. */
async function end({ box, controls, ended }: Living): Promise<void> {
  controls.kill();
  await ended;
  await rm(box.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  boxes.delete(box);
}

const boxes = new Set<Box>();
/** A process that ends takes the boxes of its idle children along. Folder by folder: a child may still be there, and lay links. */
process.on('exit', () => {
  for (const { folder, in: given, out } of boxes) {
    for (const part of [given, out, folder]) removeFiles(part);
    for (const part of [given, out, join(folder, 'root'), folder]) removeFolder(part);
  }
});

function removeFiles(folder: string): void {
  try {
    for (const file of readdirSync(folder, { withFileTypes: true }))
      if (!file.isDirectory()) unlinkSync(join(folder, file.name));
  } catch {
    // The next start sweeps what is left.
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Likewise.
  }
}

async function startChild(): Promise<Living> {
  const box = await openBox();
  boxes.add(box);
  try {
    const node: [string, ...string[]] = [
      process.execPath,
      '--max-old-space-size=1024',
      '--max-semi-space-size=4',
      CHILD,
    ];
    return await startIn(box, await sandboxed(box, node));
  } catch (error) {
    await rm(box.folder, { recursive: true, force: true });
    boxes.delete(box);
    throw error;
  }
}

function startIn(box: Box, [command, ...args]: [string, ...string[]]): Promise<Living> {
  return new Promise((resolve, reject) => {
    let born: Living | undefined;
    const ended = runChild({
      command,
      args,
      cwd: '/',
      env: {
        PATH: '/usr/bin:/bin',
        HOME: '/nonexistent',
        TMPDIR: '/tmp',
        NODE_NO_WARNINGS: '1',
        MALLOC_ARENA_MAX: '2',
      },
      // A last resort: the heartbeats are watched more closely.
      limits: { wallMs: MOST_MS * 2, cpuSeconds: (MOST_MS * 2) / 1_000, fileBytes: limits.convertFileBytes },
      onStart: (controls) => {
        born = {
          box,
          controls,
          ended: Promise.resolve(),
          isGone: false,
          isStrange: false,
          documents: 0,
          bytes: 0,
          bornAt: Date.now(),
          hear: () => {},
        };
      },
      // Our own child sends nothing else.
      onMessage: (message) => born?.hear(message as RenderBeat | RenderRest),
    });
    if (!born) return void ended.then(() => reject(new Error('the renderer could not be started')), reject);
    const living = born;
    living.ended = ended.then(
      () => void (living.isGone = true),
      (error: unknown) => {
        living.isGone = true;
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
    resolve(living);
  });
}

/** The whole lines of a results file; one cut by a kill or by a full disk is left out. */
export async function readResults(results: string): Promise<RenderLine[]> {
  const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
  // Written by `render-child.ts`, one object a line.
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as RenderLine];
    } catch {
      return [];
    }
  });
}
