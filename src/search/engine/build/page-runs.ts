import { closeSync, openSync, rmSync } from 'node:fs';
import { createGrowing, push } from '../format/growing-list.ts';
import { MAX_POSTING_BYTES, pack, SPREAD_BITS, unpack } from '../format/inside.ts';
import { createFileWriter, createMemoryWriter, openStoreReader, type PageStore } from '../format/page-store.ts';
import { keyOf, type TermSource } from './term-source.ts';

/**
 * The postings of page text while an index is built, in bounded memory: they are collected in the order of documents, and each RUN_POSTINGS of
 * them are sorted by term and written as a run. At the end the runs are merged.
 */
type PageRuns = {
  /** Adds the lexemes of a document, separated by spaces. Places come in ascending order. */
  add(lexemes: string, place: number, spread: number): void;
  /** Returns the runs, in the order of places. */
  finish(): TermSource[];
  /** Ends the file of the runs. */
  close(): void;
};

/** About 300 MB while they are sorted. */
const RUN_POSTINGS = 24_000_000;
/** Bytes of a run that are read at once. */
const READ_BYTES = 1 << 17;
const SPACE = 32;

/** `path`: of the file for the runs, which is unlinked as soon as it is open; null keeps them in memory. */
export function createPageRuns(path: string | null, runPostings = RUN_POSTINGS): PageRuns {
  const file = path === null ? null : openSync(path, 'wx+', 0o600);
  if (path !== null) rmSync(path);
  const writer = file === null ? createMemoryWriter() : createFileWriter(file, 0);
  const runs: { from: number; to: number; terms: number }[] = [];
  let terms = createTermNumbers();
  const termOf = createGrowing(1 << 12);
  const postings = createGrowing(1 << 12);

  function writeRun(): void {
    if (postings.length === 0) return;
    const from = writer.length;
    const ordered = terms.sorted();
    const { starts, sorted } = sortByTerm(termOf.data, postings.data, postings.length, terms.size());
    let bytes = new Uint8Array(1 << 16);
    for (const { number, key, rest } of ordered) {
      const start = starts[number] ?? 0;
      const count = (starts[number + 1] ?? 0) - start;
      const maxBytes = 2 * MAX_POSTING_BYTES + 4 + 2 * rest.length + count * MAX_POSTING_BYTES;
      if (bytes.length < maxBytes) bytes = new Uint8Array(2 * maxBytes);
      let at = writeNumber(bytes, 0, key);
      at = writeNumber(bytes, at, rest.length);
      for (let unit = 0; unit < rest.length; unit++) at = writeNumber(bytes, at, rest.charCodeAt(unit));
      at = writeNumber(bytes, at, count);
      at += pack(sorted.subarray(start, start + count), count, bytes.subarray(at), () => undefined);
      writer.append(bytes.subarray(0, at));
    }
    runs.push({ from, to: writer.length, terms: terms.size() });
    terms = createTermNumbers();
    termOf.length = 0;
    postings.length = 0;
  }

  return {
    add(lexemes, place, spread) {
      const posting = ((place << SPREAD_BITS) | spread) >>> 0;
      for (let from = 0; from < lexemes.length;) {
        let to = from + 1;
        while (to < lexemes.length && lexemes.charCodeAt(to) !== SPACE) to++;
        push(termOf, terms.numberOf(lexemes, from, to));
        push(postings, posting);
        from = to + 1;
      }
      if (postings.length >= runPostings) writeRun();
    },
    finish() {
      writeRun();
      const store = writer.finish();
      // The memory of the last run is not needed while the runs are merged.
      termOf.data = new Uint32Array(0);
      postings.data = new Uint32Array(0);
      return runs.map((run) => openRun(store, run));
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

/** Groups postings by the number of their term: a counting sort, which keeps their order. */
function sortByTerm(termOf: Uint32Array, postings: Uint32Array, count: number, terms: number) {
  const starts = new Uint32Array(terms + 2);
  for (let at = 0; at < count; at++) {
    const after = (termOf[at] ?? 0) + 2;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let term = 2; term < starts.length; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);
  const sorted = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const next = (termOf[at] ?? 0) + 1;
    const to = starts[next] ?? 0;
    sorted[to] = postings[at] ?? 0;
    starts[next] = to + 1;
  }
  return { starts, sorted };
}

function openRun(store: PageStore, { from, to, terms }: { from: number; to: number; terms: number }): TermSource {
  const reader = openStoreReader(store, from, to, READ_BYTES);
  let left = terms;
  const source: TermSource = {
    key: 0,
    rest: '',
    next() {
      if (left-- === 0) return false;
      source.key = readNumber();
      source.rest = '';
      for (let units = readNumber(); units > 0; units--) source.rest += String.fromCharCode(readNumber());
      return true;
    },
    read: (into) => unpack(reader, readNumber(), into),
  };
  return source;

  function readNumber(): number {
    reader.need(MAX_POSTING_BYTES);
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = reader.bytes[reader.at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}

/** Writes a number below 2 ** 32 as a varint. Returns the position after it. */
function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  let value = number;
  for (; value > 127; value >>>= 7) bytes[at++] = (value & 127) | 128;
  bytes[at++] = value;
  return at;
}

/** Numbers the terms of a run, 0 for the first. Terms of at most two units, nearly all, are found by their key without making a string. */
function createTermNumbers() {
  const keys = createGrowing(1 << 12);
  const rests = new Map<number, string>();
  const long = new Map<string, number>();
  /** Numbers of short terms plus 1, by a hash of their key; 0 is free. */
  let slots = new Int32Array(1 << 13);
  let short = 0;

  const slotOf = (key: number) => Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 0;

  function find(key: number): number {
    const mask = slots.length - 1;
    let slot = slotOf(key) & mask;
    for (;;) {
      const number = slots[slot] ?? 0;
      if (number === 0 || keys.data[number - 1] === key) return slot;
      slot = (slot + 1) & mask;
    }
  }

  function grow(): void {
    const numbers = slots.filter((number) => number > 0);
    slots = new Int32Array(slots.length * 2);
    for (const number of numbers) slots[find(keys.data[number - 1] ?? 0)] = number;
  }

  return {
    size: () => keys.length,
    /** Returns the number of the term text[from … to). */
    numberOf(text: string, from: number, to: number): number {
      const key = keyOf(text.charCodeAt(from), to - from > 1 ? text.charCodeAt(from + 1) : 0);
      if (to - from > 2) {
        const term = text.slice(from, to);
        let number = long.get(term);
        if (number === undefined) {
          number = keys.length;
          long.set(term, number);
          rests.set(number, term.slice(2));
          push(keys, key);
        }
        return number;
      }
      const slot = find(key);
      const known = slots[slot] ?? 0;
      if (known > 0) return known - 1;
      push(keys, key);
      slots[slot] = keys.length;
      if (++short * 2 > slots.length) grow();
      return keys.length - 1;
    },
    /** Yields all terms in the order of their units. */
    *sorted(): Generator<{ number: number; key: number; rest: string }> {
      const shorts = new Uint32Array(short);
      let at = 0;
      for (let number = 0; number < keys.length; number++)
        if (!rests.has(number)) shorts[at++] = keys.data[number] ?? 0;
      shorts.sort();
      const longs = Array.from(rests, ([number, rest]) => ({ number, key: keys.data[number] ?? 0, rest }));
      longs.sort((a, b) => a.key - b.key || (a.rest < b.rest ? -1 : 1));
      let next = 0;
      for (const key of shorts) {
        for (let one = longs[next]; one && one.key < key; one = longs[++next]) yield one;
        yield { number: (slots[find(key)] ?? 0) - 1, key, rest: '' };
      }
      yield* longs.slice(next);
    },
  };
}
