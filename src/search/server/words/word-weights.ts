import { INDUSTRIES } from '../../../library/taxonomy.ts';
import { wordDictionary } from '../../../library/server/word-dictionary.ts';
import { isAmount, isFollowers } from '../../amounts.ts';
import { isFactForm } from '../../fact-words.ts';
import { isSynonymForm } from '../../synonyms.ts';
import { isPhraseOrSentence, type QueryWord } from '../../words.ts';

/**
 * How much of the rarity of a word counts, 0 to 1: `held` where decks hold it in name or labels, `onPages` where it stands on pages alone, `unknown` where no deck holds it.
 */
export type WordWeight = { held: number; onPages: number; unknown: number };

/** Words that name a part of a document, a company as host or a lower price, not a subject. */
const ASIDE_WORD =
  /^(?:预算[表单]?|时间表|日程表|报价|费用|流程[表图]?|活动流程表?|流程安排|议程|议程安排|run down|run.of.show|ros|agenda|排期|清单|物料|执行|落地|人员|(?:(?:执行|人员|团队|岗位|工作)?分工|(?:媒介|媒体|投放|传播)排期)表?|效果图|rundown|企业|集团|促销|优惠|打折|折扣)$/u;
/** Words that most plans are about in some way. */
const LIGHT: ReadonlySet<string> = new Set(
  '品牌 产品 服务 推广 营销 传播 宣传 运营 项目 计划 规划 设计 管理 发展 市场 客户 用户 消费者 人群 互动 体验 创意 提案 概念 主题 风格 策略 目标 内容 介绍 说明 简介 渠道 平台 合作 现场 场地 空间 氛围 当天 分析 效果 线上 线下 专业 全套 详细 完整'.split(
    ' ',
  ),
);
/** How something is, said twice: 开开心心, 热热闹闹. */
const TWICE = /^(\p{Script=Han})\1(\p{Script=Han})\2$/u;
/** Persons who ask or whom a plan is made for, and what people say instead of naming a thing. */
const ASIDES_OF_SPEECH: ReadonlySet<string> = new Set(
  '领导 老板 老大 甲方 乙方 大家 朋友 同事 同行 客人 别人 人家 上级 上面 手上 手里 手头 那边 这边 思路 想法 灵感 点子 东西 时候 样子 高端 高级 好多 很多 许多 几天 一点 有点 就是 到底 真的 有人 没用 只是 其实 反正 一直 已经 正在 还是 或者 只有 从来 慢慢 好好 那天 边玩 边走 边吃 边逛 边看 边喝 边聊 边学 一次 一回 一遍 一趟 一块儿 每年 每次 面向 针对 围绕 以及 并且 同时 打算 比如 例如 包括 含有 要有 带有 没人 整点 搞点 弄点 来点 做点 打法 花样 参加 出席 到场 不想 无聊 通过 希望 结合 借助 打造 兼具 提升 完成 重点 麻烦 框架 输出 完整 联动 期间 位于 吸引 带动 邀请 契机 共聚一堂'.split(
    ' ',
  ),
);
/** Kinds of gatherings, places, groups and measures that any trade may have: beside a subject that no deck holds they tell nothing about it. */
const ANY_TRADE: ReadonlySet<string> = new Set(
  '文娱 文体 引流 获客 拓客 拉新 表彰 招募 投放 赞助 加盟 大会 嘉年华 晚会 酒会 派对 联谊 公开赛 开幕式 闭幕式 开放日 体验日 交流会 观摩会 上线 范本 布置 装饰 搭建 会员 仪式 流程 典礼 员工 团队 培训 课程 讲座 知识 安全 系统 管理 技术 设备 会议 广告 激励 报名 充值 招聘 租赁 俱乐部 中心 机构 基地 门店 店铺 商家 加盟店 比赛 大赛 竞赛 表演 节目 报告 手册 模式 分类 工具 材料 用品 价格 费用 套餐 合同 名单 考试 学习 参观 服务中心 连锁 行业 企业 集团 公司 部门 单位 城市 社会 进社区 进校园 国际 世界 全国 中国 生活 文化 健康 智能 数字 电子 网络 志愿者 志愿 宣讲 宣讲会 招聘会 述职 竞聘 干部 同学 支部 生产'.split(
    ' ',
  ),
);
/** Tells whether a word is such a kind. */
export const isOfAnyTrade = ({ forms }: QueryWord): boolean => forms.some(({ text }) => ANY_TRADE.has(text));

/** Kinds of documents that are no plan of an event or a campaign. */
const OTHER_DOCUMENTS =
  '合同 协议 协议书 计算书 范本 教案 课件 试卷 试题 真题 题库 论文 开题 说课稿 作文 评语 简历 求职信 自我鉴定 推荐信 思想汇报 党课 学习材料 学习资料 心得体会 检讨书 申请书 请假条 主持稿 主持词 司仪 司仪稿 演讲稿 发言稿 讲话稿 致辞 台词 祝福语 述职 述职报告 会议纪要 会议记录 评分表 评分标准 细则 考核表 绩效考核 登记表 审批表 工资表 验收单 报价单 收据 发票 投标 投标书 技术标 标书 图纸 施工 说明书 操作规程 规章制度 管理制度 起诉状 聘书 源代码 文档 演练 报表 财务报表 声明'.split(
    ' ',
  );
/** Tells whether a word names such a kind: who asks for 婚礼主持词 is glad of a plan of a wedding, and who asks for 小学升旗仪式主持词 of nothing. */
export const isOtherDocument = ({ forms }: QueryWord): boolean =>
  forms.some(({ text }) => OTHER_DOCUMENTS.some((kind) => text.endsWith(kind)));

/** Kinds of events, by which a plan is chosen before its trade: most of the work of a 市集 is that of any other one. 发布会 is about a product. */
const EVENTS: ReadonlySet<string> = new Set(
  '年会 晚宴 答谢 答谢会 颁奖 颁奖典礼 市集 集市 夜市 庙会 游园会 快闪 快闪店 路演 巡展 订货会 品鉴会 推介会 招商会 招商大会 峰会 论坛 沙龙 音乐节 音乐会 演唱会 巡演 马拉松 夜跑 骑行 运动会 研学 周年庆 开业 开业庆典 婚礼 首映礼 嘉年华 团建 露营'.split(
    ' ',
  ),
);
/** Tells whether a word names a kind of event. */
export const isEvent = ({ forms }: QueryWord): boolean => forms.some(({ text }) => EVENTS.has(text));

/** The names of the industries, and the words of two characters and more within them: 茶饮 and 咖啡 of 茶饮咖啡. */
const TRADES: ReadonlySet<string> = new Set(
  INDUSTRIES.flatMap((name) =>
    Array.from(name, (_, start) => Array.from(name.slice(start + 1), (_, more) => name.slice(start, start + more + 2))),
  ).flat(),
);
/** Tells whether a word, as it was typed, names a trade. */
export const isTrade = (word: QueryWord): boolean =>
  TRADES.has(word.forms[word.typed ?? 0]?.text ?? '') && !isEvent(word);

/** What people do: 讲故事, 聊天, 画画. The dictionary calls many of these nouns. */
const ACTION =
  /^(?:[吃喝看听玩做打逛写唱跳讲聊画走跑拍学教开坐骑买卖送修种养晒洗搞陪带找穿住]|(?:聚会|联谊|派对|庆祝|慰问)$)/u;

/** How long or how often, in no exact number: 十几年, 第三回, 好几个. */
const VAGUE_NUMBER =
  /^(?:第[一二三四五六七八九十几\d]+|[一二两三四五六七八九十百千几数]*[几来多][十百千万]*|好几|几十)(?:年|回|次|遍|个|家|天|位|块|样|种|场|人)?$/u;

const ASIDE_SHARE = 0.3;
const LIGHT_SHARE = 0.7;
/** Shares of unknown words, by what the dictionary says of them: verbs; adjectives, times, places and phrases. */
const VERB_SHARE = 0.7;
const QUALITY_SHARE = 0.5;
/** Several words, characters that are no word, or a foreign word. */
const FRAGMENT_SHARE = 0.5;
const NO_SUBJECT = 0.05;
const ASIDE: WordWeight = { held: ASIDE_SHARE, onPages: ASIDE_SHARE, unknown: NO_SUBJECT };

/** Returns the weight of a word of a query by what kind of word it is. What is written in the thesaurus is a subject. */
export function weightOf(word: QueryWord): WordWeight {
  const { forms } = word;
  const texts = forms.map(({ text }) => text);
  const same = (share: number): WordWeight => ({ held: share, onPages: share, unknown: share });
  // What an account has is hardly ever stated by a plan: 粉丝 stands beside it.
  if (texts.every(isFollowers)) return ASIDE;
  // A day of the thesaurus is no amount: 618 of 618预热海报.
  const isNumber = (text: string) => isAmount(text) && !isSynonymForm(text);
  if (texts.every((text) => ASIDE_WORD.test(text) || isNumber(text) || isFactForm(text))) return same(ASIDE_SHARE);
  if (texts.every((text) => VAGUE_NUMBER.test(text))) return ASIDE;
  if (texts.some((text) => LIGHT.has(text))) return same(LIGHT_SHARE);
  const [text = ''] = texts;
  if (texts.length > 1 || isSynonymForm(text) || isPhraseOrSentence(word)) return same(1);
  if (ASIDES_OF_SPEECH.has(text) || TWICE.test(text)) return ASIDE;
  // Names hold such words as well: 咕咚, 大同.
  if (isSpeech(text)) return { ...ASIDE, held: 1 };
  return { held: 1, onPages: 1, unknown: shareOfUnknown(text) };
}

/** A word that counts less where no deck holds it names no subject. */
const SUBJECT_SHARE = 0.75;

/** Tells whether a word names a subject that not any trade has: 商场, but not 冷清 or 员工. */
export const isOfFewTrades = (word: QueryWord): boolean =>
  weightOf(word).unknown >= SUBJECT_SHARE && !isOfAnyTrade(word);

/** Tells whether a word is said by the way, so that nobody misses it where it does not stand: 人家, 到底. */
export const isAside = (word: QueryWord): boolean => weightOf(word).unknown <= NO_SUBJECT;

/** Tells whether the dictionary knows a word as the name of a place. */
export const isPlaceName = (text: string): boolean => {
  const [first, ...more] = wordDictionary().tag(text, false);
  return first?.tag === 'ns' && more.length === 0;
};

/** Tells whether the dictionary knows a word as a verb first. */
export const isVerb = (text: string): boolean => /^v/.test(wordDictionary().tag(text, false)[0]?.tag ?? '');

/** Tells whether a text is said, and no row of names: 一帮人蹬着车逛城里, not 律师事务所品牌推广. */
export function isSentence(text: string): boolean {
  const tags = wordDictionary()
    .tag(text, false)
    .map(({ tag }) => tag);
  return tags.some((tag) => FUNCTION_TAG.test(tag)) || tags.filter((tag) => tag === 'v').length >= MIN_VERBS;
}

const MIN_VERBS = 3;

/** Tells whether a word is said between others and names nothing: 就是, 到底, 想问下. Characters that are no word are so where half of them are: not 以旧换薪. */
function isSpeech(text: string): boolean {
  const tags = wordDictionary().tag(text, false);
  const functions = tags.filter(({ tag }) => FUNCTION_TAG.test(tag)).length;
  return (tags.length === 1 || [...text].length > 2) && functions * 2 >= tags.length;
}

/** Returns how decisive it is that no deck holds a word: a noun names an unknown subject, a pronoun nothing. */
function shareOfUnknown(text: string): number {
  const tags = wordDictionary()
    .tag(text, false)
    .map(({ tag }) => tag);
  const [tag = ''] = tags;
  if (tags.includes('eng')) return FRAGMENT_SHARE;
  // 电子烟 and 区块链 name a thing, though the dictionary knows their parts alone.
  if (tags.length > 1) return tags.every((each) => /^n(?!r)/.test(each)) ? 1 : FRAGMENT_SHARE;
  if (/^v(?!n)/.test(tag) || ACTION.test(text)) return VERB_SHARE;
  return /^(?:a(?!n)|[bztfsli])/.test(tag) ? QUALITY_SHARE : 1;
}

/** Pronouns, adverbs, prepositions, conjunctions, particles and interjections. */
const FUNCTION_TAG = /^(?:[rdpcuyo]|e$)/;
