import { expect, test } from 'vitest';
import { withColons, withoutLooseQuotes } from './found-text.ts';

test.for<[reason: string, shown: string]>([
  ['标签 营销', '标签：营销'],
  ['机构 织云坊、标签 扬州', '机构：织云坊、标签：扬州'],
  ['标签 品牌、标签 发布会', '标签：品牌、发布会'],
  ['标签 品牌、七夕 与“情人节”相近、标签 发布会', '标签：品牌、七夕 与“情人节”相近、标签：发布会'],
  ['七夕 与“情人节”相近', '七夕 与“情人节”相近'],
  ['预算 2000 万元', '预算 2000 万元'],
])('the reason %s', ([reason, shown]) => expect(withColons(reason)).toBe(shown));

test.for<[snippet: string, shown: string]>([
  ['“ 没有电视，只有<em>竹声</em>', '“没有电视，只有<em>竹声</em>'],
  ['住进 「 <em>竹里</em>」', '住进 「<em>竹里</em>」'],
  ['竹里 “开业”', '竹里 “开业”'],
])('the snippet %s', ([snippet, shown]) => expect(withoutLooseQuotes(snippet)).toBe(shown));
