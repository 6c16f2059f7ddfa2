/**
 * The chart types, in the order of the filter. `id` is used on the wire, in the database and in links, and never
 * changes. db/migrations/0025-charts.sql inserts the same types; charts.test.ts compares both.
 */
export const CHART_TYPES = [
  { id: 1, code: 'column', name: '柱状图' },
  { id: 2, code: 'bar', name: '条形图' },
  { id: 3, code: 'line', name: '折线图' },
  { id: 4, code: 'pie', name: '饼图' },
  { id: 5, code: 'doughnut', name: '环形图' },
  { id: 6, code: 'area', name: '面积图' },
  { id: 7, code: 'radar', name: '雷达图' },
  { id: 8, code: 'scatter', name: '散点图' },
  { id: 9, code: 'bubble', name: '气泡图' },
  { id: 10, code: 'combo', name: '组合图' },
  { id: 11, code: 'waterfall', name: '瀑布图' },
  { id: 12, code: 'funnel', name: '漏斗图' },
  { id: 13, code: 'treemap', name: '树状图' },
  { id: 14, code: 'sunburst', name: '旭日图' },
  { id: 15, code: 'stock', name: '股价图' },
  { id: 16, code: 'surface', name: '曲面图' },
  { id: 17, code: 'histogram', name: '直方图' },
  { id: 18, code: 'box', name: '箱形图' },
  { id: 19, code: 'map', name: '地图' },
  { id: 20, code: 'other', name: '其他图表' },
] as const;

export type ChartType = (typeof CHART_TYPES)[number]['code'];

export function chartTypeOf(code: ChartType): (typeof CHART_TYPES)[number] {
  const found = CHART_TYPES.find((type) => type.code === code);
  if (!found) throw new TypeError(`no chart type ${code}`);
  return found;
}
