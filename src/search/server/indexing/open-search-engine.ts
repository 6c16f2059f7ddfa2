import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Db } from '../../../platform/db/client.ts';
import type { Log } from '../../../platform/log.ts';
import type { Change } from '../../engine/document.ts';
import { openEnginePool } from '../../engine/engine-pool.ts';
import { viewSegment } from '../../engine/layout.ts';
import type { Query, Result, SearchIndex } from '../../engine/query.ts';
import { loadSnapshot } from '../../engine/snapshot.ts';
import type { BuildOrder, Built } from './build-thread.ts';
import { createEngineFeed, type EngineFeed } from './engine-feed.ts';
import { selectHorizon, selectLineage } from './store-feed.ts';
import { upsertNode, deleteNode, selectRebuildMark } from './store-nodes.ts';

/** The read model of one node, kept current from PostgreSQL. Until it is ready, and while it is behind, it answers null. */
export type SearchEngine = SearchIndex & {
  /** When the first main segment answers. */
  whenReady(): Promise<void>;
  /** Reads what has changed by now; done when later searches see it. */
  refresh(): Promise<void>;
  stats(): { isReady: boolean; documents: number; changes: number };
  close(): Promise<void>;
};

export type EngineOptions = {
  db: Db;
  /** Of the same database: a rebuild reads it in a thread of its own. */
  url: string;
  /** The snapshot file. */
  path: string;
  threads: number;
  log: Log;
};

/** Well within the promise of a second. Asking costs a tenth of a millisecond; a LISTEN would need a session of its own. */
const LOOK_EVERY_MS = 300;
/** Behind for longer (the database away, a look that fails): it is asked itself. */
const STALE_MS = 3_000;
const TELL_EVERY_MS = 2_000;
const RETRY_MS = 5_000;
/** The delta is merged from this share of the main segment on, and never for a handful. */
const MERGE_SHARE = 0.02;
const MERGE_FROM = 2_000;
/** Answers kept between two changes: some kilobytes each at most. */
const ANSWERS = 1_000;

export function openSearchEngine({ db, url, path, threads, log }: EngineOptions): SearchEngine {
  const pool = openEnginePool({ threads, onLost: (reason) => log.error({ reason }, 'search thread lost') });
  const ending = new AbortController();
  const ready = Promise.withResolvers<void>();
  let lineage = '';
  let feed: EngineFeed | null = null;
  let main: SharedArrayBuffer | null = null;
  let currentAt = -Infinity;
  let isBuilding = false;
  let isRebuildDue = false;
  // Which request to build anew the index holds, and what was last said of it (store-nodes.ts).
  let rebuiltIn: string | null = null;
  let toldAt = -Infinity;
  const node = `${hostname()}/${process.pid}/${randomUUID()}`;
  let looking: Promise<void> = Promise.resolve();

  function adopt(buffer: SharedArrayBuffer, known: ReadonlyMap<number, Change>): void {
    main = buffer;
    pool.adopt(buffer, known);
    answers = new Map();
  }

  function apply(changes: Change[]): void {
    pool.apply(changes);
    answers = new Map();
  }

  async function start(): Promise<void> {
    lineage = await selectLineage(db);
    const asked = await selectRebuildMark(db);
    const saved = loadSnapshot(path);
    const horizon = BigInt(await selectHorizon(db));
    if (saved && saved.lineage === lineage && BigInt(saved.horizon) <= horizon) {
      adopt(saved.buffer, new Map());
      feed = createEngineFeed(db, saved.horizon);
    } else await rebuild();
    await refresh();
    // Asked for before the snapshot: it is in it. After it: the look has found the request.
    if (!isRebuildDue) rebuiltIn = asked;
    ready.resolve();
  }

  /** That this node is here, and how far. Only `ceku search rebuild` wants to know: a failure is no matter. */
  async function tell(): Promise<void> {
    toldAt = performance.now();
    await upsertNode(db, node, rebuiltIn).catch((error: unknown) => log.warn({ error }, 'search node not listed'));
  }

  async function rebuild(): Promise<void> {
    const known = new Map(pool.changes());
    const asked = await selectRebuildMark(db);
    const made = await buildInThread({ kind: 'rebuild', url, path, lineage }, ending.signal);
    if (made.saveFailure) log.warn({ reason: made.saveFailure }, 'search snapshot not saved');
    adopt(made.buffer, known);
    feed ??= createEngineFeed(db, made.horizon);
    // Asked for again meanwhile: the next look says so, or has said so already.
    isRebuildDue = asked !== (await selectRebuildMark(db));
    rebuiltIn = asked;
    await tell();
  }

  async function merge(): Promise<void> {
    if (!main || !feed) return;
    const known = new Map(pool.changes());
    const order: BuildOrder = {
      kind: 'merge',
      main,
      changes: [...known.values()],
      horizon: feed.horizon(),
      path,
      lineage,
    };
    const made = await buildInThread(order, ending.signal);
    if (made.saveFailure) log.warn({ reason: made.saveFailure }, 'search snapshot not saved');
    adopt(made.buffer, known);
  }

  /** One look at a time; whoever asks while one is under way waits for the next. */
  function refresh(): Promise<void> {
    looking = looking.catch(() => undefined).then(look);
    return looking;
  }

  async function look(): Promise<void> {
    if (!feed || !main) return;
    const startedAt = performance.now();
    const { isAll } = await feed.read(apply);
    currentAt = startedAt;
    isRebuildDue ||= isAll;
    if (isRebuildDue) build(rebuild);
    else if (pool.changes().size > Math.max(MERGE_FROM, viewSegment(main).counts.documents * MERGE_SHARE)) build(merge);
  }

  /** Beside everything else, one at a time; a failure is tried again a little later. */
  function build(work: () => Promise<void>): void {
    if (isBuilding) return;
    isBuilding = true;
    work()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error({ error }, 'search index not built');
        return wait(RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      })
      .finally(() => (isBuilding = false));
  }

  async function live(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await (feed ? refresh() : start());
        if (performance.now() - toldAt > TELL_EVERY_MS) await tell();
        await wait(LOOK_EVERY_MS, undefined, { signal: ending.signal, ref: false });
      } catch (error) {
        if (ending.signal.aborted) return;
        log.warn({ error }, 'search index is behind');
        await wait(feed ? LOOK_EVERY_MS : RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      }
    }
  }

  // Everybody asks for the hot words. What was answered stays true until the next change reaches the threads.
  let answers = new Map<string, Promise<Result>>();
  function ask(query: Query): Promise<Result> {
    const key = JSON.stringify(query);
    const known = answers.get(key);
    if (known) return known;
    const answer = pool.search(query);
    // A failure is nobody's but that query's.
    answer.catch(() => answers.delete(key));
    if (answers.size >= ANSWERS) answers = new Map();
    answers.set(key, answer);
    return answer;
  }

  const living = live();

  return {
    async search(query) {
      const isCurrent = main !== null && performance.now() - currentAt < STALE_MS;
      return isCurrent ? ask(query) : null;
    },
    whenReady: () => ready.promise,
    refresh,
    stats: () => ({
      isReady: main !== null,
      documents: main ? viewSegment(main).counts.documents : 0,
      changes: pool.changes().size,
    }),
    async close() {
      ending.abort();
      await living;
      await looking.catch(() => undefined);
      await pool.close();
      await deleteNode(db, node).catch(() => undefined);
    },
  };
}

/** Has a main segment made in a thread of its own. Throws what the thread failed with. */
function buildInThread(order: BuildOrder, signal: AbortSignal): Promise<Built> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: order, execArgv: [] });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    // Under `node --watch` a thread also reports what it loads, on the same channel and before anything of ours.
    worker.on('message', (message: Partial<Built>) => {
      const { buffer, horizon, saveFailure = null } = message;
      if (buffer && horizon !== undefined) resolve({ buffer, horizon, saveFailure });
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`the build thread ended with ${code}`));
    });
    // A process that has nothing else to do need not wait for it.
    worker.unref();
  });
}
