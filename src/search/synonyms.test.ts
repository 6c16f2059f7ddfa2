import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import { cutWords } from './server/words/cut-words.ts';
import { watchSynonymsFile } from './server/words/synonyms-file.ts';
import { parseSynonyms, SynonymsError } from './synonyms.ts';
import { queryWords, relatedWords } from './words.ts';

const formsOf = (query: string) => queryWords(query, cutWords).map(({ forms }) => forms.map(({ text }) => text));

describe('a file', () => {
  it('holds groups, comments and empty lines; shared forms join groups', () => {
    expect(
      parseSynonyms(
        '\ufeff# 注\n\n快消 = FMCG # 行业\n年会＝年终盛典\r\n快速消费品 = fmcg\n金融 > 银行 = 保险\n情人节 ~ 七夕 = 520\n',
      ),
    ).toEqual({
      groups: [
        ['年会', '年终盛典'],
        ['快速消费品', 'fmcg', '快消'],
      ],
      broader: [['金融', ['银行', '保险']]],
      near: [['情人节', ['七夕', '520']]],
      phrases: [],
    });
  });

  it('holds words that share their related words', () => {
    expect(parseSynonyms('牛郎织女、鹊桥，乞巧 ~ 七夕 = 520')).toEqual({
      groups: [],
      broader: [],
      near: ['牛郎织女', '鹊桥', '乞巧'].map((word) => [word, ['七夕', '520']]),
      phrases: [],
    });
  });

  it('holds phrases, beside words that mean the same', () => {
    expect(parseSynonyms('旧/老…换新/抵钱、旧换新 ~ 以旧换新')).toEqual({
      groups: [],
      broader: [],
      near: [['旧换新', ['以旧换新']]],
      phrases: [
        {
          cues: [
            ['旧', '老'],
            ['换新', '抵钱'],
          ],
          near: ['以旧换新'],
        },
      ],
    });
  });

  it.each([
    '快消',
    '七夕、 ~ 520',
    '旧…/换新 ~ 以旧换新',
    '旧… ~ 以旧换新',
    '旧…换新 = 以旧换新',
    '七夕、情人节 > 520',
    '快消 =',
    '快 = fmcg',
    '= =',
    '金融 >',
    '> 银行',
    '金融 = 财经 > 银行',
    '金融 > 银行 > 信用卡',
    '情人节 ~',
    '七夕 = 情人节 ~ 520',
    '金融 > 银行 ~ 保险',
  ])('with the line %j is refused, by number', (line) => {
    expect(() => parseSynonyms(`双十一 = 双11\n${line}`)).toThrow(SynonymsError);
    expect(() => parseSynonyms(`双十一 = 双11\n${line}`)).toThrow(/line 2$/);
  });
});

it.each([
  ['快消', ['快消', '快消品', 'fmcg', '快速消费品']],
  ['FMCG', ['快消', '快消品', 'fmcg', '快速消费品']],
  ['POP-UP', ['快闪店', 'pop-up', 'popup']],
])('%s asks for all its forms', (query, forms) => {
  expect(formsOf(query)).toEqual([forms]);
});

it('adds narrower words to a broader word, and never the reverse', () => {
  expect(formsOf('金融')).toEqual([['金融', '银行', '保险', '证券', '基金']]);
  expect(formsOf('银行')).toEqual([['银行']]);
});

it('takes no part of a word for a form', () => {
  expect(formsOf('air').flat()).toEqual(['air']);
});

it.each([
  ['发布会', '新品发布会'],
  ['新能源车', '新能源汽车'],
  ['元宵', '上元'],
  ['商场', '商业综合体'],
  ['尾牙', '年终盛典'],
  ['六一', '儿童节'],
])('%s asks for the same as %s', (one, other) => {
  expect(formsOf(one)).toEqual(formsOf(other));
  expect(formsOf(one)[0]).toEqual(expect.arrayContaining([one, other]));
});

it('is taken out of what the dictionary leaves over where other words of the table fill the rest', () => {
  expect(formsOf('建案開賣')).toEqual([['建案'], ['开卖']]);
  expect(formsOf('试饮杯').flat()).not.toContain('试饮');
});

it('asks for every character of a form, also for one that a dictionary leaves alone', () => {
  const [word] = queryWords('新能源车', cutWords);
  const form = word?.forms.find(({ text }) => text === '新能源车');
  expect(form?.lexemes.map(({ text }) => text)).toEqual(['新能', '能源', '源车']);
});

it('sees no form across the border of two words', () => {
  expect(formsOf('家电车间')).toEqual([['家电'], ['车间']]);
  // 跨年 has near words alone, and is no part of the longer word.
  expect(formsOf('跨年夜')).toEqual([['跨年夜']]);
  expect(formsOf('家电电车').at(-1)).toContain('新能源车');
});

it('keeps related words apart: they never stand for the word itself', () => {
  expect(formsOf('情人节')).toEqual([['情人节']]);
  const related = queryWords('情人节珠宝', cutWords).map((word) =>
    relatedWords(word, cutWords).map(({ text }) => text),
  );
  expect(related).toEqual([['七夕', '七夕节', '五二零', '520'], []]);
});

it('stands whole behind a space, though the dictionary leaves its characters over', () => {
  expect(formsOf('展台 动线')).toEqual([['展台'], ['动线', ':kfloor_plan']]);
});

it('for a kind of page asks for the word that pages use as well, and for the kind', () => {
  expect(formsOf('场地平面图')).toEqual([['场地平面图', '动线', ':kfloor_plan']]);
  expect(formsOf('floor plans')).toEqual([['floor plan', '动线', ':kfloor_plan']]);
  expect(formsOf('展厅平面图')).toEqual([['展厅'], ['平面图', '动线', ':kfloor_plan']]);
});

describe("an operator's file", () => {
  const folder = mkdtempSync(join(tmpdir(), 'ceku-synonyms-'));
  const path = join(folder, 'synonyms.txt');
  let following: { stop(): void };
  beforeAll(() => {
    writeFileSync(path, '盲盒 = 福袋\nc++ = cpp\n');
    following = watchSynonymsFile(path, createLog('silent'), 20);
  });
  afterAll(() => {
    following.stop();
    rmSync(folder, { recursive: true });
  });

  it('adds to the built-in synonyms', () => {
    expect(formsOf('盲盒')).toEqual([['盲盒', '福袋']]);
    expect(formsOf('双11')).toEqual([['双十一', '双11']]);
    expect(formsOf('c++').flat()).toContain('cpp');
  });

  it('is read again when it changes, and keeps the last good table', async () => {
    writeFileSync(path, '盲盒 = 惊喜盒\n');
    await expect.poll(() => formsOf('盲盒')).toEqual([['盲盒', '惊喜盒']]);
    writeFileSync(path, '盲盒\n');
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(formsOf('盲盒')).toEqual([['盲盒', '惊喜盒']]);
  });

  it('must be there', () => {
    expect(() => watchSynonymsFile(join(folder, 'none.txt'), createLog('silent'))).toThrow(/ENOENT/);
  });
});
