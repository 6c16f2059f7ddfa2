import { parentPort } from 'node:worker_threads';
import type { Change } from './document.ts';
import { emptySegment, openIndex } from './open-index.ts';
import type { Query, Result } from './query.ts';

/** A search thread: an index of its own over the shared main segment, and a loop of messages. */
let index = openIndex(emptySegment());

parentPort?.on('message', (message: SearchThreadRequest) => {
  if (message.kind === 'adopt') index = openIndex(message.buffer);
  if (message.kind !== 'search') return index.apply(message.changes);
  const { id, query } = message;
  answer(id, () => index.search(query));
});

/** A query that fails is that query's failure, not the thread's. */
function answer(id: number, search: () => Result): void {
  let reply: SearchThreadReply;
  try {
    reply = { id, result: search() };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(reply);
}

/** What the pool says to a search thread, in order: a thread is always in one well-known state. */
export type SearchThreadRequest =
  | { kind: 'adopt'; buffer: SharedArrayBuffer; changes: Change[] }
  | { kind: 'apply'; changes: Change[] }
  | { kind: 'search'; id: number; query: Query };

export type SearchThreadReply = { id: number; result: Result } | { id: number; failure: string };
