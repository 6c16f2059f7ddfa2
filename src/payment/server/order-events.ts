import { listenTo, type Listening } from '../../platform/db/listen.ts';
import type { Log } from '../../platform/log.ts';

/** Called when orders of the user may have changed, and after the LISTEN connection was lost. */
type OnChange = () => void;

/** `end` is called when the user has too many streams or the site closes. */
type Stream = { onChange: OnChange; end: () => void };

/** Enough for the tabs of one person; the stream that is open for longest gives way to a new one. */
const MAX_STREAMS_PER_USER = 6;
/** Streams of one node. Beyond them a client polls, as every client does beside its stream. */
const MAX_STREAMS = 2_000;

/**
 * Tells the streams of a user, on every node, that the user's orders changed: the database notifies all nodes when the
 * settlement commits. Starts listening with the first stream.
 */
export type OrderEvents = {
  /** Returns a function that leaves; null when this node has its maximum of streams, or has closed. */
  join(userId: number, stream: Stream): (() => void) | null;
  close(): Promise<void>;
};

export function createOrderEvents(
  databaseUrl: string,
  log: Log,
  { maxStreams = MAX_STREAMS, maxStreamsPerUser = MAX_STREAMS_PER_USER } = {},
): OrderEvents {
  const streams = new Map<number, Set<Stream>>();
  let count = 0;
  let listening: Listening | null = null;
  let isClosed = false;

  function onNotice(payload: string | null): void {
    const told = payload === null ? [...streams.values()] : [streams.get(Number(payload)) ?? []];
    for (const stream of told.flatMap((each) => [...each])) stream.onChange();
  }

  function leave(userId: number, stream: Stream): void {
    const own = streams.get(userId);
    if (!own?.delete(stream)) return;
    count -= 1;
    if (own.size === 0) streams.delete(userId);
  }

  return {
    join(userId, stream) {
      if (isClosed || count >= maxStreams) return null;
      listening ??= listenTo(databaseUrl, 'order_change', { log, onNotice });
      const own = streams.get(userId) ?? new Set<Stream>();
      streams.set(userId, own.add(stream));
      count += 1;
      const [oldest] = own;
      if (own.size > maxStreamsPerUser && oldest) {
        leave(userId, oldest);
        oldest.end();
      }
      return () => leave(userId, stream);
    },
    async close() {
      isClosed = true;
      for (const [userId, own] of streams)
        for (const stream of own) {
          leave(userId, stream);
          stream.end();
        }
      await listening?.close();
    },
  };
}
