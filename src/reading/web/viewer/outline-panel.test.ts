import { expect, it } from 'vitest';
import { currentTitle } from './outline-panel.tsx';

const titles = [{ page: 2 }, { page: 3 }, { page: 3 }, { page: 8 }];

it.each([
  ['none before the first title', 1, -1],
  ['the title of the page', 2, 0],
  ['the first of several titles of the page', 3, 1],
  ['the title of the section that the page is in', 7, 1],
  ['the last title up to the end', 30, 3],
])('the current title is %s', (_, page, expected) => {
  expect(currentTitle(titles, page)).toBe(expected);
});
