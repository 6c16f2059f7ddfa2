import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import {
  addresses,
  arrays,
  CURSOR,
  CURSOR_BYTES,
  endCursors,
  kernel,
  MAX_WORDS,
  takeCursor,
  WINDOW,
} from './kernel.ts';

afterEach(() => {
  kernel.clearAll();
  endCursors();
});

it('is compiled from the source that is here', () => {
  const compiled = new WebAssembly.Module(readFileSync(new URL('kernel.wasm', import.meta.url)));
  const source = readFileSync(new URL('../../../../tools/search-kernel/kernel.as', import.meta.url));
  const [section] = WebAssembly.Module.customSections(compiled, 'source-sha256');
  // After a change of kernel.as: npm install and npm run build in tools/search-kernel.
  expect(Buffer.from(section ?? new ArrayBuffer(0)).toString('hex')).toBe(
    createHash('sha256').update(source).digest('hex'),
  );
});

/** Opens a cursor at the beginning of packed postings: pairs of a gap and a spread. */
function open(postings: [gap: number, spread: number][]): number {
  const bytes: number[] = [];
  for (const [gap, spread] of postings) {
    let value = (gap << 2) | spread;
    for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
    bytes.push(value);
  }
  const cursor = takeCursor();
  arrays.bytes.set(bytes, cursor + CURSOR.bytes);
  arrays.numbers.set([cursor + CURSOR.bytes, cursor + CURSOR.bytes + bytes.length, 0, -1], cursor >>> 2);
  return cursor;
}

const codeAt = (word: number, own: number) =>
  arrays.bytes[addresses.planes + (word >>> 2) * 4 * WINDOW + own * 4 + (word & 3)];

it('adds the code of each posting of a window, and goes on where it stopped', () => {
  const cursor = open([
    [5, 0],
    [300, 3],
    [1_700, 1],
    [100, 2],
  ]);
  const last = MAX_WORDS - 1;
  expect(kernel.addPostings(cursor, 0, WINDOW, last, true, false)).toBe(1);
  expect([5, 305, 2_005].map((own) => codeAt(last, own))).toEqual([0b1, 0b1111, 0b11]);
  expect(kernel.listTouched(0)).toBe(3);
  expect([...arrays.candidates.subarray(0, 3)]).toEqual([5, 305, 2_005]);
  kernel.clearWindow(MAX_WORDS);
  expect(codeAt(last, 305)).toBe(0);
  // The posting that ended the last window is the first of this one, and the list has no more.
  expect(kernel.addPostings(cursor, WINDOW, 2 * WINDOW, 2, false, false)).toBe(0);
  expect(codeAt(2, 2_105 - WINDOW)).toBe(0b111);
  expect(kernel.listTouched(WINDOW)).toBe(0);
});

it('lists postings, and narrows a list to what another has too', () => {
  const list = open([
    [1, 3],
    [2, 1],
    [4, 2],
  ]);
  expect(kernel.listPostings(list, 0, WINDOW, 0, false)).toBe(3);
  expect([...arrays.places.subarray(0, 3)]).toEqual([1, 3, 7]);
  expect([...arrays.marks.subarray(0, 3)]).toEqual([7, 1, 3]);
  const other = open([
    [1, 1],
    [1, 3],
    [5, 3],
  ]);
  expect(kernel.narrow(other, addresses.places, 0, 3, 7)).toBe(3);
  expect([...arrays.marks.subarray(0, 3)]).toEqual([1, -1, 3]);
  kernel.addMarked(addresses.places, 3, 0, 0, true);
  expect([1, 3, 7].map((own) => codeAt(0, own))).toEqual([0b11, 0, 0b111]);
});

it('stops narrowing at the end of a block', () => {
  const cursor = open([
    [2, 0],
    [2, 0],
  ]);
  arrays.places.set([2, 4, 9]);
  arrays.marks.fill(7, 0, 3);
  expect(kernel.narrow(cursor, addresses.places, 0, 3, 4)).toBe(2);
});

it('has memory for more cursors than it began with', () => {
  const first = takeCursor();
  arrays.numbers[first >>> 2] = 42;
  const { length } = arrays.bytes;
  const cursors = Array.from({ length: 200 }, takeCursor);
  expect(new Set(cursors).size).toBe(200);
  expect(arrays.bytes.length).toBeGreaterThan(length);
  expect(Math.max(...cursors) + CURSOR.bytes + CURSOR_BYTES).toBeLessThanOrEqual(arrays.bytes.length);
  expect(arrays.numbers[first >>> 2]).toBe(42);
});
