import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../tests/people.ts';
import { addPublished, ODD_TEXTS } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { charts } from '../../charts/server/tables.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { expectOk } from '../../protocol/call.ts';
import { doFavorite, noteFavorite } from '../contract.ts';
import {
  createFolder,
  deleteFolder,
  exportFavorites,
  listCollection,
  listFolders,
  moveToFolder,
  renameFolder,
} from '../contract-folders.ts';

let app: TestApp;
let documents: number[];
beforeAll(async () => {
  app = await openTestApp();
  documents = [];
  for (const name of ['中秋方案', '国庆方案', '=新春方案'])
    documents.push((await addPublished(app, { name, priceCoins: 12 })).id);
});
afterAll(() => app.close());

const create = async (person: Person, name: string, parent_id = 0) =>
  expectOk(await app.call(createFolder, { name, parent_id }, person.token)).id;
const keepAll = async (person: Person) => {
  for (const id of documents) expectOk(await app.call(doFavorite, { id, is_favorite: 1 }, person.token));
};
const collection = async (person: Person, parent_id = 0, more: Record<string, unknown> = {}) =>
  expectOk(await app.call(listCollection, { parent_id, ...more }, person.token));
const namesIn = async (person: Person, parent_id = 0) =>
  (await collection(person, parent_id)).items.map(({ item_type, name }) => `${item_type} ${name}`);

describe('the collection', () => {
  it('shows folders before documents, the path of an entered folder, and pages over both', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    const outer = await create(person, '客户甲');
    const inner = await create(person, '第一轮', outer);
    expectOk(await app.call(moveToFolder, { fids: [documents[0]], parent_id: inner }, person.token));
    expect(await namesIn(person)).toEqual(['2 客户甲', '3 =新春方案', '3 国庆方案']);
    expect(await collection(person, inner)).toMatchObject({
      path: [
        { id: outer, name: '客户甲' },
        { id: inner, name: '第一轮' },
      ],
      items: [{ item_type: 3, fid: documents[0], parent_id: inner, is_favorite: 1, offline: 0 }],
      total: 1,
      page_size: 20,
    });
    for (let n = 0; n < 20; n += 1) await create(person, `文件夹 ${n}`);
    const second = await collection(person, 0, { page: 2 });
    expect(second).toMatchObject({ total: 23, folder_count: 21, page: 2 });
    expect(second.items.map(({ item_type }) => item_type)).toEqual([2, 3, 3]);
    expect((await collection(person, 0, { page: 3 })).items).toEqual([]);
  });

  it('shows charts by themselves, without a picture once their document is gone', async () => {
    const person = await addPerson(app);
    const source = await addPublished(app, { name: '数据报告' });
    const [file] = await rowsOf<{ id: number }>(
      app.ctx.db,
      sql`select file_id as id from documents where id = ${source.id}`,
    );
    const data = { type: 'bar', categories: [], series: [] };
    const [chart] = await app.ctx.db
      .insert(charts)
      // Safe: a chart without numbers; nothing here reads them.
      .values({
        fileId: file?.id ?? 0,
        number: 1,
        pageNumber: 3,
        typeId: 1,
        name: '预算',
        width: 640,
        height: 360,
        data: data as never,
      })
      .returning({ id: charts.id });
    expectOk(await app.call(doFavorite, { id: chart?.id, item_type: 4 }, person.token));
    const folder = await create(person, '图表');
    expectOk(await app.call(moveToFolder, { chart_ids: [chart?.id], parent_id: folder }, person.token));
    const shown = await collection(person, folder, { only_chart: 1 });
    expect(shown.items).toMatchObject([
      { item_type: 4, id: chart?.id, fid: source.id, page: 3, offline: 0, file: { name: '数据报告' } },
    ]);
    expect(shown.items[0]).toHaveProperty('online_url', expect.stringMatching(/^\/media\//));
    expect((await collection(person, folder)).items).toEqual([]);
    await hideDocument(app.ctx, source.id, 'operator');
    expect((await collection(person, folder, { only_chart: 1 })).items).toMatchObject([{ offline: 1, online_url: '' }]);
  });

  it('refuses another session’s sid and another user’s folder', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const folder = await create(person, '我的');
    expect(await app.call(listCollection, { sid: other.sid }, person.token)).toMatchObject({ code: 2 });
    expect(await app.call(listCollection, { sid: person.sid }, person.token)).toMatchObject({ code: 0 });
    for (const parent_id of [folder, 987_654])
      expect(await app.call(listCollection, { parent_id }, other.token)).toMatchObject({ code: 4 });
  });
});

describe('folders', () => {
  it('are renamed, and refuse names that are empty or too long', async () => {
    const person = await addPerson(app);
    const id = await create(person, '  初稿\n ');
    expectOk(await app.call(renameFolder, { id, name: '终稿' }, person.token));
    expect(await app.call(listFolders, {}, person.token)).toMatchObject({
      data: { items: [{ id, name: '终稿', count: 0 }] },
    });
    for (const name of ['', ' \u200b ', '字'.repeat(41)]) {
      expect(await app.call(createFolder, { name }, person.token)).toMatchObject({ code: 40, data: { field: 'name' } });
      expect(await app.call(renameFolder, { id, name }, person.token)).toMatchObject({ code: 40 });
    }
    for (const name of ODD_TEXTS)
      expect([0, 40]).toContain((await app.call(createFolder, { name }, person.token)).code);
  });

  it('when deleted leave what was in them to the folder above', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    const outer = await create(person, '外');
    const middle = await create(person, '中', outer);
    await create(person, '内', middle);
    expectOk(await app.call(moveToFolder, { fids: documents, parent_id: middle }, person.token));
    expect(await app.call(deleteFolder, { id: middle }, person.token)).toMatchObject({ code: 0 });
    expect(await namesIn(person, outer)).toEqual(['2 内', '3 =新春方案', '3 国庆方案', '3 中秋方案']);
    expectOk(await app.call(deleteFolder, { id: outer }, person.token));
    expect(await namesIn(person)).toHaveLength(4);
    expect(await app.call(deleteFolder, { id: outer }, person.token)).toMatchObject({ code: 4 });
  });

  it('stand four levels deep at most, and never within themselves', async () => {
    const person = await addPerson(app);
    const ids: number[] = [];
    for (const name of ['一', '二', '三', '四']) ids.push(await create(person, name, ids.at(-1)));
    const [first = 0, second = 0, , fourth = 0] = ids;
    expect(await app.call(createFolder, { name: '五', parent_id: fourth }, person.token)).toMatchObject({ code: 60 });
    expect(await app.call(moveToFolder, { parent_id: second }, person.token)).toMatchObject({
      code: 40,
      message: '请选择要移动的内容',
    });
    expect(await app.call(moveToFolder, { id: first, parent_id: fourth }, person.token)).toMatchObject({ code: 60 });
    expect(await app.call(moveToFolder, { id: second, parent_id: 0 }, person.token)).toMatchObject({ code: 0 });
    const other = await create(person, '另一');
    expect(await app.call(moveToFolder, { id: first, parent_id: other }, person.token)).toMatchObject({ code: 0 });
  });

  it('of somebody else are not found by any call', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    await keepAll(other);
    const id = await create(person, '我的');
    for (const call of [
      () => app.call(renameFolder, { id, name: 'x' }, other.token),
      () => app.call(deleteFolder, { id }, other.token),
      () => app.call(moveToFolder, { id, parent_id: 0 }, other.token),
      () => app.call(moveToFolder, { fids: documents, parent_id: id }, other.token),
      () => app.call(createFolder, { name: 'x', parent_id: id }, other.token),
      () => app.call(exportFavorites, { parent_id: id }, other.token),
    ])
      expect(await call()).toMatchObject({ code: 4, data: null });
    expect(await namesIn(person)).toEqual(['2 我的']);
  });

  it('end at two hundred', async () => {
    const person = await addPerson(app);
    await app.ctx.db.execute(sql`insert into shelf_folders (user_id, name, created_at)
      select ${person.id}, n::text, now() from generate_series(1, 199) n`);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => app.call(createFolder, { name: `新 ${n}` }, person.token)),
    );
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 60, 60, 60, 60]);
  });
});

describe('at once', () => {
  it('a hundred moves of documents and folders lose nothing and make no ring', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    const folders: number[] = [];
    for (let n = 0; n < 4; n += 1) folders.push(await create(person, `F${n}`));
    const target = (n: number) => folders[n % folders.length] ?? 0;
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        if (n === 50) return app.call(deleteFolder, { id: target(3) }, person.token);
        return n % 2 === 0
          ? app.call(moveToFolder, { fids: documents, parent_id: target(n) }, person.token)
          : app.call(moveToFolder, { id: target(n), parent_id: target(n + 1 + (n % 3)) }, person.token);
      }),
    );
    // 4 for the folder that was deleted meanwhile, 60 for a folder into itself.
    expect(replies.filter(({ code }) => ![0, 4, 60].includes(code))).toEqual([]);
    const { items } = expectOk(await app.call(listFolders, {}, person.token));
    expect(items).toHaveLength(3);
    const [kept] = await rowsOf<{ n: number }>(
      app.ctx.db,
      sql`select count(*) as n from favorites f where user_id = ${person.id}
        and (folder_id is null or exists (select from shelf_folders where id = f.folder_id))`,
    );
    expect(kept?.n).toBe(documents.length);
    // Every folder is reached from the top.
    const reached = new Set<number>();
    const visit = async (parent: number): Promise<void> => {
      for (const item of (await collection(person, parent)).items)
        if (item.item_type === 2) {
          reached.add(item.id);
          await visit(item.id);
        }
    };
    await visit(0);
    expect(reached.size).toBe(3);
  });
});

describe('notes and the CSV', () => {
  it('a note is kept with the favourite, and stands in the file, where nothing is a formula', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    const folder = await create(person, '客户/甲');
    expectOk(await app.call(moveToFolder, { fids: documents, parent_id: folder }, person.token));
    expect(
      await app.call(noteFavorite, { fid: documents[0], note: ' +首选\r\n预算合适 ' }, person.token),
    ).toMatchObject({
      code: 0,
      data: { note: '+首选\n预算合适' },
    });
    const one = expectOk(await app.call(exportFavorites, { parent_id: folder }, person.token));
    expect(one).toMatchObject({ count: 3, file_name: expect.stringMatching(/^客户_甲 \d{4}-\d\d-\d\d\.csv$/) });
    expect(one.csv.startsWith('\ufeff名称,格式,')).toBe(true);
    expect(one.csv).toContain("'=新春方案");
    expect(one.csv).toContain(`"'+首选\n预算合适"`);
    expect(one.csv).toMatch(/,https?:\/\/[^/,]+\/detail\/\d+\r\n/);
    expect(one.csv).toContain('客户/甲');
    const all = expectOk(await app.call(exportFavorites, {}, person.token));
    expect(all).toMatchObject({ count: 3, file_name: expect.stringMatching(/^我的收藏 /) });
  });

  it('the CSV of a folder has the documents of the folders within it, and the list of the folder counts them', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    const outer = await create(person, '客户');
    const inner = await create(person, '二稿', outer);
    const beside = await create(person, '别的');
    const [one, two, three] = documents;
    for (const [fid, parent_id] of [
      [one, outer],
      [two, inner],
      [three, beside],
    ])
      expectOk(await app.call(moveToFolder, { fids: [fid], parent_id }, person.token));
    const exported = async (parent_id: number) => {
      const { document_count: counted } = expectOk(await app.call(listCollection, { parent_id }, person.token));
      const { count, csv } = expectOk(await app.call(exportFavorites, { parent_id }, person.token));
      expect(count).toBe(counted);
      return csv.split('\r\n').flatMap((line) => /,(客户.*?|别的),/.exec(line)?.[1] ?? []);
    };
    expect((await exported(outer)).toSorted()).toEqual(['客户', '客户 / 二稿'].toSorted());
    expect(await exported(inner)).toEqual(['客户 / 二稿']);
    expect(await exported(0)).toHaveLength(3);
  });

  it('a note that is too long, or of what is not kept, is refused', async () => {
    const person = await addPerson(app);
    await keepAll(person);
    expect(await app.call(noteFavorite, { fid: documents[0], note: '字'.repeat(501) }, person.token)).toMatchObject({
      code: 40,
      data: { field: 'note' },
    });
    const other = await addPerson(app);
    expect(await app.call(noteFavorite, { fid: documents[0], note: 'x' }, other.token)).toMatchObject({ code: 4 });
    expect(await app.call(noteFavorite, { fid: documents[0], note: '' }, person.token)).toMatchObject({ code: 0 });
  });
});
