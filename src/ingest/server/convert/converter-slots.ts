import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import pg from 'pg';
import { isSqlState } from '../../../platform/db/client.ts';
import { endConnection, KEEP_ALIVE, limitAnswers, PROMPT_ANSWER_MS } from '../../../platform/db/silent-connections.ts';

/** First key of the advisory locks of this module; the second key is a slot of a machine. */
const LOCK_SPACE = 7_021_003;
/** A machine has at most this many slots. */
const MAX_SLOTS = 16;
/** 27 bits that name this machine, followed by four bits for the number of the slot. */
const FIRST_KEY = (createHash('sha256').update(hostname()).digest().readUInt32BE(0) >>> 5) * MAX_SLOTS;
const CONNECT_MS = 5_000;
/** How long a process waits for one slot before it waits for the next: the other may have become free, or the wait be cancelled. */
const ROTATE_MS = 1_000;

/** The right to run one converter or renderer. */
export type HeldSlot = {
  /** Whether another process waits for this slot; true when the connection was lost, and the slot with it. */
  isWanted(): Promise<boolean>;
  release(): void;
};

/**
 * The converter slots of a library on this machine, which its processes share: the site and each `ceku` command beside it. A process
 * that runs `size` children at once takes the first `size` slots only, so all processes together never run more than the largest of
 * them alone.
 */
export type ConverterSlots = {
  /** Takes a free slot at once; null when other processes hold all of them. Throws when the database does not answer. */
  tryTake(): Promise<HeldSlot | null>;
  /** Waits until a slot is free; null when the wait was cancelled. Throws when the database does not answer. */
  take(isCancelled: () => boolean): Promise<HeldSlot | null>;
};

/**
 * Opens the slots of a library. A slot is an advisory lock on a connection of its own, so a process that is killed gives its slots back
 * at once.
 */
export function openConverterSlots(databaseUrl: string, size: number): ConverterSlots {
  const keys = Array.from({ length: Math.min(size, MAX_SLOTS) }, (_, index) => FIRST_KEY + index);

  async function lockWith(lock: (client: pg.Client) => Promise<number | null>): Promise<HeldSlot | null> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'ceku-converter-slot',
      connectionTimeoutMillis: CONNECT_MS,
      ...KEEP_ALIVE,
    });
    limitAnswers(client, PROMPT_ANSWER_MS);
    // The next question on this connection fails, and the slot is taken again.
    client.on('error', () => {});
    const release = () => void endConnection(client);
    try {
      await client.connect();
      const key = await lock(client);
      if (key !== null) return { release, isWanted: () => isWanted(client, key) };
    } catch (error) {
      release();
      throw error;
    }
    release();
    return null;
  }

  async function lockFreeOne(client: pg.Client): Promise<number | null> {
    for (const key of keys) {
      const sql = 'select pg_try_advisory_lock($1::int, $2::int) as got';
      const { rows } = await client.query<{ got: boolean }>(sql, [LOCK_SPACE, key]);
      if (rows[0]?.got) return key;
    }
    return null;
  }

  async function waitForOne(client: pg.Client, isCancelled: () => boolean): Promise<number | null> {
    await client.query(`set lock_timeout = ${ROTATE_MS}`);
    for (let turn = 0; !isCancelled(); turn++) {
      const free = await lockFreeOne(client);
      if (free !== null) return free;
      const key = keys[turn % keys.length] ?? FIRST_KEY;
      const isMine = await client.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, key]).then(
        () => true,
        (error: unknown) => {
          if (isSqlState(error, LOCK_NOT_AVAILABLE)) return false;
          throw error;
        },
      );
      if (isMine) return key;
    }
    return null;
  }

  return {
    tryTake: () => lockWith(lockFreeOne),
    take: (isCancelled) => lockWith((client) => waitForOne(client, isCancelled)),
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

async function isWanted(client: pg.Client, key: number): Promise<boolean> {
  const asked = client.query<{ wanted: boolean }>(
    `select exists (select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
       where l.locktype = 'advisory' and l.classid = $1::int::oid and l.objid = $2::int::oid and not l.granted) as wanted`,
    [LOCK_SPACE, key],
  );
  return asked.then(
    ({ rows }) => rows[0]?.wanted ?? true,
    () => true,
  );
}
