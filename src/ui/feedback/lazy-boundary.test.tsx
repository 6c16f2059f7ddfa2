import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { importPart, LazyBoundary, lazyWithRetry } from './lazy-boundary.tsx';

it('shows a part at once that was imported before it is needed', async () => {
  const load = () => Promise.resolve(() => <p>part</p>);
  const render = () => {
    const Part = lazyWithRetry(load);
    return renderToStaticMarkup(
      <LazyBoundary fallback="fallback">
        <Part />
      </LazyBoundary>,
    );
  };
  expect(render()).toBe('fallback');
  await importPart(load);
  expect(render()).toBe('<p>part</p>');
});
