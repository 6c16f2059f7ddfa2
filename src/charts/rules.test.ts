import { expect, it } from 'vitest';
import { mayShowChart, nameOfChart } from './rules.ts';

it.each([
  ['a visitor', { isMember: false, isOwner: false, pages: 10 }, 1, false],
  ['a member, in the preview', { isMember: true, isOwner: false, pages: 10 }, 10, true],
  ['a member, beyond it', { isMember: true, isOwner: false, pages: 10 }, 11, false],
  ['who has the document', { isMember: true, isOwner: true, pages: 10 }, 11, true],
])('mayShowChart: %s', (_who, reader, page, shown) => expect(mayShowChart({ page }, reader)).toBe(shown));

it.each([
  [['销量', '第三页', '饼图'], '销量'],
  [['  ', '第三页\n标题', '饼图'], '第三页 标题'],
  [['', '', '饼图'], '饼图'],
  [['字'.repeat(300), '', ''], '字'.repeat(120)],
  [['单位：万元', '全年预算', '柱状图'], '全年预算'],
  [['2025 年同期 = 100', '增长目标', '柱状图'], '增长目标'],
  [['单位：万元', '', '柱状图'], '单位：万元'],
  [['预算（单位：万元）', '全年预算', '柱状图'], '预算（单位：万元）'],
] as const)('nameOfChart %#', ([title, page, type], name) => expect(nameOfChart(title, page, type)).toBe(name));
