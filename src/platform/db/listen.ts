import pg from 'pg';
import type { Log } from '../log.ts';
import { endConnection, KEEP_ALIVE, limitAnswers, probe, PROMPT_ANSWER_MS } from './silent-connections.ts';

/** Wait before a lost connection is opened again. */
const RETRY_MS = 1_000;

export type Listening = {
  /** False while the connection is lost: notifications sent meanwhile never arrive. A connection that falls silent is lost within 11 s. */
  isConnected(): boolean;
  close(): Promise<void>;
};

/**
 * Listens on a channel of the database (LISTEN) over a connection of its own, and connects again when the connection is
 * lost. `onNotice` is called with the payload of each notification, and with null after each connect, because
 * notifications may have been missed.
 */
export function listenTo(
  url: string,
  channel: string,
  options: { log: Log; onNotice: (payload: string | null) => void },
): Listening {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isConnected = false;
  let isClosed = false;

  async function connect(): Promise<void> {
    retry = null;
    const made = new pg.Client({
      connectionString: url,
      application_name: 'ceku-listen',
      connectionTimeoutMillis: 5_000,
      ...KEEP_ALIVE,
    });
    client = made;
    limitAnswers(made, PROMPT_ANSWER_MS);
    made.on('notification', ({ payload }) => options.onNotice(payload ?? ''));
    made.on('error', () => lose(made));
    made.on('end', () => lose(made));
    try {
      await made.connect();
      await made.query(`listen ${made.escapeIdentifier(channel)}`);
    } catch {
      return lose(made);
    }
    if (isClosed || client !== made) return;
    isConnected = true;
    probe(made);
    options.onNotice(null);
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = null;
    const wasConnected = isConnected;
    isConnected = false;
    void endConnection(lost);
    if (isClosed) return;
    if (wasConnected) options.log.warn({ channel }, 'database notifications lost');
    retry = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  void connect();
  return {
    isConnected: () => isConnected,
    async close() {
      isClosed = true;
      isConnected = false;
      if (retry) clearTimeout(retry);
      const open = client;
      client = null;
      if (open) await endConnection(open);
    },
  };
}
