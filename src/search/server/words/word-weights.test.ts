import { expect, it } from 'vitest';
import { queryWords } from '../../words.ts';
import { cutWords } from './cut-words.ts';
import { isOfAnyTrade, isSentence, weightOf } from './word-weights.ts';

const weightsOf = (text: string) => queryWords(text, cutWords).map(weightOf);

it('lets an unknown noun decide, and what is only said by the way not', () => {
  expect(weightsOf('殡仪馆')).toEqual([{ held: 1, onPages: 1, unknown: 1 }]);
  for (const said of ['大家', '那种', '甲方', '特别']) expect(weightsOf(said)[0]?.unknown).toBeLessThan(0.1);
  expect(weightsOf('留下来')[0]?.unknown).toBeLessThan(1);
});

it('lets what is said by the way on a page decide little, unless it is a name', () => {
  for (const said of ['每个', '不再', '反而'])
    expect(weightsOf(said)[0]).toEqual({ held: 1, onPages: 0.3, unknown: 0.05 });
  expect(weightsOf('就是')[0]?.held).toBeLessThan(1);
});

it('weighs words of most plans, parts of a plan and amounts less, also where decks hold them', () => {
  for (const text of ['营销', '流程', '预算10万']) expect(weightsOf(text)[0]?.held).toBeLessThan(1);
});

it('takes characters that are no word for a name, unless half of them are words of speech', () => {
  expect(weightsOf('以旧换薪')[0]?.unknown).toBe(0.5);
  expect(weightsOf('别太土')[0]?.unknown).toBeLessThan(0.1);
});

it('tells a sentence from a row of names', () => {
  for (const text of ['一帮人蹬着车逛城里', '怎么让老顾客回来', '请客户来厂里看机器'])
    expect(isSentence(text)).toBe(true);
  for (const text of ['律师事务所品牌推广', '街头献血车招募', '煤矿安全生产月 宣传活动', ''])
    expect(isSentence(text)).toBe(false);
});

it('takes a compound of nouns for a thing, and what names a time or a verb for less', () => {
  expect(weightsOf('区块链')[0]?.unknown).toBe(1);
  expect(weightsOf('好多')[0]?.unknown).toBeLessThan(1);
  expect(weightsOf('填报')[0]?.unknown).toBeLessThan(0.75);
  expect(weightsOf('打毛衣')[0]?.unknown).toBeLessThan(0.75);
  expect(weightsOf('iso9001')[0]?.unknown).toBe(0.5);
});

it('knows kinds of gatherings and places that any trade may have', () => {
  const [first, second] = queryWords('火锅培训', cutWords).map(isOfAnyTrade);
  expect([first, second]).toEqual([false, true]);
  expect(queryWords('围棋开幕式', cutWords).map(isOfAnyTrade)).toEqual([false, true]);
});

it('lets what is said twice decide nothing', () => {
  expect(weightsOf('开开心心')).toEqual(weightsOf('朋友'));
  expect(weightsOf('欢欢').map(({ unknown }) => unknown)).not.toEqual(weightsOf('朋友').map(({ unknown }) => unknown));
});

it('lets no vague number decide', () => {
  for (const said of ['十几年', '第三回', '好几个']) expect(weightsOf(said)[0]?.unknown ?? 0).toBeLessThan(0.1);
  expect(weightsOf('第三产业')[0]?.unknown).toBeGreaterThan(0.1);
});

it('takes words of the thesaurus for subjects', () => {
  expect(weightsOf('奶茶店')).toEqual([{ held: 1, onPages: 1, unknown: 1 }]);
});
