import { expect, it } from 'vitest';
import { countWords, keywordsOf, rarityIn, vectorOf, weighWords } from './weigh-words.ts';

const tools = {
  // Words are marked off by blanks; verbs end in 地.
  tagWords: (text: string) =>
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => ({ word, tag: word.endsWith('地') ? 'd' : 'n' })),
  stopWords: new Set(['方案']),
};
const count = (pages: string[], name = '', headings: string[] = []) => countWords({ name, headings, pages }, tools);

it('counts pages, not repetitions, and more what is in the name or in a title', () => {
  const words = new Map(
    count(['灯会 灯会 灯会', '灯会 花车', '茶会'], '花车', ['茶会']).map((one) => [one.word, one.frequency]),
  );
  expect(words.get('灯会')).toBeCloseTo(Math.log(3), 2);
  expect(words.get('花车')).toBeCloseTo(Math.log(2) + 1.5, 2);
  expect(words.get('茶会')).toBeCloseTo(Math.log(2) + 0.5, 2);
});

it('leaves out stop words, numbers and single characters', () => {
  expect(
    count(['的 方案 2024 a1 ok 618 Ｃａｍｐ 超过十六个字的词是不是一个词不好说吧']).map(({ word }) => word),
  ).toEqual(['camp']);
});

it('a rare word outweighs a common one, by general language and more and more by the library', () => {
  const general = new Map([
    ['普通', 3],
    ['稀有', 12],
  ]);
  const small = rarityIn({ files: 0, withWord: new Map() }, general);
  expect(small('稀有')).toBeGreaterThan(small('普通'));
  const large = rarityIn({ files: 100_000, withWord: new Map([['稀有', 60_000]]) }, general);
  expect(large('稀有')).toBeLessThan(large('普通'));
  expect(rarityIn({ files: 100, withWord: new Map([['满', 100_000]]) }, general)('满')).toBe(0.1);
});

it('keywords are names of things, none a part of another, of more than one page', () => {
  const pages = ['灯会 花灯灯会 快乐地 花车 唯一', '灯会 花灯灯会 快乐地 花车'];
  const words = weighWords(count(pages), (word) => (word === '花灯灯会' ? 9 : 5));
  expect(keywordsOf(words)).toEqual(['花灯灯会', '花车']);
  expect(keywordsOf(words, 1)).toEqual(['花灯灯会']);
});

it('vectors have length 1 for any words', () => {
  const vector = vectorOf(weighWords(count(['甲乙 丙丁 戊己']), () => 4));
  expect(Math.hypot(...vector.map(({ weight }) => weight))).toBeCloseTo(1);
  expect(vectorOf([])).toEqual([]);
});
