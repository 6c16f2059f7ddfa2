import { readFileSync } from 'node:fs';

/**
 * The inner loops of a search over whole decks, compiled from tools/search-kernel/kernel.as, which describes its memory. Every thread has an instance
 * of its own, and its questions run one after the other.
 */
type Exports = {
  memory: WebAssembly.Memory;
  WINDOW: WebAssembly.Global<'i32'>;
  MAX_WORDS: WebAssembly.Global<'i32'>;
  FULL: WebAssembly.Global<'f64'>;
  planes: WebAssembly.Global<'i32'>;
  touched: WebAssembly.Global<'i32'>;
  candidates: WebAssembly.Global<'i32'>;
  places: WebAssembly.Global<'i32'>;
  marks: WebAssembly.Global<'i32'>;
  keys: WebAssembly.Global<'i32'>;
  known: WebAssembly.Global<'i32'>;
  mixed: WebAssembly.Global<'i32'>;
  changes: WebAssembly.Global<'i32'>;
  found: WebAssembly.Global<'i32'>;
  cursors(): number;
  addPostings(
    cursor: number,
    start: number,
    limit: number,
    word: number,
    isFinding: boolean,
    isResumed: boolean,
  ): number;
  listPostings(cursor: number, first: number, limit: number, count: number, isResumed: boolean): number;
  narrow(cursor: number, list: number, from: number, count: number, lastPlace: number): number;
  addMarked(list: number, count: number, start: number, word: number, isFinding: boolean): void;
  listTouched(start: number): number;
  clearAll(): void;
  clearWindow(words: number): void;
  score(count: number, words: number, table: number, bound: number, whole: number): number;
  addChanges(count: number, word: number, bound: number, whole: number): number;
  rank(count: number, bound: number, all: number, whole: number): number;
  writeKeys(count: number, words: number, all: number, whole: number): void;
};

const compiled = new WebAssembly.Module(readFileSync(new URL('kernel.wasm', import.meta.url)));
// Safe: what kernel.as exports.
export const kernel = new WebAssembly.Instance(compiled).exports as unknown as Exports;

/** Places that are gone through together: their codes stay in the processor's cache. */
export const WINDOW = kernel.WINDOW.value;
/** More words have no place in a window. */
export const MAX_WORDS = kernel.MAX_WORDS.value;
/** What the key of a deck with all words has more than its score, which puts it before all others. */
export const FULL = kernel.FULL.value;
/** Numbers of a word in a table: its worth and its rarity for each of 256 codes, side by side. */
export const TABLE_NUMBERS = 512;

/** Where the parts of the memory begin, in bytes. */
export const addresses = {
  planes: kernel.planes.value,
  touched: kernel.touched.value,
  candidates: kernel.candidates.value,
  places: kernel.places.value,
  known: kernel.known.value,
  mixed: kernel.mixed.value,
};

/** Views of the kernel's memory. takeCursor() replaces all of them when the memory has to grow; a view that was kept from before is empty then. */
export let arrays = viewMemory();

function viewMemory() {
  const { buffer } = kernel.memory;
  const { candidates, places, marks, keys, known, mixed, changes, found } = kernel;
  const table = ({ value }: WebAssembly.Global<'i32'>, numbers: number) => new Float64Array(buffer, value, numbers);
  return {
    bytes: new Uint8Array(buffer),
    numbers: new Int32Array(buffer),
    candidates: new Uint32Array(buffer, candidates.value, WINDOW),
    places: new Uint32Array(buffer, places.value, WINDOW),
    marks: new Int8Array(buffer, marks.value, WINDOW),
    keys: table(keys, WINDOW),
    known: table(known, MAX_WORDS * TABLE_NUMBERS),
    mixed: table(mixed, MAX_WORDS * TABLE_NUMBERS),
    changes: table(changes, MAX_WORDS * TABLE_NUMBERS),
    /** Decks with all words, and the best score. */
    found: table(found, 2),
  };
}

/** Numbers of a cursor before its bytes: position, end of the block, place, spread. */
export const CURSOR = { at: 0, stop: 1, place: 2, spread: 3, bytes: 16 } as const;
/** Bytes that a cursor reads at once, at most. */
export const CURSOR_BYTES = 1 << 14;
const PAGE_BYTES = 1 << 16;

let taken = 0;

/** Ends all cursors: their memory is used again by the next question. */
export function endCursors(): void {
  taken = 0;
}

/** Returns the address of memory for a cursor. */
export function takeCursor(): number {
  const at = kernel.cursors() + taken++ * (CURSOR.bytes + CURSOR_BYTES);
  const missing = at + CURSOR.bytes + CURSOR_BYTES - arrays.bytes.length;
  if (missing > 0) {
    // Space for some more as well, so that the views are not replaced for each of many cursors.
    kernel.memory.grow(Math.max(Math.ceil(missing / PAGE_BYTES), 4));
    arrays = viewMemory();
  }
  return at;
}
