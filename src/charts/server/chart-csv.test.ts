import { describe, expect, it } from 'vitest';
import type { ChartData } from '../chart-data.ts';
import { csvOfChart } from './chart-csv.ts';

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
    expect(csvOfChart(data)).toBe('月份,销量 (万),系列2 (%)\r\n一月,1.5,50\r\n"""二"", 月",,60\r\n,,70\r\n');
  });

  it('has two or three columns a series of points', () => {
    const data: ChartData = {
      ...axes,
      categories: [],
      series: [{ name: 'A', type: 'bubble', values: [1, 2], xs: [3, 4], sizes: [5, 6], unit: '' }],
    };
    expect(csvOfChart(data)).toBe('A X,A Y,A 大小\r\n3,1,5\r\n4,2,6\r\n');
    const [one] = data.series;
    const series = one ? [{ ...one, xUnit: { unit: '%' }, sizeUnit: { unit: '家' } }] : [];
    expect(csvOfChart({ ...data, series })).toBe('A (%) X,A Y,A (家) 大小\r\n300,1,5\r\n400,2,6\r\n');
  });

  it('gives percents as they are shown, without the noise of floating point', () => {
    const values = [0.07, 0.145, 0.285, 1.1, 0.00001, -0.57, 1 / 3, 0, null, 1e25];
    const one = { name: '占比', type: 'pie' as const, unit: '%' };
    const columnOf = (series: ChartData['series'][number]) =>
      csvOfChart({ ...axes, categories: [], series: [series] })
        .split('\r\n')
        .slice(1, -1)
        .map((row) => row.slice(1));
    expect(columnOf({ ...one, values })).toEqual([
      '7',
      '14.5',
      '28.5',
      '110',
      '0.001',
      '-57',
      '33.3333333333333',
      '0',
      '',
      '1e+27',
    ]);
    expect(columnOf({ ...one, values: [12.5], isLiteralUnit: true })).toEqual(['12.5']);
    expect(columnOf({ ...one, unit: '万', values: [0.1 + 0.2, 30.000000000000004, 1_234_567.89] })).toEqual([
      '0.3',
      '30',
      '1234567.89',
    ]);
    const points = csvOfChart({ ...axes, categories: [], series: [{ ...one, values: [0.07], xs: [0.5] }] });
    expect(points).toBe('占比 X,占比 (%) Y\r\n0.5,7\r\n');
  });

  it('keeps the categories of columns that stand among points', () => {
    const data: ChartData = {
      ...axes,
      categories: ['一月', '二月'],
      series: [
        { name: '销量', type: 'column', values: [1, 2], unit: '' },
        { name: '目标', type: 'scatter', values: [9], xs: [1], unit: '' },
      ],
    };
    expect(csvOfChart(data)).toBe('类别,销量,目标 X,目标 Y\r\n一月,1,1,9\r\n二月,2,,\r\n');
  });

  it.each(['=cmd', '+1', '-1', '@x', '\tx', '＝cmd', '＋1', '－1', '＠x'])('runs no formula: %s', (name) => {
    const data: ChartData = { ...axes, categories: [name], series: [{ name, type: 'pie', values: [-1], unit: '' }] };
    expect(csvOfChart(data)).toBe(`类别,'${name}\r\n'${name},-1\r\n`);
  });
});
