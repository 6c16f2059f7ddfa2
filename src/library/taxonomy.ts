/**
 * The labels a document is filed under, and the words every library has for them. Order matters: lists on the site keep it, and the first eight
 * themes are the home page's tabs (C-23).
 */

/** 54 industries; a document has one (C-13: at least 50, C-14: industry is not theme). */
export const INDUSTRIES: readonly string[] = [
  '房地产',
  '餐饮',
  '电商',
  '服装',
  '美妆',
  '汽车',
  '文旅',
  '酒店',
  '茶饮咖啡',
  '食品饮料',
  '酒水',
  '商业地产',
  '百货超市',
  '生鲜零售',
  '母婴',
  '教育培训',
  '珠宝首饰',
  '箱包鞋履',
  '运动户外',
  '健身',
  '家居建材',
  '家电',
  '手机数码',
  '互联网',
  '人工智能',
  '企业服务',
  '游戏电竞',
  '动漫潮玩',
  '影视综艺',
  '音乐演艺',
  '体育赛事',
  '图书出版',
  '广告传媒',
  '会展',
  '银行',
  '保险',
  '证券基金',
  '医疗健康',
  '医药',
  '医美口腔',
  '养老康养',
  '宠物',
  '日化个护',
  '农业',
  '能源电力',
  '工业制造',
  '物流供应链',
  '航空交通',
  '通信',
  '政务城市',
  '公益',
  '婚庆摄影',
  '非遗文创',
  '产业园区',
];

/** 20 event and marketing themes; a document may have several. */
export const THEMES: readonly string[] = [
  '节日营销',
  '新品发布',
  '开业庆典',
  '年会盛典',
  '快闪路演',
  '小红书种草',
  '品牌全案',
  '招商大会',
  '国潮文化',
  '音乐节与演出',
  '市集与游园',
  '亲子活动',
  '直播带货',
  '跨界联名',
  '会员私域',
  '峰会论坛',
  '赛事运动',
  '美陈与展览',
  '公益传播',
  '研究报告',
];

/** The kinds of document (方案类型); a document has one. */
export const DOCUMENT_TYPES: readonly string[] = [
  '策划方案',
  '营销方案',
  '提案',
  '执行手册',
  '复盘报告',
  '研究报告',
  '传播方案',
  '创意脚本',
  '设计方案',
  '培训课件',
];

/**
 * The kinds of labels. A document has several themes and at most one label of every other kind: its id stands in `<kind>_id` of documents.
 * An open kind takes any name; a closed one only the names in its table, which holds `firstNames` from the first start (docs/operations.md).
 * `option`: what `ceku document set` says of the option for this kind; null: it has a form of its own (--themes).
 */
export const LABELS = {
  industry: {
    table: 'industries',
    firstNames: INDUSTRIES,
    maxCharacters: 40,
    isOpen: false,
    option: 'one industry',
  },
  theme: { table: 'themes', firstNames: THEMES, maxCharacters: 40, isOpen: false, option: null },
  type: {
    table: 'document_types',
    firstNames: DOCUMENT_TYPES,
    maxCharacters: 40,
    isOpen: false,
    option: 'one type, such as 策划方案',
  },
  organization: {
    table: 'organizations',
    firstNames: [],
    maxCharacters: 80,
    isOpen: true,
    option: 'who made the plan, any name',
  },
} as const;

type Labels = typeof LABELS;
export type LabelKind = keyof Labels;
export type ClosedKind = { [Kind in LabelKind]: Labels[Kind]['isOpen'] extends false ? Kind : never }[LabelKind];
export type SingleKind = Exclude<LabelKind, 'theme'>;

// Safe: the keys of the literal above.
const KINDS = Object.keys(LABELS) as LabelKind[];
export const CLOSED_KINDS = KINDS.filter((kind): kind is ClosedKind => !LABELS[kind].isOpen);
export const SINGLE_KINDS = KINDS.filter((kind): kind is SingleKind => kind !== 'theme');

/** The names of a document's labels; "" means none. */
export type SingleLabels = Record<SingleKind, string>;
/** The ids of a document's labels, as the fields of its row. */
export type LabelIds = Record<`${SingleKind}Id`, number | null>;

/** Returns an object with one field for each kind. */
export function byKind<Kind extends LabelKind, Value>(
  kinds: readonly Kind[],
  valueOf: (kind: Kind) => Value,
): Record<Kind, Value> {
  // Safe: one entry for each kind.
  return Object.fromEntries(kinds.map((kind) => [kind, valueOf(kind)])) as Record<Kind, Value>;
}

/** A document without labels. */
export const NO_LABELS: SingleLabels = byKind(SINGLE_KINDS, () => '');
