import { expect, it } from 'vitest';
import { amountPattern, splitByAmounts } from './amounts.ts';

const spellings = (text: string) =>
  splitByAmounts(text).map((piece) => (typeof piece === 'string' ? piece : piece.spellings));

it.each([
  ['一千人年会', [['一千人', '1000人'], '年会']],
  ['1000人年会', [['1000人', '一千人'], '年会']],
  ['四十二公里马拉松', [['四十二公里', '42公里'], '马拉松']],
  ['预算50万', ['预算', ['50万', '500000', '五十万']]],
  ['预算十万左右', ['预算', ['十万', '100000', '10万']]],
  ['四五万元能做的', [['四五万元'], '能做的']],
  [
    '三天两夜',
    [
      ['三天', '3天'],
      ['两夜', '2夜', '二夜'],
    ],
  ],
  [
    '3天2夜',
    [
      ['3天', '三天'],
      ['2夜', '两夜', '二夜'],
    ],
  ],
  ['60个人的婚礼', [['60人', '六十人'], '的婚礼']],
  ['三百来人', [['三百人', '300人']]],
  ['一个人', ['一个人']],
  ['3k人大会', [['3000人', '三千人'], '大会']],
  ['50w以内', [['50万以内', '500000以内', '五十万以内']]],
  ['至少300人', [['至少300人', '至少三百人']]],
  ['三天以内', [['三天', '3天']]],
  ['100人内训', [['100人', '一百人'], '内训']],
  ['500-800人年会', [['500-800人'], '年会']],
  ['5个城市巡展', [['5城', '五城'], '巡展']],
  ['26年中秋', ['2026年中秋']],
  ['32年春晚', ['2032年春晚']],
  ['25年交房', ['25年交房']],
  ['房地产', ['房地产']],
  ['1.5万人', [['1.5万人', '15000人', '一万五千人']]],
])('%s is split into %j', (text, pieces) => expect(spellings(text)).toEqual(pieces));

it('leaves numbers alone that are longer than any amount', () => {
  const long = '9'.repeat(25);
  expect(spellings(`${long}k人`)).toEqual([`${long}k人`]);
  expect(spellings(`${long}-${long}人`)).toEqual([[`${long}人`]]);
});

it.each([
  ['20万以内', 'atMost', 200_000, 200_000],
  ['不超过300人', 'atMost', 300, 300],
  ['300人 以上', 'atLeast', 300, 300],
  ['10-20万', 'near', 100_000, 200_000],
  ['5万-10万元', 'near', 50_000, 100_000],
  ['三四百人', 'near', 300, 400],
])('%s is %s of %d to %d', (text, bound, from, to) => {
  expect(splitByAmounts(text)).toMatchObject([{ bound, from, to }]);
});

it.each([
  ['百人', ['到场百人', '百人大会'], ['三百人', '百人次']],
  ['十万', ['预算十万元', '约十万'], ['六十万', '十万次', '十万八千']],
  ['50万', ['50萬', '共50万元'], ['150万', '1.50万', '50万人']],
  ['六一', ['六一儿童节'], ['六一八']],
])('the pattern of %s finds it in %j, not in %j', (amount, found, others) => {
  const pattern = new RegExp(amountPattern(amount), 'u');
  expect(found.filter((text) => !pattern.test(text))).toEqual([]);
  expect(others.filter((text) => pattern.test(text))).toEqual([]);
});
