import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, logIn, type Person } from '../../../tests/people.ts';
import { shelve } from '../../../tests/shelf.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { getMine } from '../../membership/contract.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../contract.ts';

let app: TestApp;
let reader: Person;
let id: number;

beforeAll(async () => {
  app = await openTestApp();
  reader = await addPerson(app);
  id = (await shelve(app, { name: '中秋方案' })).id;
});
afterAll(() => app.close());

const rows = (documentId = id) =>
  rowsOf<{ month: string; first: number; last: number }>(
    app.ctx.db,
    sql`select month, extract(epoch from first_read_at)::float8 as first, extract(epoch from last_read_at)::float8 as last
      from reads where document_id = ${documentId} and user_id = ${reader.id} order by month`,
  );
const look = async (documentId = id) => expectOk(await app.call(getDetail, { fid: documentId }, reader.token));

it('is one row for a user, a document and a month, however many look at once, with the last time', async () => {
  await Promise.all(Array.from({ length: 8 }, () => look()));
  const [first, ...others] = await rows();
  expect(others).toEqual([]);
  expect(first?.last).toBe(first?.first);
  app.clock.offsetMs += 30_000;
  await look();
  expect(await rows()).toEqual([first]);
  app.clock.offsetMs += 10 * 60_000;
  await look();
  const [later] = await rows();
  expect(later?.first).toBe(first?.first);
  expect((later?.last ?? 0) - (first?.last ?? 0)).toBeGreaterThan(600);
  // Past the end of the login.
  app.clock.offsetMs += 40 * 86_400_000;
  const { token } = await logIn(app, reader.username);
  expectOk(await app.call(getDetail, { fid: id }, token));
  expect(await rows()).toHaveLength(2);
  app.clock.offsetMs = 0;
});

it('is of the Shanghai month', async () => {
  const { id: other } = await shelve(app);
  app.clock.offsetMs = Date.parse('2031-03-31T16:30:00Z') - Date.now();
  const late = await addPerson(app);
  expectOk(await app.call(getDetail, { fid: other }, late.token));
  const [row] = await rowsOf<{ month: string }>(app.ctx.db, sql`select month from reads where user_id = ${late.id}`);
  expect(row?.month).toBe('2031-04');
  app.clock.offsetMs = 0;
});

it('is none without pages, of a visitor, or of what does not exist', async () => {
  const { id: pageless } = await shelve(app, { pageCount: 1 });
  await app.ctx.db.execute(
    sql`delete from pages using documents d where d.file_id = pages.file_id and d.id = ${pageless}`,
  );
  await look(pageless);
  expect(await rows(pageless)).toEqual([]);
  const { id: unread } = await shelve(app);
  await app.call(getDetail, { fid: unread });
  await app.call(getDetail, { fid: 987_654 }, reader.token);
  expect(await rowsOf(app.ctx.db, sql`select from reads where document_id in (${unread}, 987654)`)).toEqual([]);
});

it('counts a document once a month against what a member may read', async () => {
  const member = await addPerson(app);
  await grantMembership(app.ctx, { userId: member.id, tier: 2, days: 90, reason: 'test' });
  const other = (await shelve(app, { name: '国庆方案' })).id;
  const left = async () => expectOk(await app.call(getMine, {}, member.token)).read_month_left;
  expect(await left()).toBe(3_000);
  await Promise.all(Array.from({ length: 6 }, () => app.call(getDetail, { fid: id }, member.token)));
  expect(await left()).toBe(2_999);
  app.clock.offsetMs += 10 * 60_000;
  await app.call(getDetail, { fid: id }, member.token);
  await app.call(getDetail, { fid: other }, member.token);
  expect(await left()).toBe(2_998);
});

it('says when a member has no reads left, keeps the preview, and takes it back when there are more', async () => {
  const member = await addPerson(app);
  await grantMembership(app.ctx, { userId: member.id, tier: 1, days: 90, reason: 'test' });
  const known = (await shelve(app, { name: '读过的' })).id;
  const detailOf = async (fid: number) => expectOk(await app.call(getDetail, { fid }, member.token)).detail;
  expect((await detailOf(known)).read_limited).toBe(0);
  await app.ctx.db.execute(sql`update quota_uses set used = 1500 where user_id = ${member.id} and kind = 'read-month'`);

  const fresh = (await shelve(app, { name: '没读过的' })).id;
  const limited = await detailOf(fresh);
  expect(limited.read_limited).toBe(1);
  expect(limited.page_urls).toHaveLength(10);
  // However often, in the same minute or later; what was read this month stays free.
  expect((await detailOf(fresh)).read_limited).toBe(1);
  app.clock.offsetMs += 10 * 60_000;
  expect((await detailOf(fresh)).read_limited).toBe(1);
  expect((await detailOf(known)).read_limited).toBe(0);
  expect(expectOk(await app.call(getMine, {}, member.token)).read_month_left).toBe(0);

  // A higher tier has more reads: now it counts.
  await grantMembership(app.ctx, { userId: member.id, tier: 2, days: 90, reason: 'test' });
  expect((await detailOf(fresh)).read_limited).toBe(0);
  expect(expectOk(await app.call(getMine, {}, member.token)).read_month_left).toBe(1_499);
  app.clock.offsetMs = 0;

  // Ordinary users and visitors have no such limit.
  expect(expectOk(await app.call(getDetail, { fid: fresh }, reader.token)).detail.read_limited).toBe(0);
  expect((await app.call(getDetail, { fid: fresh })).data?.detail).toMatchObject({ read_limited: 0 });
});
