import { expect, it } from 'vitest';
import { fitsXlsx, mayShowChart, nameOfChart, sourceLine } from './rules.ts';

const visitor = { isMember: false, isOwner: false, tier: 0, pages: 10 } as const;
const ordinary = { ...visitor, isMember: true };

it.each([
  ['a visitor', visitor, 1, false],
  ['a member, in the preview', ordinary, 10, true],
  ['a member, beyond it', ordinary, 11, false],
  ['a standard member, beyond it', { ...ordinary, tier: 1 } as const, 11, false],
  ['an advanced member, beyond it', { ...ordinary, tier: 2 } as const, 11, true],
  ['who has the document', { ...ordinary, isOwner: true }, 11, true],
])('mayShowChart: %s', (_who, reader, page, shown) => expect(mayShowChart({ page }, reader)).toBe(shown));

it('names the source in one line', () => {
  expect(sourceLine('茶饮\n春季方案 ', 3, '策库')).toBe('来源：茶饮 春季方案 第 3 页 · 策库');
});

it.each([
  [['销量', '第三页', '饼图'], '销量'],
  [['  ', '第三页\n标题', '饼图'], '第三页 标题'],
  [['', '', '饼图'], '饼图'],
  [['字'.repeat(300), '', ''], '字'.repeat(120)],
  [['单位：万元', '全年预算', '柱状图'], '全年预算'],
  [['2025 年同期 = 100', '增长目标', '柱状图'], '增长目标'],
  [['单位：万元', '', '柱状图'], '单位：万元'],
  [['占比（%）', '藏家构成', '饼图'], '藏家构成'],
  [['气泡大小为预计月销（千瓶）', '单品测算', '气泡图'], '单品测算'],
  [['预算（单位：万元）', '全年预算', '柱状图'], '预算（单位：万元）'],
] as const)('nameOfChart %#', ([title, page, type], name) => expect(nameOfChart(title, page, type)).toBe(name));

it('tables of many cells are offered as CSV alone', () => {
  const columns = Array.from({ length: 10 });
  expect([5_000, 5_001].map((rowCount) => fitsXlsx({ rowCount, columns }))).toEqual([true, false]);
});
