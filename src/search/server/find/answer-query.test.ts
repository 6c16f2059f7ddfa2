import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { indexPages } from '../indexing/index-documents.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';
import { answerQuery } from './answer-query.ts';

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;

  const found = async (search_key: string, rest: object = {}) => {
    app.clock.offsetMs += 6_000;
    return expectOk(await app.call(searchDocuments, { search_key, ...rest }, member));
  };

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    const ids: number[] = [];
    const add = async (name: string, rest: object = {}) => {
      ids.push((await addPublished(app, { name, ...rest })).id);
    };
    await add('江岸重阳登高', { industry: '房地产', themes: ['节日营销'] });
    for (const name of ['云驰试驾手册甲', '云驰试驾手册乙', '云驰试驾手册丙']) {
      await add(name, { industry: '汽车', themes: ['赛事运动'], texts: ['封面', '重阳前后的排期'] });
    }
    // Sixteen names with 花车巡游 fill a page of results, thirteen without 美妆 do not.
    for (const at of '甲乙丙丁戊己庚辛壬癸子丑寅') await add(`花车巡游方案${at}`, { industry: '食品饮料' });
    for (const at of '甲乙丙') await add(`美妆花车巡游方案${at}`, { industry: '食品饮料', fileType: 'pdf' });
    for (const at of '甲乙丙丁戊') {
      const texts = ['封面', '花车巡游', '花车巡游的路线', '花车巡游的时间'];
      await add(`夏日游园方案${at}`, { industry: '食品饮料', texts });
    }
    await add('橙屿优选直播间执行手册');
    await indexPages(app.ctx, ids);
    const vip = await addPerson(app);
    member = vip.token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
    await refreshVocabulary(app.ctx);
    await app.refreshSearch();
  });
  afterAll(() => app.close());

  describe('plans that only mention what is asked for', () => {
    it.each(['重阳', '重阳活动方案', '帮我找重阳的方案', '重阳模板', '重阳 不要美妆', '崇阳'])(
      'are all listed by the exact search that an answer names: %s',
      async (key) => {
        const answer = await found(key);
        expect(answer).toMatchObject({ full_count: 1, mention_count: 3 });
        const exact = await found(answer.exact_key, { exact: 1 });
        expect(exact.total_count).toBe(4);
      },
    );

    it('are looked for as they were typed where the typed letters find them', async () => {
      expect((await found('重阳')).exact_key).toBe('重阳');
      expect((await found('重阳', { exact: 1 })).exact_key).toBe('');
      expect((await found('花车巡游')).exact_key).toBe('');
    });
  });

  describe('a filter', () => {
    it('leaves of a list without what is refused what its choice counts', async () => {
      const all = await found('花车巡游 不要美妆');
      expect(all).toMatchObject({ total_count: 18, refused: ['美妆'] });
      expect(all.facets.file_types.map(({ name, count }) => [name, count])).toEqual([['PPT', 18]]);
      expect(await found('花车巡游 不要美妆', { filetype: 1 })).toMatchObject({ total_count: 18, refused: ['美妆'] });
    });

    it('brings back nothing that is refused, though it leaves nothing else', async () => {
      expect(await found('花车巡游 不要美妆', { filetype: 2 })).toMatchObject({ total_count: 0, refused: ['美妆'] });
    });

    it('decides no spelling', async () => {
      const spelled = { corrected_from: '运动鞋直拨间', searched_for: '直播间' };
      expect(await found('运动鞋直拨间')).toMatchObject({ ...spelled, total_count: 1 });
      expect(await found('运动鞋直拨间', { filetype: 2 })).toMatchObject({ ...spelled, total_count: 0 });
    });
  });

  it('keeps of the matched decks only those that it lists', async () => {
    const wanted = { filter: {}, sort: 'relevance', limit: 2, offset: 0, isCounted: true } as const;
    const answer = await answerQuery(app.ctx, { ...wanted, key: '花车登高直播间', isForgiving: true });
    expect(answer.total).toBeGreaterThan(15);
    expect(answer.decks.size).toBeLessThanOrEqual(2);
    expect(Object.keys(answer)).not.toContain('matched');
  });
});
