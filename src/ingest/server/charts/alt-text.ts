import type { ChartType } from '../../../charts/chart-types.ts';
import { oneLine } from './chart-part.ts';

/** The alternative text of a picture: `name`, `title` and `descr` of its properties, "" when absent. */
export type AltText = { name: string; title: string; descr: string };

/** A picture that a program described as a chart. `title` was written by a person, "" when there is none. */
export type PictureChart = { type: ChartType; title: string };

/**
 * The end of a description that Office wrote automatically. Descriptions of which Office is not sure ("with low
 * confidence", 中度可信度描述已自动生成) do not match: some of them describe tables and diagrams.
 */
const AUTOMATIC =
  /(?:Description automatically generated|AI-generated content may be incorrect\.?|(?<!可信度)描述已自动生成|AI 生成的内容可能不正确。?)$/;

/** The chart types that Office recognises reliably. */
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

/** Words that alone also describe maps, networks and boxes; they are ignored when a chart type is named too. */
const DOUBTED =
  /^(?:(?:radar|waterfall|funnel|treemap|sunburst|bubble|surface) chart|雷达图|瀑布图|漏斗图|树状图|旭日图|气泡图|曲面图)$/;

const SENTENCE =
  /^an? (?:(?:[a-z]+ and )?[a-z]+ )?(pie chart|bar chart|bar graph|line chart|line graph|scatter plot)\b|^a (graph)\b/i;

/**
 * Returns the chart that a program has recognised in a picture; null when there is none. Reads the automatic
 * descriptions of PowerPoint ("Chart, bar chart", 图表, 条形图, "A graph of …") and of Google Slides, which exports charts
 * of its spreadsheets as pictures with such a title. Text written by people is not read: "see the chart on the right"
 * is not a chart.
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
 * Returns the chart type in a list of tags such as "Chart, bar chart", 图表, 条形图, which begins with a chart. Any other
 * tag (a table, a map, a screen) means that the picture shows more than a chart: null. A user who approves the
 * description removes only its end, so tags are also read without `isAutomatic`.
 */
function typeOfTags(body: string, isAutomatic: boolean): ChartType | null {
  const [first, ...tags] = body.toLowerCase().split(/\s*[,，]\s*/);
  if (first !== 'chart' && first !== '图表') return null;
  if (tags.length === 0) return isAutomatic ? 'other' : null;
  const kinds = tags.map((tag) => KINDS.get(tag) ?? null);
  if (!tags.every((tag, index) => kinds[index] || DOUBTED.test(tag)) || kinds.every((kind) => kind === null))
    return null;
  // With two types named, only the fact that the picture is a chart is reliable.
  return kinds.length === 1 ? (kinds[0] ?? null) : 'other';
}

function typeOfSentence(body: string): ChartType | null {
  const found = SENTENCE.exec(body);
  const kind = (found?.[1] ?? found?.[2] ?? '').toLowerCase();
  return KINDS.get(kind) ?? null;
}
