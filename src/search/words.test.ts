import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cutWords } from './server/words/cut-words.ts';
import { parseSynonyms, setSynonyms } from './synonyms.ts';
import { indexLexemes, queryWords, type QueryWord, relatedWords, wholeWord } from './words.ts';

/** Returns the answer of a GIN index. */
function isFound(name: string, query: string): boolean {
  const index = [...indexLexemes(name)];
  const words = queryWords(query, cutWords);
  const holds = (text: string, isPrefix: boolean) =>
    index.some((lexeme) => (isPrefix ? lexeme.startsWith(text) : lexeme === text));
  if (words.length === 0) return false;
  return words.every(({ forms }) =>
    forms.some(({ lexemes }) => lexemes.every(({ text, isPrefix }) => holds(text, isPrefix))),
  );
}

const textsOf = (word: QueryWord) => word.forms.map((form) => form.text);

describe('finds', () => {
  it.each([
    ['万悦房地产中秋节暖场活动方案', '地产'],
    ['万悦房地产中秋节暖场活动方案', '中秋'],
    ['万悦房地产中秋节暖场活动方案', '地产中秋活动'],
    ['万悦房地产中秋节暖场活动方案', '暖'],
    ['万悦房地产中秋节暖场活动方案', '案'],
    ['2024618大促小红书种草方案', '618'],
    ['2024618大促小红书种草方案', '2024'],
    ['2024618大促小红书种草方案', '小红书的大促'],
    ['双11狂欢', '双11'],
    ['双十一狂欢', '双11'],
    ['2024双11狂欢', '双十一狂欢'],
    ['双十一狂欢2024', '2024双11'],
    ['三八节快闪', '女神节'],
    ['人工智能峰会', 'AI峰会'],
    ['95后婚礼', '95后'],
    ['5G 手机新品发布会', '５ｇ手機發布會'],
    ['臺北房產發布會', '台北房产'],
    ['LiveHouse 音乐现场', 'livehouse'],
    ['LiveHouse 音乐现场', 'Live'],
    ['618VIP专场', 'vip'],
    ['6.18大促直播手册', '618'],
    ['5.20礼赠方案', '520'],
    ['蕙澜府开盘', '蕙澜府'],
    ['春日市集', '春'],
    ['2024年中秋游园会', '2024中秋'],
    ['2024中秋游园会', '2024年中秋'],
    ['𠮷野家新店开业', '𠮷野家'],
  ])('%s by %s', (name, query) => expect(isFound(name, query)).toBe(true));
});

describe('does not find', () => {
  it.each([
    ['房屋产权说明会', '房地产'],
    ['2024中秋', '2025中秋'],
    ['增长5.20%的方案', '520'],
    ['5.20米红毯方案', '520'],
    ['¥5.20的小样方案', '520'],
    ['传播媒介，内容排期', '媒介排期'],
    ['版本6.18.2说明', '618'],
    ['三月女神节', '3月'],
    ['happy hour', 'app'],
    ['双11狂欢', '双111'],
    ['人工智能峰会', 'air'],
    ['万悦房地产', '😀'],
    ['万悦房地产', "%_\\'"],
  ])('%s by %s', (name, query) => expect(isFound(name, query)).toBe(false));
});

it('cuts a query that was typed without spaces', () => {
  expect(queryWords('地产中秋活动', cutWords).flatMap(textsOf)).toEqual(['地产', '中秋', '中秋节', '活动']);
  expect(queryWords('小红书奶茶店开业', cutWords).flatMap(textsOf)).toEqual(['小红书', '奶茶店', '开业']);
  expect(queryWords('中秋 中秋', cutWords)).toHaveLength(1);
});

it('never joins what stands apart', () => {
  expect(isFound('中国,秋天', '国秋')).toBe(false);
  expect(indexLexemes('中国,秋天')).not.toContain('国秋');
});

it.each(['', '  ', '😀🎉', "'; drop table documents; --", '\u0000', '\ud800', '& | ! <-> :* ( )'])(
  'makes no word of signs: %j',
  (query) => {
    for (const text of queryWords(query, cutWords).flatMap(textsOf)) expect(text).toMatch(/^[\p{L}\p{N}]+$/u);
  },
);

it.each([
  ['代茶饮', ['茶饮'], ['代茶饮']],
  ['茶饮新店', ['茶饮', '新店'], ['茶饮', '新店']],
  ['餐饮的活动', ['餐饮', '活动'], ['餐饮', '活动']],
])('%s: a lone character is left out, or kept with its neighbour', (query, without, kept) => {
  const texts = (keepsSingles: boolean) =>
    queryWords(query, cutWords, { keepsSingles }).map(({ forms }) => forms[0]?.text);
  expect(texts(false)).toEqual(without);
  expect(texts(true)).toEqual(kept);
});

it('a form of a synonym always names lexemes, also where the dictionary finds characters alone', () => {
  setSynonyms(() => ({ groups: [], broader: [], near: [['年中', ['618']]], phrases: [] }));
  const words = queryWords('年中大促', cutWords);
  const texts = ['synonyms.txt', 'phrases.txt'].map((name) =>
    readFileSync(new URL(`word-lists/${name}`, import.meta.url), 'utf8'),
  );
  setSynonyms(() => parseSynonyms(texts.join('\n')));
  expect(words.flatMap(({ forms }) => forms).filter(({ lexemes }) => lexemes.length === 0)).toEqual([]);
  expect(words[0]?.forms[0]).toEqual({ text: '年中', lexemes: [{ text: '年中', isPrefix: false }] });
});

it('takes the plural of an English word for the word', () => {
  const asked = (query: string) => queryWords(query, cutWords).map((word) => textsOf(word)[0]);
  expect(asked('weddings')).toEqual(['wedding']);
  expect(asked('wedding')).toEqual(['wedding']);
  expect(asked('weddingsx')).toEqual(['weddingsx']);
});

it.each([
  ['风筝节', ['风筝']],
  ['护士节', []],
  ['世界杯', []],
  ['公众展', ['公众']],
])('%s is related to what the event is about: %j', (text, related) => {
  expect(relatedWords(wholeWord(text, cutWords), cutWords).map((form) => form.text)).toEqual(related);
});

it.each([
  ['人家卖精酿的是咋跟品牌合作的', '人家 精酿 品牌 合作'],
  ['我就想知道', '知道'],
  ['能带着狗逛的市集', '能带 市集'],
  ['太二', '太二'],
  ['餐饮 小红书', '餐饮 小红书'],
  ['夜跑路线', '夜跑 路线'],
])('takes characters of speech and the verb before a thing for no part of a name: %s', (query, words) => {
  expect(
    queryWords(query, cutWords)
      .map(({ forms }) => forms[0]?.text)
      .join(' '),
  ).toBe(words);
});
