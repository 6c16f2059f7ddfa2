import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson, logIn, type Person } from '../../../tests/people.ts';
import { addPublished, ODD_PAGES } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { downloadDocument, getMine } from '../../membership/contract.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { expectOk } from '../../protocol/call.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { getDetail } from '../../reading/contract.ts';
import { doFavorite } from '../contract.ts';
import {
  clearHistory,
  getFileRecord,
  listRecords,
  myDownload,
  myHistory,
  removeFromHistory,
} from '../contract-history.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('lists what was read once, the last read first, over months, with the page', async () => {
  const person = await addPerson(app);
  const [first, second] = [await addPublished(app, { name: '一' }), await addPublished(app, { name: '二' })];
  const read = async (fid: number, days: number) => {
    app.clock.offsetMs = days * DAY_MS;
    // A session ends after 30 days.
    const { token } = await logIn(app, person.username);
    expectOk(await app.call(getDetail, { fid }, token));
  };
  await read(first.id, 0);
  await read(second.id, 1);
  await read(first.id, 40);
  app.clock.offsetMs = 0;
  expectOk(await app.call(getFileRecord, { fid: first.id, page: 7 }, person.token));
  expectOk(await app.call(doFavorite, { id: second.id }, person.token));
  const { files, count } = expectOk(await app.call(myHistory, {}, person.token));
  expect(count).toBe(2);
  expect(files).toMatchObject([
    { fid: first.id, record_id: first.id, last_page: 7, is_favorite: 0, is_new: 1 },
    { fid: second.id, record_id: second.id, last_page: 0, is_favorite: 1, offline: 0 },
  ]);
  expect((files[0]?.read_time ?? 0) - (files[1]?.read_time ?? 0)).toBeGreaterThan(38 * 86_400);
  const form = expectOk(await app.call(listRecords, { type: 1, sid: person.sid }, person.token));
  expect(form).toMatchObject({ total: 2, page_size: 20, data: [{ fid: first.id }, { fid: second.id }] });
});

it('leaves out what has left the library, but for documents that the reader owns', async () => {
  const person = await addPerson(app);
  const [left, owned] = [await addPublished(app, { name: '下架' }), await addPublished(app, { name: '已购' })];
  for (const { id } of [left, owned]) expectOk(await app.call(getDetail, { fid: id }, person.token));
  await app.ctx.db.execute(
    sql`insert into entitlements (user_id, document_id, method) values (${person.id}, ${owned.id}, 'free')`,
  );
  for (const { id } of [left, owned]) await hideDocument(app.ctx, id, 'operator');
  const shown = { count: 1, files: [{ fid: owned.id, offline: 1 }] };
  expect(expectOk(await app.call(myHistory, {}, person.token))).toMatchObject(shown);
  expect(expectOk(await app.call(listRecords, { type: 1 }, person.token))).toMatchObject({ total: 1 });
});

it('lists downloads with how they were paid, and says which may be downloaded again', async () => {
  const person = await addPerson(app);
  const [kept, operator, rights] = [await addDocument(app), await addDocument(app), await addDocument(app)];
  for (const { id } of [kept, operator, rights]) expectOk(await app.call(downloadDocument, { fid: id }, person.token));
  await hideDocument(app.ctx, operator.id, 'operator');
  await hideDocument(app.ctx, rights.id, 'copyright');
  const { files, count } = expectOk(await app.call(myDownload, {}, person.token));
  expect(count).toBe(3);
  const byId = new Map(files.map((file) => [file.fid, file]));
  expect(byId.get(kept.id)).toMatchObject({ method: 'free', cost: 0, can_download: 1, offline: 0 });
  expect(byId.get(operator.id)).toMatchObject({ can_download: 1, offline: 1, share_url: '' });
  expect(byId.get(rights.id)).toMatchObject({ can_download: 0, offline: 1 });
  expect(await app.call(downloadDocument, { fid: operator.id }, person.token)).toMatchObject({ code: 0 });
  expect(await app.call(downloadDocument, { fid: rights.id }, person.token)).toMatchObject({ code: 4 });
  for (const wanted of [{ type: 2 }, { opType: 2 }, { type: '2', opType: 1 }])
    expect(await app.call(listRecords, wanted, person.token)).toMatchObject({ data: { total: 3 } });
  expect(await app.call(listRecords, { type: 1, opType: 2 }, person.token)).toMatchObject({ data: { total: 0 } });
  expect(await app.call(listRecords, { type: 2, only_chart: 1 }, person.token)).toMatchObject({
    data: { total: 0, data: [] },
  });
});

it('is the caller’s own, forgives odd pages, and refuses visitors and another session', async () => {
  const [person, other] = [await addPerson(app), await addPerson(app)];
  const { id } = await addPublished(app);
  expectOk(await app.call(getDetail, { fid: id }, person.token));
  for (const endpoint of [myHistory, myDownload, listRecords]) {
    expect(await app.call(endpoint, {}, other.token)).toMatchObject({ code: 0, data: { total: 0 } });
    expect(await app.call(endpoint, {})).toMatchObject({ code: 10000, data: null });
    for (const page of ODD_PAGES)
      expect(await app.call(endpoint, { page }, person.token)).toMatchObject({ code: 0, data: { page: 1 } });
  }
  expect(await app.call(listRecords, { sid: other.sid }, person.token)).toMatchObject({ code: 2 });
});

describe('deleting reading history', () => {
  const read = async (person: Person, ids: number[]) => {
    for (const fid of ids) expectOk(await app.call(getDetail, { fid }, person.token));
  };
  const listed = async (person: Person) =>
    expectOk(await app.call(myHistory, {}, person.token)).files.map(({ fid }) => fid);

  it('takes one document off the list, of all months, with the page; reading it again brings it back', async () => {
    const person = await addPerson(app);
    const [first, second] = [await addPublished(app), await addPublished(app)];
    await read(person, [first.id]);
    app.clock.offsetMs = 35 * DAY_MS;
    const later = { ...person, ...(await logIn(app, person.username)) };
    await read(later, [first.id, second.id]);
    expectOk(await app.call(getFileRecord, { fid: first.id, page: 4 }, later.token));
    const gone = await app.call(removeFromHistory, { fids: [first.id] }, later.token);
    expect(gone).toMatchObject({ code: 0, message: '已从阅读记录中删除', data: { removed: 1 } });
    expect(await listed(later)).toEqual([second.id]);
    const record = await app.call(getFileRecord, { fid: first.id }, later.token);
    expect(record).toMatchObject({ data: { read: 0, last_page: 0, last_read_time: 0 } });
    await read(later, [first.id]);
    expect(new Set(await listed(later))).toEqual(new Set([first.id, second.id]));
    app.clock.offsetMs = 0;
  });

  it('leaves what is owned, and the reads that the membership has counted', async () => {
    const person = await addPerson(app);
    await grantMembership(app.ctx, { userId: person.id, tier: 1, days: 30, reason: 'test' });
    const [bought, first, other] = [await addDocument(app), await addPublished(app), await addPublished(app)];
    await read(person, [first.id, other.id]);
    expectOk(await app.call(downloadDocument, { fid: bought.id }, person.token));
    const before = expectOk(await app.call(getMine, {}, person.token));
    expect(before.read_month_used).toBe(2);
    expect(await app.call(clearHistory, {}, person.token)).toMatchObject({
      code: 0,
      message: '阅读记录已清空',
      data: { removed: 2 },
    });
    expect(await listed(person)).toEqual([]);
    expect(expectOk(await app.call(getMine, {}, person.token))).toEqual(before);
    expect(expectOk(await app.call(myDownload, {}, person.token)).files).toMatchObject([{ fid: bought.id }]);
    // A document that was counted this month is not counted a second time.
    await read(person, [other.id]);
    expect(expectOk(await app.call(getMine, {}, person.token)).read_month_used).toBe(2);
  });

  it('is the caller’s own, ignores what is not there, and refuses visitors', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const { id } = await addPublished(app);
    for (const each of [person, other]) await read(each, [id]);
    expect(await app.call(removeFromHistory, { fids: [id] }, other.token)).toMatchObject({ data: { removed: 1 } });
    expect(await app.call(removeFromHistory, { fids: [id] }, other.token)).toMatchObject({ data: { removed: 0 } });
    expect(await listed(person)).toEqual([id]);
    for (const fids of [[], [987_654_321], 'x', '[', null, {}, [0, -1, 'a', 1.5]])
      expect(await app.call(removeFromHistory, { fids }, person.token)).toMatchObject({
        code: 0,
        data: { removed: 0 },
      });
    expect(await listed(person)).toEqual([id]);
    expect(await app.call(removeFromHistory, { fids: [id] })).toMatchObject({ code: 10000 });
    expect(await app.call(clearHistory, {})).toMatchObject({ code: 10000 });
  });

  it('deletes each document once however often it is asked at the same time, beside further reads', async () => {
    const person = await addPerson(app);
    const ids: number[] = [];
    for (let count = 0; count < 8; count += 1) ids.push((await addPublished(app)).id);
    await read(person, ids);
    const asked = await Promise.all([
      ...Array.from({ length: 10 }, (_, at) =>
        app.call(removeFromHistory, { fids: at % 2 ? ids : ids.toReversed() }, person.token),
      ),
      ...Array.from({ length: 5 }, () => app.call(clearHistory, {}, person.token)),
    ]);
    expect(asked.map(({ code }) => code)).toEqual(asked.map(() => 0));
    expect(asked.reduce((sum, { data }) => sum + (data?.removed ?? 0), 0)).toBe(8);
    const mixed = await Promise.all([
      ...ids.map((fid) => app.call(getDetail, { fid }, person.token)),
      ...ids.map((fid) => app.call(getFileRecord, { fid, page: 1 }, person.token)),
      ...ids.map(() => app.call(clearHistory, {}, person.token)),
    ]);
    expect(mixed.map(({ code }) => code)).toEqual(mixed.map(() => 0));
  });
});

it('reads any page of ten thousand rows', async () => {
  const person = await addPerson(app);
  const { id } = await addPublished(app);
  await app.ctx.db.execute(sql`
    with made as (
      insert into documents (file_id, name, state)
      select file_id, 'many ' || n, 'published' from documents, generate_series(1, 10000) n where id = ${id} returning id
    ), read as (
      insert into reads (user_id, document_id, month, first_read_at, last_read_at)
      select ${person.id}, id, '2026-11', now(), now() - id * interval '1 second' from made
    )
    insert into entitlements (user_id, document_id, method, coins, created_at)
    select ${person.id}, id, 'free', 0, now() - id * interval '1 second' from made`);
  await app.ctx.db.execute(sql`analyze reads; analyze entitlements`);
  for (const page of [1, 500, 1000])
    for (const endpoint of [myHistory, myDownload])
      expect(await app.call(endpoint, { page }, person.token)).toMatchObject({
        data: { total: 10_000, files: { length: 10 } },
      });
  expect(await app.call(myHistory, { page: 1001 }, person.token)).toMatchObject({ data: { files: [], total: 10_000 } });
});
