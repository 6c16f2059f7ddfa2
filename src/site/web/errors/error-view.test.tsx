import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { ErrorView } from './error-view.tsx';

const error = new Error('服务器开小差了，请稍后再试');

const show = (element: ReactNode) =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);

it('is a whole page with a header and the main landmark', () => {
  expect(show(<ErrorView error={error} />)).toMatch(/<header[^]*<main[^]*页面出错了/);
});

it('leaves the header and the main landmark to the layout that it stands in', () => {
  const markup = show(<ErrorView error={error} isInLayout />);
  expect(markup).toContain('页面出错了');
  expect(markup).not.toMatch(/<header|<main/);
});
