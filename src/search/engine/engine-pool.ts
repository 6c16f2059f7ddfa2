import { Worker } from 'node:worker_threads';
import type { Change, DocumentFacts } from './format/document.ts';
import type { Asked, SearchThreadReply, SearchThreadRequest } from './search-thread.ts';
import { closeStore, type MainSegment } from './format/page-store.ts';
import { type DeckQuery, type Gathered, type GatheredPart, mergeParts } from './match/gather.ts';
import { emptySegment, openIndex } from './open-index.ts';
import { unpackDecks } from './match/packed-decks.ts';
import type { Query, Result } from './match/query.ts';

/**
 * Answers queries over one main segment. A cheap query runs in the calling thread, because sending it would take longer. An expensive
 * query goes to a search thread. Threads are started when first needed; a thread that dies is replaced, and its queries are repeated once.
 */
type EnginePool = {
  /** Throws EngineBusy when too many queries are waiting. */
  search(query: Query): Promise<Result>;
  /** Throws EngineBusy when too many queries are waiting. */
  gather(query: DeckQuery): Promise<Gathered>;
  apply(changes: Change[]): void;
  /** As of an index (open-index.ts). */
  canTakeFacts(facts: DocumentFacts): boolean;
  /** Returns the significant terms of a document, as a view of the index; empty when it is not searchable. */
  significant(id: number): Uint16Array;
  /** The latest change of each document that is not in the main segment. */
  changes(): ReadonlyMap<number, Change>;
  /**
   * Replaces the main segment. `segment` includes the changes of `known`, and no later ones. The pool closes its file when it is replaced in turn,
   * or with the pool. Throws when `segment` lacks the labels of later facts: the pool then keeps its main segment, and `segment` is the caller's.
   */
  adopt(segment: MainSegment, known: ReadonlyMap<number, Change>): void;
  close(): Promise<void>;
};

export class EngineBusy extends Error {}

type Waiting = {
  asked: Asked;
  askedAt: number;
  attempts: number;
  answer(result: Result | GatheredPart): void;
  fail(error: Error): void;
};
/** `replacedBy`: the number of the adoption after which it is not read. */
type Retired = { segment: MainSegment; replacedBy: number; readers: Set<Thread> };
type Thread = { worker: Worker; open: Map<number, Waiting> };

const MAX_WAITING = 1_000;
const ATTEMPTS = 2;
/** No query takes a hundredth of this time: a thread that does not answer within it hangs. */
const SILENCE_MS = 5_000;
/** Maximum effort (Prepared.effort) of a cheap query: about a millisecond, less than rendering a page. */
const QUICK_EFFORT = 200_000;

type PoolOptions = { threads: number; onLost(reason: string): void; quickEffort?: number };

export function openEnginePool({ threads: maxThreads, onLost, quickEffort = QUICK_EFFORT }: PoolOptions): EnginePool {
  const threads = new Set<Thread>();
  let main = emptySegment();
  let here = openIndex(main);
  // Changes that a new thread has to apply.
  let since = new Map<number, Change>();
  let nextId = 0;
  let adoptions = 0;
  /** Replaced segments, and the threads that may still read them. */
  const retired = new Set<Retired>();
  let isClosed = false;

  const watch = setInterval(endSilent, SILENCE_MS / 5);
  watch.unref();

  function start(): Thread {
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url), { execArgv: [] });
    const thread: Thread = { worker, open: new Map() };
    worker.unref();
    worker.on('message', (reply: SearchThreadReply) => receive(thread, reply));
    worker.once('error', (error) => lose(thread, error instanceof Error ? (error.stack ?? error.message) : 'error'));
    worker.once('exit', (code) => lose(thread, `exit code ${code}`));
    tell(thread, { kind: 'adopt', number: adoptions, segment: main, changes: [...since.values()] });
    threads.add(thread);
    return thread;
  }

  function tell(thread: Thread, message: SearchThreadRequest): void {
    thread.worker.postMessage(message);
  }

  /** Notes that a thread is through with an adoption: it reads no older segment. */
  function release(thread: Thread, adopted: number): void {
    for (const old of retired) if (old.replacedBy <= adopted) old.readers.delete(thread);
    closeRetired();
  }

  /** Closes the replaced segments that no thread reads any more. */
  function closeRetired(): void {
    for (const old of retired) {
      if (old.readers.size > 0) continue;
      retired.delete(old);
      closeStore(old.segment.pages);
    }
  }

  function receive(thread: Thread, reply: SearchThreadReply): void {
    if ('adopted' in reply) return release(thread, reply.adopted);
    const waiting = thread.open.get(reply.id);
    // Under `node --watch` a thread also reports its loaded modules on this channel.
    if (!waiting) return;
    thread.open.delete(reply.id);
    if (thread.open.size === 0) thread.worker.unref();
    if ('result' in reply) waiting.answer(reply.result);
    else if ('decks' in reply) waiting.answer(unpackDecks(reply.decks));
    else waiting.fail(new Error(reply.failure));
  }

  function lose(thread: Thread, reason: string): void {
    if (!threads.delete(thread)) return;
    if (!isClosed) onLost(reason);
    void thread.worker.terminate().then(() => release(thread, Infinity));
    for (const waiting of thread.open.values()) {
      if (waiting.attempts < ATTEMPTS) ask(waiting);
      else waiting.fail(new Error(`a search thread was lost: ${reason}`));
    }
  }

  function endSilent(): void {
    for (const thread of threads) {
      const [oldest] = thread.open.values();
      if (oldest && performance.now() - oldest.askedAt > SILENCE_MS) lose(thread, 'silent');
    }
  }

  function ask(waiting: Waiting): void {
    if (isClosed) return waiting.fail(new EngineBusy('closing'));
    const idlest = idlestThread();
    if (idlest.open.size * threads.size >= MAX_WAITING) return waiting.fail(new EngineBusy('search is busy'));
    const id = nextId++;
    idlest.open.set(id, { ...waiting, askedAt: performance.now(), attempts: waiting.attempts + 1 });
    // A pending answer keeps the process alive; an idle thread does not.
    idlest.worker.ref();
    tell(idlest, { kind: 'ask', id, asked: waiting.asked });
  }

  function idlestThread(): Thread {
    const [idlest] = [...threads].sort((a, b) => a.open.size - b.open.size);
    return idlest && (idlest.open.size === 0 || threads.size >= maxThreads) ? idlest : start();
  }

  const isQuick = ({ effort }: { effort: number }) => maxThreads === 0 || effort <= quickEffort;

  function askThread<T extends Result | GatheredPart>(asked: Asked): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      // Safe: a thread answers a question with what the same question gives here.
      ask({ asked, askedAt: 0, attempts: 0, answer: (result) => resolve(result as T), fail });
    });
  }

  /** Asks all threads, each for a part of the index, when none of them has anything to do; else the idlest one. */
  async function gatherInThreads(query: DeckQuery): Promise<Gathered> {
    const isBusy = [...threads].some(({ open }) => open.size > 0);
    if (isBusy || maxThreads === 1) return askThread<GatheredPart>({ decks: query });
    const parts = Array.from({ length: maxThreads }, (_, index) =>
      askThread<GatheredPart>({ decks: { ...query, part: { index, of: maxThreads } } }),
    );
    return mergeParts(await Promise.all(parts), query);
  }

  return {
    // Async, so that an invalid query rejects instead of throwing.
    async search(query) {
      const prepared = here.prepare(query);
      return isQuick(prepared) ? prepared.run() : askThread<Result>({ names: query });
    },
    async gather(query) {
      const prepared = here.prepareDecks(query);
      return isQuick(prepared) ? prepared.run() : gatherInThreads(query);
    },
    apply(changes) {
      // Applied here first: an invalid change throws before it is sent to a thread.
      here.apply(changes);
      for (const change of changes) since.set(change.id, joinChanges(since.get(change.id), change));
      for (const thread of threads) tell(thread, { kind: 'apply', changes });
    },
    canTakeFacts: (facts) => here.canTakeFacts(facts),
    significant: (id) => here.significant(id),
    changes: () => since,
    adopt(segment, known) {
      const later = new Map([...since].filter(([id, change]) => known.get(id) !== change));
      const changes = [...later.values()];
      const index = openIndex(segment);
      // Applied first: a change that does not fit throws before anything is replaced.
      index.apply(changes);
      const readers = new Set(threads);
      retired.add({ segment: main, replacedBy: ++adoptions, readers });
      main = segment;
      since = later;
      here = index;
      for (const thread of threads) tell(thread, { kind: 'adopt', number: adoptions, segment, changes });
      closeRetired();
    },
    async close() {
      isClosed = true;
      clearInterval(watch);
      const ending = [...threads];
      threads.clear();
      for (const thread of ending) for (const waiting of thread.open.values()) waiting.fail(new EngineBusy('closing'));
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
      for (const { segment } of retired) closeStore(segment.pages);
      retired.clear();
      closeStore(main.pages);
      main = emptySegment();
      here = openIndex(main);
    },
  };
}

/** Returns the change that has the effect of both: new facts of a document that was changed before go to its texts, those of a removed one nowhere. */
function joinChanges(before: Change | undefined, change: Change): Change {
  if (!('facts' in change) || !before || 'facts' in before) return change;
  if (!before.document) return before;
  return { id: change.id, document: { ...before.document, ...change.facts } };
}
