import type { SourceDocument } from '../../src/search/engine/document.ts';
import type { Question } from './questions.ts';

/** The best fifteen and the exact number of all hits: what a page of results needs. */
export const TOP = 15;
export type Answer = { ids: number[]; total: number };

/** Where an engine may keep files, and a database of PostgreSQL that is the run's own. */
export type Place = { folder: string; databaseUrl: string; documents: number };

export type Built = {
  /** Bytes on disk; null: it keeps none. */
  disk: number | null;
};

/** One way to search the corpus. It lives in a process of its own, so that its memory and pauses are its own. */
export type Engine = {
  name: string;
  /** Null, or why it cannot run here. */
  missing(): Promise<string | null>;
  /** Makes the index. What keeps no file is built where it is opened. */
  build(place: Place, documents: Iterable<SourceDocument>): Promise<Built>;
  /** Makes what `build` left ready to answer. */
  open(place: Place): Promise<{ ask(question: Question): Promise<Answer> | Answer; close(): Promise<void> | void }>;
  /** Kept in the memory of the process that built it alone: build and open happen in one process. */
  isInMemory: boolean;
  /** Asks each nth question: for engines that would take the whole run for themselves. */
  every: number;
  /** No larger corpus: they would take all memory or an hour. */
  largest: number;
  /** Processes that share the work of 16 clients: 2 where one process would use one core of the two. */
  processes: number;
};

/** Null when the package is not in bench/node_modules, or cannot be loaded here. */
export async function load<T>(name: string): Promise<T | null> {
  try {
    // Safe as far as T, declared beside each use, is what that package of bench/package-lock.json exports.
    return (await import(name)) as T;
  } catch {
    return null;
  }
}
