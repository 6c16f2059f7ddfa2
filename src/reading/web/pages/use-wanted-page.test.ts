import { expect, test } from 'vitest';
import { wantedPage } from './use-wanted-page.ts';

test.each([
  ['#p=12', 12],
  ['#p=12&w=%E5%8A%A8%E7%BA%BF', 12],
  ['#p=12&x', 0],
  ['#p=0', 0],
  ['#p12', 0],
  ['#p=1e9', 0],
  ['#p=999999', 0],
  ['', 0],
])('%s asks for page %i', (hash, page) => {
  expect(wantedPage(hash)).toBe(page);
});
