import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { addPublished, type PublishedFacts } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { documents } from '../../../library/server/tables.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { EngineBusy } from '../../engine/engine-pool.ts';
import { indexPages } from '../indexing/index-documents.ts';

describe('plans that complete a short list', () => {
  let app: TestApp;
  let member: string;
  const ids = new Map<string, number>();
  const add = async (name: string, industry: string, themes: string[], rest: PublishedFacts = {}) => {
    ids.set(name, (await addPublished(app, { name, industry, themes, ...rest })).id);
  };
  const answerTo = async (search_key: string, rest: object = {}) => {
    app.clock.offsetMs += 2_000;
    return expectOk(await app.call(searchDocuments, { search_key, ...rest }, member));
  };
  const similarTo = async (search_key: string, rest: object = {}) =>
    (await answerTo(search_key, rest)).similar_list.map(({ name }) => name);

  beforeAll(async () => {
    app = await openTestApp({ hasEngine: true });
    await seedTaxonomy(app.ctx);
    await add('椒语里火锅开业方案', '餐饮', ['开业庆典', '会员私域']);
    await add('拾味面馆招商手册', '餐饮', ['招商大会']);
    await add('灶边人家剪彩方案', '餐饮', ['开业庆典', '会员私域']);
    await add('鹤鸣楼蓄客方案', '餐饮', ['会员私域']);
    await add('云驰展厅开业方案', '汽车', ['开业庆典', '会员私域']);
    await add('玄穹试驾方案', '汽车', ['赛事运动']);
    await add('椒语里夜宴', '餐饮', ['开业庆典']);
    await add('云驰夜宴', '汽车', ['开业庆典']);
    await add('毛球星人市集', '宠物', ['市集与游园']);
    const vip = await addPerson(app);
    member = vip.token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
    await app.refreshSearch();
  });
  afterAll(() => app.close());

  it('are of the industry of the only result: those that share most themes first, none of another industry, no result again', async () => {
    const answer = await answerTo('火锅');
    const names = answer.similar_list.map(({ name }) => name);
    expect([names[0], names[3]]).toEqual(['灶边人家剪彩方案', '拾味面馆招商手册']);
    expect(names.slice(1, 3).toSorted()).toEqual(['椒语里夜宴', '鹤鸣楼蓄客方案']);
    expect(names).toHaveLength(4);
    expect(answer).toMatchObject({ total_count: 1, full_count: 1, visible_count: 1 });
  });

  it('share a theme with the best where the results are of several industries', async () => {
    const answer = await answerTo('夜宴');
    expect(answer.item_list).toHaveLength(2);
    const names = answer.similar_list.map(({ name }) => name);
    const isMeal = answer.item_list[0]?.industry.name === '餐饮';
    expect(names.toSorted()).toEqual(isMeal ? ['椒语里火锅开业方案', '灶边人家剪彩方案'] : ['云驰展厅开业方案']);
  });

  it('share a theme with the best where no plan holds all words', async () => {
    const answer = await answerTo('火锅 摄影棚');
    expect(answer).toMatchObject({ full_count: 0, total_count: 1 });
    const names = answer.similar_list.map(({ name }) => name);
    expect(names[0]).toBe('灶边人家剪彩方案');
    expect(names.slice(1).toSorted()).toEqual(['椒语里夜宴', '鹤鸣楼蓄客方案']);
  });

  it('are left out under overload, which costs no result', async () => {
    const { searchIndex } = app.ctx;
    const search = searchIndex.search.bind(searchIndex);
    const busy = vi.spyOn(searchIndex, 'search').mockImplementation(async (query) => {
      if ('isEverything' in query) throw new EngineBusy('search is busy');
      return search(query);
    });
    expect(await answerTo('剪彩')).toMatchObject({ total_count: 1, similar_list: [] });
    busy.mockRestore();
  });

  it.each([
    ['the very letters are asked for', { exact: 1 }],
    ['a filter keeps the list short', { filetype: 2 }],
    ['another page is asked for', { page: 2, pageSize: 1 }],
    ['a page does not show the whole list', { pageSize: 1, search_key: '夜宴' }],
  ])('are left out where %s', async (_case, rest) => {
    expect(await similarTo('火锅', rest)).toEqual([]);
  });

  it('are none of those that the query refuses', async () => {
    const answer = await answerTo('剪彩 不要火锅');
    expect(answer).toMatchObject({ total_count: 1, refused: ['火锅'] });
    expect(answer.similar_list.map(({ name }) => name)).not.toContain('椒语里火锅开业方案');
    expect(await similarTo('剪彩')).toContain('椒语里火锅开业方案');
  });

  it('are left out where several plans hold the words on their pages alone, and shown below a slogan of one', async () => {
    await add('溪上手作市集', '非遗文创', ['市集与游园'], { texts: ['封面', '茶水间借给邻居'] });
    await add('青绿长卷展', '非遗文创', ['市集与游园'], { texts: ['封面', '茶水间在三楼', '留白即生活'] });
    await add('苏绣快闪展', '非遗文创', ['市集与游园']);
    await indexPages(
      app.ctx,
      ['溪上手作市集', '青绿长卷展'].map((name) => ids.get(name) ?? 0),
    );
    await app.refreshSearch();
    expect(await answerTo('茶水间')).toMatchObject({ full_count: 2, similar_list: [] });
    expect((await similarTo('留白即生活')).toSorted()).toEqual(['溪上手作市集', '苏绣快闪展'].toSorted());
  });

  it('are left out where nothing is found, or enough', async () => {
    expect(await similarTo('摄影棚')).toEqual([]);
    expect(await similarTo('')).toEqual([]);
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) await add(`冬训营第${at}期`, '健身', ['会员私域']);
    await add('靛青手册', '健身', ['会员私域']);
    await app.refreshSearch();
    expect((await answerTo('冬训营')).total_count).toBe(8);
    expect(await similarTo('冬训营')).toEqual([]);
    expect(await similarTo('靛青')).toHaveLength(7);
  });

  it('are never a hidden plan, nor another version of a result; of several versions of a plan, the newest', async () => {
    const day = (days: number) => ({ createdAt: new Date(Date.now() - days * 86_400_000) });
    await add('蓝湾帆船赛方案', '体育赛事', ['赛事运动'], day(9));
    await add('蓝湾大赛执行手册 第二版', '体育赛事', ['赛事运动'], day(2));
    await add('环岛骑行赛', '体育赛事', ['赛事运动'], day(8));
    await add('环岛骑行赛 终稿', '体育赛事', ['赛事运动'], day(1));
    await add('山地越野赛', '体育赛事', ['赛事运动'], day(7));
    const groupUp = async (names: string[]) => {
      const files = await app.ctx.db
        .select({ id: documents.fileId })
        .from(documents)
        .where(
          inArray(
            documents.id,
            names.map((name) => ids.get(name) ?? 0),
          ),
        );
      const group = Math.min(...files.map(({ id }) => id));
      for (const { id } of files)
        await app.ctx.db.execute(sql`insert into file_versions (file_id, group_id) values (${id}, ${group})`);
    };
    await groupUp(['蓝湾帆船赛方案', '蓝湾大赛执行手册 第二版']);
    await groupUp(['环岛骑行赛', '环岛骑行赛 终稿']);
    await app.refreshSearch();
    expect((await similarTo('帆船')).toSorted()).toEqual(['山地越野赛', '环岛骑行赛 终稿'].toSorted());
    await hideDocument(app.ctx, ids.get('山地越野赛') ?? 0, 'operator');
    expect(await similarTo('帆船')).toEqual(['环岛骑行赛 终稿']);
  });
});

it('are missing while the engine does not answer', async () => {
  const app = await openTestApp({ hasEngine: false });
  await seedTaxonomy(app.ctx);
  await addPublished(app, { name: '椒语里火锅开业方案', industry: '餐饮' });
  await addPublished(app, { name: '拾味面馆招商手册', industry: '餐饮' });
  const answer = expectOk(await app.call(searchDocuments, { search_key: '火锅' }));
  expect(answer).toMatchObject({ total_count: 1, similar_list: [] });
  await app.close();
});
