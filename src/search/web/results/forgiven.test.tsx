import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { searchAnswer } from '../../../../tests/search-answer.ts';
import { DEFAULT_QUERY } from '../filters/report-query.ts';
import { Forgiven } from './forgiven.tsx';
import { toShownAnswer } from './shown-answer.ts';

/** The lines above the list of an answer for 情人节. */
function linesOf(facts: Parameters<typeof searchAnswer>[0], isFiltered: boolean): string {
  const query = { ...DEFAULT_QUERY, searchKey: '情人节' };
  const answer = toShownAnswer(searchAnswer(facts));
  const element = <Forgiven query={query} answer={answer} isFiltered={isFiltered} />;
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
}

const NEAR = { near: [{ word: '情人节', by: ['七夕'] }] };

it('says of a whole list what it is about instead, and nothing of a list that a filter emptied or narrowed', () => {
  expect(linesOf({ ...NEAR, total_count: 2 }, false)).toContain('以下方案写的不是“情人节”');
  expect(linesOf({ ...NEAR, total_count: 0 }, true)).toBe('');
  expect(linesOf({ ...NEAR, total_count: 1 }, true)).toBe('');
  expect(linesOf({ ...NEAR, total_count: 0 }, false)).toBe('');
});

it('offers the spelling that finds far more under a filter too', () => {
  expect(linesOf({ ...NEAR, did_you_mean: '情人谷' }, true)).toContain('您是不是要找');
});
