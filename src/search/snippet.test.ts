import { expect, it } from 'vitest';
import { cutWords } from './server/words/cut-words.ts';
import { snippetOf } from './snippet.ts';
import { queryWords } from './words.ts';

const snippet = (text: string, query: string) => snippetOf(text, queryWords(query, cutWords));
const filler = '前期筹备现场搭建物料运输'.repeat(10);

it.each([
  ['预算\n小红书投放 20 万', '小红书', '预算 <em>小红书</em>投放 20 万'],
  ['現場佈置<b>', '现场', '<em>現場</em>佈置&lt;b&gt;'],
  ['小红花与红书架', '小红书', ''],
  ['只有种草', '种草 快闪', ''],
  ['颁发退\n休证书', '退休证书', '颁发<em>退休证书</em>'],
  ['', '种草', ''],
])('%j asked for %s', (text, query, expected) => {
  expect(snippet(text, query)).toBe(expected);
});

it('shows the place where most words stand together, cut on both sides', () => {
  const text = `快闪${filler}这里快闪与种草同时进行${filler}种草`;
  const line = snippet(text, '种草快闪');
  expect(line).toMatch(/^….*这里<em>快闪<\/em>与<em>种草<\/em>同时进行.*…$/u);
  expect([...line.replace(/<\/?em>|…/g, '')]).toHaveLength(56);
});

it('never begins far before the hit, or a narrow card would cut it off', () => {
  expect(snippet(`${filler}中秋`, '中秋')).toMatch(/^….{12}<em>中秋<\/em>$/u);
});
