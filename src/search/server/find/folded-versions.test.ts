import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { documents } from '../../../library/server/tables.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';

const DAY_MS = 86_400_000;

describe.each([{ hasEngine: false }, { hasEngine: true }])(
  'versions in a list, engine: $hasEngine',
  ({ hasEngine }) => {
    let app: TestApp;
    let [old, newest, middle, other, partial] = [0, 0, 0, 0, 0];
    const found = async (input: object) => {
      const { item_list, total_count } = expectOk(await app.call(searchDocuments, input));
      return { lists: item_list.map(({ id, versions }) => [id, ...versions.map(({ fid }) => fid)]), total_count };
    };

    beforeAll(async () => {
      app = await openTestApp({ hasEngine });
      const add = async (name: string, days: number) =>
        (await addPublished(app, { name, pageCount: 8, createdAt: new Date(Date.now() - days * DAY_MS) })).id;
      old = await add('灯海国风灯会策划案', 30);
      newest = await add('灯海国风灯会策划案 终稿', 2);
      middle = await add('灯海国风灯会策划案 第二版', 9);
      other = await add('东都国风灯会方案', 1);
      partial = await add('灯海国风策划案 初稿', 40);
      const files = await app.ctx.db
        .select({ id: documents.fileId })
        .from(documents)
        .where(inArray(documents.id, [old, newest, middle, partial]));
      const group = Math.min(...files.map(({ id }) => id));
      for (const { id } of files)
        await app.ctx.db.execute(sql`insert into file_versions (file_id, group_id) values (${id}, ${group})`);
      await app.refreshSearch();
    });
    afterAll(() => app.close());

    it('are one result with the newest in front, and are still counted', async () => {
      const { lists, total_count } = await found({ search_key: '灯会' });
      expect(new Map(lists.map(([id = 0, ...versions]) => [id, versions]))).toEqual(
        new Map([
          [newest, [middle, old]],
          [other, []],
        ]),
      );
      expect(total_count).toBe(4);
    });

    it('stay apart where one lacks a word of the query', async () => {
      const { lists } = await found({ search_key: '灯海灯会' });
      expect(lists.find(([id]) => id === newest)).toEqual([newest, middle, old]);
      expect(lists.find(([id]) => id === partial)).toEqual([partial]);
    });

    it('are folded without a keyword too', async () => {
      const { lists } = await found({ search_key: '' });
      expect(lists.find(([id]) => id === newest)).toEqual([newest, middle, old, partial]);
    });

    it('follow a change of the versions at once, and leave out what is hidden', async () => {
      await hideDocument(app.ctx, newest, 'operator');
      await app.refreshSearch();
      expect((await found({ search_key: '灯会' })).lists).toContainEqual([middle, old]);
      await app.ctx.db.execute(sql`delete from file_versions`);
      expect((await found({ search_key: '灯会' })).lists.every(({ length }) => length === 1)).toBe(true);
    });
  },
);
