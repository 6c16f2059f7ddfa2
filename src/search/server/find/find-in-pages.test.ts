import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { listThemes } from '../../../library/contract.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { rebuildSearch } from '../indexing/rebuild-search.ts';
import { resumeSearch, searchJobs } from '../jobs.ts';

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;
  const ids: Record<string, number> = {};
  const DAY_MS = 86_400_000;

  const found = async (input: object, token: string | undefined = member) => {
    app.clock.offsetMs += 1_000;
    await app.refreshSearch();
    return expectOk(await app.call(searchDocuments, input, token));
  };

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    const put = async (key: string, facts: Parameters<typeof addPublished>[1]) => {
      ids[key] = (await addPublished(app, facts)).id;
    };
    await put('market', {
      name: '城市市集策划方案',
      themes: ['节日营销'],
      texts: ['城市市集策划方案', '市集动线与摊位', '预算 <b>表</b>', '龙鳞装置搭建说明'],
    });
    await put('fair', {
      name: '古镇庙会方案',
      themes: ['快闪路演'],
      fileType: 'pdf',
      createdAt: new Date(Date.now() - 40 * DAY_MS),
      texts: ['封面', ...Array.from({ length: 10 }, () => '游园路线'), '第十二页有龙鳞装置与灯组'],
    });
    await put('launch', { name: '旗舰腕表发布', texts: ['封面', '目录\n01 摊派预案', '团队', '摊派预案的金额与分项'] });
    await put('other', { name: '企业年会方案', texts: ['龙与鳞片的装置'] });
    const vip = await addPerson(app);
    member = vip.token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
  });
  afterAll(() => app.close());

  it('shows on which page a document says it, but not the cover that repeats the name', async () => {
    const { item_list, only_in_pages } = await found({ search_key: '市集' });
    expect(only_in_pages).toBe(0);
    expect(item_list.map((item) => item.page_hits)).toEqual([[{ page: 2, snippet: '<em>市集</em>动线与摊位' }]]);
  });

  it('finds what only the pages say, and no pairs that merely lie apart', async () => {
    const { item_list, total_count, only_in_pages, themes } = await found({ search_key: '龙鳞装置' });
    expect({ total_count, only_in_pages }).toEqual({ total_count: 2, only_in_pages: 2 });
    const hits = item_list.map((item) => [item.id, item.page_hits]);
    expect(hits).toContainEqual([ids['market'], [{ page: 4, snippet: '<em>龙鳞装置</em>搭建说明' }]]);
    expect(item_list.find((item) => item.id === ids['fair'])?.page_hits[0]?.page).toBe(12);
    // A line of a page after the tenth would tell readers without membership its text.
    const shown = (await found({ search_key: '龙鳞' }, '')).item_list;
    expect(shown.map(({ id, page_hits: pages }) => [id, pages.map(({ page }) => page)])).toEqual(
      hits.map(([id]) => [id, id === ids['fair'] ? [] : [4]]),
    );
    expect(themes.filter(({ count }) => count > 0).map(({ name }) => name)).toEqual(['节日营销', '快闪路演']);
  });

  it('leads to the page that is about it before the table of contents', async () => {
    const { item_list } = await found({ search_key: '摊派预案' });
    expect(item_list.map(({ page_hits }) => page_hits.map(({ page }) => page))).toEqual([[4, 2]]);
  });

  it('keeps to the filters and to the pages of the list', async () => {
    const themes = expectOk(await app.call(listThemes, {})).data;
    const themeid = themes.find(({ name }) => name === '快闪路演')?.id;
    const idsOf = async (filter: object) =>
      (await found({ search_key: '龙鳞装置', ...filter })).item_list.map((item) => item.id);
    expect(await idsOf({ filetype: 2 })).toEqual([ids['fair']]);
    expect(await idsOf({ pubdate: 3 })).toEqual([ids['market']]);
    expect(await idsOf({ themeid })).toEqual([ids['fair']]);
    expect((await found({ search_key: '龙鳞装置', themeid })).total_count).toBe(1);
    const paged = [await idsOf({ pageSize: 1 }), await idsOf({ pageSize: 1, page: 2 }), await idsOf({ page: 2 })];
    expect(paged.flat()).toEqual(await idsOf({}));
  });

  it('counts among the ten of a visitor', async () => {
    for (let index = 0; index < 12; index++) {
      await addPublished(app, { name: `样例${index}`, texts: ['无', `玄武湖场地${index}`] });
    }
    const { item_list, total_count, visible_count } = await found({ search_key: '玄武湖' }, '');
    expect([item_list.length, total_count, visible_count]).toEqual([10, 12, 10]);
    const beyond = await app.call(searchDocuments, { search_key: '玄武湖', page: 2 });
    expect([beyond.code, beyond.data?.item_list]).toEqual([32, []]);
  });

  it('shows a document of a file once, and drops hidden documents at once', async () => {
    await app.ctx.db.execute(sql`insert into documents (file_id, name, state)
    select file_id, '同一文件', 'published' from documents where id = ${ids['market']}`);
    await rebuildSearch(app.ctx, () => undefined);
    expect((await found({ search_key: '龙鳞装置' })).full_count).toBe(2);
    await hideDocument(app.ctx, ids['fair'] ?? 0, 'copyright');
    expect((await found({ search_key: '龙鳞装置' })).full_count).toBe(1);
  });

  it('fills what misses after an upgrade, and again after pages were drawn again', async () => {
    // All but one: a command has brought in a document before the site was started.
    await app.ctx.db.execute(sql`delete from page_entries
      where (file_id, page_number) <> (select file_id, page_number from page_entries where file_id <>
        (select file_id from documents where id = ${ids['market']}) limit 1)`);
    // The engine reads the text itself.
    expect((await found({ search_key: '龙鳞装置' })).full_count).toBe(hasEngine ? 1 : 0);
    const job = searchJobs.find(({ name }) => name === 'page-entries-missing');
    await resumeSearch(app.ctx);
    expect(await app.ctx.jobs.countOpen(['page-entries-missing'])).toBe(1);
    await job?.run(app.ctx, {}, { number: 1, isLast: false, signal: undefined });
    expect((await found({ search_key: '龙鳞装置' })).full_count).toBe(1);
    await app.ctx.db.execute(sql`delete from pages where page_number = 4`);
    expect(await rowsOf(app.ctx.db, sql`select from page_entries where page_number = 4`)).toHaveLength(0);
  });

  it('lets the site start while a look through all pages would take too long', async () => {
    await app.ctx.db.transaction(async (other) => {
      await other.execute(sql`lock table pages, page_entries, charts, chart_entries in access exclusive mode`);
      await resumeSearch(app.ctx);
    });
    expect(await app.ctx.jobs.countOpen(['page-entries-missing'])).toBe(1);
    expect(await app.ctx.jobs.countOpen(['chart-entries-missing'])).toBe(1);
  });
});
