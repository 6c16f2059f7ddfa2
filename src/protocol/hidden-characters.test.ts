import { expect, it } from 'vitest';
import { hasHidden, replaceHidden } from './hidden-characters.ts';

it.each([
  ['方案\u202etxt\u0000', '方案txt'],
  ['\u200d', ''],
  ['提案\u200d二稿\u200b', '提案二稿'],
  ['👨\u200d', '👨'],
  ['亲子👨\u200d👩\u200d👧日', '亲子👨\u200d👩\u200d👧日'],
  ['👩🏽\u200d💻', '👩🏽\u200d💻'],
  ['🏳\ufe0f\u200d🌈', '🏳\ufe0f\u200d🌈'],
])('%j without hidden characters is %j', (text, shown) => {
  expect(replaceHidden(text, '')).toBe(shown);
  expect(hasHidden(text)).toBe(text !== shown);
});
