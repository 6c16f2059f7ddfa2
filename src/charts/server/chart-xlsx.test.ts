import { strFromU8, unzipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import type { ChartData } from '../chart-data.ts';
import { xlsxOfChart } from './chart-xlsx.ts';

const axes = { categoryAxis: '', valueAxis: '' };
const SOURCE = [['来源', '来源：茶饮方案 第 3 页 · 策库']] as const;

async function sheetsOf(data: ChartData) {
  const file = await xlsxOfChart(data, SOURCE);
  const sheets = await readXlsxFile(file);
  const parts = Object.entries(unzipSync(new Uint8Array(file))).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  );
  return { sheets, rows: sheets[0]?.data ?? [], xml: new Map(parts) };
}

describe('xlsxOfChart', () => {
  it('has numbers as numbers, gaps as empty cells, and the source on a sheet of its own', async () => {
    const { sheets, rows } = await sheetsOf({
      ...axes,
      categoryAxis: '月份',
      categories: ['一月', '二月'],
      series: [
        { name: '销量', type: 'column', values: [1.5, null], unit: '万' },
        { name: '', type: 'line', values: [-3, 1e25, 7], unit: '' },
      ],
    });
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['数据', '来源']);
    expect(rows).toEqual([
      ['月份', '销量 (万)', '系列2'],
      ['一月', 1.5, -3],
      ['二月', null, 1e25],
      [null, null, 7],
    ]);
    expect(sheets[1]?.data).toEqual([['来源', '来源：茶饮方案 第 3 页 · 策库']]);
  });

  it('keeps percents as fractions that are shown as percents, and percents in words as they are', async () => {
    const { rows, xml } = await sheetsOf({
      ...axes,
      categories: ['甲', '乙'],
      series: [
        { name: '占比', type: 'pie', values: [0.5, 0.125], unit: '%' },
        { name: '整数', type: 'pie', values: [0.07, 0.57], unit: '%' },
        { name: '已乘', type: 'pie', values: [50, 12.5], unit: '%', isLiteralUnit: true },
      ],
    });
    expect(rows).toEqual([
      ['类别', '占比', '整数', '已乘 (%)'],
      ['甲', 0.5, 0.07, 50],
      ['乙', 0.125, 0.57, 12.5],
    ]);
    const formats = [...(xml.get('xl/styles.xml') ?? '').matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code);
    expect(formats).toEqual(expect.arrayContaining(['0.0%', '0%']));
  });

  it('writes the dates of an axis as dates, and labels that only look like it as text', async () => {
    const series = [{ name: '客流', type: 'line' as const, values: [1, 2], unit: '' }];
    const { rows } = await sheetsOf({ ...axes, categories: ['2026-02-28', '2026-03-01'], series });
    expect(rows.slice(1)).toEqual([
      [new Date('2026-02-28T00:00:00Z'), 1],
      [new Date('2026-03-01T00:00:00Z'), 2],
    ]);
    for (const categories of [['2026-02-28', '合计'], ['2026-13-01', '2026-03-01'], ['1900-01-01'], ['2026', '2027']]) {
      const other = await sheetsOf({ ...axes, categories, series });
      expect(other.rows.slice(1, 1 + categories.length).map(([label]) => label)).toEqual(categories);
    }
  });

  it('has two or three columns a series of points, and no column of labels', async () => {
    const { rows } = await sheetsOf({
      ...axes,
      categories: [],
      series: [{ name: 'A', type: 'bubble', values: [1, 2], xs: [3, 4], sizes: [5, null], unit: '' }],
    });
    expect(rows).toEqual([
      ['A X', 'A Y', 'A 大小'],
      [3, 1, 5],
      [4, 2, null],
    ]);
  });

  it.each(['=cmd|calc', '+1+1', '-1', '@SUM(A1)', '\tx', '＝1+1', '<f>1</f>', '&amp;"\'>', '_x003D_1'])(
    'runs no formula: %s',
    async (text) => {
      const { rows, xml } = await sheetsOf({
        ...axes,
        categoryAxis: text,
        categories: [text],
        series: [{ name: text, type: 'pie', values: [-1], unit: '' }],
      });
      expect(rows).toEqual([
        [text.trim(), text.trim()],
        [text.trim(), -1],
      ]);
      for (const [name, part] of xml) if (name.startsWith('xl/worksheets/')) expect(part).not.toMatch(/<f[\s>]/);
    },
  );

  it('is a whole file in spite of characters that XML cannot hold', async () => {
    const { rows } = await sheetsOf({
      ...axes,
      categories: ['a\u0000b', 'c\ud800', '字'.repeat(40_000)],
      series: [{ name: '\u001b[31m', type: 'pie', values: [1, 2, 3], unit: '' }],
    });
    expect(rows.map(([label]) => String(label).length)).toEqual([2, 2, 1, 32_767]);
    expect(rows[0]?.[1]).toBe('[31m');
  });

  it('holds fifty series and all rows', async () => {
    const values = Array.from({ length: 300 }, (_, index) => index);
    const { rows } = await sheetsOf({
      ...axes,
      categories: values.map((value) => `第${value}天`),
      series: Array.from({ length: 50 }, (_, index) => ({ name: `渠道${index}`, type: 'line', values, unit: '' })),
    });
    expect([rows.length, rows[0]?.length, rows[300]?.[50]]).toEqual([301, 51, 299]);
  });
});
