import { expect, it } from 'vitest';
import { isFactForm, statesOneOf } from './fact-words.ts';
import { requiredWords } from './generic-words.ts';
import { cutWords } from './server/words/cut-words.ts';

/** Tells which facts a query asks for, and the words beside them. */
function asked(query: string) {
  const words = requiredWords(query, cutWords);
  const forms = words.flatMap((word) => word.forms.map(({ text }) => text)).filter(isFactForm);
  return {
    fits: (facts: { budgetYuan?: number; people?: number; days?: number }) =>
      statesOneOf({ budgetYuan: 0, people: 0, days: 0, ...facts }, forms),
    forms,
    words: words.map(({ forms }) => forms[0]?.text),
  };
}

it.each([
  ['1000人年会', ['1000人', '年会'], [800, 1_000, 1_200], [500, 2_000]],
  ['千人年会', ['千人', '年会'], [1_000], [300]],
  ['三百人团建', ['三百人', '团建'], [300], [100]],
  ['100人以内的晚宴', ['100人以内', '晚宴'], [10, 30, 100], [101, 105, 300]],
  ['500人以上发布会', ['500人以上', '发布会'], [500, 1_800, 1_000_000], [100, 499]],
  ['至少285人', ['至少285人'], [285, 300, 1_000], [284, 30]],
  ['500-800人年会', ['500-800人', '年会'], [500, 650, 800], [499, 801, 60]],
  ['人数200人', ['200人'], [200], [20]],
  ['人数不超过300', ['不超过300'], [299, 300], [301]],
])('%s asks for %j and plans for %j people, not %j', (query, words, near, far) => {
  const { fits, words: kept } = asked(query);
  expect(kept).toEqual(words);
  expect(near.filter((people) => !fits({ people }))).toEqual([]);
  expect(far.filter((people) => fits({ people }))).toEqual([]);
});

it.each([
  ['预算10万', ['10万'], [85_000, 100_000, 115_000], [50_000, 1_000_000]],
  ['预算十万的年会', ['十万', '年会'], [100_000], [10_000]],
  ['20万预算 团建', ['20万', '团建'], [200_000], [20_000]],
  ['5万元以内 市集', ['5万元以内', '市集'], [1_500, 15_000, 50_000], [50_001, 80_000]],
  ['预算20万以内', ['20万以内'], [9_720, 199_999, 200_000], [200_001, 205_300]],
  ['预算100万以上', ['100万以上'], [1_000_000, 23_040_000, 1_000_000_000], [999_999]],
  ['10-20万预算', ['10-20万'], [100_000, 150_000, 200_000], [99_999, 200_001]],
  ['8000元 生日会', ['8000元', '生日会'], [8_000], [80_000]],
  ['预算 30万左右 发布会', ['30万', '发布会'], [300_000], [100_000]],
])('%s asks for %j and budgets of %j, not %j', (query, words, near, far) => {
  const { fits, words: kept } = asked(query);
  expect(kept).toEqual(words);
  expect(near.filter((budgetYuan) => !fits({ budgetYuan }))).toEqual([]);
  expect(far.filter((budgetYuan) => fits({ budgetYuan }))).toEqual([]);
});

it.each([
  ['三天的开业活动', ['三天', '开业'], [3], [1, 2, 4, 30]],
  ['3天团建', ['3天', '团建'], [3], [2, 4]],
  ['三天两夜团建', ['三天', '两夜', '团建'], [3], [2, 4]],
  ['两天以内的展会', ['两天', '展会'], [1, 2], [3, 30]],
  ['7天以上 快闪', ['7天', '快闪'], [7, 90, 365], [6]],
  ['30天快闪店', ['30天', '快闪店'], [24, 30, 37], [3, 23, 38]],
])('%s asks for %j and plans of %j days, not %j', (query, words, near, far) => {
  const { fits, words: kept } = asked(query);
  expect(kept).toEqual(words);
  expect(near.filter((days) => !fits({ days }))).toEqual([]);
  expect(far.filter((days) => fits({ days }))).toEqual([]);
});

it.each([
  '100万粉丝',
  '100万粉丝达人',
  '50w粉博主',
  '粉丝破10万',
  '10万+粉丝',
  '粉丝量100万以上',
  '预算表',
  '新人婚礼',
  '双人',
  '5人团队',
  '20元',
  '千万别错过',
  '2024年会',
  ':b55',
  'b',
  'p',
])('%s asks for no fact', (query) => {
  const { fits } = asked(query);
  const all = Array.from({ length: 240 }, (_, index) => 10 ** (index / 20));
  expect(all.filter((value) => fits({ budgetYuan: value, people: value, days: value }))).toEqual([]);
});
