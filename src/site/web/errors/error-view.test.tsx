import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ErrorView } from './error-view.tsx';

const error = new Error('服务器开小差了，请稍后再试');

it('is a whole page with a header and the main landmark', () => {
  expect(renderToStaticMarkup(<ErrorView error={error} />)).toMatch(/<header[^]*<main[^]*页面出错了/);
});

it('leaves the header and the main landmark to the layout that it stands in', () => {
  const markup = renderToStaticMarkup(<ErrorView error={error} isInLayout />);
  expect(markup).toContain('页面出错了');
  expect(markup).not.toMatch(/<header|<main/);
});
