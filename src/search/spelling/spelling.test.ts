import { expect, it } from 'vitest';
import { complete } from './complete.ts';
import { cutWords, soundsOf } from '../server/words/cut-words.ts';
import {
  altersWords,
  crossesWords,
  isOneCharacterOff,
  isOneCharacterShort,
  isSafeCorrection,
  onlyReplacesLeftovers,
  onlySpellsLetters,
} from './corrections.ts';
import { correctQuery } from './correct-query.ts';
import { addWord, emptyVocabulary } from './vocabulary.ts';

const COUNTS: [string, number][] = [
  ['策划', 90],
  ['餐饮', 40],
  ['小红书', 30],
  ['中秋', 25],
  ['中秋节', 24],
  ['房地产', 20],
  ['种草', 12],
  ['餐厅', 10],
  ['重庆', 6],
  ['音乐节', 5],
  ['kol', 5],
  ['nike', 4],
  ['嘉年华', 3],
  ['蚕茧', 1],
];
const vocabulary = emptyVocabulary();
for (const [text, count] of COUNTS) {
  addWord(vocabulary, {
    text,
    shown: text,
    count,
    sounds: /\p{Script=Han}/u.test(text) ? soundsOf(text) : [...text],
  });
}
const mend = (query: string) => correctQuery(query, { names: vocabulary }, soundsOf);

it.each([
  ['小红薯', '小红书'],
  ['餐引', '餐饮'],
  ['canyin', '餐饮'],
  ['CANYIN', '餐饮'],
  ['canying', '餐饮'],
  ['xhs', '小红书'],
  ['小hong书', '小红书'],
  ['xiao红shu', '小红书'],
  ['餐引中秋', '餐饮中秋'],
  ['canyin zhongqiu', '餐饮 中秋'],
  ['canyinzhongqiu', '餐饮中秋'],
  ['fangdichanzhongqiuyinyuejie', '房地产中秋音乐节'],
  ['小红薯 2024', '小红书 2024'],
  ['嘉华年', '嘉年华'],
  ['房地厂', '房地产'],
  // One character is missing; in a word of three characters the middle one.
  ['中秋嘉华', '中秋嘉年华'],
  ['音节', '音乐节'],
  ['nikee', 'nike'],
  ['chongqing', '重庆'],
  ['yinyuejie', '音乐节'],
  // Syllables apart, with another word, and a slip in the pinyin: a wrong letter, one too many, one too few, two exchanged.
  ['yin yue jie', '音乐节'],
  ['can yin zhong qiu', '餐饮中秋'],
  ['nike can yin', 'nike 餐饮'],
  ['canyim', '餐饮'],
  ['jianianhhua', '嘉年华'],
  ['yinyejie', '音乐节'],
  ['jiaianhuacanyin', '嘉年华餐饮'],
  ['zhognqiu', '中秋'],
  // What begins the next syllable, or is one letter too much, is no part of the word.
  ['canyinzh', '餐饮'],
  // Letters that begin no syllable mean something.
  ['canyinkv', '餐饮kv'],
  ['canyinvr', '餐饮vr'],
  ['餐yinx', '餐饮'],
  ['餐引ab', '餐饮ab'],
])('%s is mended to %s', (query, mended) => {
  expect(mend(query)).toBe(mended);
});

const vocabularyOf = (...words: string[]) => {
  const made = emptyVocabulary();
  for (const text of words) addWord(made, { text, shown: text, count: 1, sounds: soundsOf(text) });
  return made;
};

it('mends a character that only looks like the right one, in what is no word', () => {
  const known = { names: vocabularyOf('体系', '私域', '暖场', '天使'), cut: cutWords };
  expect(correctQuery('会员体糸', known, soundsOf)).toBe('会员体系');
  expect(correctQuery('私城', known, soundsOf)).toBe('私域');
  expect(correctQuery('暧场', known, soundsOf)).toBe('暖场');
  expect(correctQuery('私教', known, soundsOf)).toBeNull();
  expect(correctQuery('大使', known, soundsOf)).toBeNull();
});

it('mends what holds no word to a word of the thesaurus of the same sound, though no name holds it', () => {
  const synonyms = ['电音', '电音节', '小暑', '购物节'];
  const known = {
    names: vocabularyOf('餐饮'),
    pages: vocabularyOf(...synonyms),
    isSynonym: (text: string) => synonyms.includes(text),
    cut: cutWords,
  };
  expect(correctQuery('电音结', known, soundsOf)).toBe('电音节');
  expect(correctQuery('小书', known, soundsOf)).toBeNull();
  expect(correctQuery('购物街', known, soundsOf)).toBeNull();
});

it('takes no word of the dictionary of three characters for a slip, and no street for a festival', () => {
  const by = { cut: cutWords, soundsOf };
  expect(altersWords('公积金', '公基金', by)).toBe(true);
  expect(altersWords('同意书', '同艺术', by)).toBe(true);
  expect(altersWords('餐引', '餐饮', by)).toBe(false);
  expect(isSafeCorrection('咖啡街', '咖啡节', soundsOf)).toBe(false);
  expect(isSafeCorrection('咖啡结', '咖啡节', soundsOf)).toBe(true);
});

it.each([
  '餐饮',
  '小红书 中秋',
  '中秋策划',
  '麒麟',
  'kol',
  '2024',
  '3月',
  '',
  '😀',
  '<b>',
  '字'.repeat(60),
  'a'.repeat(60),
])('%s is left alone', (query) => {
  expect(mend(query)).toBeNull();
});

it.each([
  ['小红', ['小红书']],
  ['xiaoh', ['小红书']],
  ['xhs', ['小红书']],
  ['x', ['小红书']],
  ['小h', ['小红书']],
  ['zq', ['中秋', '中秋节']],
  ['zhq', ['中秋', '中秋节']],
  ['zhong', ['中秋', '中秋节', '种草']],
  ['zhongq', ['中秋', '中秋节']],
  ['can', ['餐饮', '餐厅', '蚕茧']],
  ['chong', ['重庆']],
  ['重', ['重庆']],
  ['ｋ', ['kol']],
  ['饮', []],
  ['地产', ['房地产']],
  ['乐节', ['音乐节']],
  ['秋节', ['中秋节']],
  // One slip in the pinyin: a wrong letter, one too many, one too few, two exchanged, sounds that are confused.
  ['canyim', ['餐饮']],
  ['cannyi', ['餐饮']],
  ['zongqiu', ['中秋', '中秋节']],
  ['jianianhau', ['嘉年华']],
  ['yinyejie', ['音乐节']],
  ['', []],
  ['!', []],
])('%s begins %j', (typed, words) => {
  expect(complete(typed, vocabulary, 8).map(({ text }) => text)).toEqual(words);
});

it.each([
  ['canyin', '餐饮', true],
  ['小hong书', '小红书', true],
  ['餐引', '餐饮', true],
  ['小书红', '小红书', true],
  ['书小红', '小红书', false],
  ['运营商', '运营', false],
  ['世界杯', '世界', false],
  ['双微一抖', '双十一抖', false],
])('%s may be answered as %s without asking: %s', (typed, corrected, isSafe) => {
  expect(isSafeCorrection(typed, corrected, soundsOf)).toBe(isSafe);
});

it.each([
  ['油莱花节', '油菜花节', true],
  // Two characters make another word with one of them exchanged; a dictionary knows what was typed; two differ; one is missing.
  ['假发', '首发', false],
  ['自行车', '自行道', false],
  ['油莱化节', '油菜花节', false],
  ['油花节', '油菜花节', false],
  // Of a word of two characters both must be left over by the dictionary, and stand in no sentence.
  ['亲仔活动', '亲子活动', true],
  ['会员体糸', '会员体系', true],
  ['入党申请书', '入党申情书', false],
  ['人明白电是怎么来的', '人明白电视怎么来的', false],
])('%s is %s with one character exchanged: %s', (typed, corrected, isOneOff) => {
  expect(isOneCharacterOff(typed, corrected, cutWords)).toBe(isOneOff);
});

it.each([
  ['xiaohong书', '小红书', true],
  ['canyin', '餐饮', true],
  ['小hong薯', '小红书', false],
  // A character is added to a word: that is not spelling.
  ['音节', '音乐节', false],
])('%s corrected to %s spells letters alone: %s', (typed, corrected, isSo) => {
  expect(onlySpellsLetters(typed, corrected)).toBe(isSo);
});

it.each([
  ['城市夜跑挑赛', '城市夜跑挑战赛', true],
  ['马松赞助', '马拉松赞助', true],
  // A dictionary knows what was typed; the word is short; two are missing; one is exchanged.
  ['音节', '音乐节', false],
  ['餐', '餐饮', false],
  ['挑', '挑战赛', false],
  ['油莱花节', '油菜花节', false],
])('%s is %s with one character left out: %s', (typed, corrected, isOneShort) => {
  expect(isOneCharacterShort(typed, corrected, cutWords)).toBe(isOneShort);
});

it.each([
  ['军训汇演方案', '军巡回演方案', true],
  ['小红薯', '小红书', false],
  ['私欲会员运营', '私域会员运营', false],
  ['yinyuejie', '音乐节', false],
])('%s corrected to %s makes a word out of the halves of two: %s', (typed, corrected, crosses) => {
  expect(crossesWords(typed, corrected, cutWords)).toBe(crosses);
});

it.each([
  ['周制汉昏', '周制汉婚', true],
  ['精华水上是推广', '精华水上市推广', true],
  ['搬家公司', '半价公司', false],
  ['主题党日', '主题单日', false],
  ['餐饮', '餐饮', true],
])('%s corrected to %s replaces only characters left over: %s', (typed, corrected, isSo) => {
  expect(onlyReplacesLeftovers(typed, corrected, { cut: cutWords, soundsOf })).toBe(isSo);
});

it.each([
  ['满月宴', '满越洋', true],
  ['年夜宴', '两夜宴', true],
  ['十几万', '市集万', true],
  ['餐引', '餐饮', false],
  ['中求活动', '中秋活动', false],
  ['精华水上是推广', '精华水上市推广', false],
  ['canyin', '餐饮', false],
  ['hysy', '会员私域', false],
])('%s corrected to %s alters a word: %s', (typed, corrected, alters) => {
  expect(altersWords(typed, corrected, { cut: cutWords, soundsOf })).toBe(alters);
});
