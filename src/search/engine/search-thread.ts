import { parentPort } from 'node:worker_threads';
import type { Change } from './format/document.ts';
import type { MainSegment } from './format/page-store.ts';
import { emptySegment, openIndex } from './open-index.ts';
import type { DeckQuery } from './match/gather.ts';
import { packDecks, type PackedDecks } from './match/packed-decks.ts';
import type { Query, Result } from './match/query.ts';

/** A search thread: an index of its own over the shared main segment, and a loop of messages. */
let index = openIndex(emptySegment());

parentPort?.on('message', (message: SearchThreadRequest) => {
  if (message.kind === 'adopt') index = openIndex(message.segment);
  if (message.kind === 'adopt' || message.kind === 'apply') index.apply(message.changes);
  if (message.kind === 'adopt') reply({ adopted: message.number });
  if (message.kind !== 'ask') return;
  answer(message);
});

/** Answers a query. A failed query does not end the thread. */
function answer({ id, asked }: Extract<SearchThreadRequest, { kind: 'ask' }>): void {
  let made: SearchThreadReply;
  try {
    made =
      'decks' in asked
        ? { id, decks: packDecks(index.prepareDecks(asked.decks).run()) }
        : { id, result: index.search(asked.names) };
  } catch (error) {
    made = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  reply(made);
}

function reply(message: SearchThreadReply): void {
  parentPort?.postMessage(message);
}

/** A question to the names, or to whole decks. */
export type Asked = { names: Query } | { decks: DeckQuery };

/** Messages from the pool to a search thread, processed in order. */
export type SearchThreadRequest =
  | { kind: 'adopt'; number: number; segment: MainSegment; changes: Change[] }
  | { kind: 'apply'; changes: Change[] }
  | { kind: 'ask'; id: number; asked: Asked };

export type SearchThreadReply =
  /** The thread reads no segment from before this adoption any more. */
  | { adopted: number }
  | { id: number; result: Result }
  | { id: number; decks: PackedDecks }
  | { id: number; failure: string };
