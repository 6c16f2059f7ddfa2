import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import { cutWords } from './server/cut-words.ts';
import { followSynonymsFile } from './server/synonyms-file.ts';
import { parseSynonyms, SynonymsError } from './synonyms.ts';
import { queryWords } from './words.ts';

const formsOf = (query: string) => queryWords(query, cutWords).map(({ forms }) => forms.map(({ text }) => text));

describe('a file', () => {
  it('holds groups, comments and empty lines; shared forms join groups', () => {
    expect(
      parseSynonyms('\ufeff# 注\n\n快消 = FMCG # 行业\n年会＝年终盛典\r\n快速消费品 = fmcg\n金融 > 银行 = 保险\n'),
    ).toEqual({
      groups: [
        ['年会', '年终盛典'],
        ['快速消费品', 'fmcg', '快消'],
      ],
      broader: [['金融', ['银行', '保险']]],
    });
  });

  it.each(['快消', '快消 =', '快 = fmcg', '= =', '金融 >', '> 银行', '金融 = 财经 > 银行', '金融 > 银行 > 信用卡'])(
    'with the line %j is refused, by number',
    (line) => {
      expect(() => parseSynonyms(`双十一 = 双11\n${line}`)).toThrow(SynonymsError);
      expect(() => parseSynonyms(`双十一 = 双11\n${line}`)).toThrow(/line 2$/);
    },
  );
});

it.each([
  ['快消', ['快消', '快消品', 'fmcg', '快速消费品']],
  ['FMCG', ['快消', '快消品', 'fmcg', '快速消费品']],
  ['POP-UP', ['快闪店', 'pop-up', 'popup']],
])('%s asks for all its forms', (query, forms) => {
  expect(formsOf(query)).toEqual([forms]);
});

it('asks for the narrower words of a broader one, and never the other way', () => {
  expect(formsOf('金融')).toEqual([['金融', '银行', '保险', '证券', '基金']]);
  expect(formsOf('银行')).toEqual([['银行']]);
});

it('takes no part of a word for a form', () => {
  expect(formsOf('air').flat()).toEqual(['air']);
});

describe("an operator's file", () => {
  const folder = mkdtempSync(join(tmpdir(), 'ceku-synonyms-'));
  const path = join(folder, 'synonyms.txt');
  let following: { stop(): void };
  beforeAll(() => {
    writeFileSync(path, '年会 = 年终盛典\nc++ = cpp\n');
    following = followSynonymsFile(path, createLog('silent'), 20);
  });
  afterAll(() => {
    following.stop();
    rmSync(folder, { recursive: true });
  });

  it('adds to ours', () => {
    expect(formsOf('年会')).toEqual([['年会', '年终盛典']]);
    expect(formsOf('双11')).toEqual([['双十一', '双11']]);
    expect(formsOf('c++').flat()).toContain('cpp');
  });

  it('is read again when it changes, and keeps the last good table', async () => {
    writeFileSync(path, '年会 = 尾牙宴会\n');
    await expect.poll(() => formsOf('年会')).toEqual([['年会', '尾牙宴会']]);
    writeFileSync(path, '年会\n');
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(formsOf('年会')).toEqual([['年会', '尾牙宴会']]);
  });

  it('must be there', () => {
    expect(() => followSynonymsFile(join(folder, 'none.txt'), createLog('silent'))).toThrow(/ENOENT/);
  });
});
