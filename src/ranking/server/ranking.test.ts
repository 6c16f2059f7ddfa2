import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../../demo/random.ts';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson, type Person } from '../../../tests/people.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { recommendScore } from '../../library/rules.ts';
import { downloadDocument } from '../../membership/contract.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../../reading/contract.ts';
import { searchDocuments } from '../../search/contract.ts';
import { doFavorite } from '../../shelf/contract.ts';
import { heatOf, type Signal } from '../rules.ts';
import { rankingJobs } from './jobs.ts';
import { explainRanking, updateRanking } from './ranking.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let people: Person[];
const ids: number[] = [];

beforeAll(async () => {
  app = await openTestApp();
  people = await Promise.all(Array.from({ length: 6 }, () => addPerson(app)));
  for (let index = 0; index < 8; index++)
    ids.push((await addPublished(app, { name: `方案${index}`, createdAt: new Date(Date.now() - index * DAY_MS) })).id);
});
afterAll(() => app.close());

const heats = async () =>
  new Map(
    (await rowsOf<{ id: number; heat: number }>(app.ctx.db, sql`select id, heat from documents`)).map(
      ({ id, heat }) => [id, heat] as const,
    ),
  );
const idAt = (place: number) => ids[place] ?? 0;
const personAt = (place: number) => people[place] ?? expect.fail('nobody');
const clear = () => app.ctx.db.execute(sql`delete from entitlements; delete from reads; delete from favorites;`);

it('moves lists by what people do: pages that were shown, originals that were taken', async () => {
  const [last, other] = [idAt(7), idAt(6)];
  for (const { token } of people) expectOk(await app.call(getDetail, { fid: last }, token));
  // A visitor is shown no pages, and counts for nothing.
  await app.call(getDetail, { fid: other });
  await app.ctx.db.execute(sql`insert into entitlements (user_id, document_id, method)
    values (${personAt(0).id}, ${last}, 'free'), (${personAt(1).id}, ${other}, 'free')`);
  const job = rankingJobs[0] ?? expect.fail('no job');
  await job.run(app.ctx, null, { number: 1, isLast: false, signal: undefined });
  // Five who read it, one of the six took it as well.
  expect([(await heats()).get(last), (await heats()).get(other)]).toEqual([10, 5]);
  const { item_list } = expectOk(await app.call(searchDocuments, {}));
  expect(item_list.map(({ id }) => id).slice(0, 2)).toEqual([last, other]);
  const hottest = expectOk(await app.call(searchDocuments, { search_key: '方案', sort: 'hottest', page: 1 }));
  expect(hottest.item_list.map(({ id }) => id).slice(0, 2)).toEqual([last, other]);
  expect(await updateRanking(app.ctx)).toEqual({ moved: 0 });
});

it('says why', async () => {
  const explained = await explainRanking(app.ctx, idAt(7));
  expect(explained).toMatchObject({
    heat: 10,
    writtenHeat: 10,
    people: [
      { kind: 'download', people: 1, heat: 5 },
      { kind: 'favourite', people: 0, heat: 0 },
      { kind: 'read', people: 5, heat: 5 },
    ],
  });
  expect(explained?.writtenScore).toBeCloseTo(explained?.score ?? 0, 6);
  expect(await explainRanking(app.ctx, 987_654)).toBeNull();
});

it('lets signals grow old', async () => {
  app.clock.offsetMs = 31 * DAY_MS;
  expect(await updateRanking(app.ctx)).toEqual({ moved: 2 });
  expect([...(await heats()).values()].every((heat) => heat === 0)).toBe(true);
  app.clock.offsetMs = 0;
  await clear();
});

it('counts a favourite for as long as it is kept', async () => {
  const [kept, person] = [idAt(5), personAt(2)];
  expectOk(await app.call(getDetail, { fid: kept }, person.token));
  expectOk(await app.call(doFavorite, { id: kept, is_favorite: 1 }, person.token));
  expect(await updateRanking(app.ctx)).toEqual({ moved: 1 });
  expect((await heats()).get(kept)).toBe(3);
  expect(await explainRanking(app.ctx, kept)).toMatchObject({
    heat: 3,
    people: [
      { kind: 'download', people: 0 },
      { kind: 'favourite', people: 1, heat: 3 },
      { kind: 'read', people: 0 },
    ],
  });
  expectOk(await app.call(doFavorite, { id: kept, is_favorite: 0 }, person.token));
  expect(await updateRanking(app.ctx)).toEqual({ moved: 1 });
  expect((await heats()).get(kept)).toBe(1);
  await clear();
});

it('agrees with the rule on random histories', async () => {
  const random = createRandom(17);
  const now = app.ctx.clock.now();
  const signals = new Map<number, Signal[]>(ids.map((id) => [id, []]));
  const seconds = (days: number) => new Date(now - Math.floor(days * 86_400) * 1_000);
  for (const id of ids) {
    for (const { id: userId } of people) {
      const at = seconds(random.int(45) + 0.5);
      if (random.int(2) === 0) {
        await app.ctx.db.execute(sql`insert into entitlements (user_id, document_id, method, created_at)
          values (${userId}, ${id}, 'free', ${at.toISOString()}::timestamptz)`);
        signals.get(id)?.push({ userId, kind: 'download', at });
      }
      if (random.int(2) === 0) {
        const keptAt = seconds(random.int(45) + 0.5);
        await app.ctx.db.execute(sql`insert into favorites (user_id, document_id, created_at)
          values (${userId}, ${id}, ${keptAt.toISOString()}::timestamptz)`);
        signals.get(id)?.push({ userId, kind: 'favourite', at: keptAt });
      }
      for (const month of ['2026-01', '2026-02']) {
        const readAt = seconds(random.int(45) + 0.5);
        if (random.int(3) === 0) continue;
        await app.ctx.db.execute(sql`insert into reads (user_id, document_id, month, first_read_at, last_read_at)
          values (${userId}, ${id}, ${month}, ${readAt.toISOString()}::timestamptz, ${readAt.toISOString()}::timestamptz)`);
        signals.get(id)?.push({ userId, kind: 'read', at: readAt });
      }
    }
  }
  // Two at once: an operator beside the hourly run.
  await Promise.all([updateRanking(app.ctx), updateRanking(app.ctx)]);
  const expected = new Map([...signals].map(([id, list]) => [id, heatOf(list, now)]));
  expect(await heats()).toEqual(expected);
  const rows = await rowsOf<{ id: number; ms: number; score: number }>(
    app.ctx.db,
    sql`select id, (extract(epoch from created_at) * 1000)::float8 as ms, recommend_score as score from documents`,
  );
  for (const { id, ms, score } of rows)
    expect(score).toBeCloseTo(recommendScore(new Date(ms), expected.get(id) ?? 0), 6);
});

it('writes nothing, and tells search nothing, for changes too small to be seen', async () => {
  await clear();
  await app.ctx.db.execute(sql`update documents set heat = 0`);
  const id = idAt(0);
  // 102 people who read it; heat 101 was written.
  await app.ctx.db.execute(sql`insert into users (nickname) select '某人' from generate_series(1, 102)`);
  await app.ctx.db.execute(sql`insert into reads (user_id, document_id, month, first_read_at, last_read_at)
    select id, ${id}, '2026-11', now(), now() from users where nickname = '某人'`);
  await app.ctx.db.execute(sql`update documents set heat = 101 where id = ${id}`);
  const changes = () => rowsOf(app.ctx.db, sql`select document_id, noted_in::text from search_changes order by 1`);
  const before = await changes();
  expect(await updateRanking(app.ctx)).toEqual({ moved: 0 });
  expect(await changes()).toEqual(before);
  await app.ctx.db.execute(sql`update documents set heat = 95 where id = ${id}`);
  expect(await updateRanking(app.ctx)).toEqual({ moved: 1 });
});

it('is not moved by a download at once', async () => {
  const { id } = await addDocument(app);
  const [before] = await rowsOf<{ score: number }>(
    app.ctx.db,
    sql`select recommend_score as score from documents where id = ${id}`,
  );
  expectOk(await app.call(downloadDocument, { fid: id }, personAt(0).token));
  const [after] = await rowsOf<{ score: number; count: number }>(
    app.ctx.db,
    sql`select recommend_score as score, download_count as count from documents where id = ${id}`,
  );
  expect([after?.score, after?.count]).toEqual([before?.score, 1]);
});
