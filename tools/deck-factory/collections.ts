/** A collection of decks. */
export interface Collection {
  /** ASCII, used in URLs. */
  key: string;
  name: string;
  /** A short word for a badge. */
  tag: string;
  description: string;
  /** Numbers of decks, from 1, as in their file names. */
  decks: readonly number[];
}

/** The collections of the demo library. Every deck is in exactly one, in the editor's order. */
export const COLLECTIONS: readonly Collection[] = [
  {
    key: 'festive-season',
    name: '过节不撞款',
    tag: '节日',
    description: '中秋、七夕、年货节、上元灯会与双十一：同一个日子，怎样做出只属于你的那一场。',
    decks: [90, 1, 88, 27, 31, 71, 72, 8, 49, 125],
  },
  {
    key: 'first-day',
    name: '开门第一天',
    tag: '开业',
    description: '餐厅、酒店、展厅、首开与首航：开业当天到前三十天的蓄客、仪式与复购。',
    decks: [86, 91, 85, 119, 4, 15, 28, 54, 62, 70],
  },
  {
    key: 'launch-night',
    name: '发布会这样开',
    tag: '发布',
    description: '从悬念、剧本到现场动线：新车、手机、彩妆、音响与影片的登场方式。',
    decks: [96, 118, 117, 83, 92, 37, 60, 11, 13, 2],
  },
  {
    key: 'seeding-playbook',
    name: '种草实战手册',
    tag: '小红书',
    description: '选题、达人矩阵、漏斗与复盘：把笔记变成到店和复购。',
    decks: [100, 93, 124, 5, 12, 21, 57],
  },
  {
    key: 'black-tie',
    name: '黑金之夜',
    tag: '高端',
    description: '私宴、品鉴、答谢与高级珠宝：少说一句，多留一盏灯。',
    decks: [114, 115, 116, 78, 69, 23],
  },
  {
    key: 'new-oriental',
    name: '新国风提案',
    tag: '国潮',
    description: '青绿、泥金、月洞门与汉婚：古法今用，不堆符号。',
    decks: [87, 89, 53, 64, 67, 16],
  },
  {
    key: 'city-and-country',
    name: '一座城的热闹',
    tag: '文旅',
    description: '县域品牌、冰雪季、花节、夜游与招商推介：让人来，更让人留下。',
    decks: [74, 80, 76, 77, 17, 58, 25, 48, 68, 55],
  },
  {
    key: 'weekend-market',
    name: '周末去赶集',
    tag: '市集',
    description: '咖啡节、图形市集、社区游园与宠物市集：招募、布点、结算一套图。',
    decks: [108, 111, 120, 56, 3],
  },
  {
    key: 'pop-up-map',
    name: '快闪与巡展地图',
    tag: '快闪',
    description: '六小时进场、十二分钟一炉：快闪店、校园路演与越野试驾营。',
    decks: [101, 110, 79, 112, 94, 14, 20, 36, 42, 63, 26],
  },
  {
    key: 'live-stage',
    name: '现场与舞台',
    tag: '演出',
    description: '音乐节、巡演、汉地婚礼与海边仪式：动线、舞台、赞助与安全。',
    decks: [95, 109, 73, 44, 24, 66, 43],
  },
  {
    key: 'on-the-move',
    name: '动起来',
    tag: '赛事',
    description: '夜跑、骑行、马拉松、露营与电竞：人人可完赛，安全有冗余。',
    decks: [113, 75, 10, 33, 41, 45],
  },
  {
    key: 'family-time',
    name: '带孩子出门',
    tag: '亲子',
    description: '一米二的视线、不催读的绘本馆：亲子活动先让大人松一口气。',
    decks: [103, 122, 104, 18, 29, 50],
  },
  {
    key: 'boardroom',
    name: '峰会与年会',
    tag: '会议',
    description: '开发者大会、卖家大会、学术年会与公司盛典：议程、票务与一晚情绪曲线。',
    decks: [97, 98, 99, 106, 107, 105, 38, 40, 61, 19],
  },
  {
    key: 'brand-year',
    name: '品牌的一整年',
    tag: '全案',
    description: '年度规划、品牌升级与加盟招商：一句主张，十二个月的取舍。',
    decks: [82, 123, 22, 30, 35, 47],
  },
  {
    key: 'own-traffic',
    name: '自己的流量',
    tag: '私域',
    description: '会员体系、直播货盘与礼赠电商：从公域到一对一。',
    decks: [102, 7, 9, 32, 34],
  },
  {
    key: 'numbers-first',
    name: '数据说话',
    tag: '报告',
    description: '行业报告与白皮书：样本、方法、图表和能直接用的结论。',
    decks: [84, 6, 39, 51],
  },
  {
    key: 'good-deeds',
    name: '做一件好事',
    tag: '公益',
    description: '敬老共餐、领养日、城市书展与艺术公益：平视、具体、可核对。',
    decks: [121, 81, 46, 52, 59, 65],
  },
];

const byDeck = new Map(COLLECTIONS.flatMap((each) => each.decks.map((deck) => [deck, each] as const)));

/** Returns the collection of a deck by its number, from 1. Throws when the deck is in none. */
export function collectionOf(deck: number): Collection {
  const found = byDeck.get(deck);
  if (!found) throw new Error(`deck ${deck} is in no collection`);
  return found;
}

/** Returns the content of collections.json: the collections, with their files in order. */
export function collectionsJson(entries: readonly { number: number; file: string }[]): string {
  const files = new Map(entries.map((entry) => [entry.number, `files/${entry.file}`]));
  const list = COLLECTIONS.map(({ decks, ...facts }) => ({
    ...facts,
    files: decks.flatMap((deck) => files.get(deck) ?? []),
  })).filter((each) => each.files.length > 0);
  return `${JSON.stringify(list, null, 2)}\n`;
}
