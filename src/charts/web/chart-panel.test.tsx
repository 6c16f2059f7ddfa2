import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import type { ChartItem, ChartNumbers } from '../contract.ts';
import { countText, LockedChart, OpenChart } from './chart-panel.tsx';
import { PageCharts } from './page-charts.tsx';

const chart: ChartItem = {
  id: 7,
  name: '渠道投放',
  online_url: '/media/x/c1.webp',
  type: { id: 1, name: '柱状图' },
  industry: { id: 0, name: '' },
  fid: 9,
  page: 3,
  time_text: '2026-11-01',
  file: { name: '茶饮方案' },
  width: 900,
  height: 500,
  has_numbers: 1,
  has_picture: 1,
};
const numbers: ChartNumbers = {
  id: 7,
  fid: 9,
  name: '渠道投放',
  type: { id: 1, name: '柱状图' },
  page: 3,
  unit: '',
  source: '来源：茶饮方案 第 3 页 · 策库',
  label_head: '月份',
  labels: ['2026-01-01', '2026-02-01'],
  columns: [
    { name: '预算', unit: '万元', values: [1234.5, null] },
    { name: '占比', unit: '%', values: [57, 33.3333333333333] },
  ],
  row_count: 2,
  column_count: 2,
  xlsx_url: '/media/charts/7.xlsx?d=9&e=1&s=a',
  csv_url: '/media/charts/7.csv?d=9&e=1&s=b',
};
const original = { url: '/media/charts/7.png?d=9&e=1&s=c', file_name: '渠道投放-茶饮方案-第3页.png' };

const show = (node: ReactNode) => renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>);
/** The texts of cells, row by row. */
const cellsOf = (page: string) =>
  page
    .split('<tr>')
    .slice(1)
    .map((row) =>
      row
        .split(/<\/t[hd]>/)
        .slice(0, -1)
        .map((cell) => cell.replace(/<[^>]+>/g, '')),
    );

describe('the chart of an advanced member', () => {
  it('has its picture with the source, a table with units, gaps that are read aloud, and files', () => {
    const page = show(<OpenChart chart={chart} numbers={numbers} original={original} />);
    expect(page).toContain('alt="渠道投放"');
    expect(page).toContain('来源：茶饮方案 第 3 页 · 策库');
    expect(cellsOf(page)).toEqual([
      ['月份', '预算（万元）', '占比'],
      ['2026-01-01', '1,234.5', '57%'],
      ['2026-02-01', '–无数据', '33.33%'],
    ]);
    expect(page.match(/scope="row"/g)).toHaveLength(2);
    for (const url of [numbers.xlsx_url, numbers.csv_url, original.url])
      expect(page).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
    expect(page).toContain('download="渠道投放-茶饮方案-第3页.png"');
    expect(page).toContain('role="region" aria-label="渠道投放的数字" tabindex="0"');
  });

  it('says that a chart is only a picture, and offers no files of numbers', () => {
    const bare = { ...numbers, label_head: '', labels: [], columns: [], row_count: 0, xlsx_url: '', csv_url: '' };
    const page = show(<OpenChart chart={{ ...chart, has_numbers: 0 }} numbers={bare} original={original} />);
    expect(page).toContain('只是一张图片，没有存下数字');
    expect(page).not.toMatch(/<table|下载 (XLSX|CSV)/);
  });

  it('offers a very large table as CSV alone', () => {
    const page = show(<OpenChart chart={chart} numbers={{ ...numbers, xlsx_url: '' }} original={null} />);
    expect(page).toContain('下载 CSV');
    expect(page).not.toContain('XLSX');
  });

  it('without a picture has the table alone', () => {
    const page = show(
      <OpenChart chart={{ ...chart, online_url: '', has_picture: 0 }} numbers={numbers} original={null} />,
    );
    expect(page).not.toMatch(/<img|<svg|保存原图/);
    expect(page).toContain('<table');
  });

  it('has no column of labels for points, and shows fifty series', () => {
    const columns = Array.from({ length: 50 }, (_, index) => ({ name: `系列${index} X`, unit: '', values: [index] }));
    const page = show(
      <OpenChart chart={chart} numbers={{ ...numbers, label_head: '', labels: [], columns }} original={null} />,
    );
    expect(cellsOf(page).map((row) => row.length)).toEqual([50, 50]);
    expect(page).not.toContain('scope="row"');
  });
});

it.each([
  [{}, '2 行 × 2 列'],
  [{ unit: '万元' }, '2 行 × 2 列 · 单位：万元'],
  [{ row_count: 1_300 }, '1,300 行 × 2 列 · 下表为前 2 行，下载的文件含全部'],
  [{ row_count: 1_300, column_count: 120 }, '1,300 行 × 120 列 · 下表为前 2 行、前 2 列，下载的文件含全部'],
])('countText: %j', (change, text) => expect(countText({ ...numbers, ...change })).toBe(text));

describe('the chart of a reader without the right', () => {
  const plan = { main: '开通高级会员', note: '', side: '¥98 起', buy: { kind: 'vip' as const, itemId: 3 } };
  const locked = (change: Partial<ChartItem>, tier: 0 | 1, way: typeof plan | null = plan) =>
    show(<LockedChart chart={{ ...chart, ...change }} tier={tier} plan={way} onBuy={() => undefined} />);

  it('says what is needed, with the way to it and its price, over silhouettes', () => {
    const page = locked({ online_url: '' }, 0);
    expect(page).toContain('高级会员可查看');
    expect(page).toContain('每个数字的完整表格，可下载 XLSX 和 CSV');
    expect(page).toContain('清晰原图，图下附来源');
    expect(page).toMatch(/<button[^>]*>开通高级会员 ¥98 起<\/button>/);
    expect(page).not.toMatch(/<img|<table/);
  });

  it('speaks to standard members as such, and keeps the picture that they may see', () => {
    const page = locked({}, 1, { ...plan, main: '升级高级会员' });
    expect(page).toContain('您现在是标准会员');
    expect(page).toContain('升级高级会员 ¥98 起');
    expect(page).toContain('src="/media/x/c1.webp"');
  });

  it('sells the plans before their price is known', () => {
    const page = locked({ online_url: '' }, 0, null);
    expect(page).toMatch(/<button[^>]*>开通高级会员<\/button>/);
  });

  it('promises nothing that the chart does not have', () => {
    expect(locked({ has_numbers: 0 }, 0)).not.toContain('XLSX');
    const bare = locked({ online_url: '', has_numbers: 0, has_picture: 0 }, 0);
    expect(bare).toContain('没有存下数字和图片');
    expect(bare).not.toContain('/aboutVip');
  });
});

it('a page offers the charts that stand on it, and nothing where there are none', () => {
  const charts = [chart, { ...chart, id: 8 }, { ...chart, id: 9, page: 4 }];
  expect(show(<PageCharts charts={charts} page={3} look="line" />)).toContain('aria-label="本页图表 2"');
  expect(show(<PageCharts charts={charts} page={4} look="icon" />)).toContain('aria-label="本页图表 1"');
  expect(show(<PageCharts charts={charts} page={5} look="line" />)).toBe('');
});
