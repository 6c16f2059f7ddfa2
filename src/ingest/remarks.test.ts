import { expect, it } from 'vitest';
import { doubtsOfFlags, remarksOf } from './remarks.ts';

it.each([
  [[], {}, ''],
  [['no-text'], {}, 'no readable text: search finds it by its title only'],
  [['blank'], {}, 'every page is blank: kept off the shelf'],
  [['external-media'], { 汉仪旗黑: 'Noto Sans CJK SC' }, 'fonts replaced: 汉仪旗黑 by Noto Sans CJK SC'],
  [
    [],
    Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`F${at}`, 'Noto'])),
    'fonts replaced: F0 by Noto, F1 by Noto, F2 by Noto, F3 by Noto, F4 by Noto and 2 more',
  ],
])('%j %j', (flags, fonts, words) => expect(remarksOf({ flags, fonts })).toBe(words));

it('a file without readable text is doubtful, one whose fonts were replaced is not', () => {
  expect(doubtsOfFlags(['no-text', 'pages-differ'])).toEqual(['no readable text: search finds it by its title only']);
});
