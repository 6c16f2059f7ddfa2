import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './messages.ts';
import { emptySegment, openIndex } from './open-index.ts';
import type { Result } from './query.ts';

/** A search thread: an index of its own over the shared main segment, and a loop of messages. */
let index = openIndex(emptySegment());

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'adopt') index = openIndex(message.buffer);
  if (message.kind !== 'search') return index.apply(message.changes);
  const { id, query } = message;
  answer(id, () => index.search(query));
});

/** A query that fails is that query's failure, not the thread's. */
function answer(id: number, search: () => Result): void {
  let reply: FromThread;
  try {
    reply = { id, result: search() };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(reply);
}
