import { parentPort } from 'node:worker_threads';
import type { Change } from './format/document.ts';
import { emptySegment, openIndex } from './open-index.ts';
import type { DeckQuery } from './match/gather.ts';
import { packDecks, type PackedDecks } from './match/packed-decks.ts';
import type { Query, Result } from './match/query.ts';

/** A search thread: an index of its own over the shared main segment, and a loop of messages. */
let index = openIndex(emptySegment());

parentPort?.on('message', (message: SearchThreadRequest) => {
  if (message.kind === 'adopt') index = openIndex(message.buffer);
  if (message.kind === 'adopt' || message.kind === 'apply') return index.apply(message.changes);
  answer(message);
});

/** Answers a query. A failed query does not end the thread. */
function answer({ id, asked }: Extract<SearchThreadRequest, { kind: 'ask' }>): void {
  let reply: SearchThreadReply;
  try {
    reply =
      'decks' in asked
        ? { id, decks: packDecks(index.prepareDecks(asked.decks).run()) }
        : { id, result: index.search(asked.names) };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(reply);
}

/** A question to the names, or to whole decks. */
export type Asked = { names: Query } | { decks: DeckQuery };

/** Messages from the pool to a search thread, processed in order. */
export type SearchThreadRequest =
  | { kind: 'adopt'; buffer: SharedArrayBuffer; changes: Change[] }
  | { kind: 'apply'; changes: Change[] }
  | { kind: 'ask'; id: number; asked: Asked };

export type SearchThreadReply =
  | { id: number; result: Result }
  | { id: number; decks: PackedDecks }
  | { id: number; failure: string };
