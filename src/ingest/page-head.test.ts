import { expect, test } from 'vitest';
import { headOf } from './page-head.ts';
import { foldLines, outlineFromText, type HeadLine } from './page-text.ts';
import type { WordBox } from './word-boxes.ts';

const linesOf = (words: WordBox[]) => headOf(words).map(([text]) => text);
const outlineOf = (...heads: HeadLine[][]) =>
  outlineFromText(
    heads.map((head) => head.map(([text]) => text).join('\n')),
    heads.map((head, index) => ({ page: index + 1, wide: [], head })),
  ).map(({ title }) => title);

test('a title that continues in the next row in the same style is one line', () => {
  const rows: WordBox[] = [
    ['五类县城的机', 600, 800, 3000, 500],
    ['会', 600, 1400, 500, 490],
    ['县域门店年增速', 600, 3000, 1500, 300],
  ];
  expect(linesOf(rows)).toEqual(['五类县城的机会', '县域门店年增速']);
  // Set in a column, one character a row.
  const column = [...'灶火正旺'].map((char, row): WordBox => [char, 880, 1000 + row * 1480, 600, 1200]);
  expect(linesOf(column)).toEqual(['灶火正旺']);
});

test('rows of a list, a subtitle and text beside it are not part of the title', () => {
  const list: WordBox[] = [
    ['目录', 600, 500, 800, 600],
    ['机会洞察', 600, 2000, 1000, 380],
    ['策略思路', 600, 2500, 1000, 380],
  ];
  expect(linesOf(list)).toEqual(['目录', '机会洞察', '策略思路']);
  const title: WordBox[] = [
    ['穿得很久', 600, 800, 3000, 1000],
    ['投放复盘报告', 600, 1900, 3000, 380],
  ];
  expect(linesOf(title)).toEqual(['穿得很久', '投放复盘报告']);
});

test('a page number and letters set wide at the right end are no part of the title', () => {
  expect(
    linesOf([
      ['首年目标', 720, 1300, 1200, 440],
      ['2', 9200, 1370, 60, 206],
    ]),
  ).toEqual(['首年目标']);
  const kerned: WordBox[] = [
    ['家庭借阅', 936, 932, 1200, 469],
    ['D', 8728, 1100, 50, 129],
    ['AT', 8799, 1100, 90, 129],
    ['A', 8940, 1100, 50, 129],
  ];
  expect(linesOf(kerned)[0]).toBe('家庭借阅');
});

test('English words keep their spaces, also across rows', () => {
  const rows: WordBox[] = [
    ['Annual', 600, 800, 1500, 500],
    ['Brand', 2200, 800, 1200, 500],
    ['Plan', 600, 1400, 900, 500],
  ];
  expect(linesOf(rows)).toEqual(['Annual Brand Plan']);
});

test('a small label above a much larger title is not the title; a title above a large number is', () => {
  expect(
    outlineOf([
      ['策划方案 · 2026.05', 206],
      ['先推开这扇门', 1193],
    ]),
  ).toEqual(['先推开这扇门']);
  expect(
    outlineOf([
      ['我们看到了什么', 531],
      ['米重复定位精度', 1179],
    ]),
  ).toEqual(['我们看到了什么']);
  expect(
    outlineOf([
      ['MARKET INSIGHT', 400],
      ['项目背景', 390],
    ]),
  ).toEqual(['项目背景']);
});

test.for([
  ['把家还\n给山', '把家还给山'],
  ['年会，\n开始了', '年会，开始了'],
  ['中秋\n2026', '中秋 2026'],
  ['Brand\nPlan', 'Brand Plan'],
  ['618\n大促', '618 大促'],
])('the rows of a title as one: %j', ([text, title]) => expect(foldLines(text ?? '')).toBe(title));
