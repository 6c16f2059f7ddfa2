import { expect, it } from 'vitest';
import { isVersionOf, type VersionFacts } from './is-version.ts';
import { pictureHash } from './picture-hash.ts';
import { hammingDistance, fingerprintOf, estimateJaccard } from './text-fingerprint.ts';

/** Han text without a pattern, of a seed. */
function prose(seed: number, characters = 400): string {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  return Array.from({ length: characters }, () => String.fromCharCode(0x4e00 + ((next() >>> 8) % 3_000))).join('');
}
const pages = [1, 2, 3, 4, 5].map((seed) => prose(seed));
const likeness = (texts: string[], change: Partial<VersionFacts> = {}): VersionFacts => ({
  ...fingerprintOf(texts),
  cover: null,
  pageCount: texts.length,
  title: '题',
  ...change,
});

it('ignores line breaks, spaces, numbers and character width', () => {
  const broken = pages.map((page) => page.replace(/(.{17})/g, '$1\n ').replace(/(.{60})/g, '$1 2024 '));
  expect(fingerprintOf(broken)).toEqual(fingerprintOf(pages));
  expect(fingerprintOf(['ＡＢＣＤＥＦ'])).toEqual(fingerprintOf(['abc def']));
});

it('is near for a copy with a page changed, and far for another text', () => {
  const own = fingerprintOf(pages);
  const edited = fingerprintOf([...pages.slice(0, 4), prose(99)]);
  const other = fingerprintOf([6, 7, 8, 9, 10].map((seed) => prose(seed)));
  expect(hammingDistance(own.simhash, edited.simhash)).toBeLessThan(20);
  expect(hammingDistance(own.simhash, other.simhash)).toBeGreaterThan(20);
  // Four of six pages of text are in both.
  expect(Math.abs(estimateJaccard(own.minHashes, edited.minHashes) - 4 / 6)).toBeLessThan(0.1);
  expect(estimateJaccard(own.minHashes, other.minHashes)).toBeLessThan(0.05);
});

it.each([
  ['0000000000000000', 'ffffffffffffffff', 64],
  ['8000000000000001', '0000000000000001', 1],
  ['00ff00ff00ff00ff', '00ff00ff00ff00ff', 0],
])('%s and %s differ in %i bits', (a, b, bits) => expect(hammingDistance(a, b)).toBe(bits));

it('of an empty text has no shingles', () => {
  expect(fingerprintOf(['', '12'])).toEqual({ simhash: '0000000000000000', minHashes: [], shingleCount: 0 });
  expect(estimateJaccard([], [])).toBe(0);
});

it('reads no more of a huge text than it needs', () => {
  const much = Array.from({ length: 21 }, (_, page) => prose(page, 20_000));
  const read = fingerprintOf(much);
  expect(read).toEqual(fingerprintOf(much.slice(0, 20)));
  expect(read.shingleCount).toBeGreaterThan(390_000);
});

const COVER = '0f0f0f0f0f0f0f0f';
it.each([
  ['the same text', likeness(pages), likeness(pages), 'text'],
  ['one page of five changed', likeness(pages), likeness([...pages.slice(0, 4), prose(99)]), 'text'],
  ['a page added', likeness(pages), likeness([...pages, prose(50)]), 'text'],
  ['an excerpt', likeness(pages), likeness(pages.slice(0, 1)), null],
  [
    'another text under the same cover',
    likeness(pages, { cover: COVER }),
    likeness([prose(70, 2_000)], { cover: COVER }),
    null,
  ],
  [
    'two thirds, covers alike',
    likeness(pages, { cover: COVER }),
    likeness([...pages.slice(0, 3), prose(98, 270), prose(99)], { cover: COVER }),
    'text-and-cover',
  ],
  [
    'two thirds, other covers',
    likeness(pages, { cover: COVER }),
    likeness([...pages.slice(0, 3), prose(98, 270), prose(99)], { cover: 'ffff0000ffff0000' }),
    null,
  ],
  ['a short text, the same', likeness([prose(1, 40)]), likeness([prose(1, 40)]), 'text'],
  ['a short text, changed', likeness([prose(1, 40)]), likeness([prose(1, 25) + prose(2, 15)]), null],
  [
    'pictures of one title',
    likeness([], { cover: COVER, pageCount: 9 }),
    likeness([], { cover: COVER, pageCount: 9 }),
    'title-and-cover',
  ],
  [
    'pictures of another length',
    likeness([], { cover: COVER, pageCount: 9 }),
    likeness([], { cover: COVER, pageCount: 8 }),
    null,
  ],
  ['pictures without covers', likeness([]), likeness([]), null],
])('%s', (_what, a, b, by) => {
  expect(isVersionOf(a, b)?.by ?? null).toBe(by);
  expect(isVersionOf(b, a)?.by ?? null).toBe(by);
});

it('a picture hash tolerates brightness and noise, and distinguishes another picture', () => {
  const picture = (shape: (x: number, y: number) => number, add = 0) =>
    Uint8Array.from({ length: 1_024 }, (_, at) => Math.max(0, Math.min(255, shape(at % 32, at >> 5) + add)));
  const hill = (x: number, y: number) => 128 + 90 * Math.sin(x / 5) * Math.cos(y / 7);
  const bars = (x: number, y: number) => (x < 12 ? 220 : 40) + y;
  const own = pictureHash(picture(hill));
  expect(hammingDistance(own, pictureHash(picture(hill, 12)))).toBeLessThanOrEqual(6);
  expect(hammingDistance(own, pictureHash(picture((x, y) => hill(x, y) + ((x * 7 + y * 13) % 9))))).toBeLessThanOrEqual(
    6,
  );
  expect(hammingDistance(own, pictureHash(picture(bars)))).toBeGreaterThan(12);
});
