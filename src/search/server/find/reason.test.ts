import { expect, it } from 'vitest';
import { levelOf, RELATED, TYPED } from '../../decks/deck-levels.ts';
import { requiredWords } from '../../generic-words.ts';
import { cutWords } from '../words/cut-words.ts';
import { askedPagesOf, reasonOf } from './reason.ts';

const ITEM = {
  name: '江南织造国风服装七夕游园会活动策划方案',
  industry: { id: 1, name: '服装' },
  organization: { id: 2, name: '织云坊' },
  type: { id: 3, name: '执行手册' },
  stated: [
    { kind: 'budget' as const, name: '预算', value: 20_000_000, text: '20 万元', page: 8 },
    { kind: 'people' as const, name: '人数', value: 1_050, text: '1,050 人', page: 3 },
    { kind: 'days' as const, name: '天数', value: 3, text: '3 天', page: 2 },
  ],
  key_pages: [
    { kind: 'floor_plan' as const, name: '平面动线', page: 6 },
    { kind: 'swot' as const, name: 'SWOT', page: 4 },
  ],
};
const reason = (query: string, levels?: number[]) => {
  const words = requiredWords(query, cutWords);
  return reasonOf(ITEM, { words, typed: words.map(({ forms }) => forms[0]?.text ?? '') }, levels, cutWords);
};

it.each([
  ['七夕', ''],
  ['1000人七夕', '人数 1,050 人（第 3 页）'],
  ['20万 七夕', '预算 20 万元（第 8 页）'],
  ['2000万 七夕', '标签 2000万'],
  ['三天的七夕', '天数 3 天（第 2 页）'],
  ['国风 服装', ''],
  ['织云坊', '机构 织云坊'],
  ['七夕 扬州', '标签 扬州'],
  ['七夕 执行', '方案类型 执行手册'],
  ['七夕 场地平面图', ''],
  ['织云坊 扬州', '机构 织云坊、标签 扬州'],
])('a deck whose name and labels hold %s is there because of "%s"', (query, expected) =>
  expect(reason(query)).toBe(expected),
);

it('names what stands for a word, and nothing for what its pages or no text of the deck hold', () => {
  const related = levelOf(TYPED.nowhere, RELATED.inName);
  expect(reason('情人节 晚宴', [related, levelOf(TYPED.nowhere, 0)])).toBe('七夕 与“情人节”相近');
  expect(reason('情人节', [levelOf(TYPED.onPages, 0)])).toBe('');
  expect(reason('带货', [levelOf(TYPED.nowhere, RELATED.inLabels)])).toBe('标签与“带货”相近');
});

it.each([
  ['七夕 场地平面图', [6]],
  ['floor plan', [6]],
  ['SWOT分析 动线', [6, 4]],
  ['七夕 晚宴', []],
  ['转化漏斗', []],
])('%s asks for the pages %j', (query, pages) =>
  expect(askedPagesOf(ITEM, requiredWords(query, cutWords)).map(({ page }) => page)).toEqual(pages),
);
