import type PptxGenJS from 'pptxgenjs';
import { accent, createPage, dress } from '../page.ts';
import { at } from '../random.ts';
import type { Deck } from '../deck.ts';
import { addGrid } from './grid.ts';

const money = (yuan: number): string => yuan.toLocaleString('en-US');

/** Budget: six lines and a sum. */
export function addBudget(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  dress(page, deck.heading(deck.label('budget'), 'BUDGET'));
  const rows = deck.budget.map((line) => [
    line.group,
    line.item,
    money(line.count),
    money(line.yuan),
    money(line.count * line.yuan),
  ]);
  const total = deck.budget.reduce((sum, line) => sum + line.count * line.yuan, 0);
  rows.push(['合计', '含税，不含不可预见费（建议预留 8%）', '', '', money(total)]);
  addGrid(page, {
    head: ['类别', '项目内容', '数量', '单价（元）', '小计（元）'],
    rows,
    widths: [1.5, 4.83, 1.4, 1.9, 2.1],
    rowHeight: 0.57,
    right: [2, 3, 4],
    total: true,
  });
}

function chartLook(deck: Deck): PptxGenJS.IChartOpts {
  const { theme } = deck;
  return {
    catAxisLabelColor: theme.muted,
    valAxisLabelColor: theme.muted,
    catAxisLabelFontFace: theme.body,
    valAxisLabelFontFace: theme.body,
    catAxisLabelFontSize: 12,
    valAxisLabelFontSize: 10.5,
    catAxisLineShow: false,
    valAxisLineShow: false,
    valGridLine: { color: theme.line, size: 0.5 },
    catGridLine: { style: 'none' },
    showTitle: true,
    titleColor: theme.ink,
    titleFontFace: theme.body,
    titleFontSize: 15,
    legendColor: theme.muted,
    legendFontFace: theme.body,
    legendFontSize: 11.5,
    chartColors: [...theme.fills],
  };
}

interface BarPlan {
  title: string;
  labels: string[];
  series: { name: string; from: number; to: number }[];
}

const REACH: BarPlan = {
  title: '各渠道预计触达与互动（万人次）',
  labels: ['小红书', '抖音', '微信', '微博', '线下'],
  series: [
    { name: '触达', from: 80, to: 460 },
    { name: '互动', from: 14, to: 70 },
  ],
};
const BARS: Record<string, BarPlan> = {
  research: {
    title: '受访者年龄与消费频次（%）',
    labels: ['18–24岁', '25–34岁', '35–44岁', '45–54岁', '55岁以上'],
    series: [
      { name: '每周一次以上', from: 18, to: 44 },
      { name: '每月一到三次', from: 12, to: 30 },
    ],
  },
  seeding: {
    title: '不同笔记类型的收藏率与到店率（‰）',
    labels: ['教程', '对比', '探店', '合集', '日记'],
    series: [
      { name: '收藏率', from: 38, to: 86 },
      { name: '到店率', from: 6, to: 22 },
    ],
  },
  invest: {
    title: '目标企业行业构成（家）',
    labels: ['制造', '商贸', '科技', '文旅', '服务'],
    series: [
      { name: '邀约', from: 28, to: 70 },
      { name: '到会', from: 12, to: 27 },
    ],
  },
  live: {
    title: '分时段成交与流量（万）',
    labels: ['上午', '午后', '傍晚', '晚间', '零点后'],
    series: [
      { name: '场观人次', from: 40, to: 180 },
      { name: '成交额', from: 8, to: 38 },
    ],
  },
  member: {
    title: '不同会员层级的人数与复购（百人）',
    labels: ['新客', '成长', '活跃', '核心', '沉睡'],
    series: [
      { name: '人数', from: 60, to: 210 },
      { name: '已复购', from: 12, to: 52 },
    ],
  },
  summit: {
    title: '参会者职位与行业来源（人）',
    labels: ['创始人', '总监', '经理', '专家', '媒体'],
    series: [
      { name: '本地', from: 60, to: 190 },
      { name: '外地', from: 20, to: 58 },
    ],
  },
};

/** Charts: a doughnut of the budget and bars of the play's own subject, both native. */
export function addCharts(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { pptx, random, copy } = deck;
  dress(page, deck.heading(deck.label('charts'), 'CHARTS'));
  const look = chartLook(deck);
  const labels = deck.budget.map((line) => line.group);
  page.slide.addChart(
    pptx.ChartType.doughnut,
    [{ name: '预算构成', labels, values: deck.budget.map((line) => line.count * line.yuan) }],
    {
      ...look,
      x: 0.6,
      y: 1.75,
      w: 5.5,
      h: 4.95,
      title: '预算构成',
      holeSize: 60,
      showLegend: true,
      legendPos: 'b',
      showPercent: true,
      dataLabelColor: 'FFFFFF',
      dataLabelFontSize: 11,
      dataLabelFontBold: true,
      chartColors: deck.chartColours,
      dataBorder: { pt: 1.5, color: deck.theme.paper },
    },
  );
  const plan = BARS[copy.play.key] ?? REACH;
  const series = plan.series.map((line) => ({
    name: line.name,
    labels: plan.labels,
    values: plan.labels.map(() => Math.round(random.range(line.from, line.to))),
  }));
  page.slide.addChart(pptx.ChartType.bar, series, {
    ...look,
    x: 6.4,
    y: 1.75,
    w: 6.2,
    h: 4.95,
    title: plan.title,
    barDir: deck.look % 2 ? 'bar' : 'col',
    barGapWidthPct: 70,
    showLegend: true,
    legendPos: 'b',
    chartColors: deck.chartColours,
  });
}

function trendValues(deck: Deck): number[] {
  const { random } = deck;
  const key = deck.copy.play.key;
  if (key === 'invest') return [220, 168, 120, 92, 50, 38, 28];
  if (key === 'gala') return [42, 68, 60, 55, 86, 97, 64];
  if (key === 'member') return [12, 16, 23, 29, 34, 39, 42];
  if (key === 'research')
    return [100, 96, 104, 115, 121, 130, 138].map((value) => Math.round(value + random.range(-3, 3)));
  const peak = key === 'live' ? 6 : key === 'summit' || key === 'sports' ? 5 : 4;
  const scale =
    key === 'live' ? 90 : key === 'launch' || key === 'brand' || key === 'cobrand' || key === 'seeding' ? 100 : 5200;
  return Array.from({ length: 7 }, (_, i) =>
    Math.round(scale * (1 - Math.abs(i - peak) * 0.13) * random.range(0.88, 1.06)),
  );
}

/** Trend: a native line or area chart, with the promises beside it. */
export function addTrend(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { pptx, theme, copy, random } = deck;
  dress(page, deck.heading(deck.label('trend'), 'FORECAST'));
  const { caption, labels } = copy.play.trend;
  const values = trendValues(deck);
  const research = copy.play.key === 'research';
  const baseline = values.map((value) =>
    Math.round(value * (research ? random.range(0.82, 0.9) : random.range(0.5, 0.66))),
  );
  const area = deck.look % 3 === 0;
  page.slide.addChart(
    area ? pptx.ChartType.area : pptx.ChartType.line,
    [
      { name: research ? '样本指数' : '本期目标', labels, values },
      { name: research ? '同业均值' : '往期基准', labels, values: baseline },
    ],
    {
      ...chartLook(deck),
      x: 0.6,
      y: 1.75,
      w: 8.3,
      h: 4.95,
      title: caption,
      showLegend: true,
      legendPos: 'b',
      lineSize: 3,
      lineSmooth: true,
      lineDataSymbolSize: 8,
      chartColors: deck.chartColours,
      ...(area ? { chartColorsOpacity: 62 } : {}),
    },
  );
  page.panel({ x: 9.2, y: 1.9, w: 3.33, h: 4.7 }, theme.surface);
  copy.play.goals.forEach((goal, i) => {
    const y = 2.08 + i * 1.12;
    page.text(
      goal.title,
      { x: 9.5, y, w: 2.75, h: 0.6 },
      { size: 26, min: 17, lines: 1, display: true, color: accent(theme, i).text, valign: 'middle' },
    );
    page.text(
      goal.text,
      { x: 9.5, y: y + 0.6, w: 2.75, h: 0.32 },
      { size: 12.5, min: 9.5, lines: 1, color: theme.muted, valign: 'middle' },
    );
  });
}

/** Goals: four large numbers and how they are checked. */
export function addGoals(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('goals'), 'KEY RESULTS'));
  copy.play.goals.forEach((goal, i) => {
    const colour = accent(theme, i);
    const x = 0.8 + i * 3.0;
    page.panel({ x, y: 1.95, w: 2.73, h: 2.5 }, i === 0 ? colour.fill : theme.surface);
    page.text(
      goal.title,
      { x: x + 0.2, y: 2.2, w: 2.33, h: 1.1 },
      {
        size: 42,
        min: 22,
        lines: 1,
        display: true,
        color: i === 0 ? colour.on : colour.text,
        align: 'center',
        valign: 'middle',
      },
    );
    page.text(
      goal.text,
      { x: x + 0.2, y: 3.4, w: 2.33, h: 0.6 },
      { size: 14.5, min: 11, lines: 1, color: i === 0 ? colour.on : theme.muted, align: 'center', valign: 'middle' },
    );
  });
  copy.play.channels.slice(0, 3).forEach((row, i) => {
    const y = 4.85 + i * 0.6;
    page.dot(0.85, y + 0.16, 0.16, accent(theme, i).fill);
    page.text(
      `${row.phase}看「${at(copy.play.channels, i).goal}」，由${row.channel}数据核对`,
      { x: 1.2, y, w: 11.3, h: 0.5 },
      { size: 15, min: 11, lines: 1, color: theme.ink, valign: 'middle' },
    );
  });
}
