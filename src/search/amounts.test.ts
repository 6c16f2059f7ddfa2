import { expect, it } from 'vitest';
import { chineseNumber, splitByAmounts, valueOf } from './amounts.ts';

it.each([
  ['一千人年会', [['一千人', '1000人'], '年会']],
  ['1000人年会', [['1000人', '一千人'], '年会']],
  ['四十二公里马拉松', [['四十二公里', '42公里'], '马拉松']],
  ['预算50万', ['预算', ['50万', '500000', '五十万']]],
  ['三天两夜', [['三天', '3天'], '两夜']],
  ['房地产', ['房地产']],
  ['1.5万人', [['1.5万人', '15000人', '一万五千人']]],
])('%s is split into %j', (text, pieces) => expect(splitByAmounts(text)).toEqual(pieces));

it.each([
  ['十', 10],
  ['一百零八', 108],
  ['两千', 2_000],
  ['五十万', 500_000],
  ['一万零五十', 10_050],
  ['1.5万', 15_000],
  ['万', null],
  ['一二', null],
])('%s is %s', (text, value) => expect(valueOf(text)).toBe(value));

it.each([0, 7, 10, 15, 108, 1_000, 1_010, 10_050, 120_000, 99_999_999])('%i is written and read back', (value) => {
  expect(valueOf(chineseNumber(value)) ?? 0).toBe(value);
});
