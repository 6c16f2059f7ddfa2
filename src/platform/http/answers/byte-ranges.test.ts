import { describe, expect, it } from 'vitest';
import { isNotModified, isRangeOfThis, parseRange } from './byte-ranges.ts';

it.each([
  [null, 'whole'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-5000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-5000', { start: 0, end: 99 }],
  ['Bytes=1-2', { start: 1, end: 2 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=1.5-2', 'whole'],
  ['lines=1-2', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  [`bytes=${Array.from({ length: 1000 }, (_, part) => `${part}-${part}`).join(',')}`, 'whole'],
  ['bytes=99999999999999999999-', 'whole'],
])('of 100 bytes, %.30s', (header, wanted) => {
  expect(parseRange(header, 100)).toEqual(wanted);
});

describe('conditions', () => {
  const current = { etag: '"abc"', lastModified: new Date('2026-11-20T10:00:00.700Z') };
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toUTCString();

  it.each([
    [{}, false],
    [{ 'if-none-match': '"abc"' }, true],
    [{ 'if-none-match': 'W/"abc"' }, true],
    [{ 'if-none-match': '"x", "abc"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"x"' }, false],
    [{ 'if-none-match': '"x"', 'if-modified-since': at(0) }, false],
    [{ 'if-modified-since': at(0) }, true],
    [{ 'if-modified-since': at(-1) }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
  ])('%j: not modified %s', (headers, isGood) => {
    expect(isNotModified(new Headers(headers), current)).toBe(isGood);
  });

  it.each([
    [{}, true],
    [{ 'if-range': '"abc"' }, true],
    [{ 'if-range': 'W/"abc"' }, false],
    [{ 'if-range': '"x"' }, false],
    [{ 'if-range': at(0) }, true],
    [{ 'if-range': at(1) }, false],
  ])('%j: part of this version %s', (headers, isThis) => {
    expect(isRangeOfThis(new Headers(headers), current)).toBe(isThis);
  });
});
