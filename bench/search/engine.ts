import type { SourceDocument } from '../../src/search/engine/format/document.ts';
import type { Question } from './questions.ts';

/** The best fifteen results and the exact number of all hits, as a page of results needs them. */
export const TOP = 15;
export type Answer = { ids: number[]; total: number };

/** When fewer names than a page of results hold all words, this many whole decks with any of them are asked for (docs/decisions/028). */
export const MAX_DECKS = 300;

/**
 * A folder for the engine's files, and a PostgreSQL database for this run. `isWhole`: documents have the text of their pages. `tokenized`: files
 * with the tokenized documents (tokenized-corpus.ts), for engines that take our lexemes.
 */
export type Place = { folder: string; databaseUrl: string; documents: number; isWhole: boolean; tokenized: string[] };

/** An engine that is open for questions. */
export type Open = {
  ask(question: Question): Promise<Answer> | Answer;
  close(): Promise<void> | void;
  /** Replaces a document and asks until the query `mark`, which only the new text holds, finds it. Returns how long that took, in ms. */
  change?(document: SourceDocument, mark: Question): Promise<number> | number;
  /** An engine in a process of another language measures there. Questions by number, times in ms. */
  remote?: {
    /** From the start of the index to its first answer, without the start of the language's machine. */
    openedMs: number;
    /** Memory of that process, in bytes. */
    memory(): Promise<number>;
    warmUp(count: number): Promise<void>;
    ask(numbers: number[]): Promise<Asked>;
    storm(numbers: number[], clients: number, forMs: number): Promise<Stormed>;
  };
};
/** `first`: the id of the best result. */
export type Asked = { number: number; ms: number; total: number; first: number | null }[];
export type Stormed = { answered: number; ms: number };

export type Built = {
  /** Bytes on disk; null for an engine without files. */
  disk: number | null;
};

/** A search engine under test. It runs in a separate process, so that its memory and pauses are measured alone. */
export type Engine = {
  name: string;
  /** Returns null, or the reason why the engine cannot run here. */
  missing(): Promise<string | null>;
  /** Builds the index. An engine without files builds it in `open`. */
  build(place: Place, documents: Iterable<SourceDocument>): Promise<Built>;
  /** Opens the index that `build` made. */
  open(place: Place, questions: Question[]): Promise<Open>;
  /** The index exists only in the memory of the process that built it: build and open run in one process. */
  isInMemory: boolean;
  /** Asks only every nth question, for engines that would take most of the run. */
  every: number;
  /** Maximum number of documents, of names alone and of whole decks: a larger corpus would take all memory or an hour. 0: the engine is not asked. */
  largest: { names: number; whole: number };
  /** Processes that share the work of 16 clients: 2 where one process would use one core of the two. */
  processes: number;
};

/** Returns null when the package is not in bench/node_modules, or cannot be loaded here. */
export async function load<T>(name: string): Promise<T | null> {
  try {
    // Safe as far as T, declared beside each use, is what that package of bench/package-lock.json exports.
    return (await import(name)) as T;
  } catch {
    return null;
  }
}
