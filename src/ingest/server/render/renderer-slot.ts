import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ingestLimits as limits } from '../../rules.ts';
import type { ChildIdle, ChildJob, ChildProgress, RenderLine } from './child-jobs.ts';
import { CHILD_PROGRAM, openBox, sandboxed, type Box } from '../sandbox/sandbox.ts';
import { copyIn, emptyBox } from '../sandbox/box-files.ts';
import { runChild, type ChildControls } from '../sandbox/run-child.ts';
import { watchUsage } from '../sandbox/watch-usage.ts';
import { CHILD_FLAGS, findChildCache } from './child-cache.ts';

/**
 * A child is replaced after this many jobs, this much memory or this long, so that damage by a hostile file does not last. Preparing a
 * deck takes two to four jobs.
 */
const MAX_JOBS = 120;
const MAX_BYTES = 320 * 1024 * 1024;
const MAX_AGE_MS = 10 * 60_000;
const IDLE_MS = 3_000;

/**
 * `idleMs`: how long a child without work is kept. `niceness`: how much processor time the child leaves to others, 0 to
 * 19; children that prepare files have the default of `runChild`.
 */
type SlotOptions = { idleMs?: number; niceness?: number };

/**
 * The files that the job names are copied into the child's box. The files that the child makes are moved to the folder of `results`,
 * which nobody else may write to, and to the `outDir` of the job.
 */
type ChildRequest = {
  job: ChildJob;
  /** Returns the time (epoch milliseconds) at which the job must end. `pageCount` is 0 while the pages are not counted. */
  until: (pageCount: number) => number;
  /** Time limit of one page in milliseconds; `ingestLimits.renderPageMs` by default. */
  pageMs?: number;
  signal: AbortSignal | undefined;
};

/**
 * `hasBegun`: the child reported that it works on the job; a child that could not be started fully, as without memory, ends before.
 * `lastPage`: the page that the child worked on when it finished, died or was killed; `killedBy`: the signal that ended the child, null
 * for a child that finished or exited.
 */
type ChildOutcome = {
  hasBegun: boolean;
  lastPage: number;
  timedOut: boolean;
  tookTooMuch: boolean;
  killedBy: NodeJS.Signals | null;
};

const CRASHES = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** Whether a file made its child crash. Other signals, as SIGKILL when memory is short, come from outside. */
export const isCrash = (signal: NodeJS.Signals | null): boolean => signal !== null && CRASHES.has(signal);

/** The kernel sends these to a child at the limits of processor time and of a file's size, which `runChild` sets. */
const LIMITS = new Set<NodeJS.Signals>(['SIGXCPU', 'SIGXFSZ']);

/** Whether a child was ended from outside, which says nothing about the file that it worked on. */
export const isKilledFromOutside = ({ killedBy, timedOut, tookTooMuch }: ChildOutcome): boolean =>
  killedBy !== null && !isCrash(killedBy) && !LIMITS.has(killedBy) && !timedOut && !tookTooMuch;

/** A child was ended from outside, or before it began to work. That says nothing about the file: the work is tried again. */
export class ChildLost extends Error {}

/** Throws ChildLost when the child ended before it began or was ended from outside. `did` tells the message what the child does, like "reads the slides". */
export function failIfLost(outcome: ChildOutcome, did: string): void {
  if (outcome.hasBegun && !isKilledFromOutside(outcome)) return;
  throw new ChildLost(`the child that ${did} ended by ${outcome.killedBy ?? 'itself'}`);
}

/** Holds one render child: started when a job comes, kept warm between jobs, replaced when it is worn or dead. */
export type RendererSlot = {
  run(request: ChildRequest): Promise<ChildOutcome>;
  /** Starts the child that the next job needs, unless a fit one is there. Not for the time of a job. Never rejects. */
  warm(): Promise<void>;
  close(): void;
};

type RunningChild = {
  box: Box;
  controls: ChildControls;
  ended: Promise<NodeJS.Signals | null>;
  isGone: boolean;
  /**
   * The child left a link or a folder in its box, which the renderer never makes: a hostile file may control the child.
   */
  isCompromised: boolean;
  jobs: number;
  bytes: number;
  startedAt: number;
  onMessage: (message: ChildProgress | ChildIdle) => void;
};

export function openRendererSlot({ idleMs = IDLE_MS, niceness }: SlotOptions = {}): RendererSlot {
  let child: RunningChild | null = null;
  let starting: Promise<void> | null = null;
  let closings = 0;
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    closings += 1;
    clearTimeout(idle);
    if (child) void end(child);
    child = null;
  };
  const start = async () => {
    const closingsBefore = closings;
    const started = await startChild(niceness);
    // The slot was closed while the child started: nobody would end it.
    if (closings > closingsBefore) void end(started);
    else child = started;
  };
  const startIdleTimer = ({ controls }: RunningChild) => {
    controls.idle();
    idle = setTimeout(close, idleMs).unref();
  };
  return {
    close,
    async warm() {
      if (starting || (child && !child.isGone && !isWorn(child))) return starting ?? undefined;
      close();
      // A child that cannot be started fails the job that needs it.
      starting = start()
        .then(() => void (child && startIdleTimer(child)))
        .catch(() => undefined)
        .finally(() => void (starting = null));
      return starting;
    },
    async run(request) {
      // Before the timer is cleared: a job that does nothing leaves a waiting child to it.
      if (request.signal?.aborted) return withoutResults(request.job);
      clearTimeout(idle);
      await starting;
      clearTimeout(idle);
      if (!child || child.isGone || isWorn(child)) {
        close();
        child = await startChild(niceness);
      }
      const mine = child;
      // The signal was aborted while the child started, when nobody listened to it.
      if (request.signal?.aborted) {
        close();
        return withoutResults(request.job);
      }
      mine.controls.work();
      mine.jobs++;
      const ending = await runJob(mine, request).catch((error: unknown) => {
        // Files could not be copied in or out, as on a full disk: the child and its box hold what was copied.
        close();
        throw error;
      });
      if (mine.isGone || mine.isCompromised) close();
      else startIdleTimer(mine);
      return ending;
    },
  };
}

/** Ends a job whose signal was aborted before its child began. Leaves an empty results file, as a stopped job does. */
async function withoutResults({ results }: ChildJob): Promise<ChildOutcome> {
  await writeFile(results, '');
  return { hasBegun: false, lastPage: 0, timedOut: false, tookTooMuch: false, killedBy: null };
}

/** Runs one job in a child of its own, which ends with the job. */
export async function runRenderChild(request: ChildRequest): Promise<ChildOutcome> {
  const slot = openRendererSlot();
  try {
    return await slot.run(request);
  } finally {
    slot.close();
  }
}

function isWorn(child: RunningChild): boolean {
  const { jobs, bytes, startedAt } = child;
  return jobs >= MAX_JOBS || bytes > MAX_BYTES || Date.now() - startedAt > MAX_AGE_MS;
}

async function runJob(child: RunningChild, request: ChildRequest): Promise<ChildOutcome> {
  const { job, until, signal, pageMs = limits.renderPageMs } = request;
  const path = 'deck' in job ? null : job.pdf;
  const pdf = path === null ? null : await stat(path).catch(() => null);
  const jobFile = join(child.box.in, 'job.json');
  await writeFile(jobFile, JSON.stringify(await copyJobIn(child.box, job)), { mode: 0o644 });
  let hasBegun = false;
  let lastPage = 0;
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;
  // Time in which the child waits for a processor is not counted.
  let waitedMs = 0;
  const watch = ({ page, pageCount }: ChildProgress) => {
    clearTimeout(timer);
    const [startedAt, waitedBefore] = [Date.now(), waitedMs];
    // Opening includes starting PDFium and reading the whole file.
    const stepMs = page === 0 ? Math.max(pageMs, limits.renderPageMs) * 2 : pageMs;
    const limitMs = Math.max(0, Math.min(stepMs, until(pageCount) + waitedBefore - startedAt));
    timer = setTimeout(function end() {
      const extraMs = Math.min(waitedMs - waitedBefore, limitMs * (limits.renderBusyFactor - 1));
      const leftMs = startedAt + limitMs + extraMs - Date.now();
      if (leftMs > 1) {
        timer = setTimeout(end, leftMs);
        return;
      }
      timedOut = true;
      child.controls.kill();
    }, limitMs);
  };
  const kill = () => child.controls.kill();
  let tookTooMuch = false;
  const residentBytes = limits.renderResidentBytes + 2 * (pdf?.size ?? 0);
  const onOveruse = () => {
    tookTooMuch = true;
    kill();
  };
  const unwatch = watchUsage(child.controls.pid, { residentBytes }, onOveruse, (totalMs) => (waitedMs = totalMs));
  signal?.addEventListener('abort', kill, { once: true });
  const finished = new Promise<null>((resolve) => {
    child.onMessage = (message) => {
      if ('residentBytes' in message) {
        child.bytes = message.residentBytes;
        return resolve(null);
      }
      hasBegun = true;
      lastPage = message.page;
      watch(message);
    };
  });
  watch({ page: 0, pageCount: 0 });
  child.controls.send({ jobFile });
  const killedBy = await Promise.race([finished, child.ended]);
  clearTimeout(timer);
  unwatch();
  signal?.removeEventListener('abort', kill);
  await collectResults(child, job);
  return { hasBegun, lastPage, timedOut, tookTooMuch, killedBy };
}

const RESULTS = 'results.jsonl';

/** Copies the files of the job into the box. Returns the job with the paths of the copies. */
async function copyJobIn(box: Box, job: ChildJob): Promise<ChildJob> {
  const copy = (path: string, name: string) => copyIn(box, path, name);
  const copyIfAny = async (path: string | null, name: string) => (path === null ? null : copy(path, name));
  const results = join(box.out, RESULTS);
  if (job.kind === 'read-deck') return { ...job, deck: await copy(job.deck, 'deck'), results };
  if (job.kind === 'fix-dates') return { ...job, deck: await copy(job.deck, 'deck'), outDir: box.out, results };
  if (job.kind === 'find-figures') return { ...job, pdf: await copy(job.pdf, 'deck.pdf'), results };
  if (job.kind === 'cut-charts') return { ...job, pdf: await copy(job.pdf, 'deck.pdf'), outDir: box.out, results };
  const drawn: Record<string, string> = {};
  for (const [page, picture] of Object.entries(job.drawn)) drawn[page] = await copy(picture, `drawn-${Number(page)}`);
  if (job.kind === 'draw-pages') {
    const [pdf, mark] = [await copy(job.pdf, 'deck.pdf'), await copyIfAny(job.mark, 'mark')];
    return { ...job, pdf, mark, drawn, outDir: box.out, results };
  }
  const { pdfIs, ...rest } = job;
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

async function collectResults(child: RunningChild, job: ChildJob): Promise<void> {
  const { box } = child;
  const folder = 'outDir' in job ? job.outDir : dirname(job.results);
  child.isCompromised = !(await emptyBox(box, folder));
  const taken = join(folder, RESULTS);
  const size = await stat(taken).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > MAX_RESULTS_BYTES) await writeFile(taken, '');
  if (size > 0 && 'outDir' in job) await writeFile(taken, inFolder(await readFile(taken, 'utf8'), box.out, folder));
  if (taken !== job.results) await rename(taken, job.results);
}

/** Fields of results that hold text of the untrusted file, which may look like a path. */
const WORDS = new Set(['text', 'title', 'alt', 'detail', 'words', 'wide', 'head', 'items']);

/**
 * Returns the result lines with the paths that the moved files have now. A line with a path outside the box is left
 * out, because the reader of the results opens the path as the site's user.
 */
function inFolder(text: string, out: string, folder: string): string {
  const moved: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      moved.push(`${JSON.stringify(movePaths(JSON.parse(line)))}\n`);
    } catch {
      // The line was cut by a kill or a full disk, or has a refused path.
    }
  }
  return moved.join('');

  function movePaths(value: unknown): unknown {
    if (typeof value === 'string') return value.startsWith('/') ? movePath(value) : value;
    if (Array.isArray(value)) return value.map(movePaths);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, WORDS.has(key) ? each : movePaths(each)]),
    );
  }
  function movePath(path: string): string {
    const name = basename(path);
    if (path !== join(out, name) || !/^\w[\w.-]*$/.test(name)) throw new Error('a path outside the box');
    return join(folder, name);
  }
}

/** Kills a child and removes its box. */
async function end({ box, controls, ended }: RunningChild): Promise<void> {
  controls.kill();
  await ended;
  await rm(box.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  boxes.delete(box);
}

const boxes = new Set<Box>();
/**
 * When the process exits, the boxes of its idle children are removed. Links are not followed: a child may still be
 * writing.
 */
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
    // sweepWorkFolders removes the rest at the next start.
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // sweepWorkFolders removes the rest at the next start.
  }
}

async function startChild(niceness: number | undefined): Promise<RunningChild> {
  const compiled = await findChildCache();
  const box = await openBox();
  boxes.add(box);
  try {
    return await startIn(
      box,
      await sandboxed(box, [process.execPath, ...CHILD_FLAGS, CHILD_PROGRAM]),
      compiled,
      niceness,
    );
  } catch (error) {
    await rm(box.folder, { recursive: true, force: true });
    boxes.delete(box);
    throw error;
  }
}

function startIn(
  box: Box,
  [command, ...args]: [string, ...string[]],
  compiled: string | null,
  niceness: number | undefined,
): Promise<RunningChild> {
  return new Promise((resolve, reject) => {
    let started: RunningChild | undefined;
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
        ...(compiled !== null && { NODE_COMPILE_CACHE: compiled }),
      },
      ...(niceness !== undefined && { niceness }),
      // A safety net: runJob ends a child much earlier.
      limits: { wallMs: MAX_AGE_MS * 2, cpuSeconds: (MAX_AGE_MS * 2) / 1_000, fileBytes: limits.convertFileBytes },
      onStart: (controls) => {
        started = {
          box,
          controls,
          ended: Promise.resolve(null),
          isGone: false,
          isCompromised: false,
          jobs: 0,
          bytes: 0,
          startedAt: Date.now(),
          onMessage: () => {},
        };
      },
      // Safe: render-child.ts sends nothing else.
      onMessage: (message) => started?.onMessage(message as ChildProgress | ChildIdle),
    });
    if (!started) return void ended.then(() => reject(new Error('the renderer could not be started')), reject);
    const living = started;
    living.ended = ended.then(
      ({ signal }) => {
        living.isGone = true;
        return signal;
      },
      (error: unknown) => {
        living.isGone = true;
        reject(error instanceof Error ? error : new Error(String(error)));
        return null;
      },
    );
    resolve(living);
  });
}

/** Returns the lines of the results of a RenderJob. */
export const readResults = (results: string): Promise<RenderLine[]> => readLines<RenderLine>(results);

/** Returns the complete lines of a results file. A line cut by a kill or a full disk is left out. */
export async function readLines<Line>(results: string): Promise<Line[]> {
  const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
  // Safe: `render-child.ts` writes one object a line, of the type that belongs to the job.
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
