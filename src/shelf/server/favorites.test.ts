import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../tests/people.ts';
import { addPublished, ODD_PAGES } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { charts } from '../../charts/server/tables.ts';
import { listDocuments } from '../../library/contract.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../../reading/contract.ts';
import { searchDocuments } from '../../search/contract.ts';
import { doFavorite, listFavored, myFavorite, noteFavorite, removeFavorites } from '../contract.ts';
import { createFolder, deleteFolder, listCollection, moveToFolder } from '../contract-folders.ts';

let app: TestApp;
let document: number;
beforeAll(async () => {
  app = await openTestApp();
  document = (await addPublished(app, { name: '中秋方案' })).id;
});
afterAll(() => app.close());

const toggle = (person: Person, id: number, is_favorite?: 0 | 1) =>
  app.call(doFavorite, { id, ...(is_favorite !== undefined && { is_favorite }) }, person.token);
const mine = async (person: Person, page: Record<string, unknown> = {}) =>
  expectOk(await app.call(myFavorite, page, person.token));
const countOf = async ({ id }: Person) =>
  (await rowsOf<{ n: number }>(app.ctx.db, sql`select count(*) as n from favorites where user_id = ${id}`))[0]?.n;

/** Adds a chart to the file of a document and returns its id. */
async function addChart(documentId: number, pageNumber = 1): Promise<number> {
  const [file] = await rowsOf<{ id: number }>(
    app.ctx.db,
    sql`select file_id as id from documents where id = ${documentId}`,
  );
  if (!file) throw new Error('no such document');
  const data = { type: 'bar', categories: [], series: [] };
  const [row] = await app.ctx.db
    .insert(charts)
    // Safe: a chart without numbers; nothing here reads them.
    .values({ fileId: file.id, number: 1, pageNumber, typeId: 1, name: '预算', data: data as never })
    .returning({ id: charts.id });
  return row?.id ?? 0;
}

it('refuses more ids than a call takes, and answers 4 for what is no id of a folder', async () => {
  const person = await addPerson(app);
  const fids = Array.from({ length: 101 }, (_, at) => at + 1);
  expect(await app.call(listFavored, { fids }, person.token)).toMatchObject({ code: 40, data: { field: 'fids' } });
  expectOk(await app.call(listFavored, { fids: fids.slice(1) }, person.token));
  for (const parent_id of ['abc', -1, 1.5, [1], true, '１']) {
    expect(await app.call(listCollection, { parent_id }, person.token), JSON.stringify(parent_id)).toMatchObject({
      code: 4,
    });
    expect(await app.call(createFolder, { name: '新建', parent_id }, person.token)).toMatchObject({ code: 4 });
  }
  for (const parent_id of [undefined, null, '', 0, '0'])
    expect(await app.call(listCollection, { parent_id }, person.token)).toMatchObject({ code: 0 });
});

describe('the items of lists', () => {
  it('say to each member which of them the member keeps, and nothing to others', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const second = await addPublished(app, { name: '中秋礼盒方案' });
    expectOk(await toggle(person, document));
    const marksOf = (items: readonly { fid: number; is_favorite: number }[]) =>
      [document, second.id].map((id) => items.find(({ fid }) => fid === id)?.is_favorite);
    const seenBy = async (token?: string) => {
      const found = expectOk(await app.call(searchDocuments, { search_key: '中秋' }, token));
      const listed = expectOk(await app.call(listDocuments, {}, token));
      return [marksOf(found.item_list), marksOf(listed.files)];
    };
    // At the same time, since the server makes one answer for all who ask the same.
    const seen = await Promise.all([person.token, other.token, undefined, person.token].map(seenBy));
    const [kept, none] = [
      [1, 0],
      [0, 0],
    ];
    expect(seen).toEqual([
      [kept, kept],
      [none, none],
      [none, none],
      [kept, kept],
    ]);
    expect(expectOk(await app.call(listCollection, {}, person.token)).items).toMatchObject([
      { fid: document, is_favorite: 1 },
    ]);
  });
});

describe('doFavorite', () => {
  it('turns a favourite on and off, and says which', async () => {
    const person = await addPerson(app);
    expect(await toggle(person, document)).toMatchObject({ code: 0, message: '收藏成功', data: { is_favorite: 1 } });
    expect(await app.call(getDetail, { fid: document }, person.token)).toMatchObject({
      data: { detail: { is_favorite: 1 } },
    });
    expect(await toggle(person, document)).toMatchObject({
      code: 0,
      message: '取消收藏成功',
      data: { is_favorite: 0 },
    });
    expect(await app.call(getDetail, { fid: document }, person.token)).toMatchObject({
      data: { detail: { is_favorite: 0 } },
    });
  });

  it('with is_favorite sets it, as often as it is sent', async () => {
    const person = await addPerson(app);
    for (const wanted of [1, 1, 0, 0] as const)
      expect(await toggle(person, document, wanted)).toMatchObject({ code: 0, data: { is_favorite: wanted } });
    await Promise.all([toggle(person, document, 1), toggle(person, document, 1)]);
    expect(await mine(person)).toMatchObject({ count: 1, files: [{ fid: document, is_favorite: 1 }] });
  });

  it('hands over note and folder of what it removes, and takes them back', async () => {
    const person = await addPerson(app);
    const folder = expectOk(await app.call(createFolder, { name: '给客户' }, person.token)).id;
    expectOk(await toggle(person, document, 1));
    expectOk(await app.call(noteFavorite, { fid: document, note: '首选' }, person.token));
    expectOk(await app.call(moveToFolder, { fids: [document], parent_id: folder }, person.token));
    const taken = expectOk(await toggle(person, document, 0));
    expect(taken).toEqual({ is_favorite: 0, note: '首选', parent_id: folder });
    const restore = (more: object) =>
      app.call(doFavorite, { ...taken, id: document, is_favorite: 1, ...more }, person.token);
    expect(await restore({ note: '长'.repeat(501) })).toMatchObject({ code: 40, data: { field: 'note' } });
    expect(expectOk(await restore({}))).toEqual({ is_favorite: 1, note: '', parent_id: 0 });
    expect((await mine(person)).files).toMatchObject([{ fid: document, note: '首选', parent_id: folder }]);
    // What is kept already is left as it is.
    expectOk(await restore({ note: 'x', parent_id: 0 }));
    expect((await mine(person)).files).toMatchObject([{ fid: document, note: '首选', parent_id: folder }]);

    expectOk(await toggle(person, document, 0));
    expectOk(await app.call(deleteFolder, { id: folder }, person.token));
    expectOk(await restore({}));
    expect((await mine(person)).files).toMatchObject([{ fid: document, note: '首选', parent_id: 0 }]);
    const other = await addPerson(app);
    const theirs = expectOk(await app.call(createFolder, { name: '别人的' }, other.token)).id;
    expectOk(await toggle(person, document, 0));
    expectOk(await restore({ parent_id: theirs }));
    expect((await mine(person)).files).toMatchObject([{ parent_id: 0 }]);
  });

  it('takes no other value of is_favorite for none: the call would toggle', async () => {
    const person = await addPerson(app);
    expectOk(await toggle(person, document, 1));
    const send = (is_favorite: unknown) => app.call(doFavorite, { id: document, is_favorite }, person.token);
    expect(await send(true)).toMatchObject({ code: 0, data: { is_favorite: 1 } });
    for (const wrong of [2, -1, 'true', [], {}, 'x'])
      expect(await send(wrong), JSON.stringify(wrong)).toMatchObject({ code: 40, data: { field: 'is_favorite' } });
    expect(await countOf(person)).toBe(1);
    expect(await send(false)).toMatchObject({ code: 0, data: { is_favorite: 0 } });
  });

  it('answers 4 for what is not shown, and still removes what has left the library', async () => {
    const person = await addPerson(app);
    const gone = await addPublished(app, { name: '旧方案' });
    expectOk(await toggle(person, gone.id));
    await hideDocument(app.ctx, gone.id, 'operator');
    expect(await mine(person)).toMatchObject({
      files: [{ fid: gone.id, offline: 1, share_url: '', cover_srcset: '' }],
    });
    expect(await toggle(person, gone.id, 1)).toMatchObject({ data: { is_favorite: 1 } });
    expect(await toggle(person, gone.id)).toMatchObject({ data: { is_favorite: 0 } });
    for (const id of [gone.id, 987_654, 0, -1, 'x', '1e3', null, {}]) {
      expect(await app.call(doFavorite, { id }, person.token)).toMatchObject({ code: 4, data: null });
      expect(await app.call(doFavorite, { id, item_type: 4 }, person.token)).toMatchObject({ code: 4 });
    }
    expect(await countOf(person)).toBe(0);
  });

  it('keeps charts beside documents, as long as a document shows them', async () => {
    const person = await addPerson(app);
    const source = await addPublished(app);
    const chart = await addChart(source.id);
    expect(await app.call(doFavorite, { id: chart, item_type: 4 }, person.token)).toMatchObject({
      data: { is_favorite: 1 },
    });
    expect(await app.call(listFavored, { fids: [source.id], chart_ids: [chart, 9] }, person.token)).toMatchObject({
      data: { fids: [], chart_ids: [chart] },
    });
    await hideDocument(app.ctx, source.id, 'operator');
    const other = await addPerson(app);
    expect(await app.call(doFavorite, { id: chart, item_type: 4 }, other.token)).toMatchObject({ code: 4 });
  });

  it('ends at 10,000 rows of one user', async () => {
    const person = await addPerson(app);
    const extra = await addPublished(app);
    const { rows } = await app.ctx.db.execute(sql`
      with made as (
        insert into documents (file_id, name, state)
        select file_id, 'many ' || n, 'published' from documents, generate_series(1, 10000) n where id = ${document}
        returning id
      ) insert into favorites (user_id, document_id, created_at) select ${person.id}, id, now() from made returning id`);
    expect(rows).toHaveLength(10_000);
    expect(await toggle(person, extra.id)).toMatchObject({ code: 60, message: '收藏已满 10,000 个，请先清理' });
    expect(await mine(person, { page: 1000 })).toMatchObject({ count: 10_000, files: { length: 10 } });
    expect(await mine(person, { page: 1001 })).toMatchObject({ count: 10_000, files: [] });
    // One row becomes free, for which several requests come at once.
    await app.ctx.db.execute(
      sql`delete from favorites where id = (select max(id) from favorites where user_id = ${person.id})`,
    );
    const wanted = await Promise.all(Array.from({ length: 8 }, () => addPublished(app)));
    const replies = await Promise.all(wanted.map(({ id }) => toggle(person, id, 1)));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, ...Array<number>(7).fill(60)]);
    expect(await countOf(person)).toBe(10_000);
  });
});

describe('at once', () => {
  it('a hundred toggles leave what an even number leaves, and each is told its own turn', async () => {
    const person = await addPerson(app);
    const replies = await Promise.all(Array.from({ length: 100 }, () => toggle(person, document)));
    const states = replies.map((reply) => expectOk(reply).is_favorite);
    expect(states.filter((state) => state === 1)).toHaveLength(50);
    expect(await countOf(person)).toBe(0);
    expect(await toggle(person, document)).toMatchObject({ data: { is_favorite: 1 } });
  });

  it('a hundred documents are all kept, and a hundred settings to 1 are one row', async () => {
    const person = await addPerson(app);
    const more = await Promise.all(Array.from({ length: 20 }, () => addPublished(app)));
    const wanted = Array.from({ length: 100 }, (_, index) => more[index % more.length]?.id ?? 0);
    const replies = await Promise.all(wanted.map((id) => toggle(person, id, 1)));
    expect(replies.map(({ code }) => code)).toEqual(wanted.map(() => 0));
    expect(await countOf(person)).toBe(20);
  });
});

describe('the lists', () => {
  it('are newest first, ten a page, of the caller alone', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const made = [];
    for (let n = 0; n < 12; n += 1) made.push((await addPublished(app, { name: `方案 ${n}` })).id);
    for (const id of made) expectOk(await toggle(person, id));
    const first = await mine(person);
    expect(first).toMatchObject({ count: 12, total: 12, page: 1, page_size: 10 });
    expect(first.files.map(({ fid }) => fid)).toEqual(made.toReversed().slice(0, 10));
    expect((await mine(person, { page: 2 })).files.map(({ fid }) => fid)).toEqual(made.toReversed().slice(10));
    expect(await mine(other)).toMatchObject({ count: 0, files: [] });
    for (const page of ODD_PAGES) expect(await mine(person, { page, pageSize: page })).toMatchObject({ page: 1 });
  });

  it('of what is kept among given ids forgive odd input', async () => {
    const person = await addPerson(app);
    expectOk(await toggle(person, document));
    expect(await app.call(listFavored, { fids: `[${document}, "x", -1]` }, person.token)).toMatchObject({
      data: { fids: [document], chart_ids: [] },
    });
    for (const fids of [null, 'x', {}, '[', 9])
      expect(await app.call(listFavored, { fids }, person.token)).toMatchObject({ data: { fids: [] } });
  });
});

describe('removeFavorites', () => {
  it('removes the caller’s rows and nobody else’s, and counts them', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const extra = await addPublished(app);
    for (const one of [person, other]) {
      expectOk(await toggle(one, document));
      expectOk(await toggle(one, extra.id));
    }
    const fids = [document, extra.id, 987_654];
    expect(await app.call(removeFavorites, { fids }, person.token)).toMatchObject({ code: 0, data: { removed: 2 } });
    expect(await app.call(removeFavorites, { fids }, person.token)).toMatchObject({ code: 0, data: { removed: 0 } });
    expect(await app.call(removeFavorites, {}, person.token)).toMatchObject({ code: 0, data: { removed: 0 } });
    expect(await countOf(other)).toBe(2);
  });
});

it('asks visitors to log in', async () => {
  for (const endpoint of [doFavorite, listFavored, myFavorite, removeFavorites])
    expect(await app.call(endpoint, { id: document })).toMatchObject({ code: 10000, data: null });
});
