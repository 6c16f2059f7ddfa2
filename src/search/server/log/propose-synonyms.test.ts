import { expect, it } from 'vitest';
import { proposeSynonyms } from './propose-synonyms.ts';

const KNOWN = new Set(['餐饮', '中秋', '团建']);
const propose = (changed: [string, string, number][], misses: [string, number][] = []) =>
  proposeSynonyms({
    changed: changed.map(([from, to, times]) => ({ from, to, times })),
    misses: misses.map(([query, searches]) => ({ query, searches })),
    isKnown: (word) => KNOWN.has(word),
  }).map(({ line, times }) => [line, times]);

it('proposes the word that people put in the place of one without a result, most frequent first', () => {
  expect(
    propose([
      ['轰趴 策划方案', '派对', 2],
      ['轰趴', '派对方案', 3],
      ['剧本杀 中秋', '中秋 推理', 1],
    ]),
  ).toEqual([
    ['轰趴 ~ 派对', 5],
    ['剧本杀 ~ 推理', 1],
  ]);
});

it.each([
  ['轰趴 中秋', '年会'],
  ['火锅店', '餐饮'],
  ['电话 ***', '电话 年会'],
  ['中秋 方案', '中秋'],
])('proposes nothing for %s changed into %s', (from, to) => expect(propose([[from, to, 9]])).toEqual([]));

it('names words that the library lacks, for the operator to complete, unless a change explains them', () => {
  const misses: [string, number][] = [
    ['密室 中秋', 4],
    ['密室活动方案', 1],
    ['轰趴', 3],
    ['鲱鱼', 1],
    ['奶茶店', 5],
    ['12345 ***', 7],
  ];
  expect(propose([['轰趴', '派对', 1]], misses)).toEqual([
    ['# 密室 ~ ', 5],
    ['轰趴 ~ 派对', 1],
  ]);
});
