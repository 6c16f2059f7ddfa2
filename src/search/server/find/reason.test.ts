import { expect, it } from 'vitest';
import { levelOf, RELATED, TYPED } from '../../decks/deck-levels.ts';
import { requiredWords } from '../../generic-words.ts';
import { cutWords } from '../words/cut-words.ts';
import { reasonOf } from './reason.ts';

const ITEM = {
  name: '江南织造国风服装七夕游园会活动策划方案',
  industry: { id: 1, name: '服装' },
  organization: { id: 2, name: '织云坊' },
  stated: [{ kind: 'people' as const, value: 1_050, page: 3 }],
};
const reason = (query: string, levels?: number[]) => {
  const words = requiredWords(query, cutWords);
  return reasonOf(ITEM, { words, typed: words.map(({ forms }) => forms[0]?.text ?? '') }, levels, cutWords);
};

it.each([
  ['七夕', ''],
  ['1000人七夕', '人数 1,050 人（第 3 页）'],
  ['国风 服装', ''],
  ['织云坊', '机构 织云坊'],
  ['七夕 扬州', '标签 扬州'],
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
