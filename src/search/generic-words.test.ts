import { expect, it } from 'vitest';
import { requiredWords } from './generic-words.ts';
import { cutWords } from './server/words/cut-words.ts';

const asked = (query: string) => requiredWords(query, cutWords).map(({ forms }) => forms[0]?.text);

it.each([
  ['商场中秋活动方案', '商场中秋'],
  ['中秋活动策划方案模板', '中秋'],
  ['中秋 活动 策划案 范文', '中秋'],
  ['活动方案 中秋', '中秋'],
  ['社区活动策划', '社区'],
  ['AI活动全案', 'AI'],
  ['618活动方案', '618'],
  ['亲子活动策划方案模板', '亲子'],
])('%s asks for what %s asks for', (query, meaning) => expect(asked(query)).toEqual(asked(meaning)));

it.each(['活动', '方案', '活动策划', '活动 方案 模板', '策划案', '案例', '全案策划'])(
  '%s alone asks for itself',
  (query) => expect(asked(query).join('')).toBe(query.replaceAll(' ', '').replace('策划案', '策划方案')),
);

it('keeps a kind of plan that is called so', () => {
  expect(asked('茶饮品牌全案')).toEqual(['茶饮', '品牌', '全案']);
});
