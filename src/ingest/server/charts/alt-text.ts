import type { ChartType } from '../../../charts/chart-types.ts';
import { oneLine } from './chart-part.ts';

/** What a picture says of itself: `name`, `title` and `descr` of its properties, "" where there is none. */
export type AltText = { name: string; title: string; descr: string };

/** What a program says of a picture it takes for a chart; `title` is a person's, "" without one. */
export type PictureChart = { type: ChartType; title: string };

/**
 * How Office ends a description it made itself. One of which it says that it is not sure ("with low confidence",
 * 中度可信度描述已自动生成) ends otherwise: among those are tables and diagrams.
 */
const AUTOMATIC =
  /(?:Description automatically generated|AI-generated content may be incorrect\.?|(?<!可信度)描述已自动生成|AI 生成的内容可能不正确。?)$/;

/** The kinds that Office tells apart well enough. */
const KINDS = new Map<string, ChartType>([
  ['bar chart', 'bar'],
  ['line chart', 'line'],
  ['pie chart', 'pie'],
  ['scatter chart', 'scatter'],
  ['scatter plot', 'scatter'],
  ['histogram', 'histogram'],
  ['box and whisker chart', 'box'],
  ['bar graph', 'bar'],
  ['line graph', 'line'],
  ['graph', 'other'],
  ['条形图', 'bar'],
  ['折线图', 'line'],
  ['饼图', 'pie'],
  ['散点图', 'scatter'],
  ['直方图', 'histogram'],
  ['箱线图', 'box'],
  ['箱形图', 'box'],
]);

/** Alone, these stand on maps, networks and boxes as often as on charts; beside another kind they do no harm. */
const DOUBTED =
  /^(?:(?:radar|waterfall|funnel|treemap|sunburst|bubble|surface) chart|雷达图|瀑布图|漏斗图|树状图|旭日图|气泡图|曲面图)$/;

const SENTENCE =
  /^an? (?:(?:[a-z]+ and )?[a-z]+ )?(pie chart|bar chart|bar graph|line chart|line graph|scatter plot)\b|^a (graph)\b/i;

/**
 * Whether a program wrote of a picture that it is a chart: PowerPoint in its automatic descriptions ("Chart, bar
 * chart", 图表, 条形图, "A graph of …"), Google Slides, which exports charts of its spreadsheets as pictures titled so. What
 * people write is not read: "see the chart on the right" is no chart. Null otherwise.
 */
export function chartOfAltText({ name, title, descr }: AltText): PictureChart | null {
  if (name.startsWith('Google Shape;') && /^(Chart|图表|圖表)$/.test(title.trim()))
    return { type: 'other', title: oneLine(descr) };
  const text = descr.replace(/\s+/g, ' ').trim();
  const isAutomatic = AUTOMATIC.test(text);
  const body = text.replace(AUTOMATIC, '').trim();
  const type = typeOfTags(body, isAutomatic) ?? (isAutomatic ? typeOfSentence(body) : null);
  return type && { type, title: oneLine(title) };
}

/**
 * "Chart, bar chart", 图表, 条形图: Office names what it sees, a chart first. With anything else beside it (a table, a map,
 * a screen) it is a picture of more. Somebody who approves the description takes only its last words off, so kinds are
 * believed without them.
 */
function typeOfTags(body: string, isAutomatic: boolean): ChartType | null {
  const [first, ...tags] = body.toLowerCase().split(/\s*[,，]\s*/);
  if (first !== 'chart' && first !== '图表') return null;
  if (tags.length === 0) return isAutomatic ? 'other' : null;
  const kinds = tags.map((tag) => KINDS.get(tag) ?? null);
  if (!tags.every((tag, index) => kinds[index] || DOUBTED.test(tag)) || kinds.every((kind) => kind === null))
    return null;
  // Two kinds of one picture: it is sure of the chart, not of its kind.
  return kinds.length === 1 ? (kinds[0] ?? null) : 'other';
}

function typeOfSentence(body: string): ChartType | null {
  const found = SENTENCE.exec(body);
  const kind = (found?.[1] ?? found?.[2] ?? '').toLowerCase();
  return KINDS.get(kind) ?? null;
}
