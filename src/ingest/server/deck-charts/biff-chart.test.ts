import { describe, expect, it } from 'vitest';
import { readBiffChart } from './biff-chart.ts';
import {
  excelStream,
  graphStream,
  GROUP,
  record,
  SALES,
  text,
  within,
  type ExcelChart,
  type GraphChart,
} from './biff-samples.ts';

const read = (change: Partial<GraphChart> = {}) => readBiffChart(graphStream({ ...SALES, ...change }));

describe('Microsoft Graph', () => {
  it.each([
    ['column', 'column'],
    ['bar', 'bar'],
    ['line', 'line'],
    ['pie', 'pie'],
    ['doughnut', 'doughnut'],
    ['area', 'area'],
    ['radar', 'radar'],
    ['filledRadar', 'radar'],
    ['scatter', 'scatter'],
    ['oldScatter', 'scatter'],
    ['bubble', 'bubble'],
    ['surface', 'surface'],
    ['pieOfPie', 'pie'],
  ] as const)('%s is %s', (group, type) => expect(read({ groups: [GROUP[group]] })?.type).toBe(type));

  it('gives the numbers of its datasheet', () => {
    expect(read()).toEqual({
      type: 'column',
      title: '',
      data: {
        categories: ['一月', '二月', '三月'],
        series: [
          { name: '销量', type: 'column', values: [10, 20.5, -30], unit: '' },
          { name: '成本', type: 'column', values: [5, null, 7], unit: '' },
        ],
        categoryAxis: '',
        valueAxis: '',
      },
    });
  });

  it('by columns, too', () => {
    const turned = SALES.cells.map(([row, column, value]): (typeof SALES.cells)[number] => [column, row, value]);
    expect(read({ inRows: false, cells: turned, rows: [0, 4], columns: [0, 3] })).toEqual(read());
  });

  it('leaves out the rows and columns its author left out', () => {
    const { data } = read({ columns: [0, 2, 3, 4], series: [{ line: 2, points: 2 }] }) ?? {};
    expect(data).toMatchObject({ categories: ['一月', '三月'], series: [{ name: '成本', values: [5, 7] }] });
  });

  it('leaves out rows that nobody filled in, and trend lines', () => {
    const series = [...SALES.series, { line: 3, points: 3 }, { line: 1, points: 3, isTrend: true }];
    expect(read({ series })).toEqual(read());
  });

  it('gives none when they do not fit what the series say', () => {
    const odd = record(0x27e, [1, 1, 0, 0, 0]);
    for (const change of [
      { columns: [0, 3] },
      { series: [{ line: 1, points: 4 }] },
      { more: [odd] },
      { version: 0x0500 },
    ])
      expect(read(change)).toEqual({
        type: 'column',
        title: '',
        data: { categories: [], series: [], categoryAxis: '', valueAxis: '' },
      });
  });

  it('reads titles', () => {
    const texts = [text(1, '季度\n销售'), text(2, '万元'), text(3, '月份'), text(4, '不是标题')];
    expect(read({ texts })).toMatchObject({ title: '季度 销售', data: { valueAxis: '万元', categoryAxis: '月份' } });
    expect(read({ series: [{ line: 2, points: 3 }] })?.title).toBe('成本');
  });

  it('reads units and days from formats', () => {
    const cells: GraphChart['cells'] = [
      [0, 1, 45_292, 14],
      [0, 2, 2_025],
      [1, 1, 0.5, 9],
      [1, 2, 0.25, 9],
      [2, 1, 3, 164],
      [2, 2, 4, 164],
      [3, 1, 3, 164],
      [3, 2, 0.4, 9],
    ];
    const series = [1, 2, 3].map((line) => ({ line, points: 2 }));
    const { data } = read({ cells, series, rows: [0, 4], columns: [0, 3], formats: [[164, '0"万"']] }) ?? {};
    expect(data).toMatchObject({
      categories: ['2024-01-01', '2025'],
      series: [{ unit: '%' }, { unit: '万' }, { unit: '' }],
    });
  });

  it('of points gives both places, or counts them', () => {
    const points: Partial<GraphChart> = {
      groups: [GROUP.bubble],
      cells: [
        [0, 1, 3],
        [0, 2, 4],
        [1, 1, 1],
        [1, 2, 2],
        [2, 1, 9],
        [2, 2, 8],
      ],
      columns: [0, 3],
      series: [{ line: 1, points: 2, sizes: 2 }],
    };
    expect(read(points)?.data).toMatchObject({
      categories: [],
      series: [{ type: 'bubble', xs: [3, 4], values: [1, 2], sizes: [9, 8] }],
    });
    const named = { ...SALES, groups: [GROUP.scatter] };
    expect(read(named)?.data.series[0]).toMatchObject({ xs: [1, 2, 3], values: [10, 20.5, -30] });
    const mixed = SALES.cells.map((cell, index) => (index === 1 ? ([0, 2, 7] as (typeof SALES.cells)[number]) : cell));
    expect(read({ ...named, cells: mixed })?.data).toMatchObject({ categories: [], series: [] });
  });

  it('is a combo of what its series are', () => {
    const combo = read({
      groups: [GROUP.column, GROUP.line],
      series: SALES.series.map((one, group) => ({ ...one, group })),
    });
    expect(combo).toMatchObject({ type: 'combo', data: { series: [{ type: 'column' }, { type: 'line' }] } });
  });
});

describe('Excel', () => {
  const sales: ExcelChart = {
    groups: [GROUP.line],
    series: [
      { line: 0, points: 2, cachedName: '销量', format: 10, categoryFormat: 165 },
      { line: 0, points: 2, cachedName: '成本' },
    ],
    caches: [
      [
        2,
        [
          [0, 0, 45_292],
          [1, 0, 45_323],
        ],
      ],
      [
        1,
        [
          [0, 0, 0.1],
          [1, 0, 0.2],
          [0, 1, 5],
        ],
      ],
    ],
    formats: [[165, 'yyyy\\-mm\\-dd']],
  };
  const known = {
    type: 'line',
    title: '',
    data: {
      categories: ['2024-01-01', '2024-02-01'],
      series: [
        { name: '销量', type: 'line', values: [0.1, 0.2], unit: '%' },
        { name: '成本', type: 'line', values: [5, null], unit: '' },
      ],
      categoryAxis: '',
      valueAxis: '',
    },
  };

  it('gives the numbers it copied into the chart', () => {
    expect(readBiffChart(excelStream(sales, 1))).toEqual(known);
    const words: ExcelChart = {
      ...sales,
      caches: [
        ...sales.caches.slice(1),
        [
          2,
          [
            [0, 0, '一月'],
            [1, 0, '二月'],
          ],
        ],
      ],
    };
    expect(readBiffChart(excelStream(words, 1))?.data.categories).toEqual(['一月', '二月']);
  });

  it('has no categories where they are merely counted', () => {
    const { data } = readBiffChart(excelStream({ ...sales, caches: [[2, []], ...sales.caches.slice(1)] }, 1)) ?? {};
    expect(data).toMatchObject({ categories: [], series: [{ values: [0.1, 0.2] }, { values: [5, null] }] });
  });

  it('finds the only chart behind a worksheet, and none of several', () => {
    expect(readBiffChart(excelStream(sales, 0))).toEqual(known);
    expect(readBiffChart(excelStream(sales, 2, true))).toBeNull();
  });

  it.each([
    ['there are no copies', []],
    ['there is a point too many', [[1, [[2, 0, 1]]]]],
    ['there is a series too many', [[1, [[0, 2, 1]]]]],
  ] as [string, ExcelChart['caches']][])('gives none when %s', (_why, caches) => {
    expect(readBiffChart(excelStream({ ...sales, caches }, 1))).toMatchObject({ type: 'line', data: { series: [] } });
  });
});

describe('what is damaged or means harm', () => {
  const whole = graphStream(SALES);

  it('says so, or is no chart, wherever it is cut', () => {
    for (let length = 0; length < whole.length; length++) {
      try {
        expect(readBiffChart(whole.subarray(0, length))?.data.series.length ?? 0).toBeLessThanOrEqual(2);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });

  it('says so, or is a chart, whatever byte is wrong', () => {
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0x00, 0xff, (whole[at] ?? 0) ^ 0x01]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        try {
          expect(readBiffChart(bytes)?.data.series.length ?? 0).toBeLessThanOrEqual(2);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }
  });

  it('ends: a tower of records, a hundred thousand of them, an enormous datasheet', () => {
    const bof = record(0x809, [0x0680, 5, 0, 0]);
    const tower = Buffer.concat([bof, ...Array.from({ length: 200 }, () => [record(0x1002), record(0x1033)]).flat()]);
    const crowd = Buffer.concat([bof, ...Array.from({ length: 100_100 }, () => record(0x22))]);
    for (const bytes of [tower, crowd]) expect(() => readBiffChart(bytes)).toThrow(RangeError);
    const columns = Array.from({ length: 4_000 }, (_, index) => (index % 2 ? 65_535 : 0));
    const series = Array.from({ length: 2_000 }, () => ({ line: 1, points: 5_000 }));
    expect(read({ columns, series })?.data.series).toEqual([]);
    const most = Array.from({ length: 256 }, () => ({ line: 1, points: 5_001, cachedName: '' }));
    const claim: ExcelChart = { groups: [GROUP.line], series: most, caches: [[1, [[0, 0, 1]]]] };
    expect(readBiffChart(excelStream(claim, 1))?.data.series).toEqual([]);
  });

  it('is not read when it is encrypted', () => {
    const locked = Buffer.concat([
      record(0x809, [0x0600, 5, 0, 0]),
      record(0x2f, [1]),
      within(record(0x1002)),
      record(0x0a),
    ]);
    expect(readBiffChart(locked)).toMatchObject({ type: 'other', data: { series: [] } });
  });
});
