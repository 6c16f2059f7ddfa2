import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';

let app: TestApp;

const DECKS: { name: string; texts?: string[] }[] = [
  { name: '国庆商场促销方案' },
  { name: '古法黄金手作体验方案' },
  { name: '黄金珠宝品鉴夜' },
  { name: '女神节美妆专场' },
  { name: '母亲节花艺沙龙' },
  { name: '520礼赠手册' },
  { name: '重阳敬老周方案' },
  { name: '海岛目的地婚礼', texts: ['封面', '婚期定在十月'] },
  { name: '集团年会盛典' },
  { name: '社区中秋游园' },
  { name: '乡村丰收节展销' },
  { name: '宠物领养日活动方案' },
  { name: '城市夜跑活动方案' },
];

beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  await seedTaxonomy(app.ctx);
  for (const deck of DECKS) await addPublished(app, deck);
  await app.refreshSearch();
  await refreshVocabulary(app.ctx);
});
afterAll(() => app.close());

const found = async (search_key: string) => {
  app.clock.offsetMs += 1_000;
  return expectOk(await app.call(searchDocuments, { search_key }));
};
const namesOf = async (search_key: string) =>
  (await found(search_key)).item_list.map(({ name }) => name.replace(/<\/?em>/g, ''));

it.each(['国庆黄金周', '十一黄金周', '黄金周'])('%s is the week of the festival', async (query) => {
  expect(await namesOf(query)).toEqual(['国庆商场促销方案']);
});

it.each(['五一黄金周', '春节黄金周', '黄金周旅游'])('%s is never about gold', async (query) => {
  const answer = await found(query);
  expect(answer.item_list.filter(({ name }) => name.includes('黄金'))).toEqual([]);
  expect([answer.corrected_from, answer.did_you_mean]).toEqual(['', '']);
});

it.each([
  ['三月营销节点', ['女神节美妆专场']],
  ['五月的节日', ['母亲节花艺沙龙', '520礼赠手册']],
  ['5月份活动', ['母亲节花艺沙龙', '520礼赠手册']],
  ['年底活动', ['集团年会盛典']],
  ['秋天的活动', ['社区中秋游园', '乡村丰收节展销']],
])('%s finds the occasions of that time', async (query, names) => {
  const answer = await found(query);
  expect(answer.item_list.map(({ name }) => name).sort()).toEqual(names.toSorted());
  expect(answer.full_count).toBe(0);
});

it('lists occasions of a month below the plans that name the month', async () => {
  const names = await namesOf('十月活动');
  expect(names[0]).toBe('海岛目的地婚礼');
  expect(names.slice(1).sort()).toEqual(['国庆商场促销方案', '社区中秋游园', '重阳敬老周方案'].toSorted());
});
