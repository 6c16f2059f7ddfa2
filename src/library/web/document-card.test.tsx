import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { CardItem } from './card-item.ts';
import { DocumentCard } from './document-card.tsx';

const item: CardItem = {
  id: 7,
  name: '春季<新品>发布会',
  price: 12,
  share_url: '/media/x/cover.webp',
  cover_srcset: '/media/x/cover.webp 480w',
  cover_color: '#aabbcc',
  file_type_text: 'PPT',
  page_count: 62,
  size: 12.34,
  time_text: '2026-11-03',
  create_time: 0,
  is_new: 0,
  preview_only: 0,
  is_favorite: 0,
  organization: { name: '某某传播' },
};
type Props = Parameters<typeof DocumentCard>[0];
const show = (change: Partial<CardItem> = {}, props: Omit<Props, 'item'> = {}) =>
  renderToStaticMarkup(<DocumentCard item={{ ...item, ...change }} {...props} />);
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

it('is one link in a new tab, named by the title, with type, pages and price', () => {
  const html = show();
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain('href="/detail/7" target="_blank" rel="noopener" title="春季&lt;新品&gt;发布会"');
  expect(html).not.toContain('<新品>');
  expect(textOf(html)).toContain('PPT 62 页 12 喵币 VIP 免费');
  expect(textOf(html)).not.toContain('某某传播');
});

it('adds size, organization and day for rows only', () => {
  expect(textOf(show({}, { isDetailed: true }))).toContain('62 页 12 MB 某某传播 2026-11-03');
});

it('says what this reader pays: nothing, nothing again, or that there is nothing to download', () => {
  expect(textOf(show({ price: 0 }))).toMatch(/免费$/);
  expect(textOf(show({ price: 0 }))).not.toContain('VIP');
  expect(textOf(show({}, { isOwned: true }))).toMatch(/已购$/);
  expect(textOf(show({ price: 0 }, { isOwned: true }))).toMatch(/免费$/);
  expect(textOf(show({ preview_only: 1 }, { isOwned: true }))).toMatch(/仅供预览$/);
});

it('shows hits of a search in an escaped name, and no markup in its tooltip', () => {
  const html = show({ name: '<em>春季</em>&lt;新品&gt;' }, { isMarkup: true });
  expect(html).toMatch(/<em[^>]*>春季<\/em>/);
  expect(html).toContain('title="春季&lt;新品&gt;"');
});

it('keeps a button beside the link, which may hold none', () => {
  const html = show({}, { action: <button type="button">收藏</button> });
  expect(html.indexOf('<button')).toBeGreaterThan(html.indexOf('</a>'));
});

it('shows no number of pages before the pages are counted', () => {
  expect(textOf(show({ page_count: 0 }))).not.toContain('页');
});
