import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PageThumbnail } from './thumbnails.tsx';

it('is no image element, so that a strip that fails to load leaves no broken image', () => {
  const cell = renderToStaticMarkup(
    <PageThumbnail number={3} strip="/media/x/strip.webp?e=1" count={9} color="#112233" />,
  );
  expect(cell).not.toContain('<img');
  expect(cell).toContain('/media/x/strip.webp?e=1');
  // The third of nine cells, one below the other.
  expect(cell).toContain('background-size:100% 900%');
  expect(cell).toContain('background-position:0 25%');
});

it('is a tinted cell without a strip, and shows a strip of one page whole', () => {
  expect(renderToStaticMarkup(<PageThumbnail number={1} strip="" count={9} color="#112233" />)).toContain('#11223326');
  const only = renderToStaticMarkup(<PageThumbnail number={1} strip="/s.webp" count={1} color="" />);
  expect(only).toContain('background-position:0 0%');
});
