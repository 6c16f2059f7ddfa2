import { hash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createBurstLog } from '../../../platform/burst-log.ts';
import { isDiskFull, type Db } from '../../../platform/db/client.ts';
import type { Log } from '../../../platform/log.ts';
import type { Change } from '../../engine/format/document.ts';
import { openEnginePool } from '../../engine/engine-pool.ts';
import { viewSegment } from '../../engine/format/layout.ts';
import { closeStore, type MainSegment } from '../../engine/format/page-store.ts';
import type { Gathered } from '../../engine/match/gather.ts';
import type { Result, SearchIndex } from '../../engine/match/query.ts';
import { startThread } from '../../../platform/processes.ts';
import type { BuildTask, BuildResult } from './build-thread.ts';
import { createEngineFeed, type EngineFeed } from './engine-feed.ts';
import { countTextChanges, selectHorizon, selectLineage } from './store-feed.ts';
import { upsertNode, deleteNode, selectRebuildMark } from './store-nodes.ts';

/**
 * The search index of one node, kept current from PostgreSQL. Searches get null until the index is ready, and while it lags behind the database.
 * One exception: while the index is rebuilt at the start for the first time, the saved index answers, if the changes that it lacks are no more than the documents that it holds.
 */
export type SearchEngine = SearchIndex & {
  /** Resolves when the first main segment is loaded. */
  whenReady(): Promise<void>;
  /** Applies all changes up to now; later searches see them. */
  refresh(): Promise<void>;
  stats(): { isReady: boolean; documents: number; changes: number };
  close(): Promise<void>;
};

type EngineOptions = {
  db: Db;
  /** URL of the same database: a rebuild reads it in a thread. */
  url: string;
  /** Path of the snapshot file. */
  path: string;
  threads: number;
  log: Log;
};

/** Changes are promised within a second. A poll costs a tenth of a millisecond; LISTEN would occupy a connection. */
const POLL_MS = 300;
/** When the last successful poll is older, searches go to the database. */
const STALE_MS = 3_000;
const HEARTBEAT_MS = 2_000;
const RETRY_MS = 5_000;
/** The delta is merged when it exceeds this share of the main segment, and this number of documents. */
const MERGE_SHARE = 0.02;
const MERGE_FROM = 2_000;
/**
 * A snapshot that lacks more than this share of its documents, and this number, is not brought up to date: the site would tokenize them in its own
 * thread, while a rebuild reads all documents in another one.
 */
const REBUILD_SHARE = 0.2;
const REBUILD_FROM = 2_000;
/** Answers that are cached between two changes: some kilobytes each at most. */
const MAX_ANSWERS = 1_000;
/** Gathered decks that are cached between two changes: about 90 KB each at most. */
const MAX_GATHERED = 100;

/** Answers by their questions. */
type Cache<T> = Map<string, Promise<T>>;

export function openSearchEngine({ db, url, path, threads, log }: EngineOptions): SearchEngine {
  const pool = openEnginePool({ threads, onLost: (reason) => log.error({ reason }, 'search thread lost') });
  const ending = new AbortController();
  const ready = Promise.withResolvers<void>();
  let lineage = '';
  // After a lost connection another server may answer, with another history.
  let isLineageKnown = true;
  let feed: EngineFeed | null = null;
  let main: MainSegment | null = null;
  let currentAt = -Infinity;
  let building: Promise<void> | null = null;
  let isRebuildDue = false;
  // While the index is rebuilt at the start: PostgreSQL alone answers a few searches a second.
  let servesStaleSnapshot = false;
  // Nobody knows then how long the saved index would go on: PostgreSQL answers.
  let hasRebuildFailed = false;
  // The rebuild request that the index includes, and the time of the last heartbeat (store-nodes.ts).
  let rebuiltIn: string | null = null;
  let heartbeatAt = -Infinity;
  const node = `${hostname()}/${process.pid}/${randomUUID()}`;
  let polling: Promise<void> = Promise.resolve();

  function adopt(segment: MainSegment, known: ReadonlyMap<number, Change>): void {
    try {
      pool.adopt(segment, known);
    } catch (error) {
      closeStore(segment.pages);
      throw error;
    }
    main = segment;
    invalidate();
  }

  function apply(changes: Change[]): void {
    pool.apply(changes);
    invalidate();
  }

  async function start(): Promise<void> {
    lineage = await selectLineage(db);
    const asked = await selectRebuildMark(db);
    const saved = await buildInThread({ kind: 'load', path, lineage }, ending.signal);
    const horizon = BigInt(await selectHorizon(db));
    const lag = saved && BigInt(saved.horizon) <= horizon ? await lagOf(saved) : 'useless';
    if (saved && lag !== 'useless') adopt(saved.segment, new Map());
    else if (saved) closeStore(saved.segment.pages);
    if (saved && lag === 'small') feed = createEngineFeed(db, saved.horizon);
    else {
      servesStaleSnapshot = lag === 'large' && !hasRebuildFailed;
      await rebuild().catch((error: unknown) => {
        hasRebuildFailed = true;
        servesStaleSnapshot = false;
        throw error;
      });
    }
    await refresh().finally(() => (servesStaleSnapshot = false));
    // A request from before the snapshot is included in it; a later request was found by refresh().
    if (!isRebuildDue) rebuiltIn = asked;
    ready.resolve();
  }

  /** Tells how far a saved index is behind: `small` is caught up with, `large` is rebuilt while the saved one answers, `useless` is rebuilt. */
  async function lagOf({ segment, horizon }: NonNullable<BuildResult>): Promise<'small' | 'large' | 'useless'> {
    const { documents } = viewSegment(segment.buffer).counts;
    const changed = await countTextChanges(db, horizon);
    if (changed <= Math.max(REBUILD_FROM, documents * REBUILD_SHARE)) return 'small';
    return changed <= documents ? 'large' : 'useless';
  }

  /** Records that this node runs, and which rebuild it includes. Only `ceku search rebuild` reads this, so a failure is logged and ignored. */
  async function sendHeartbeat(): Promise<void> {
    heartbeatAt = performance.now();
    await upsertNode(db, node, rebuiltIn).catch((error: unknown) => log.warn({ error }, 'search node not listed'));
  }

  /** Builds a main segment, and logs when it could not be saved. */
  async function make(order: Exclude<BuildTask, { kind: 'load' }>): Promise<NonNullable<BuildResult>> {
    const made = await buildInThread(order, ending.signal);
    if (!made) throw new Error('nothing was built');
    if (made.saveFailure) log.warn({ reason: made.saveFailure }, 'search snapshot not saved');
    return made;
  }

  async function rebuild(): Promise<void> {
    // Polls go on during the build, and may find another request.
    isRebuildDue = false;
    try {
      const known = new Map(pool.changes());
      lineage = await selectLineage(db);
      const asked = await selectRebuildMark(db);
      const made = await make({ kind: 'rebuild', url, path, lineage });
      adopt(made.segment, known);
      feed ??= createEngineFeed(db, made.horizon);
      rebuiltIn = asked;
      isRebuildDue ||= asked !== (await selectRebuildMark(db));
    } catch (error) {
      isRebuildDue = true;
      throw error;
    }
    await sendHeartbeat();
  }

  async function merge(): Promise<void> {
    if (!main || !feed) return;
    const known = new Map(pool.changes());
    const made = await make({
      kind: 'merge',
      main,
      // New facts stand in the main segment already.
      changes: [...known.values()].filter((change) => 'document' in change),
      horizon: feed.horizon(),
      path,
      lineage,
    });
    adopt(made.segment, known);
  }

  /** Polls run one after the other; a call during a poll waits for the next one. */
  function refresh(): Promise<void> {
    polling = polling.catch(() => undefined).then(poll);
    return polling;
  }

  async function poll(): Promise<void> {
    if (!feed || !main) return;
    const startedAt = performance.now();
    const { isAll } = await feed.read({ apply, canTakeFacts: pool.canTakeFacts });
    // The feed names the request once: it is noted before anything else can fail.
    isRebuildDue ||= isAll;
    if (!isLineageKnown) {
      isRebuildDue ||= lineage !== (await selectLineage(db));
      isLineageKnown = true;
    }
    currentAt = startedAt;
    if (isRebuildDue) build(rebuild);
    else if (pool.changes().size > Math.max(MERGE_FROM, viewSegment(main.buffer).counts.documents * MERGE_SHARE))
      build(merge);
  }

  /** Runs one build at a time in the background; after a failure the next poll tries again. */
  function build(work: () => Promise<void>): void {
    building ??= work()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error({ error }, 'search index not built');
        return wait(RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      })
      .finally(() => (building = null));
  }

  const logBehind = createBurstLog();
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await (feed ? refresh() : start());
        if (performance.now() - heartbeatAt > HEARTBEAT_MS) await sendHeartbeat();
        await wait(POLL_MS, undefined, { signal: ending.signal, ref: false });
      } catch (error) {
        if (ending.signal.aborted) return;
        isLineageKnown = false;
        const facts = isDiskFull(error)
          ? { reason: 'the disk of the database or of the data folder is full' }
          : { error };
        logBehind((times) => log.warn({ ...facts, times }, 'search index is behind'));
        await wait(feed ? POLL_MS : RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      }
    }
  }

  // Cached answers stay correct until the next change reaches the threads.
  const answers: Cache<Result> = new Map();
  const gathered: Cache<Gathered> = new Map();
  let version = 0;
  function invalidate(): void {
    answers.clear();
    gathered.clear();
    version++;
  }

  const isCurrent = () => main !== null && (servesStaleSnapshot || performance.now() - currentAt < STALE_MS);

  async function cached<T>(cache: Cache<T>, max: number, query: object, search: () => Promise<T>): Promise<T | null> {
    if (!isCurrent()) return null;
    // Hashed, because a query may name thousands of documents that are no hits.
    const key = hash('sha256', JSON.stringify(query), 'base64');
    const known = cache.get(key);
    if (known) return known;
    const answer = search();
    // Failures are not cached.
    answer.catch(() => cache.get(key) === answer && cache.delete(key));
    if (cache.size >= max) cache.clear();
    cache.set(key, answer);
    return answer;
  }

  const running = run();

  return {
    search: (query) => cached(answers, MAX_ANSWERS, query, () => pool.search(query)),
    gather: (query) => cached(gathered, MAX_GATHERED, query, () => pool.gather(query)),
    significant: (id) => pool.significant(id),
    version: () => (isCurrent() ? version : null),
    whenReady: () => ready.promise,
    refresh,
    stats: () => ({
      isReady: main !== null,
      documents: main ? viewSegment(main.buffer).counts.documents : 0,
      changes: pool.changes().size,
    }),
    async close() {
      ending.abort();
      await running;
      await polling.catch(() => undefined);
      // A merge reads the file that the pool closes.
      await building;
      await pool.close();
      await deleteNode(db, node).catch(() => undefined);
    },
  };
}

const BUILD_PROGRAM = new URL('./build-thread.ts', import.meta.url);

/** Loads or builds a main segment in a thread. Throws the error of the thread. */
function buildInThread(order: BuildTask, signal: AbortSignal): Promise<BuildResult> {
  return new Promise((resolve, reject) => {
    const worker = startThread<BuildResult>(BUILD_PROGRAM, order, resolve);
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`the build thread ended with ${code}`));
    });
  });
}
