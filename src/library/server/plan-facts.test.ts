import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { getDetail } from '../../reading/contract.ts';
import { searchDocuments } from '../../search/contract.ts';
import { indexDocuments } from '../../search/server/indexing/index-documents.ts';
import { libraryJobs } from './jobs.ts';
import { listByIds } from './list-documents.ts';
import { recordPlanFacts, resumePlanFacts } from './plan-facts.ts';
import { documents, files } from './tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const fileOf = async (id: number) => {
  const [row] = await app.ctx.db
    .select({ id: files.id, version: files.factsVersion })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(eq(documents.id, id));
  if (!row) throw new Error('no file');
  return row;
};
const statedOf = async (id: number) =>
  (await listByIds(app.ctx, [id]))[0]?.stated.map(({ kind, value, page }) => ({ kind, value, page }));
const changeText = (fileId: number, page: number, text: string) =>
  app.ctx.db.execute(sql`update pages set text = ${text} where file_id = ${fileId} and page_number = ${page}`);

describe('the facts that pages state', () => {
  it('are shown with their page in lists and on the detail page', async () => {
    const { id } = await addPublished(app, {
      name: '年会',
      texts: ['封面', '参会人数：320 人', '总预算 50.84 万元', ''],
    });
    const stated = [
      { kind: 'budget', value: 50_840_000, page: 3 },
      { kind: 'people', value: 320, page: 2 },
    ];
    expect(await statedOf(id)).toEqual(stated);
    expect((await app.call(getDetail, { fid: id })).data?.detail.stated).toMatchObject([
      { ...stated[0], name: '预算', text: '50.84 万元' },
      { ...stated[1], name: '人数', text: '320 人' },
    ]);
  });

  it('are read again when the text of a page changes, and not otherwise', async () => {
    const { id } = await addPublished(app, { name: '团建', texts: ['封面', '活动人数：60人'] });
    const file = await fileOf(id);
    expect(file.version).toBeGreaterThan(0);
    expect(await recordPlanFacts(app.ctx, [file.id])).toEqual([]);

    await changeText(file.id, 2, '活动人数：90人');
    expect((await fileOf(id)).version).toBe(0);
    await indexDocuments(app.ctx, [id]);
    expect(await statedOf(id)).toEqual([{ kind: 'people', value: 90, page: 2 }]);

    await app.ctx.db.execute(sql`delete from pages where file_id = ${file.id} and page_number = 2`);
    await indexDocuments(app.ctx, [id]);
    expect(await statedOf(id)).toEqual([]);

    await app.ctx.db.execute(sql`update pages set has_image = not has_image where file_id = ${file.id}`);
    expect((await fileOf(id)).version).toBeGreaterThan(0);
  });

  it('are those of the last text when it changes while they are read', async () => {
    const { id } = await addPublished(app, { name: '发布会', texts: ['封面', ''] });
    const file = await fileOf(id);
    for (let round = 1; round <= 20; round++) {
      await Promise.all([
        changeText(file.id, 2, `活动人数：${round * 10}人`),
        recordPlanFacts(app.ctx, [file.id]),
        recordPlanFacts(app.ctx, [file.id]),
      ]);
      await recordPlanFacts(app.ctx, [file.id]);
      expect(await statedOf(id)).toEqual([{ kind: 'people', value: round * 10, page: 2 }]);
    }
  });

  it('of a library that was filled before are read after the start', async () => {
    const { id } = await addPublished(app, { name: '晚宴', texts: ['封面', '宴会人数：240人'] });
    const file = await fileOf(id);
    await app.ctx.db.execute(
      sql`update files set facts_version = 0, people = 0, people_page = 0 where id = ${file.id}`,
    );
    const job = libraryJobs.find(({ name }) => name === 'plan-facts-missing');
    await resumePlanFacts(app.ctx);
    await resumePlanFacts(app.ctx);
    expect(await app.ctx.jobs.countOpen(['plan-facts-missing'])).toBe(1);
    await job?.run(app.ctx, {}, { number: 1, isLast: true, signal: undefined });
    expect(await app.ctx.jobs.countOpen(['documents-changed'])).toBeGreaterThan(0);
    expect(await statedOf(id)).toEqual([{ kind: 'people', value: 240, page: 2 }]);
    await indexDocuments(app.ctx, [id]);
    const found = await app.call(searchDocuments, { search_key: '240人晚宴' });
    expect(found.data).toMatchObject({ full_count: 1, item_list: [{ id, match: 'full' }] });
  });
});

describe.each([{ hasEngine: false }, { hasEngine: true }])(
  'a query with an amount, engine: $hasEngine',
  ({ hasEngine }) => {
    let other: TestApp;
    const ids: Record<string, number> = {};
    beforeAll(async () => {
      other = await openTestApp({ hasEngine });
      const add = async (key: string, name: string, text: string) => {
        ids[key] = (await addPublished(other, { name, texts: ['封面', text] })).id;
      };
      await add('thousand', '科技公司年会策划案', '参会人数约 1,050 人\n总预算：98 万元');
      await add('hundred', '设计公司年会策划案', '参会人数 100 人\n总预算：10.5 万元');
      await add('silent', '银行年会策划案', '到场三百人\n六十万次浏览');
      await other.refreshSearch();
    });
    afterAll(() => other.close());

    const find = async (search_key: string) => {
      const { data } = await other.call(searchDocuments, { search_key });
      const items = data?.item_list ?? [];
      return {
        full: items.filter(({ match }) => match === 'full').map(({ id }) => id),
        reasons: items.map(({ reason }) => reason),
      };
    };

    it.each([
      ['1000人年会', ['thousand'], '人数 1,050 人（第 2 页）'],
      ['百人年会', ['hundred'], '人数 100 人（第 2 页）'],
      ['千人年会', ['thousand'], '人数 1,050 人（第 2 页）'],
      ['100人以内 年会', ['hundred'], '人数 100 人（第 2 页）'],
      ['年会 预算10万', ['hundred'], '预算 10.5 万元（第 2 页）'],
      ['预算100万以内的年会', ['hundred', 'thousand'], '预算 10.5 万元（第 2 页）'],
      ['预算97万以内的年会', ['hundred'], '预算 10.5 万元（第 2 页）'],
      ['年会 500人以上', ['thousand'], '人数 1,050 人（第 2 页）'],
      ['预算10-20万 年会', ['hundred'], '预算 10.5 万元（第 2 页）'],
    ])('%s finds %j, which state it, and says where', async (query, keys, reason) => {
      const { full, reasons } = await find(query);
      expect(full).toEqual(keys.map((key) => ids[key]));
      expect(reasons[0]).toBe(reason);
    });

    it.each(['年会 预算60万', '年会 预算9万以内', '年会 200-300人'])(
      '%s finds no plan that another number names',
      async (query) => {
        const { full } = await find(query);
        expect(full).toEqual([]);
      },
    );
  },
);

describe.each([{ hasEngine: false }, { hasEngine: true }])(
  'a query for a kind of page, engine: $hasEngine',
  ({ hasEngine }) => {
    let other: TestApp;
    const ids: Record<string, number> = {};
    beforeAll(async () => {
      other = await openTestApp({ hasEngine });
      const add = async (key: string, name: string, ...texts: string[]) => {
        ids[key] = (await addPublished(other, { name, texts: ['封面', ...texts] })).id;
      };
      await add('exhibition', '青绿长卷艺术展策划案', '策略', 'FLOOR PLAN\n六个展区\n入口');
      await add('passing', '江岸中秋暖场方案', '活动亮点\n月亮装置\n亲子区\n来访动线的终点');
      await add('swot', '叙白家居年度规划', 'SWOT\n优势');
      await add('wedding', '海岛婚礼策划案', '仪式\n日落');
      await other.refreshSearch();
    });
    afterAll(() => other.close());

    const find = async (search_key: string) =>
      (await other.call(searchDocuments, { search_key })).data?.item_list.map(({ id, match, reason, asked_pages }) => ({
        id,
        match,
        reason,
        pages: asked_pages.map(({ kind, page }) => `${kind} ${page}`),
      })) ?? [];

    it.each(['动线', '动线设计', '平面布局图', 'floor plan', '艺术展动线规划'])(
      '%s finds the plan with such a page first, and links it',
      async (query) => {
        expect((await find(query))[0]).toEqual({
          id: ids['exhibition'],
          match: 'full',
          reason: '',
          pages: ['floor_plan 3'],
        });
      },
    );

    it('finds plans that say the word elsewhere behind it, without a page', async () => {
      const found = await find('动线设计');
      expect(found.map(({ id }) => id)).toEqual([ids['exhibition'], ids['passing']]);
      expect(found[1]?.pages).toEqual([]);
    });

    it('asks for each kind by its own words, and shows a page where it is asked for alone', async () => {
      expect(await find('SWOT分析')).toEqual([{ id: ids['swot'], match: 'full', reason: '', pages: ['swot 2'] }]);
      expect((await find('艺术展')).map(({ pages }) => pages)).toEqual([[]]);
      expect(await find('海岛婚礼座位图')).toMatchObject([{ id: ids['wedding'], match: 'partial', pages: [] }]);
    });

    it('follows the text of the pages', async () => {
      const [file] = await other.ctx.db
        .select({ id: documents.fileId })
        .from(documents)
        .where(eq(documents.id, ids['wedding'] ?? 0));
      await other.ctx.db.execute(
        sql`update pages set text = '宾客座位图' where file_id = ${file?.id ?? 0} and page_number = 2`,
      );
      await indexDocuments(other.ctx, [ids['wedding'] ?? 0]);
      await other.refreshSearch();
      expect(await find('席位图')).toMatchObject([{ id: ids['wedding'], match: 'full', pages: ['seating 2'] }]);
      const { data } = await other.call(getDetail, { fid: ids['wedding'] ?? 0 });
      expect(data?.detail.key_pages).toEqual([{ kind: 'seating', name: '座位图', page: 2 }]);
    });
  },
);
