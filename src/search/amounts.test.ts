import { expect, it } from 'vitest';
import { splitByAmounts } from './amounts.ts';

it.each([
  ['一千人年会', [['一千人', '1000人'], '年会']],
  ['1000人年会', [['1000人', '一千人'], '年会']],
  ['四十二公里马拉松', [['四十二公里', '42公里'], '马拉松']],
  ['预算50万', ['预算', ['50万', '500000', '五十万']]],
  ['三天两夜', [['三天', '3天'], '两夜']],
  ['房地产', ['房地产']],
  ['1.5万人', [['1.5万人', '15000人', '一万五千人']]],
])('%s is split into %j', (text, pieces) => expect(splitByAmounts(text)).toEqual(pieces));
