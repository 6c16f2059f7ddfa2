import type { ChartData, ChartSeries, ChartUnit, ChartValue } from '../../../charts/chart-data.ts';
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

/** The numbers of a chart with more points or series than this are not read: a part of them would be taken for all. */
const MAX_POINTS = 5_000;
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

/**
 * Reads a chart part of the `c:` namespace (ECMA-376 part 1, 21.2). Null when it holds no chart; without numbers when
 * these are too many.
 */
export function readChartPart(chartSpace: XmlNode): ChartPart | null {
  const chart = child(chartSpace, 'chart');
  const plots = (child(chart, 'plotArea')?.children ?? []).flatMap((node) => {
    const type = plotType(node);
    return type ? [{ node, type }] : [];
  });
  if (plots.length === 0) return null;
  const type = wholeType(plots.map((plot) => plot.type));
  const title = titleOf(child(chart, 'title'));
  const drawn = plots.flatMap(({ node, type: own }) =>
    childrenOf(node, 'ser').map((ser) => ({ ser, node, type: own })),
  );
  if (drawn.length > MAX_SERIES || drawn.some(({ ser }) => hasTooManyPoints(ser))) return withoutNumbers(type, title);
  const series = drawn.map((each) => readSeries(each.ser, each.node, each.type));
  return {
    type,
    title: title || (series.length === 1 ? (series[0]?.name ?? '') : ''),
    data: {
      categories: categoriesOfPlots(drawn, child(chart, 'plotArea'), isOn(chartSpace, 'date1904')),
      series,
      ...axisTitles(child(chart, 'plotArea')),
    },
  };
}

/**
 * Returns the labels of all rows: those of the first plot that has any. Plots on another category axis that is shown have
 * labels of their own: the labels of a row are then joined, as those of levels are, because the row holds values of both.
 */
function categoriesOfPlots(
  drawn: readonly { ser: XmlNode; node: XmlNode }[],
  plotArea: XmlNode | undefined,
  is1904: boolean,
): string[] {
  const shown = shownCategoryAxes(plotArea);
  const sources = new Map<string | undefined, XmlNode>();
  for (const { ser, node } of drawn) {
    const source = child(ser, 'cat');
    const axis = axisIdsOf(node).find((id) => shown.has(id));
    if (source && (sources.size === 0 || (axis !== undefined && !sources.has(axis)))) sources.set(axis, source);
  }
  const plots = [...sources.values()].map((source) => categoriesOf(source, is1904));
  return Array.from({ length: Math.max(0, ...plots.map(({ length }) => length)) }, (_, row) =>
    oneLine([...new Set(plots.map((labels) => labels[row] ?? '').filter(Boolean))].join(' / ')),
  );
}

const axisIdsOf = (node: XmlNode) =>
  childrenOf(node, 'axId').map(({ attributes }) => xmlAttribute(attributes, 'val') ?? '');

/** Returns the ids of the category axes that are not deleted. PowerPoint deletes that of a second axis unless the author asks for it. */
function shownCategoryAxes(plotArea: XmlNode | undefined): Set<string> {
  const axes = [...childrenOf(plotArea, 'catAx'), ...childrenOf(plotArea, 'dateAx')];
  return new Set(axes.filter((axis) => !isDeleted(axis)).flatMap(axisIdsOf));
}

/** `<c:delete/>` without a value means true (CT_Boolean of ECMA-376 part 1). */
const isDeleted = (axis: XmlNode) =>
  child(axis, 'delete') !== undefined && !['0', 'false'].includes(valueOf(axis, 'delete') ?? '');

/** Whether the caches below a node have, or claim to have, more points than are read. */
export function hasTooManyPoints(node: XmlNode): boolean {
  return node.children.some((each) => {
    if (each.name === 'ptCount') return Number(xmlAttribute(each.attributes, 'val')) > MAX_POINTS;
    if (each.name === 'pt') return Number(xmlAttribute(each.attributes, 'idx')) >= MAX_POINTS;
    if (each.name === 'lvl' && Number(xmlAttribute(each.attributes, 'ptCount')) > MAX_POINTS) return true;
    return hasTooManyPoints(each);
  });
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

function readSeries(ser: XmlNode, plot: XmlNode, type: ChartType): ChartSeries {
  const value = child(ser, 'val') ?? child(ser, 'yVal');
  const xs = child(ser, 'xVal');
  const sizes = child(ser, 'bubbleSize');
  const xUnit = unitsOfSource(xs);
  const sizeUnit = unitsOfSource(sizes);
  const ownUnit = unitsOfSource(value);
  const values = numbersOf(value);
  return {
    name: oneLine(textsBelow(child(ser, 'tx'), 'v').join(' ')),
    type,
    values,
    // A scatter chart without x values is drawn at 1, 2, 3 …
    ...((type === 'scatter' || type === 'bubble') && {
      xs: hasNumbers(xs) ? numbersOf(xs) : values.map((_, index) => index + 1),
      ...(xUnit.unit !== '' && { xUnit }),
    }),
    ...(sizes && { sizes: numbersOf(sizes), ...(sizeUnit.unit !== '' && { sizeUnit }) }),
    // The labels of the plot are those of a series that has none of its own; a series may have deleted or hidden its labels.
    ...(ownUnit.unit === '' ? unitsOf(labelFormat(child(ser, 'dLbls') ?? child(plot, 'dLbls'))) : ownUnit),
  };
}

/** Returns the unit of the cells; points may have a format of their own in place of that of the cache. */
function unitsOfSource(source: XmlNode | undefined): ChartUnit {
  const cache = cacheOf(source);
  const format = child(cache, 'formatCode')?.text ?? '';
  const formats = new Set(
    childrenOf(cache, 'pt').map(({ attributes }) => xmlAttribute(attributes, 'formatCode') ?? format),
  );
  return formats.size === 0 ? unitsOf(format) : commonUnit([...formats].map(unitsOf));
}

/**
 * Returns the number format of data labels when it is their own and they show the values; "" otherwise. Labels that show
 * shares of a pie format a number that the chart computes.
 */
function labelFormat(labels: XmlNode | undefined): string {
  const format = child(labels, 'numFmt')?.attributes ?? '';
  const isOwn = ['0', 'false'].includes(xmlAttribute(format, 'sourceLinked') ?? '');
  const isShown = isOn(labels, 'showVal') && !isOn(labels, 'showPercent');
  return isOwn && isShown ? (xmlAttribute(format, 'formatCode') ?? '') : '';
}

const isOn = (node: XmlNode | undefined, name: string) => ['1', 'true'].includes(valueOf(node, name) ?? '');

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

/** Returns as many gaps as the file claims to have points. Only for a part that hasTooManyPoints has let pass. */
export function emptyPoints(count: string): (string | undefined)[] {
  const length = Math.max(0, Math.floor(Number(count)) || 0);
  return new Array<string | undefined>(length).fill(undefined);
}

/** Returns the points of a cache by their index; gaps are undefined. */
function pointsOf(cache: XmlNode | undefined): (string | undefined)[] {
  const points = emptyPoints(valueOf(cache, 'ptCount') ?? '');
  for (const point of childrenOf(cache, 'pt')) {
    const index = Number(xmlAttribute(point.attributes, 'idx') ?? -1);
    if (Number.isInteger(index) && index >= 0) points[index] = child(point, 'v')?.text ?? '';
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
  const format = child(cache, 'formatCode')?.text ?? '';
  return pointsOf(cache).map((text) => oneLine(dateOf(text, format, is1904) || (text ?? '')));
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

/** The longest format code that Excel takes. */
const FORMAT_CHARS = 255;

/**
 * A section of a number format. `words` is the text beside the digits and `digits` the rest. `isSplit` says that text
 * stands between digits, as in `0!.0000"万"`, which shows 12345 as 1.2345万.
 */
type FormatSection = { words: string; digits: string; isConditional: boolean; isSplit: boolean };

function sectionsOf(format: string): FormatSection[] {
  const begin = (): FormatSection => ({ words: '', digits: '', isConditional: false, isSplit: false });
  let section = begin();
  let isAfterText = false;
  const sections = [section];
  for (const [piece, quoted, currency, escaped, sign, plain = ''] of format.slice(0, FORMAT_CHARS).matchAll(PIECES)) {
    if (plain === ';') {
      section = begin();
      isAfterText = false;
      sections.push(section);
      continue;
    }
    const text = quoted ?? currency ?? escaped ?? sign ?? '';
    if (/[0#?]/.test(plain)) section.isSplit ||= isAfterText;
    // A space between digits groups thousands.
    else if (text.trim() !== '') isAfterText ||= /[0#?]/.test(section.digits);
    if (/^\[[<>=]/.test(piece)) section.isConditional = true;
    section.words += text;
    section.digits += plain;
  }
  return sections;
}

/** A section that shows a number; others show a text in place of it. */
const SHOWS_NUMBER = /[0#?]|General|G\/通用格式/i;

/**
 * Returns the unit in a number format: `0.0%` → %, `"¥"#,##0` → ¥, `0"万元"` → 万元, `General` → "". A format that scales
 * the number (`0.0,"M"`, `0!.0000"万"`), shows a date, or has several units by conditions, has no unit that fits the
 * numbers.
 */
export function unitsOf(format: string): ChartUnit {
  if (isDateFormat(format) || isTimeFormat(format)) return { unit: '' };
  const sections = sectionsOf(format);
  // Without a condition the first section is that of positive numbers.
  const shown = sections[0]?.isConditional
    ? sections.filter(({ digits }) => SHOWS_NUMBER.test(digits))
    : sections.slice(0, 1);
  return commonUnit(shown.map(unitOfSection));
}

/** Returns the unit that all have; "" when they differ. */
function commonUnit(units: readonly ChartUnit[]): ChartUnit {
  const [first = { unit: '' }] = units;
  const isSame = units.every(({ unit, isLiteralUnit }) => unit === first.unit && isLiteralUnit === first.isLiteralUnit);
  return isSame ? first : { unit: '' };
}

function unitOfSection({ words, digits, isSplit }: FormatSection): ChartUnit {
  if (isSplit || !SHOWS_NUMBER.test(digits) || /[0#?],+(?![0#?,])/.test(digits)) return { unit: '' };
  if (digits.includes('%')) return { unit: '%' };
  const unit = words.trim();
  if (unit === '%') return { unit, isLiteralUnit: true };
  return { unit: /[\p{L}\p{Sc}]/u.test(unit) ? beginningOf(unit, 12) : '' };
}

/** Returns the letters of a format that stand for parts of dates and times; `[h]`, which counts beyond a day, is kept as h. */
const dateLetters = (format: string) =>
  format
    .slice(0, FORMAT_CHARS)
    .replace(/"[^"]*"|\[(?!(?:h+|m+|s+)\])[^\]]*\]|[\\!_*]./gi, '')
    .replace(/General|AM\/PM|A\/P/gi, '');

/** Hours, minutes and seconds: m stands for minutes behind h and before s, elsewhere for months. */
const TIME = /h+[^a-z]*m{1,2}(?!m)|m{1,2}[^a-z]*s+|\[m+\]|[hs]+/gi;

const isDateFormat = (format: string) => /[ymd]/i.test(dateLetters(format).replace(TIME, ''));
const isTimeFormat = (format: string) => /[hs]|\[m+\]/i.test(dateLetters(format));

/**
 * Returns a spreadsheet's day number as the format shows it: the day as YYYY-MM-DD, the time as 9:00 or 9:00:05, or both.
 * Returns "" when the number is no day, or the format shows none.
 */
function dateOf(text: string | undefined, format: string, is1904: boolean): string {
  const [hasDay, hasTime] = [isDateFormat(format), isTimeFormat(format)];
  const serial = numberOf(text);
  if (serial === null || serial < (hasDay ? 1 : 0) || serial > 200_000) return '';
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const letters = dateLetters(format);
  const seconds = Math.round(serial * 86_400);
  // A time that is rounded up may belong to the next day.
  const day = new Date(epoch + Math.floor(hasTime ? seconds / 86_400 : serial) * DAY_MS).toISOString().slice(0, 10);
  const shown = /\[[hms]+\]/i.test(letters) ? seconds : seconds % 86_400;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = `${Math.floor(shown / 3_600)}:${two(Math.floor(shown / 60) % 60)}`;
  const time = /s/i.test(letters) ? `${minutes}:${two(shown % 60)}` : minutes;
  return [...(hasDay ? [day] : []), ...(hasTime ? [time] : [])].join(' ');
}
