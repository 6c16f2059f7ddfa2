import { expect, it } from 'vitest';
import { lackingWords, nearText } from './near-text.ts';

it('names no word as missing that a related word stands for', () => {
  const reason = `茶饮 ${nearText('奶茶店')}、标签 三天`;
  expect(lackingWords({ missing: ['奶茶店', '开业'], reason })).toEqual(['开业']);
  expect(lackingWords({ missing: ['奶茶'], reason })).toEqual(['奶茶']);
});
