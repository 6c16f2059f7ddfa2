import { expect, it } from 'vitest';
import { hasHidden, isBlank, replaceHidden } from './hidden-characters.ts';

it.each([
  ['方案\u202etxt\u0000', '方案txt'],
  ['\u200d', ''],
  ['提案\u200d二稿\u200b', '提案二稿'],
  ['👨\u200d', '👨'],
  ['亲子👨\u200d👩\u200d👧日', '亲子👨\u200d👩\u200d👧日'],
  ['👩🏽\u200d💻', '👩🏽\u200d💻'],
  ['🏳\ufe0f\u200d🌈', '🏳\ufe0f\u200d🌈'],
  ['\u3164\u115f\u1160\uffa0', ''],
  ['\u2800方\u2800案\u034f', '方案'],
  ['\ufe0f\u{e0100}', ''],
  ['我\ufe0f❤\ufe0f葛\u{e0100}', '我\ufe0f❤\ufe0f葛\u{e0100}'],
])('%j without hidden characters is %j', (text, shown) => {
  expect(replaceHidden(text, '')).toBe(shown);
  expect(hasHidden(text)).toBe(text !== shown);
});

it.each([
  ['', true],
  [' \n\u3000', true],
  ['\u3164 \u2800', true],
  ['\u200b\ufe0f', true],
  ['\u2800·', false],
  ['❤\ufe0f', false],
])('%j shows nothing: %s', (text, isEmpty) => {
  expect(isBlank(text)).toBe(isEmpty);
});
