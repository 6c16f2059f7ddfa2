import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useUpReads } from '../../../tests/buyers.ts';
import { addPerson, logIn, type Person } from '../../../tests/people.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { getMine } from '../../membership/contract.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { entitlements } from '../../membership/server/tables.ts';
import { expectOk } from '../../protocol/call.ts';
import { transact } from '../../context.ts';
import { getDetail, readPages } from '../../reading/contract.ts';
import { myHistory } from '../contract-history.ts';
import { openForReading } from '../../reading/server/whole/open-for-reading.ts';

let app: TestApp;
let reader: Person;
let id: number;

beforeAll(async () => {
  app = await openTestApp();
  reader = await addPerson(app);
  id = (await addPublished(app, { name: '中秋方案' })).id;
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

it('writes nothing, not even a lock on the row, when a page is loaded again within the minute', async () => {
  const { id: other } = await addPublished(app);
  const member = await addPerson(app);
  for (let time = 0; time < 2; time++) expectOk(await app.call(getDetail, { fid: other }, member.token));
  // A row that was locked or updated carries the transaction in xmax, also after its end.
  expect(
    await rowsOf(app.ctx.db, sql`select xmax::text from reads where document_id = ${other} and user_id = ${member.id}`),
  ).toEqual([{ xmax: '0' }]);
});

it('is of the Shanghai month', async () => {
  const { id: other } = await addPublished(app);
  app.clock.offsetMs = Date.parse('2031-03-31T16:30:00Z') - Date.now();
  const late = await addPerson(app);
  expectOk(await app.call(getDetail, { fid: other }, late.token));
  const [row] = await rowsOf<{ month: string }>(app.ctx.db, sql`select month from reads where user_id = ${late.id}`);
  expect(row?.month).toBe('2031-04');
  app.clock.offsetMs = 0;
});

it('is none without pages, of a visitor, or of what does not exist', async () => {
  const { id: pageless } = await addPublished(app, { pageCount: 1 });
  await app.ctx.db.execute(
    sql`delete from pages using documents d where d.file_id = pages.file_id and d.id = ${pageless}`,
  );
  await look(pageless);
  expect(await rows(pageless)).toEqual([]);
  const { id: unread } = await addPublished(app);
  await app.call(getDetail, { fid: unread });
  await app.call(getDetail, { fid: 987_654 }, reader.token);
  expect(await rowsOf(app.ctx.db, sql`select from reads where document_id in (${unread}, 987654)`)).toEqual([]);
});

it('comes to the top again within the minute where another document was read in between', async () => {
  const member = await addPerson(app);
  const other = (await addPublished(app, { name: '夏至方案' })).id;
  const order = async () => {
    const { files } = expectOk(await app.call(myHistory, {}, member.token));
    return files.map(({ fid }) => fid);
  };
  for (const [fid, wanted] of [
    [id, [id]],
    [other, [other, id]],
    [id, [id, other]],
    [id, [id, other]],
  ] as const) {
    await app.call(getDetail, { fid }, member.token);
    expect(await order()).toEqual(wanted);
    app.clock.offsetMs += 2_000;
  }
  app.clock.offsetMs = 0;
});

it('counts a document once a month against what a member may read', async () => {
  const member = await addPerson(app);
  await grantMembership(app.ctx, { userId: member.id, tier: 2, days: 90, reason: 'test' });
  const other = (await addPublished(app, { name: '国庆方案' })).id;
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
  const known = (await addPublished(app, { name: '读过的' })).id;
  const detailOf = async (fid: number) => expectOk(await app.call(getDetail, { fid }, member.token)).detail;
  expect((await detailOf(known)).read_limited).toBe(0);
  await useUpReads(app, member.id);

  const fresh = (await addPublished(app, { name: '没读过的' })).id;
  const limited = await detailOf(fresh);
  expect(limited.read_limited).toBe(1);
  expect(limited.page_urls).toHaveLength(10);
  // However often, in the same minute or later; what was read this month stays free.
  expect((await detailOf(fresh)).read_limited).toBe(1);
  app.clock.offsetMs += 10 * 60_000;
  expect((await detailOf(fresh)).read_limited).toBe(1);
  expect((await detailOf(known)).read_limited).toBe(0);
  expect(expectOk(await app.call(getMine, {}, member.token)).read_month_left).toBe(0);
  // A document of one's own may always be read (C-41).
  const own = (await addPublished(app, { name: '自己的' })).id;
  await app.ctx.db.insert(entitlements).values({ userId: member.id, documentId: own, method: 'free' });
  expect(await detailOf(own)).toMatchObject({ owned: 1, read_limited: 0 });

  // A higher tier has more reads: now it counts.
  await grantMembership(app.ctx, { userId: member.id, tier: 2, days: 90, reason: 'test' });
  expect((await detailOf(fresh)).read_limited).toBe(0);
  expect(expectOk(await app.call(getMine, {}, member.token)).read_month_left).toBe(1_499);
  app.clock.offsetMs = 0;

  // Ordinary users and visitors have no such limit.
  expect(expectOk(await app.call(getDetail, { fid: fresh }, reader.token)).detail.read_limited).toBe(0);
  expect((await app.call(getDetail, { fid: fresh })).data?.detail).toMatchObject({ read_limited: 0 });
});

describe('the reads of a month, when several pages are opened at once', () => {
  const open = async (token: string, fid: number) => expectOk(await app.call(readPages, { fid }, token)).right;
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('give no second request the document that the first is refused', async () => {
    const member = await addPerson(app);
    await grantMembership(app.ctx, { userId: member.id, tier: 1, days: 90, reason: 'test' });
    await useUpReads(app, member.id);
    const fresh = (await addPublished(app, { name: '用尽之后' })).id;
    // The first request waits for the row of the quota while the second is answered.
    const { waiting } = await transact(app.ctx, async ({ db }) => {
      await db.execute(sql`select from quota_uses where user_id = ${member.id} for update`);
      const waiting = times(2, () => open(member.token, fresh));
      await expect
        .poll(async () =>
          rowsOf(
            app.ctx.db,
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        )
        .not.toEqual([]);
      return { waiting };
    });
    expect(await waiting).toEqual(['over-limit', 'over-limit']);
  });

  it('end with the last one: of many documents one is read, and of one document every request', async () => {
    const member = await addPerson(app);
    await grantMembership(app.ctx, { userId: member.id, tier: 1, days: 90, reason: 'test' });
    await useUpReads(app, member.id, 1_499);
    const several = await times(6, async () => (await addPublished(app)).id);
    const rights = await times(6, (index) => open(member.token, several[index] ?? 0));
    expect(rights.toSorted()).toEqual(['membership', ...Array.from({ length: 5 }, () => 'over-limit')]);
    await useUpReads(app, member.id, 1_499);
    const [one = 0] = several.filter((_, index) => rights[index] === 'over-limit');
    expect(await times(6, () => open(member.token, one))).toEqual(Array.from({ length: 6 }, () => 'membership'));
  });

  it('count a document that was seen as an ordinary user when it is first read as a member', async () => {
    const member = await addPerson(app);
    expect(await open(member.token, id)).toBe('ordinary');
    await grantMembership(app.ctx, { userId: member.id, tier: 1, days: 90, reason: 'test' });
    const left = async () => expectOk(await app.call(getMine, {}, member.token)).read_month_left;
    expect(await left()).toBe(1_500);
    expect([await open(member.token, id), await left()]).toEqual(['membership', 1_499]);
    expect([await open(member.token, id), await left()]).toEqual(['membership', 1_499]);
    await useUpReads(app, member.id);
    expect(await open(member.token, id)).toBe('membership');
  });

  it('are read uncounted by nobody whose membership ends in the middle of the request', async () => {
    const member = await addPerson(app);
    const { clocks } = await grantMembership(app.ctx, { userId: member.id, tier: 1, days: 1, reason: 'test' });
    const end = clocks.standardEndAt?.getTime() ?? 0;
    for (const looks of [0, 1, 2, 3]) {
      const { id: documentId } = await addPublished(app);
      let asked = 0;
      // The membership is over from the given look at the clock on.
      const clock = { now: () => end + ((asked += 1) > looks ? 0 : -1) };
      const session = { id: 1, userId: member.id, sid: '' };
      const { right } = await openForReading({ ...app.ctx, clock, session }, documentId);
      const counted = await rowsOf(
        app.ctx.db,
        sql`select from member_reads where user_id = ${member.id} and document_id = ${documentId}`,
      );
      expect([looks, right, counted.length]).toEqual([
        looks,
        counted.length > 0 ? 'membership' : 'ordinary',
        counted.length,
      ]);
    }
  });
});
