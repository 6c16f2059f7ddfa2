import { expect, it } from 'vitest';
import { marks, type Library } from './library.ts';
import type { Got } from './readers.ts';
import type { ReaderName, Standing } from './rights.ts';
import { createWatch } from './watch.ts';

const standings: Standing[] = ['published', 'owned', 'hidden', 'removed', 'unpublished'];
const library: Library = {
  documents: standings.map((standing, index) => ({
    number: index + 1,
    id: index + 1,
    mediaKey: `key-${index + 1}`,
    sha256: `original-${index + 1}`,
    pageCount: 12,
    standing,
    chartIds: [],
  })),
  bytes: new Map(standings.map((_, index) => [`original-${index + 1}`, { number: index + 1, page: 0 }])),
};

const got = (reader: ReaderName, facts: Partial<Got>): Got => ({
  reader,
  asked: 'POST /api/doc/getDetail',
  status: 200,
  headers: new Headers(),
  type: 'application/json',
  body: Buffer.from(' '),
  sha256: '',
  ...facts,
});

/** Looks at one answer and returns what is wrong with it. */
function wrongs(reader: ReaderName, facts: Partial<Got> & { text?: string }): string[] {
  const watch = createWatch(library);
  watch.learn(got('advanced', { sha256: 'image-12' }), 1, 12);
  watch.look(got(reader, { ...facts, ...(facts.text !== undefined && { body: Buffer.from(facts.text) }) }));
  return [...watch.violations];
}

const READ_ALL: ReaderName[] = ['standard', 'advanced'];
const READ_TEN: ReaderName[] = ['visitor', 'ordinary', 'over-limit', 'owner'];

it.each(READ_TEN)('finds text, images and numbers of page 12 that %s got', (reader) => {
  expect(wrongs(reader, { text: `{"words":"${marks.page(1, 12)}"}` })).toHaveLength(1);
  expect(wrongs(reader, { text: `<p>${marks.chart(1, 12)}</p>`, type: 'text/html' })).toHaveLength(1);
  expect(wrongs(reader, { type: 'image/webp', sha256: 'image-12' })).toHaveLength(1);
  expect(wrongs(reader, { type: 'application/pdf', sha256: 'original-1' })).toHaveLength(1);
  expect(wrongs(reader, { text: marks.page(1, 10) })).toEqual([]);
});

it.each(READ_ALL)('lets %s see all of it', (reader) => {
  expect(wrongs(reader, { text: marks.page(1, 12) })).toEqual([]);
  expect(wrongs(reader, { text: marks.chart(1, 12) })).toEqual([]);
  expect(wrongs(reader, { type: 'image/webp', sha256: 'image-12' })).toEqual([]);
  expect(wrongs(reader, { type: 'application/pdf', sha256: 'original-1' })).toEqual([]);
});

it('knows what is owned, and the owner of what is off the shelf', () => {
  expect(wrongs('owner', { text: marks.page(2, 12) })).toEqual([]);
  expect(wrongs('ordinary', { text: marks.page(2, 12) })).toHaveLength(1);
  expect(wrongs('owner', { type: 'application/pdf', sha256: 'original-3' })).toEqual([]);
  expect(wrongs('owner', { type: 'application/pdf', sha256: 'original-4' })).toHaveLength(1);
});

it.each([3, 4, 5])('finds names and pages of document %i, which is not on sale', (number) => {
  expect(wrongs('advanced', { text: marks.name(number) })).toHaveLength(1);
  expect(wrongs('advanced', { text: marks.page(number, 1) })).toHaveLength(1);
  expect(wrongs('visitor', { type: 'application/pdf', sha256: `original-${number}` })).toHaveLength(1);
});

it('finds files of numbers for others than advanced members, PDFs it does not know, and errors', () => {
  const file = { text: marks.chart(1, 2), type: 'text/csv' };
  expect(wrongs('standard', file)).toHaveLength(1);
  expect(wrongs('advanced', file)).toEqual([]);
  expect(wrongs('advanced', { type: 'application/pdf', body: Buffer.from('%PDF-1.7') })).toHaveLength(1);
  expect(wrongs('visitor', { status: 500 })).toHaveLength(1);
});

it('the reader from whom an image is learned has seen it, or had no right to it', () => {
  const watch = createWatch(library);
  const image = { type: 'image/webp', sha256: 'image-12' };
  for (const reader of ['standard', 'ordinary'] as const) {
    const answer = got(reader, { ...image, sha256: `${image.sha256} of ${reader}` });
    watch.look(answer);
    watch.learn(answer, 1, 12);
  }
  expect(watch.seen.get('standard')?.laterImages).toBe(1);
  expect([...watch.violations]).toEqual([
    'ordinary got an image of page 12 of a document (published): POST /api/doc/getDetail (200)',
  ]);
});
