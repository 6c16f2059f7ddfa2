import { expect, test } from 'vitest';
import { hasLetterSpacedLatin, joinLetterSpaced } from './letter-spacing.ts';

test.for<[from: string, to: string]>([
  ['年 度 品 牌 策 划 方 案', '年度品牌策划方案'],
  ['策　划　方　案', '策划方案'],
  ['品 牌  策 划', '品牌 策划'],
  ['年 会 策 划 方 案 第一版', '年会策划方案 第一版'],
  ['《 策 划 方 案 》', '《 策划方案 》'],
  ['2 0 2 6 年 度 总 结', '2026年度总结'],
  ['2 0 2 6 P L A N', '2026 PLAN'],
  ['P L A N  B O O K', 'PLAN BOOK'],
  // Only gaps between words are that wide.
  ['男   女   老   少', '男 女 老 少'],
  ['S W O T', 'SWOT'],
  ['目 录 C O N T E N T S', '目录 CONTENTS'],
  ['C o n t e n t s', 'Contents'],
  ['第一部分\u00a0背 景 分 析 与 洞 察', '第一部分\u00a0背景分析与洞察'],
])('words set wide are joined: %j', ([from, to]) => expect(joinLetterSpaced(from)).toBe(to));

test.for([
  '一 二 三 四 五 六 日',
  '甲 乙 丙 丁 戊',
  '周 一 二 三 四 五',
  'A B C D',
  'a b c d e f',
  'S M T W T F S',
  'J F M A M J J A S O N D',
  '是 否 是 是 否',
  'Y N Y Y N N',
  '1 2 3 4 5 6',
  '2 0 2 6',
  '姓 名 1 2 3',
  '维生素 A B C',
  '策 划 案',
  '张三 李四 王五 赵六',
  'I am a planner',
  'x = a + b',
  '舞台 灯光 音 响 LED',
])('what stands alone for itself stays: %j', (line) => expect(joinLetterSpaced(line)).toBe(line));

test('positions of words on the page decide where a letter-spaced word ends', () => {
  const words = ['品牌', 'BRAND', 'PLAN', 'BOOK', '2026'];
  expect(joinLetterSpaced('B R A N D P L A N B O O K', words)).toBe('BRAND PLAN BOOK');
  expect(joinLetterSpaced('B R A N D P L A N', words)).toBe('BRAND PLAN');
  expect(joinLetterSpaced('B R A N D S', words)).toBe('BRANDS');
});

test('positions of words are needed only for letter-spaced Latin letters', () => {
  expect(hasLetterSpacedLatin('目录\nP L A N')).toBe(true);
  expect(hasLetterSpacedLatin('策 划 方 案 A B C')).toBe(false);
  expect(hasLetterSpacedLatin('PLAN')).toBe(false);
});
