import type PptxGenJS from 'pptxgenjs';
import type { CoverLayout } from './art/svg.ts';
import { contrast, mix } from './colour.ts';
import type { DeckCopy, Play, Point } from './copy/copy.ts';
import type { Heading } from './page.ts';
import { at, type Random } from './random.ts';
import type { Theme } from './theme.ts';

/** What every slide of one deck shares. */
export interface Deck {
  pptx: PptxGenJS;
  copy: DeckCopy;
  theme: Theme;
  random: Random;
  /** Chooses between the forms a slide can take. */
  look: number;
  /** `YYYY-MM-DD` */
  date: string;
  coverLayout: CoverLayout;
  /** JPEG files on disk. */
  coverPath: string;
  stripPath: string;
  scenePaths: readonly string[];
  budget: Play['budget'];
  chapters: readonly Point[];
  chartColours: string[];
  /** Next page's heading; counts pages. */
  heading(title: string, kicker: string): Heading;
  label(slide: SlideKey): string;
}

export type SlideKey =
  | 'insight'
  | 'audience'
  | 'concept'
  | 'strategy'
  | 'highlights'
  | 'space'
  | 'timeline'
  | 'communication'
  | 'budget'
  | 'charts'
  | 'trend'
  | 'goals';

const LABELS: Record<SlideKey, readonly string[]> = {
  insight: ['机会洞察', '项目背景与洞察', '我们看到了什么', '市场与人群洞察'],
  audience: ['目标人群', '为谁而做', '人群与需求', '他们是谁'],
  concept: ['主题创意', '核心概念', '一句话创意', '传播主张'],
  strategy: ['整体策略', '策略思路', '怎么做', '四步策略'],
  highlights: ['活动亮点', '核心创意', '三个记忆点', '创意亮点'],
  space: ['空间与动线', '现场规划', '空间创意', '场域设计'],
  timeline: ['执行排期', '时间轴', '推进节奏', '项目排期'],
  communication: ['传播规划', '传播节奏', '内容与渠道', '声量规划'],
  budget: ['项目预算', '预算明细', '费用预算', '投入预算'],
  charts: ['预算与渠道分布', '投入结构', '数据预估', '资源分配'],
  trend: ['效果预估', '走势预测', '目标曲线', '预期效果'],
  goals: ['关键目标', '考核指标', '成效承诺', '怎样算成功'],
};

const RESEARCH_LABELS: Record<SlideKey, string> = {
  insight: '行业概览',
  audience: '三类人群画像',
  concept: '研究主题',
  strategy: '研究方法',
  highlights: '关键发现',
  space: '样本与边界',
  timeline: '研究过程',
  communication: '发布与应用',
  budget: '研究投入',
  charts: '样本结构',
  trend: '指数走势',
  goals: '研究规模',
};

const SEEDING_LABELS: Partial<Record<SlideKey, string>> = {
  space: '内容资产',
  highlights: '内容亮点',
  timeline: '投放节奏',
  trend: '搜索与到店走势',
};
const ONLINE_SPACE: Record<string, string> = { live: '直播间布局', member: '权益触点', brand: '品牌触点' };

/** The wording of a slide's title for this deck: by document type, then play, then a seeded synonym. */
export function labelFor(copy: DeckCopy, slide: SlideKey, look: number): string {
  if (copy.play.key === 'research') return RESEARCH_LABELS[slide];
  if (copy.type === '复盘报告')
    return {
      ...RESEARCH_LABELS,
      concept: '复盘主题',
      strategy: '投放策略回顾',
      highlights: '三点结论',
      insight: '背景与数据',
      timeline: '九十天历程',
      budget: '费用执行',
      charts: '投入与效果',
      goals: '目标达成',
      trend: '走势回看',
      communication: '渠道表现',
      space: '内容资产',
      audience: '人群表现',
    }[slide];
  const special =
    (copy.play.key === 'seeding' ? SEEDING_LABELS[slide] : undefined) ??
    (slide === 'space' ? ONLINE_SPACE[copy.play.key] : undefined);
  return special ?? at(LABELS[slide], look + slide.length);
}

/** Chart fills that all stand out from the paper, six of them. */
export function chartColours(theme: Theme): string[] {
  const base = theme.fills.filter((colour) => contrast(colour, theme.paper) > 1.5);
  const all = base.length > 1 ? base : [...theme.fills];
  return Array.from({ length: 6 }, (_, i) => (i < all.length ? at(all, i) : mix(at(all, i), theme.muted, 0.5)));
}
