import type { ChartData, ChartSeries, ChartValue } from '../../../charts/chart-data.ts';
import type { ChartType } from '../../../charts/chart-types.ts';
import { beginningOf, cleanText } from '../../page-text.ts';
import { xmlAttribute } from '../formats/xml-events.ts';
import { child, childrenOf, textsBelow, valueOf, type XmlNode } from '../formats/xml-tree.ts';
import { DAY_MS } from '../../../protocol/durations.ts';

export type ChartPart = { type: ChartType; title: string; data: ChartData };

/** Returns a chart of which only the type, and perhaps the title, is known. */
export function withoutNumbers(type: ChartType, title = ''): ChartPart {
  return { type, title, data: { categories: [], series: [], categoryAxis: '', valueAxis: '' } };
}

/** A chart with more points than this is not read. */
export const MAX_POINTS = 5_000;
const MAX_SERIES = 256;

const TYPES = new Map<string, ChartType>([
  ['lineChart', 'line'],
  ['line3DChart', 'line'],
  ['pieChart', 'pie'],
  ['pie3DChart', 'pie'],
  ['ofPieChart', 'pie'],
  ['doughnutChart', 'doughnut'],
  ['areaChart', 'area'],
  ['area3DChart', 'area'],
  ['radarChart', 'radar'],
  ['scatterChart', 'scatter'],
  ['bubbleChart', 'bubble'],
  ['stockChart', 'stock'],
  ['surfaceChart', 'surface'],
  ['surface3DChart', 'surface'],
]);

/** Reads a chart part of the `c:` namespace (ECMA-376 part 1, 21.2). Null when it holds no chart. */
export function readChartPart(chartSpace: XmlNode): ChartPart | null {
  const chart = child(chartSpace, 'chart');
  const plots = (child(chart, 'plotArea')?.children ?? []).flatMap((node) => {
    const type = plotType(node);
    return type ? [{ node, type }] : [];
  });
  if (plots.length === 0) return null;
  const is1904 = ['1', 'true'].includes(valueOf(chartSpace, 'date1904') ?? '');
  const series = plots
    .flatMap(({ node, type }) => childrenOf(node, 'ser').map((ser) => ({ ser, type })))
    .slice(0, MAX_SERIES)
    .map(({ ser, type }) => ({ ser, series: readSeries(ser, type) }));
  const named = series.find(({ ser }) => child(ser, 'cat'));
  const axes = axisTitles(child(chart, 'plotArea'));
  return {
    type: wholeType(plots.map(({ type }) => type)),
    title: titleOf(child(chart, 'title')) || (series.length === 1 ? (series[0]?.series.name ?? '') : ''),
    data: {
      categories: named ? categoriesOf(child(named.ser, 'cat'), is1904) : [],
      series: series.map((each) => each.series),
      ...axes,
    },
  };
}

/** Returns the axis titles. Both axes of scatter and bubble charts are value axes; the first is the horizontal one. */
function axisTitles(plotArea: XmlNode | undefined): { categoryAxis: string; valueAxis: string } {
  const named = child(plotArea, 'catAx') ?? child(plotArea, 'dateAx');
  const [first, second] = childrenOf(plotArea, 'valAx');
  const [lower, upper] = named ? [named, first] : second ? [first, second] : [undefined, first];
  return { categoryAxis: titleOf(child(lower, 'title')), valueAxis: titleOf(child(upper, 'title')) };
}

function plotType(node: XmlNode): ChartType | null {
  if (node.name === 'barChart' || node.name === 'bar3DChart')
    return valueOf(node, 'barDir') === 'bar' ? 'bar' : 'column';
  return TYPES.get(node.name) ?? null;
}

/** Returns the type of a frame: several types together are a combo, except the volume columns of a stock chart. */
export function wholeType(types: ChartType[]): ChartType {
  const kinds = new Set(types);
  if (kinds.has('stock')) return 'stock';
  return kinds.size > 1 ? 'combo' : (types[0] ?? 'other');
}

function readSeries(ser: XmlNode, type: ChartType): ChartSeries {
  const value = child(ser, 'val') ?? child(ser, 'yVal');
  const xs = child(ser, 'xVal');
  const sizes = child(ser, 'bubbleSize');
  const format = child(value, 'numRef', 'numCache', 'formatCode') ?? child(value, 'numLit', 'formatCode');
  const values = numbersOf(value);
  return {
    name: oneLine(textsBelow(child(ser, 'tx'), 'v').join(' ')),
    type,
    values,
    // A scatter chart without x values is drawn at 1, 2, 3 …
    ...((type === 'scatter' || type === 'bubble') && {
      xs: hasNumbers(xs) ? numbersOf(xs) : values.map((_, index) => index + 1),
    }),
    ...(sizes && { sizes: numbersOf(sizes) }),
    ...unitsOf(format?.text ?? ''),
  };
}

function titleOf(title: XmlNode | undefined): string {
  const rich = child(title, 'tx', 'rich');
  if (rich) return richText(rich);
  return oneLine(textsBelow(child(title, 'tx', 'strRef'), 'v').join(' '));
}

export const oneLine = (text: string) => beginningOf(cleanText(text).replace(/\s+/g, ' '), 200);

/** Returns rich text: runs are joined without a space, paragraphs and line breaks with one. */
export function richText(rich: XmlNode | undefined): string {
  const inLine = (node: XmlNode): string =>
    node.name === 't' ? node.text : node.name === 'br' ? ' ' : node.children.map(inLine).join('');
  return oneLine(childrenOf(rich, 'p').map(inLine).join(' '));
}

/** Returns as many gaps as the file claims to have points, within the limit. */
export function emptyPoints(count: string): (string | undefined)[] {
  const length = Math.min(Math.max(0, Math.floor(Number(count)) || 0), MAX_POINTS);
  return new Array<string | undefined>(length).fill(undefined);
}

/** Returns the points of a cache by their index; gaps are undefined. */
function pointsOf(cache: XmlNode | undefined): (string | undefined)[] {
  const points = emptyPoints(valueOf(cache, 'ptCount') ?? '');
  for (const point of childrenOf(cache, 'pt')) {
    const index = Number(xmlAttribute(point.attributes, 'idx') ?? -1);
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS) points[index] = child(point, 'v')?.text ?? '';
  }
  return Array.from(points);
}

function cacheOf(source: XmlNode | undefined): XmlNode | undefined {
  return (
    child(source, 'numRef', 'numCache') ??
    child(source, 'numLit') ??
    child(source, 'strRef', 'strCache') ??
    child(source, 'strLit')
  );
}

const hasNumbers = (source: XmlNode | undefined) => numbersOf(source).some((value) => value !== null);

function numbersOf(source: XmlNode | undefined): ChartValue[] {
  return pointsOf(cacheOf(source)).map((text) => numberOf(text));
}

export function numberOf(text: string | undefined): ChartValue {
  if (text === undefined || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function categoriesOf(source: XmlNode | undefined, is1904: boolean): string[] {
  const levels = childrenOf(child(source, 'multiLvlStrRef', 'multiLvlStrCache'), 'lvl');
  if (levels.length > 0) return joinLevels(levels.map((level) => pointsOf(withCount(level, source))));
  const cache = cacheOf(source);
  const asDate = isDateFormat(child(cache, 'formatCode')?.text ?? '');
  return pointsOf(cache).map((text) => oneLine((asDate && dateOf(text, is1904)) || (text ?? '')));
}

/** Adds the number of points to a level: the file gives the number once for all levels. */
function withCount(level: XmlNode, source: XmlNode | undefined): XmlNode {
  const count = child(source, 'multiLvlStrRef', 'multiLvlStrCache', 'ptCount');
  return count ? { ...level, children: [count, ...level.children] } : level;
}

/**
 * Joins the levels of category labels. Levels are ordered from leaf to root; a branch has its label at its first leaf
 * only.
 */
export function joinLevels(levels: (string | undefined)[][]): string[] {
  const filled = levels.map((level, index) => {
    if (index === 0) return level;
    let last = '';
    return level.map((text) => (last = text || last));
  });
  const length = Math.max(0, ...levels.map((level) => level.length));
  return Array.from({ length }, (_, index) =>
    filled
      .map((level) => oneLine(level[index] ?? ''))
      .filter(Boolean)
      .reverse()
      .join(' / '),
  );
}

/**
 * Text in a number format beside its digits: quoted words, a currency, colours, an escaped character, padding, a fill.
 */
const ASIDE = /"([^"]*)"?|\[\$([^\]-]*)[^\]]*\]?|\[[^\]]*\]?|[\\!](.)|[_*]./su;
const PIECES = new RegExp(`${ASIDE.source}|([¥￥$€£])|(.)`, 'gsu');

/**
 * Returns the unit in a number format: `0.0%` → %, `"¥"#,##0` → ¥, `0"万元"` → 万元, `General` → "". A format that scales
 * the number (`0.0,"M"`) has no unit that fits the numbers.
 */
export function unitsOf(format: string): Pick<ChartSeries, 'unit' | 'isLiteralUnit'> {
  let words = '';
  let digits = '';
  for (const [, quoted, currency, escaped, sign, plain = ''] of format.matchAll(PIECES)) {
    // The rest of the format applies to negative numbers.
    if (plain === ';') break;
    words += quoted ?? currency ?? escaped ?? sign ?? '';
    digits += plain;
  }
  if (/[0#?],+(?![0#?,])/.test(digits)) return { unit: '' };
  if (digits.includes('%')) return { unit: '%' };
  const unit = words.trim();
  if (unit === '%') return { unit, isLiteralUnit: true };
  return { unit: /[\p{L}\p{Sc}]/u.test(unit) ? beginningOf(unit, 12) : '' };
}

/** The longest format code that Excel takes. */
const FORMAT_CHARS = 255;

function isDateFormat(format: string): boolean {
  return /[ymd]/i.test(
    format
      .slice(0, FORMAT_CHARS)
      .replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
      .replace(/General/i, ''),
  );
}

/** Returns the date of a spreadsheet's day number as YYYY-MM-DD. */
function dateOf(text: string | undefined, is1904: boolean): string {
  const serial = numberOf(text);
  if (serial === null || serial < 1 || serial > 200_000) return '';
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  return new Date(epoch + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10);
}
