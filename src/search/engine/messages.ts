import type { Change } from './document.ts';
import type { Query, Result } from './query.ts';

/** What the pool says to a search thread, in order: a thread is always in one well-known state. */
export type ToThread =
  | { kind: 'adopt'; buffer: SharedArrayBuffer; changes: Change[] }
  | { kind: 'apply'; changes: Change[] }
  | { kind: 'search'; id: number; query: Query };

export type FromThread = { id: number; result: Result } | { id: number; failure: string };
