import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ingestLimits as limits } from '../rules.ts';
import type { CutJob } from './deck-charts/cut-charts.ts';
import type { ReadJob } from './read-apart.ts';
import type { FigureJob } from './deck-charts/extract-pdf-charts.ts';
import type { RenderBeat, RenderJob, RenderLine, RenderRest } from './render-job.ts';
import { runChild, type ChildControls } from './run-child.ts';
import { watchUsage } from './watch-usage.ts';

const CHILD = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/** A child is replaced after so much or so long: what strangers' files do to it goes with it. */
const MOST_DOCUMENTS = 40;
const MOST_BYTES = 320 * 1024 * 1024;
const MOST_MS = 10 * 60_000;
const IDLE_MS = 3_000;

export type RenderOrder = {
  job: RenderJob | CutJob | FigureJob | ReadJob;
  /** Holds the order itself. */
  folder: string;
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
  controls: ChildControls;
  ended: Promise<unknown>;
  isGone: boolean;
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
    child?.controls.kill();
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
      mine.controls.work();
      mine.documents++;
      const end = await runOrder(mine, order);
      if (mine.isGone) child = null;
      else {
        mine.controls.rest();
        idle = setTimeout(close, IDLE_MS).unref();
      }
      return end;
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
  const { job, folder, until, signal } = order;
  const pdf = job.pdf === null ? null : await stat(job.pdf).catch(() => null);
  const jobFile = join(folder, 'job.json');
  await writeFile(jobFile, JSON.stringify(job));
  await writeFile(job.results, '');
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
  return { lastPage, timedOut, tookTooMuch };
}

function startChild(): Promise<Living> {
  return new Promise((resolve, reject) => {
    let born: Living | undefined;
    const ended = runChild({
      command: process.execPath,
      args: ['--max-old-space-size=1024', '--max-semi-space-size=4', CHILD],
      cwd: '/',
      env: {
        PATH: '/usr/bin:/bin',
        HOME: '/nonexistent',
        TMPDIR: tmpdir(),
        NODE_NO_WARNINGS: '1',
        MALLOC_ARENA_MAX: '2',
      },
      // A last resort: the heartbeats are watched more closely.
      limits: { wallMs: MOST_MS * 2, cpuSeconds: (MOST_MS * 2) / 1_000, fileBytes: limits.convertFileBytes },
      onStart: (controls) => {
        born = {
          controls,
          ended: Promise.resolve(),
          isGone: false,
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
