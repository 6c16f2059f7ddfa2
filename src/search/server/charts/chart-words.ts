import { relatedWords, type QueryWord, type WordForm } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { weightOf, type WordWeight } from '../words/word-weights.ts';

/** What a question asks for, and what charts call it: they stand for it as related words. A line is `asked: called`. */
const CALLED = `
分配 怎么花 花费 花销 花钱: 构成 预算 占比
比例 份额 结构 组成 比重: 构成 占比 分布
变化 涨跌 起伏 波动: 走势 趋势 曲线
人流 人流量 多少人 人数 来客: 客流 到访 人次
销量 卖 卖出 卖得 业绩 营业额: 成交 销售 营收 销售额
评价 打分 口碑 满意: 评分 满意度 感知
花多少钱 价钱 多少钱: 价格 单价 客单价
订单 下单 预订: 预订 成交 转化
回头客 老客 复购: 复购 复购率 留存 会员
效果 表现: 触达 互动 转化
增长 增速: 增长率 增速 同比
增长率: 增长 走势
用户画像 人群画像 画像: 人群 年龄 构成
年龄 什么人 谁: 年龄 画像 人群
什么时候 几点: 时段 逐时
钱花 花在哪 开销: 预算 构成 占比
卖票 门票 票卖: 售票 票务 预售 上座
多少人来 人最多 来看: 客流 到访 人次
能赚钱 赚钱 回本: 回本 回报 盈亏 毛利
`;
const CALLED_BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  CALLED.split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [asked = '', called = ''] = line.split(': ');
      return asked.split(' ').map((word): [string, string[]] => [word, called.split(' ')]);
    }),
);

/** What any chart may show: words that name no subject. */
const OF_CHARTS: ReadonlySet<string> = new Set(
  '变化 走势 趋势 占比 比例 构成 分布 分配 对比 比较 排名 数据 统计 图表 曲线 逐月 每月 月度 逐年 每年 年度 情况 水平 线图 柱图 饼图'.split(
    ' ',
  ),
);
const LIGHT_SHARE = 0.5;

/** Returns the weight of a word of a query of charts. */
export function chartWeightOf(word: QueryWord): Pick<WordWeight, 'held' | 'unknown'> {
  const { held, unknown } = weightOf(word);
  const maxWeight = word.forms.some(({ text }) => OF_CHARTS.has(text)) ? LIGHT_SHARE : 1;
  return { held: Math.min(held, maxWeight), unknown: Math.min(unknown, maxWeight) };
}

/** Returns the words that stand for a word in charts: those of the thesaurus, and what charts call what is asked for. */
export function chartForms(word: QueryWord): WordForm[] {
  const called = word.forms.flatMap(({ text }) => CALLED_BY_WORD.get(text) ?? []);
  const pairs = (text: string) =>
    [...text].slice(1).map((char, at) => ({ text: `${[...text][at] ?? ''}${char}`, isPrefix: false }));
  return [...relatedWords(word, cutWords), ...called.map((text) => ({ text, lexemes: pairs(text) }))];
}
