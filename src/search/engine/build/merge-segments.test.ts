import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentNames } from '../../../../demo/names.ts';
import { createRandom } from '../../../../demo/random.ts';
import { sourceDocument } from '../../../../tests/source-document.ts';
import { createSegmentBuilder } from './build-segment.ts';
import type { MainSegment } from '../format/page-store.ts';
import type { DocumentChange, IndexedDocument } from '../format/document.ts';
import { toIndexed } from './index-document.ts';
import { mergeSegments } from './merge-segments.ts';

const random = createRandom(23);
const nextName = documentNames(23);

function made(id: number): IndexedDocument {
  const { name, keyword, organization, industry } = nextName();
  return toIndexed(
    sourceDocument({
      id,
      name,
      keyword: keyword.join(','),
      organization,
      industry,
      // Page text with words that many pages share, and some of more than two characters.
      texts: Array.from({ length: random.int(9) }, () => `${nextName().name} page${random.int(40)}`),
      industryId: 1 + random.int(30),
      themeIds: [1 + random.int(6), 7 + random.int(6)],
      fileType: 'ppt',
      pageCount: random.int(100),
      budgetYuan: random.int(2) * 50_000,
      people: random.int(2) * 300,
      days: random.int(2) * 3,
      isFree: random.int(3) === 0,
      popularity: random.int(100),
      createdAt: Date.UTC(2020 + random.int(6), random.int(12), 1),
      recommendScore: random.int(1_000),
    }),
  );
}

function build(documents: IndexedDocument[]): MainSegment {
  const builder = createSegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish();
}

const bytesOf = ({ pages }: MainSegment) => ('bytes' in pages ? pages.bytes : null);
const isSame = (a: MainSegment, b: MainSegment) =>
  Buffer.from(a.buffer).equals(Buffer.from(b.buffer)) &&
  Buffer.from(bytesOf(a) ?? []).equals(bytesOf(b) ?? Buffer.from('?'));

it('returns the same segment as building from all documents', () => {
  const old = Array.from({ length: 400 }, (_, index) => made(2 + index * 2));
  const kept = new Map(old.map((document) => [document.id, document]));
  const changes: DocumentChange[] = [];
  for (const id of [1, 3, 8, 9, 10, 402, 799, 800, 801, 900, 901]) changes.push({ id, document: made(id) });
  for (const id of [2, 4, 500, 798, 5_000]) changes.push({ id, document: null });
  for (const { id, document } of changes) {
    if (document) kept.set(id, document);
    else kept.delete(id);
  }
  const documents = [...kept.values()].sort((a, b) => a.id - b.id);
  expect(isSame(mergeSegments(build(old), changes.toReversed()), build(documents))).toBe(true);
});

it('merges into an empty segment, and to an empty segment', () => {
  const documents = [made(3), made(5)];
  const all = documents.map((document) => ({ id: document.id, document }));
  const none = documents.map(({ id }) => ({ id, document: null }));
  expect(isSame(mergeSegments(build([]), all), build(documents))).toBe(true);
  expect(isSame(mergeSegments(build(documents), none), build([]))).toBe(true);
});

it('builds the same from runs on disk as in memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ceku-runs-'));
  const documents = Array.from({ length: 300 }, (_, index) => made(1 + index));
  const builder = createSegmentBuilder(join(folder, 'runs'), 1_000);
  for (const document of documents) builder.add(document);
  // The file of the runs was unlinked after it was opened, so the folder is empty while the builder still uses the file.
  expect(readdirSync(folder)).toEqual([]);
  expect(isSame(builder.finish(), build(documents))).toBe(true);
  builder.close();
  rmSync(folder, { recursive: true });
});
