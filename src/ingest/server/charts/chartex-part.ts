import type { ChartSeries } from '../../../charts/chart-data.ts';
import type { ChartType } from '../../../charts/chart-types.ts';
import { xmlAttribute } from '../formats/xml-events.ts';
import {
  emptyPoints,
  hasTooManyPoints,
  joinLevels,
  numberOf,
  oneLine,
  richText,
  unitsOf,
  withoutNumbers,
  type ChartPart,
} from './chart-part.ts';
import { child, childrenOf, textsBelow, type XmlNode } from '../formats/xml-tree.ts';

/** `layoutId` of a series ([MS-ODRAWXML] 2.24.3.71, ST_SeriesLayout). */
const LAYOUTS = new Map<string, ChartType>([
  ['waterfall', 'waterfall'],
  ['funnel', 'funnel'],
  ['treemap', 'treemap'],
  ['sunburst', 'sunburst'],
  ['boxWhisker', 'box'],
  ['clusteredColumn', 'histogram'],
  ['paretoLine', 'line'],
  ['regionMap', 'map'],
]);

/**
 * Reads a chart part of the `cx:` namespace, which holds the chart types that Office added in 2016. Null when it holds
 * no chart; without numbers when these are too many.
 */
export function readChartExPart(chartSpace: XmlNode): ChartPart | null {
  const chart = child(chartSpace, 'chart');
  // PowerPoint stores the columns that the author has hidden, or that the chart type cannot show, as hidden series.
  const drawn = childrenOf(child(chart, 'plotArea', 'plotAreaRegion'), 'series').filter(
    (series) => !['1', 'true'].includes(attributeOf(series, 'hidden')),
  );
  const first = drawn[0];
  if (!first) return null;
  const sources = new Map(
    childrenOf(child(chartSpace, 'chartData'), 'data').map((data) => [xmlAttribute(data.attributes, 'id') ?? '', data]),
  );
  const sourceOf = (series: XmlNode) => sources.get(attributeOf(child(series, 'dataId'), 'val'));
  const title = titleOf(child(chart, 'title'));
  const layouts = drawn.map((series) => LAYOUTS.get(attributeOf(series, 'layoutId')) ?? 'other');
  const type = layouts.includes('line') ? 'combo' : (layouts[0] ?? 'other');
  if (hasTooManyPoints(chartSpace)) return withoutNumbers(type, title);
  const series = drawn.flatMap((each, index): ChartSeries[] => {
    const source = sourceOf(each);
    // The line of a Pareto chart is computed from its columns.
    if (!source) return [];
    return [seriesOf(each, source, layouts[index] ?? 'other')];
  });
  const category = childrenOf(sourceOf(first), 'strDim')[0];
  return {
    type,
    title: title || (series.length === 1 ? (series[0]?.name ?? '') : ''),
    data: {
      categories: joinLevels(childrenOf(category, 'lvl').map(pointsOf)),
      series,
      categoryAxis: '',
      valueAxis: '',
    },
  };
}

function seriesOf(series: XmlNode, source: XmlNode, type: ChartType): ChartSeries {
  const level = child(childrenOf(source, 'numDim')[0], 'lvl');
  return {
    name: oneLine(textsBelow(child(series, 'tx'), 'v').join(' ')),
    type,
    values: level ? pointsOf(level).map(numberOf) : [],
    ...unitsOf(attributeOf(level, 'formatCode')),
  };
}

function titleOf(title: XmlNode | undefined): string {
  const text = child(title, 'tx');
  return richText(child(text, 'rich')) || oneLine(textsBelow(child(text, 'txData'), 'v').join(' '));
}

function pointsOf(level: XmlNode): (string | undefined)[] {
  const points = emptyPoints(attributeOf(level, 'ptCount'));
  for (const point of childrenOf(level, 'pt')) {
    const index = Number(attributeOf(point, 'idx') || -1);
    if (Number.isInteger(index) && index >= 0) points[index] = point.text;
  }
  return Array.from(points);
}

const attributeOf = (node: XmlNode | undefined, name: string) =>
  node ? (xmlAttribute(node.attributes, name) ?? '') : '';
