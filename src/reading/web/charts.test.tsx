import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ChartItem } from '../../charts/contract.ts';
import { Charts } from './charts.tsx';

const chart: ChartItem = {
  id: 1,
  name: '预算构成',
  online_url: '',
  type: { id: 4, name: '饼图' },
  industry: { id: 0, name: '' },
  fid: 9,
  page: 19,
  time_text: '2026-11-01',
  file: { name: '年会方案' },
  width: 0,
  height: 0,
  has_numbers: 1,
  has_picture: 1,
};
const show = (item: ChartItem, previews: number, isOffered = true) =>
  renderToStaticMarkup(<Charts charts={[item]} previews={previews} readable={previews} isOffered={isOffered} />);

it('says of a locked chart what it is and how to see it, over a silhouette of its kind', () => {
  const page = show(chart, 10);
  expect(page).toContain('第 19 页，下载后可看');
  expect(page).toContain('预算构成');
  expect(page).toContain('饼图');
  // Two drawings: the silhouette and the lock.
  expect(page.match(/<svg/g)).toHaveLength(2);
  expect(page).toContain('href="#p=19"');
  expect(page).not.toContain('<img');
});

it('promises no download where the file is not handed out', () => {
  const page = show(chart, 10, false);
  expect(page).toContain('第 19 页，不在预览之内');
  expect(page).not.toContain('下载后可看');
});

it('links nothing where there are no pages to go to, and draws each kind differently', () => {
  const page = show(chart, 0);
  expect(page).not.toContain('<a ');
  const bars = show({ ...chart, type: { id: 1, name: '柱状图' } }, 0);
  expect(bars.replace('柱状图', '饼图')).not.toBe(page);
});

it('shows the picture of a chart within the preview, and no lock', () => {
  const page = show({ ...chart, page: 3, online_url: '/media/x/c1.webp', width: 640, height: 360 }, 10);
  expect(page).toContain('src="/media/x/c1.webp"');
  expect(page).not.toContain('<svg');
  expect(page).not.toContain('下载后可看');
});
