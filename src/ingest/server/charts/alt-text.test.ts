import { describe, expect, it } from 'vitest';
import { chartOfAltText } from './alt-text.ts';

const typeOf = (descr: string) => chartOfAltText({ name: 'Picture 3', title: '', descr })?.type ?? null;

describe('alternative texts that PowerPoint generates', () => {
  it.each([
    ['Chart, bar chart\n\nDescription automatically generated', 'bar'],
    ['Chart, line chart\n\nDescription automatically generated', 'line'],
    ['Chart, box and whisker chart\n\nDescription automatically generated', 'box'],
    ['图表, 条形图\n\n描述已自动生成', 'bar'],
    ['图表, 折线图\n\nAI 生成的内容可能不正确。', 'line'],
    ['图表, 散点图 描述已自动生成', 'scatter'],
    ['图表，饼图\r\n\r\n描述已自动生成', 'pie'],
    // A person approved the text: only the remark of the program at its end is missing.
    ['图表, 折线图', 'line'],
    ['Chart, pie chart', 'pie'],
    // The text says that the picture is a chart, and not of which type.
    ['图表, 条形图, 直方图\n\nAI 生成的内容可能不正确。', 'other'],
    ['Chart, bar chart, waterfall chart\n\nDescription automatically generated', 'other'],
    ['Chart\n\nDescription automatically generated', 'other'],
    ['图表\n\n描述已自动生成', 'other'],
    ['A pie chart with numbers and text\n\nDescription automatically generated', 'pie'],
    ['A blue and purple pie chart\n\nAI-generated content may be incorrect.', 'pie'],
    ['A graph of different colored lines\n\nAI-generated content may be incorrect.', 'other'],
    ['A line graph with numbers\n\nAI-generated content may be incorrect.', 'line'],
  ])('%j is %s', (descr, type) => expect(typeOf(descr)).toBe(type));
});

it.each([
  [''],
  // A program that is not sure.
  ['Chart\n\nDescription automatically generated with medium confidence'],
  ['Chart, bar chart\n\nDescription automatically generated with low confidence'],
  ['图表\n\n中度可信度描述已自动生成'],
  ['图表, 条形图\n\n低可信度描述已自动生成'],
  // Pictures of more than a chart, or of something else.
  ['图形用户界面, 图表, 散点图\n\n描述已自动生成'],
  ['Chart, diagram, schematic, box and whisker chart\n\nDescription automatically generated'],
  ['Chart, radar chart\n\nDescription automatically generated'],
  ['图表, 树状图\n\n描述已自动生成'],
  ['图示\n\n描述已自动生成'],
  ['A screenshot of a graph\n\nDescription automatically generated'],
  ['A diagram of a pie chart\n\nDescription automatically generated'],
  ['A computer screen with a line graph\n\nAI-generated content may be incorrect.'],
  ['A graphic of a house\n\nAI-generated content may be incorrect.'],
  // Texts that people write.
  ['图表'],
  ['Chart'],
  ['Chart of our organization'],
  ['A graph of sales'],
  ['图表见下页'],
])('takes nothing of %j', (descr) => expect(typeOf(descr)).toBeNull());

it('keeps the title a person gave', () => {
  const descr = '图表, 条形图\n\n描述已自动生成';
  expect(chartOfAltText({ name: '图片 3', title: ' 2025 销售 \n额', descr })?.title).toBe('2025 销售 额');
});

it.each(['Chart', '图表', '圖表'])('Google Slides: %s', (title) => {
  const exported = { name: 'Google Shape;55;p13', title, descr: '各季度销量' };
  expect(chartOfAltText(exported)).toEqual({ type: 'other', title: '各季度销量' });
  expect(chartOfAltText({ ...exported, name: 'Picture 2' })).toBeNull();
  expect(chartOfAltText({ ...exported, title: `${title} 2` })).toBeNull();
});
