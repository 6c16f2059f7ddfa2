import { describe, expect, it } from 'vitest';
import type { ChartData } from './chart-data.ts';
import { csvOfChart, mayShowChart, nameOfChart } from './rules.ts';

const axes = { categoryAxis: '', valueAxis: '' };

describe('csvOfChart', () => {
  it('has a row a category and a column a series', () => {
    const data: ChartData = {
      ...axes,
      categoryAxis: '月份',
      categories: ['一月', '"二", 月'],
      series: [
        { name: '销量', type: 'column', values: [1.5, null], unit: '万' },
        { name: '', type: 'line', values: [0.5, 0.6, 0.7], unit: '%' },
      ],
    };
    expect(csvOfChart(data)).toBe('月份,销量 (万),系列2 (%)\r\n一月,1.5,0.5\r\n"""二"", 月",,0.6\r\n,,0.7\r\n');
  });

  it('has two or three columns a series of points', () => {
    const data: ChartData = {
      ...axes,
      categories: [],
      series: [{ name: 'A', type: 'bubble', values: [1, 2], xs: [3, 4], sizes: [5, 6], unit: '' }],
    };
    expect(csvOfChart(data)).toBe('A X,A Y,A 大小\r\n3,1,5\r\n4,2,6\r\n');
  });

  it.each(['=cmd', '+1', '-1', '@x', '\tx', '＝cmd', '＋1', '－1', '＠x'])('runs no formula: %s', (name) => {
    const data: ChartData = { ...axes, categories: [name], series: [{ name, type: 'pie', values: [-1], unit: '' }] };
    expect(csvOfChart(data)).toBe(`类别,'${name}\r\n'${name},-1\r\n`);
  });
});

it.each([
  ['a visitor', { isMember: false, isOwner: false, pages: 10 }, 1, false],
  ['a member, in the preview', { isMember: true, isOwner: false, pages: 10 }, 10, true],
  ['a member, beyond it', { isMember: true, isOwner: false, pages: 10 }, 11, false],
  ['who has the document', { isMember: true, isOwner: true, pages: 10 }, 11, true],
])('mayShowChart: %s', (_who, reader, page, shown) => expect(mayShowChart({ page }, reader)).toBe(shown));

it.each([
  [['销量', '第三页', '饼图'], '销量'],
  [['  ', '第三页\n标题', '饼图'], '第三页 标题'],
  [['', '', '饼图'], '饼图'],
  [['字'.repeat(300), '', ''], '字'.repeat(120)],
] as const)('nameOfChart %#', ([title, page, type], name) => expect(nameOfChart(title, page, type)).toBe(name));
