import { expect, it } from 'vitest';
import { readPlanFacts } from './plan-facts.ts';

const read = (...pages: string[]) => readPlanFacts(pages).map(({ kind, value, page }) => [kind, value, page]);

it.each<[string, unknown[]]>([
  ['活动总预算：10万元', ['budget', 100_000, 1]],
  ['总预算约 12.5 万', ['budget', 125_000, 1]],
  ['预算控制在８万元以内', ['budget', 80_000, 1]],
  ['项目预算（含税）：508,400 元', ['budget', 508_400, 1]],
  ['本次活动预算为人民币 1,204,800', ['budget', 1_204_800, 1]],
  ['42.6万\n总预算\n含宾客住宿与接驳', ['budget', 426_000, 1]],
  ['总投入 1.2 亿', ['budget', 120_000_000, 1]],
  ['总投入 1.2345 亿元', ['budget', 123_450_000, 1]],
  ['总预算\n三十万元', ['budget', 300_000, 1]],
  ['活动人数：300人', ['people', 300, 1]],
  ['参会人数约 1,200 人', ['people', 1_200, 1]],
  ['活动规模：千人', ['people', 1_000, 1]],
  ['年会规模 500 余人', ['people', 500, 1]],
  ['1800人\n员工与家属', ['people', 1_800, 1]],
  ['68位\n受邀宾客', ['people', 68, 1]],
  ['5000 报名人数', []],
  ['参与人数：300\n次日返程', ['people', 300, 1]],
  ['总人数 1.5万', ['people', 15_000, 1]],
  ['参与人数 300 人，12 次活动', ['people', 300, 1]],
  ['活动为期三天', ['days', 3, 1]],
  ['3天2夜', ['days', 3, 1]],
  ['活动周期：15 天', ['days', 15, 1]],
  ['三天两夜，把舞台交给潮汐', ['days', 3, 1]],
  ['两日一夜', ['days', 2, 1]],
  ['3天2夜 BY NUMBERS', ['days', 3, 1]],
  ['海边 3天2夜行程', ['days', 3, 1]],
  ['18天\n活动期\n含两个周末', ['days', 18, 1]],
  ['90 天\n展期', ['days', 90, 1]],
  ['两日日程\nRUN OF SHOW', ['days', 2, 1]],
  ['2天\n宾客旅程\n到岛、晚宴', ['days', 2, 1]],
  ['活动时间：10月1日至7日', ['days', 7, 1]],
  ['活动时间：2026年10月1日（周四）—10月3日', ['days', 3, 1]],
  ['活动日期\n2026.4.30-2026.5.2', ['days', 3, 1]],
  ['展期：12月30日-1月2日', ['days', 4, 1]],
  ['会议时间：3月5-6日', ['days', 2, 1]],
])('%j states %j', (text, fact) => expect(read(text)).toEqual(fact.length > 0 ? [fact] : []));

it.each([
  '媒介预算：20万元',
  '预算与渠道分布',
  '预算 3',
  '达人费用 5 万元',
  '5万预约人数',
  '80万直播观看',
  '晚市平均桌均人数\n3.4人',
  '团队 5 人 员工',
  '三百人次到场',
  '参与人数：300人次',
  '活动人数 300 余人次',
  '活动人数：12,000人次',
  '参与人数 30万人次',
  '参与人数：300\n人次',
  '参与人数：30\n万人次',
  '260万\n预计人次',
  '周期短、总价高',
  '最近 30 天',
  '一等奖：三天两夜双人游',
  '活动时间：10月1日 9:00-18:00',
  '活动时长：3.5-4小时',
  '活动时间：2月30日至31日',
  '活动时间：10月7日至1日',
  '第二日日程',
  '两天日程压到一天，满意度反而更高',
  '两日一夜长图文',
  '理想活动时长\n3天',
  '单次投放费用\n28万\n60万\n90万',
])('%j states nothing', (text) => expect(read(text)).toEqual([]));

const TABLE =
  '项目预算\n类别 项目内容 数量 单价（元） 小计（元）\n装置 主装置 1 174,000 174,000\n保障 安保 1 35,000 35,000\n';

it('the total of a budget table is the budget, wherever its cells break', () => {
  expect(read('封面', `${TABLE}合计 含税，不含不可预见费（建议预留 8%） 508,400`)).toEqual([['budget', 508_400, 2]]);
  expect(read(`${TABLE}合计\n含税，不可预见费按 5% 另列\n508,400\n费用结构\n晚宴 38%`)).toEqual([
    ['budget', 508_400, 1],
  ]);
  expect(read('费用预算（万元）\n舞美 12.5 万\n合计 30 万')).toEqual([['budget', 300_000, 1]]);
});

it('totals of several tables are parts unless one is called the total', () => {
  const parts = [`${TABLE}合计 80,000`, `${TABLE}合计 120,000`];
  expect(read(...parts)).toEqual([]);
  expect(read(...parts, '费用汇总\n总计 200,000')).toEqual([['budget', 200_000, 3]]);
  expect(read(...parts, '总预算 20 万元')).toEqual([['budget', 200_000, 3]]);
});

it('the stronger statement counts, and of equals the first', () => {
  expect(read('预算 8 万元', '总预算 10 万元', '总预算 12 万元')).toEqual([['budget', 100_000, 2]]);
  expect(read('现场 200 人晚宴', '参会人数：180 人')).toEqual([['people', 180, 2]]);
});

it('facts of all kinds come in one order', () => {
  expect(read('为期 2 天，活动人数 68 人', '总预算 42.6 万元')).toEqual([
    ['budget', 426_000, 2],
    ['people', 68, 1],
    ['days', 2, 1],
  ]);
});

it('hostile text is read in bounded time', () => {
  const started = process.threadCpuUsage();
  for (const text of [
    '1,'.repeat(50_000),
    '预算'.repeat(50_000),
    '一'.repeat(100_000),
    '总预算 '.repeat(20_000),
    '活动时间1.1-'.repeat(20_000),
  ])
    read(text);
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(2_000);
});
