import { parentPort } from 'node:worker_threads';
import type { Change } from './format/document.ts';
import { emptySegment, openIndex } from './open-index.ts';
import type { Query, Result } from './match/query.ts';

/** A search thread: an index of its own over the shared main segment, and a loop of messages. */
let index = openIndex(emptySegment());

parentPort?.on('message', (message: SearchThreadRequest) => {
  if (message.kind === 'adopt') index = openIndex(message.buffer);
  if (message.kind !== 'search') return index.apply(message.changes);
  const { id, query } = message;
  answer(id, () => index.search(query));
});

/** Answers a query. A failed query does not end the thread. */
function answer(id: number, search: () => Result): void {
  let reply: SearchThreadReply;
  try {
    reply = { id, result: search() };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(reply);
}

/** Messages from the pool to a search thread, processed in order. */
export type SearchThreadRequest =
  | { kind: 'adopt'; buffer: SharedArrayBuffer; changes: Change[] }
  | { kind: 'apply'; changes: Change[] }
  | { kind: 'search'; id: number; query: Query };

export type SearchThreadReply = { id: number; result: Result } | { id: number; failure: string };
