import { expect, it } from 'vitest';
import { listFaults, type Crawl } from './crawl.ts';
import type { ReaderName } from './rights.ts';
import type { Seen } from './watch.ts';

const all: Seen = { laterTexts: 3, laterImages: 3, wholes: 1, charts: 2 };
const seenBy = (...seen: [ReaderName, Seen][]): Crawl['seen'] => new Map(seen);
const informed: [ReaderName, Seen][] = [
  ['standard', { ...all, charts: 0 }],
  ['advanced', all],
  ['owner', { ...all, charts: 0 }],
];

it('a crawl in which everybody saw what they may see, and no more, has no fault', () =>
  expect(listFaults({ violations: [], seen: seenBy(...informed) })).toEqual([]));

it('every violation is a fault by its own words', () => {
  const violation = 'ordinary got text of page 11 of a document (published): POST /api/doc/pageText (200)';
  expect(listFaults({ violations: [violation], seen: seenBy(...informed) })).toEqual([violation]);
});

it('a crawl that recognises nothing of what a reader has the right to is a fault', () => {
  const blind = listFaults({
    violations: [],
    seen: seenBy(['advanced', { ...all, charts: 0 }], ...informed.filter(([name]) => name === 'owner')),
  });
  expect(blind).toEqual([
    'standard has the right to texts of pages after the tenth and saw none',
    'standard has the right to images of pages after the tenth and saw none',
    'standard has the right to whole files and saw none',
    'advanced has the right to numbers of charts and saw none',
  ]);
});
