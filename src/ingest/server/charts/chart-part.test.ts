import { describe, expect, it } from 'vitest';
import { readChartExPart } from './chartex-part.ts';
import { joinLevels, readChartPart, unitsOf } from './chart-part.ts';
import { xmlTree } from '../formats/xml-tree.ts';

const numbers = (values: (number | string)[], format = 'General', count = values.length) =>
  `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode><c:ptCount val="${count}"/>${points(values)}</c:numCache></c:numRef>`;
const words = (values: string[]) =>
  `<c:strRef><c:strCache><c:ptCount val="${values.length}"/>${points(values)}</c:strCache></c:strRef>`;
const points = (values: (number | string)[]) =>
  values.map((value, index) => (value === '' ? '' : `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`)).join('');
const ser = (name: string, inner: string) => `<c:ser><c:tx>${words([name])}</c:tx>${inner}</c:ser>`;
const simple = (name: string) =>
  ser(name, `<c:cat>${words(['一月', '二月'])}</c:cat><c:val>${numbers([1, 2])}</c:val>`);

function read(plots: string, title = '', space = '') {
  const tree = xmlTree(
    `<c:chartSpace>${space}<c:chart>${title}<c:plotArea>${plots}</c:plotArea></c:chart></c:chartSpace>`,
  );
  return tree && readChartPart(tree);
}

describe('type', () => {
  it.each([
    ['<c:barChart><c:barDir val="col"/></c:barChart>', 'column'],
    ['<c:bar3DChart><c:barDir val="bar"/></c:bar3DChart>', 'bar'],
    ['<c:lineChart/>', 'line'],
    ['<c:line3DChart/>', 'line'],
    ['<c:pieChart/>', 'pie'],
    ['<c:ofPieChart/>', 'pie'],
    ['<c:doughnutChart/>', 'doughnut'],
    ['<c:area3DChart/>', 'area'],
    ['<c:radarChart/>', 'radar'],
    ['<c:scatterChart/>', 'scatter'],
    ['<c:bubbleChart/>', 'bubble'],
    ['<c:surfaceChart/>', 'surface'],
    ['<c:barChart/><c:stockChart/>', 'stock'],
    ['<c:barChart/><c:lineChart/>', 'combo'],
    ['<c:lineChart/><c:lineChart/>', 'line'],
  ])('%s is %s', (plots, type) => expect(read(plots)?.type).toBe(type));

  it('is not made of parts that draw nothing', () => {
    expect(read('<c:layout/>')).toBeNull();
    expect(read('<c:constructor/>')).toBeNull();
  });
});

describe('title', () => {
  const title = (inner: string) => `<c:title><c:tx>${inner}</c:tx></c:title>`;
  it('is the author’s, of several runs and lines', () => {
    const rich = title(
      '<c:rich><a:p><a:r><a:t>2025 </a:t></a:r><a:r><a:t>销售</a:t></a:r></a:p><a:p><a:r><a:t>单位：万</a:t></a:r></a:p></c:rich>',
    );
    expect(read(`<c:lineChart>${simple('甲')}</c:lineChart>`, rich)?.title).toBe('2025 销售 单位：万');
    expect(read('<c:lineChart/>', title(words(['引用'])))?.title).toBe('引用');
    const broken = title('<c:rich><a:p><a:r><a:t>季度</a:t></a:r><a:br/><a:r><a:t>销售</a:t></a:r></a:p></c:rich>');
    expect(read('<c:lineChart/>', broken)?.title).toBe('季度 销售');
  });
  it('falls back to the only series, never to one of several', () => {
    expect(read(`<c:lineChart>${simple('销量')}</c:lineChart>`)?.title).toBe('销量');
    expect(read(`<c:lineChart>${simple('甲')}${simple('乙')}</c:lineChart>`)?.title).toBe('');
  });
});

describe('numbers', () => {
  it('come with categories, units and gaps', () => {
    const one = ser(
      '占比',
      `<c:cat>${words(['A', 'B', 'C'])}</c:cat><c:val>${numbers([0.5, '', 0.25], '0.0%')}</c:val>`,
    );
    expect(read(`<c:pieChart>${one}</c:pieChart>`)?.data).toEqual({
      categories: ['A', 'B', 'C'],
      series: [{ name: '占比', type: 'pie', values: [0.5, null, 0.25], unit: '%' }],
      categoryAxis: '',
      valueAxis: '',
    });
  });

  it('keep the days of a time axis', () => {
    const cat = (count: number) => `<c:cat>${numbers([count], 'yyyy\\-mm\\-dd')}</c:cat>`;
    expect(read(`<c:lineChart>${ser('a', cat(45_292))}</c:lineChart>`)?.data.categories).toEqual(['2024-01-01']);
    const macintosh = read(`<c:lineChart>${ser('a', cat(43_830))}</c:lineChart>`, '', '<c:date1904 val="1"/>');
    expect(macintosh?.data.categories).toEqual(['2024-01-01']);
  });

  it.each([
    ['h:mm', 0.375, '9:00'],
    ['h:mm', 0.395833333333333, '9:30'],
    ['hh:mm:ss', 0.999999, '0:00:00'],
    ['h"时"mm"分"', 45_292.5, '12:00'],
    ['[h]:mm', 1.5, '36:00'],
    ['h:mm AM/PM', 0.75, '18:00'],
    ['m/d h:mm', 45_292.375, '2024-01-01 9:00'],
    ['yyyy\\-mm\\-dd hh:mm:ss', 45_291.999999, '2024-01-01 0:00:00'],
    ['m"月"', 45_292, '2024-01-01'],
    ['0"h"', 9, '9'],
  ])('keep the time of an axis as %s', (format, value, label) => {
    const cat = `<c:cat>${numbers([value], format)}</c:cat>`;
    expect(read(`<c:lineChart>${ser('a', cat)}</c:lineChart>`)?.data.categories).toEqual([label]);
  });

  it('of a second axis with categories of its own are not given those of the first, unless that axis is not shown', () => {
    const plot = (kind: string, labels: string[], values: number[], axes: [number, number]) =>
      `<c:${kind}>${ser(kind, `<c:cat>${words(labels)}</c:cat><c:val>${numbers(values)}</c:val>`)}${axes
        .map((id) => `<c:axId val="${id}"/>`)
        .join('')}</c:${kind}>`;
    const axis = (kind: string, id: number, inner = '') => `<c:${kind}><c:axId val="${id}"/>${inner}</c:${kind}>`;
    const months = ['一月', '二月', '三月'];
    const categories = (own: string[], axes: [number, number], second = axis('catAx', 3)) =>
      read(
        plot('barChart', months, [1, 2, 3], [1, 2]) +
          plot('lineChart', own, [9, 8], axes) +
          `${axis('catAx', 1)}${axis('valAx', 2)}${second}${axis('valAx', 4)}`,
      )?.data.categories;
    const joined = ['一月 / Q1', '二月 / Q2', '三月'];
    expect(categories(['Q1', 'Q2'], [3, 4])).toEqual(joined);
    expect(categories(['Q1', 'Q2'], [3, 4], axis('dateAx', 3, '<c:delete val="0"/>'))).toEqual(joined);
    expect(categories(['一月', '二月'], [3, 4])).toEqual(months);
    expect(categories(['Q1', 'Q2'], [1, 2])).toEqual(months);
    for (const deleted of ['<c:delete val="1"/>', '<c:delete/>'])
      expect(categories(['Q1', 'Q2'], [3, 4], axis('catAx', 3, deleted))).toEqual(months);
  });

  it('of points keep the units of both axes and of the sizes', () => {
    const point = ser(
      '品牌',
      `<c:xVal>${numbers([0.35], '0%')}</c:xVal><c:yVal>${numbers([2], '0"万"')}</c:yVal><c:bubbleSize>${numbers([7], '0"家"')}</c:bubbleSize>`,
    );
    expect(read(`<c:bubbleChart>${point}</c:bubbleChart>`)?.data.series).toMatchObject([
      { xs: [0.35], xUnit: { unit: '%' }, unit: '万', sizes: [7], sizeUnit: { unit: '家' } },
    ]);
  });

  it('have the unit of their points and of their labels, where the cells have none', () => {
    const own = (formats: string[]) =>
      `<c:numRef><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="2"/>${formats
        .map((format, index) => `<c:pt idx="${index}" formatCode="${format}"><c:v>0.5</c:v></c:pt>`)
        .join('')}</c:numCache></c:numRef>`;
    const unitOf = (value: string, labels = '', ofPlot = '') =>
      read(`<c:barChart>${ser('a', `${labels}<c:val>${value}</c:val>`)}${ofPlot}</c:barChart>`)?.data.series[0]?.unit;
    expect(unitOf(own(['0%', '0.0%']))).toBe('%');
    expect(unitOf(own(['0%', '0']))).toBe('');
    const labels = (format: string, linked: number, shows = '<c:showVal val="1"/>') =>
      `<c:dLbls><c:numFmt formatCode="${format}" sourceLinked="${linked}"/>${shows}</c:dLbls>`;
    expect(unitOf(numbers([0.5]), labels('0%', 0))).toBe('%');
    expect(unitOf(numbers([0.5]), '', labels('0%', 0))).toBe('%');
    expect(unitOf(numbers([0.5]), labels('0%', 1))).toBe('');
    expect(unitOf(numbers([30]), labels('0%', 0, '<c:showVal val="0"/><c:showPercent val="1"/>'))).toBe('');
    expect(unitOf(numbers([5], '0&quot;万&quot;'), labels('0', 0))).toBe('万');
    for (const ofSeries of [
      '<c:dLbls><c:delete val="1"/></c:dLbls>',
      labels('General', 1),
      labels('0%', 0, '<c:showVal val="0"/>'),
    ])
      expect(unitOf(numbers([0.5]), ofSeries, labels('0%', 0))).toBe('');
  });

  it('of a scatter have both axes', () => {
    const bubble = ser(
      'x',
      `<c:xVal>${numbers([3, 4])}</c:xVal><c:yVal>${numbers([1, 2])}</c:yVal><c:bubbleSize>${numbers([9, 8])}</c:bubbleSize>`,
    );
    const axis = (text: string) =>
      `<c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx>`;
    expect(read(`<c:bubbleChart>${bubble}</c:bubbleChart>${axis('价格')}${axis('销量')}`)?.data).toEqual({
      categories: [],
      series: [{ name: 'x', type: 'bubble', values: [1, 2], xs: [3, 4], sizes: [9, 8], unit: '' }],
      categoryAxis: '价格',
      valueAxis: '销量',
    });
    const bare = ser('y', `<c:yVal>${numbers([5, 6])}</c:yVal>`);
    expect(read(`<c:scatterChart>${bare}</c:scatterChart>`)?.data.series[0]?.xs).toEqual([1, 2]);
  });

  it('are left out when the file has, or claims, more than 5,000 points', () => {
    const line = (count: number, values: number[] = [1]) =>
      read(`<c:lineChart>${ser('a', `<c:val>${numbers(values, 'General', count)}</c:val>`)}</c:lineChart>`, '');
    expect(line(5_000)?.data.series[0]?.values).toHaveLength(5_000);
    expect(line(5_001)).toEqual({ ...line(1), title: '', data: { ...line(1)?.data, series: [] } });
    expect(line(1_000_000_000)?.data.series).toEqual([]);
    const unclaimed = Array.from({ length: 5_001 }, (_, index) => index);
    expect(line(1, unclaimed)?.data.series).toEqual([]);
    const negative = ser('a', `<c:val>${numbers([1], 'General', -4)}</c:val>`);
    expect(read(`<c:lineChart>${negative}</c:lineChart>`)?.data.series[0]?.values).toEqual([1]);
  });
});

it.each([
  ['General', ''],
  ['0', ''],
  ['0.0%', '%'],
  ['"¥"#,##0.00', '¥'],
  ['[$￥-804]#,##0', '￥'],
  ['0"万元"', '万元'],
  ['#,##0\\人', '人'],
  ['0.00;"负"0', ''],
  ['0"-"0', ''],
  ['0"a;b"', 'a;b'],
  ['0.0%"同比"', '%'],
  ['_-* #,##0.00\\ "€"_-', '€'],
  // These show a part of the number: 12345 as 1.2 of something.
  ['0!.0,"万"', ''],
  ['0\\.0,"万元"', ''],
  ['#,##0,', ''],
  ['"¥"#,##0.0,,"M"', ''],
  ['0!.0000"万"', ''],
  ['0\\.0000"万元"', ''],
  ['0"."0000"万"', ''],
  ['0"万"0000"元"', ''],
  ['#\\ ##0\\ "€"', '€'],
  // These show days and times.
  ['m"月"d"日"', ''],
  ['[$-804]yyyy"年"m"月"', ''],
  ['[h]"小时"mm"分"', ''],
  ['[h]"小时"', ''],
  ['G/通用格式"人"', '人'],
  ['[=0]"-";0.0%', '%'],
  ['[=0]"";[>0]0"万";-0"万"', '万'],
  ['[>=10000]0!.0000"万";0"元"', ''],
  ['[Red]0"元"', '元'],
])('reads the unit of %s as "%s"', (format, unit) => expect(unitsOf(format)).toEqual({ unit }));

it.each(['0"%"', '0\\%', '0!%', '0.0" %"'])('reads the percent of %s as a word', (format) => {
  expect(unitsOf(format)).toEqual({ unit: '%', isLiteralUnit: true });
});

it('joins the levels of a tree from the trunk', () => {
  expect(
    joinLevels([
      ['北京', '天津', '上海'],
      ['华北', undefined, '华东'],
    ]),
  ).toEqual(['华北 / 北京', '华北 / 天津', '华东 / 上海']);
});

describe('the kinds of 2016', () => {
  const data = `<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="3"><cx:pt idx="0">预算</cx:pt><cx:pt idx="1">追加</cx:pt><cx:pt idx="2">合计</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl ptCount="3" formatCode="0&quot;万&quot;"><cx:pt idx="0">10</cx:pt><cx:pt idx="1">5.5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>`;
  const chart = (layouts: string[], title = '') =>
    `<cx:chartSpace>${data}<cx:chart>${title}<cx:plotArea><cx:plotAreaRegion>${layouts
      .map(
        (layout) =>
          `<cx:series layoutId="${layout}"><cx:tx><cx:txData><cx:v>费用</cx:v></cx:txData></cx:tx>${layout === 'paretoLine' ? '' : '<cx:dataId val="0"/>'}</cx:series>`,
      )
      .join('')}</cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;
  const readEx = (xml: string) => {
    const tree = xmlTree(xml);
    return tree && readChartExPart(tree);
  };

  it.each([
    ['waterfall', 'waterfall'],
    ['funnel', 'funnel'],
    ['treemap', 'treemap'],
    ['sunburst', 'sunburst'],
    ['boxWhisker', 'box'],
    ['clusteredColumn', 'histogram'],
    ['regionMap', 'map'],
    ['somethingNew', 'other'],
    ['constructor', 'other'],
  ])('%s is %s', (layout, type) => expect(readEx(chart([layout]))?.type).toBe(type));

  it('come with title, categories and values', () => {
    const title = '<cx:title><cx:tx><cx:txData><cx:v>预算瀑布</cx:v></cx:txData></cx:tx></cx:title>';
    expect(readEx(chart(['waterfall'], title))).toEqual({
      type: 'waterfall',
      title: '预算瀑布',
      data: {
        categories: ['预算', '追加', '合计'],
        series: [{ name: '费用', type: 'waterfall', values: [10, 5.5, null], unit: '万' }],
        categoryAxis: '',
        valueAxis: '',
      },
    });
    expect(readEx(chart(['funnel']))?.title).toBe('费用');
    const rich = `<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>季度</a:t></a:r><a:br/><a:r><a:t>销售</a:t></a:r></a:p><a:p><a:r><a:t>万</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>`;
    expect(readEx(chart(['funnel'], rich))?.title).toBe('季度 销售 万');
  });

  it('leave out the series that the author has hidden', () => {
    const shown = '<cx:series layoutId="funnel"><cx:tx>';
    const two = chart(['funnel', 'funnel']).replace(shown, '<cx:series layoutId="funnel" hidden="1"><cx:tx>');
    expect(readEx(two)?.data.series).toHaveLength(1);
    expect(readEx(chart(['funnel']).replace(shown, '<cx:series layoutId="funnel" hidden="true"><cx:tx>'))).toBeNull();
  });

  it('have no numbers when the file claims more than 5,000 points', () => {
    const claimed = chart(['funnel']).replaceAll('ptCount="3"', 'ptCount="5001"');
    expect(readEx(claimed)).toMatchObject({ type: 'funnel', data: { categories: [], series: [] } });
  });

  it('of a Pareto are one chart of two kinds', () => {
    expect(readEx(chart(['clusteredColumn', 'paretoLine']))).toMatchObject({
      type: 'combo',
      data: { series: [{ name: '费用' }] },
    });
  });
});

it('leaves out the numbers of more than 256 series, each of which may claim thousands of points', () => {
  const claimed = ser('a', `<c:val>${numbers([1], 'General', 5_000)}</c:val>`);
  const chart = (count: number) => read(`<c:lineChart>${claimed.repeat(count)}</c:lineChart>`);
  expect(chart(256)?.data.series).toHaveLength(256);
  expect(chart(257)).toMatchObject({ type: 'line', data: { categories: [], series: [] } });
  expect(chart(20_000)?.data.series).toEqual([]);
});

it('is null when elements are nested too deeply', () => {
  expect(xmlTree(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`)).toBeNull();
});
