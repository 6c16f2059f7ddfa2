import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { transact } from '../../../context.ts';
import { expectOk } from '../../../protocol/call.ts';
import { listSimilar, listVersions } from '../../contract.ts';
import { findDocument } from '../catalogue.ts';
import { hideDocument } from '../documents.ts';
import { documents, fileNeighbors, fileVersions } from '../tables.ts';
import { lockVersions, NEIGHBORS, recordVersions } from './record-versions.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

async function contents(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await addPublished(app, { pageCount: 1 });
    ids.push((await findDocument(app.ctx, id))?.fileId ?? 0);
  }
  return ids;
}

/** Says of one content which others are versions of it, as ingest does. */
const find = (fileId: number | undefined, versions: (number | undefined)[]) =>
  transact(app.ctx, async (tx) => {
    await lockVersions(tx);
    await recordVersions(tx, fileId ?? 0, { neighbors: [], versions: versions.map((version) => version ?? 0) });
  });

/** Returns the groups of versions that the files `ids` are in, each as the indexes of its members in `ids`. Expects each group to be named by its lowest id. */
async function groups(ids: number[]): Promise<number[][]> {
  const rows = await app.ctx.db.select().from(fileVersions).where(inArray(fileVersions.fileId, ids));
  const found = new Map<number, number[]>();
  for (const { fileId, groupId } of rows) found.set(groupId, [...(found.get(groupId) ?? []), fileId]);
  for (const [name, members] of found) expect(name).toBe(Math.min(...members));
  const places = [...found.values()].map((members) => members.map((id) => ids.indexOf(id)).sort((a, b) => a - b));
  return places.sort(([a = 0], [b = 0]) => a - b);
}

describe('groups of versions', () => {
  it('keep their members when the one that named them leaves, and do not get those of its next', async () => {
    const ids = await contents(5);
    const [a, b, c, d, e] = ids;
    await find(b, [a]);
    await find(c, [a, b]);
    await find(a, []);
    expect(await groups(ids)).toEqual([[1, 2]]);
    await find(d, [e]);
    await find(a, [d]);
    expect(await groups(ids)).toEqual([
      [0, 3, 4],
      [1, 2],
    ]);
  });

  it('lose a file that was read again and is now like other files', async () => {
    const ids = await contents(5);
    const [a, b, c, d, e] = ids;
    await find(b, [a]);
    await find(c, [a, b]);
    await find(e, [d]);
    await find(c, [d]);
    expect(await groups(ids)).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
  });

  it('are split when the file between them resembles them no more, and joined again when it does', async () => {
    const ids = await contents(5);
    const [a, b, c, d, e] = ids;
    await find(b, [a]);
    await find(c, [b, d]);
    await find(e, [d]);
    expect(await groups(ids)).toEqual([[0, 1, 2, 3, 4]]);
    await find(c, []);
    expect(await groups(ids)).toEqual([
      [0, 1],
      [3, 4],
    ]);
    await find(c, [b, d, b, c]);
    expect(await groups(ids)).toEqual([[0, 1, 2, 3, 4]]);
    await find(c, [b, d]);
    expect(await groups(ids)).toEqual([[0, 1, 2, 3, 4]]);
  });
});

describe('the versions of a document', () => {
  it('are newer by time, then by number, also where there are more than are listed', async () => {
    const moment = new Date('2026-03-01T00:00:00Z');
    const made: number[] = [];
    for (let n = 0; n < 54; n++) made.push((await addPublished(app, { pageCount: 1, createdAt: moment })).id);
    const rows = await app.ctx.db.select().from(documents).where(inArray(documents.id, made)).orderBy(documents.id);
    const [first, ...rest] = rows.map(({ fileId }) => fileId);
    await find(first, rest);
    const ofFirst = expectOk(await app.call(listVersions, { fid: made[0] })).versions;
    expect(ofFirst.map(({ fid }) => fid)).toEqual(made.slice(4).reverse());
    expect(new Set(ofFirst.map(({ is_newer }) => is_newer))).toEqual(new Set([1]));
    const ofLast = expectOk(await app.call(listVersions, { fid: made[53] })).versions;
    expect(ofLast).toHaveLength(50);
    expect(new Set(ofLast.map(({ is_newer }) => is_newer))).toEqual(new Set([0]));
    const { files: similar } = expectOk(await app.call(listSimilar, { fid: made[0] }));
    expect(similar.filter(({ id }) => made.includes(id))).toEqual([]);

    // A hidden document is not listed.
    for (const id of made.slice(4)) await hideDocument(app.ctx, id, 'operator');
    const left = expectOk(await app.call(listVersions, { fid: made[1] })).versions;
    expect(left.map(({ fid, is_newer }) => [fid, is_newer])).toEqual([
      [made[3], 1],
      [made[2], 1],
      [made[0], 0],
    ]);
    await app.ctx.db.delete(fileVersions).where(eq(fileVersions.groupId, first ?? 0));
  }, 60_000);
});

describe('neighbours', () => {
  const say = (fileId: number, neighbors: { fileId: number; score: number }[]) =>
    transact(app.ctx, async (tx) => {
      await lockVersions(tx);
      await recordVersions(tx, fileId, { neighbors, versions: [] });
    });
  const scoresOf = async (fileId: number) => {
    const rows = await app.ctx.db.select().from(fileNeighbors).where(eq(fileNeighbors.fileId, fileId));
    return rows.map(({ score }) => Math.round(score * 100)).sort((a, b) => b - a);
  };

  it('are the best NEIGHBORS of a file, and twice as many of a file that others name', async () => {
    const [popular = 0, ...others] = await contents(NEIGHBORS * 2 + 3);
    for (const [index, id] of others.entries()) await say(id, [{ fileId: popular, score: (index + 1) / 100 }]);
    const best = (count: number) => Array.from({ length: count }, (_, index) => others.length - index);
    expect(await scoresOf(popular)).toEqual(best(NEIGHBORS * 2));
    await say(popular, others.map((fileId, index) => ({ fileId, score: (index + 1) / 100 })).reverse());
    expect(await scoresOf(popular)).toEqual(best(NEIGHBORS));
  });
});
