import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { documentDetail } from '../../../tests/document-detail.ts';
import type { DocumentDetail } from '../contract.ts';
import { Facts } from './facts.tsx';

const show = (change: Partial<DocumentDetail> = {}) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <Facts detail={{ ...documentDetail, ...change }} />
    </MemoryRouter>,
  );
/** The facts as [name, text] in their order. */
const listed = (html: string) =>
  [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, text = '']) => [
    name,
    text.replace(/<[^>]*>/g, ''),
  ]);

it('lists each fact that the document has, and none that it lacks', () => {
  expect(listed(show())).toEqual([
    ['格式', 'PPTX'],
    ['文件大小', '12 MB'],
    ['页数', '62 页'],
    ['收录时间', '2026-11-03'],
    ['行业', '餐饮'],
  ]);
  const whole = show({
    type: { id: 2, name: '提案' },
    organization: { id: 3, name: '某某传播' },
    researcher: { id: 4, name: '林一' },
  });
  expect(listed(whole).slice(5)).toEqual([
    ['方案类型', '提案'],
    ['机构', '某某传播'],
    ['作者', '林一'],
  ]);
  expect(listed(show({ page_count: 0 })).map(([name]) => name)).not.toContain('页数');
});

it('links what stands on a page to that page', () => {
  const html = show({
    stated: [{ kind: 'budget', name: '预算', value: 300_000, text: '30 万元', page: 18 }],
    key_pages: [{ kind: 'floor_plan', name: '平面动线', page: 7 }],
  });
  expect(listed(html).slice(-2)).toEqual([
    ['预算', '30 万元 第 18 页'],
    ['平面动线', ' 第 7 页'],
  ]);
  expect(html).toContain('href="#p=18"');
  expect(html).toContain('href="#p=7"');
});

it('links themes and keywords to their lists, each keyword once and escaped', () => {
  const html = show({ themes: [{ id: 3, name: '节日营销' }], keyword: '春节, 火锅，春节,,A&B' });
  const links = [...html.matchAll(/<a [^>]*href="(\/report[^"]*)">(.*?)<\/a>/g)].map(([, to, name]) => [to, name]);
  expect(links).toEqual([
    ['/report?theme_id=3', '节日营销'],
    [`/report?search_key=${encodeURIComponent('春节')}`, '春节'],
    [`/report?search_key=${encodeURIComponent('火锅')}`, '火锅'],
    ['/report?search_key=A%26B', 'A&amp;B'],
  ]);
  expect(show({ keyword: ' , ' })).not.toContain('关键词');
});
