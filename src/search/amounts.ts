import { chineseNumber, DIGITS, numberOf } from '../library/numerals.ts';

/**
 * Amounts in queries: a number with its unit, in digits or in Chinese numerals, and what limits it (20万以内, 不超过300人, 500-800人). Decks
 * write numbers either way, so a query for one asks for both: 一千人 and 1000人, 四十二公里 and 42公里.
 */
export type Amount = {
  /** The amount as it stands in the query, folded, with its limit. */
  typed: string;
  /** The ways to write it, the typed one first; with its limit where it has one. */
  spellings: readonly string[];
  /** The same number twice, but for a range (500-800人). */
  from: number;
  to: number;
  /** 人, 元, 天 …; 万 for a number of 万 without a unit; "" for a bare number behind 人数; FOLLOWERS for those of an account. */
  unit: string;
  bound: Bound;
  /** A word beside it limits it, or says that it is about so much. */
  isLimited: boolean;
};
type Bound = 'near' | 'atMost' | 'atLeast';

const FOLLOWERS = '粉丝';
const UNITS = '人|天|夜|公里|场|元|平米|平|桌|米|届|城|站|所|期|周年|周|岁|小时|分钟|个月';
const NUMERAL = `[〇${DIGITS}两十百千万]`;
const NUMERALS = `${NUMERAL}+`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Words before and after an amount that limit it. 超过 stands in 不超过, so the longer ones come first. */
const NOT = '(?:不要|不能|不得|不可|不会|没有|不|别|没|勿)';
const BEFORE: Record<Bound, string> = {
  atMost: `${NOT}(?:超过|超出|高于|多于|大于|超)|不到|最多|至多|顶多|少于|低于|小于|控制在`,
  atLeast: `${NOT}(?:低于|少于|小于)|至少|最少|起码|超过|高于|多于|大于`,
  near: '大约|大概|接近|将近|差不多',
};
const AFTER: Record<Bound, string> = {
  atMost: '以内|之内|以下|内(?=的|$|\\P{Script=Han})',
  atLeast: '以上|起步|起(?=的|$|\\P{Script=Han})',
  near: '左右|上下',
};
const anyOf = (words: Record<Bound, string>) => `(?:${Object.values(words).join('|')})`;
const [LIMIT, SUFFIX] = [`(?:${anyOf(BEFORE)} ?)?`, `(?: ?${anyOf(AFTER)})?`];

const AMOUNT = new RegExp(
  [
    `(?<!第)${LIMIT}(?:${NUMBER}万?[\\-~至到])?(?:${NUMBER}万?|${NUMERALS})(?:${UNITS})${SUFFIX}`,
    `${LIMIT}(?:${NUMBER}万?[\\-~至到])?${NUMBER}万(?!\\d(?!\\d*(?:${UNITS})))${SUFFIX}`,
    // A number of 万 in Chinese numerals is money where a word says so, or where it is limited: 千万 is a word.
    `(?<=(?:预算|经费|费用) ?)${LIMIT}${NUMERALS}(?<=万)${SUFFIX}`,
    `${NUMERALS}(?<=万)(?= ?的?(?:预算|经费|费用))`,
    // So it is where nothing else is said.
    `^[${DIGITS}两十]${NUMERALS}(?<=万)$`,
    `${anyOf(BEFORE)} ?${NUMERALS}(?<=万)${SUFFIX}`,
    `${NUMERALS}(?<=万) ?${anyOf(AFTER)}`,
    // A bare number is money where it is large and limited.
    `${anyOf(BEFORE)} ?\\d{5,9}(?!\\d)${SUFFIX}`,
    `(?<!\\d)\\d{5,9} ?${anyOf(AFTER)}`,
    `(?<=(?:人数|规模) ?)${LIMIT}(?:\\d{2,7}[\\-~至到])?\\d{2,7}(?!\\d)${SUFFIX}`,
  ].join('|'),
  'gv',
);
const PARTS = new RegExp(
  `^(?<limit>${LIMIT})(?:(?<low>${NUMBER}万?)[\\-~至到])?(?<number>${NUMBER}万?|${NUMERALS})(?<unit>${UNITS}|${FOLLOWERS}|)(?<suffix>${SUFFIX})$`,
  'v',
);

const POWERS: Record<string, number> = { 十: 10, 百: 100, 千: 1_000 };
/** What people write and decks do not: each with what it stands for. */
const WAYS_TO_WRITE: readonly (readonly [RegExp, string | ((...match: string[]) => string)])[] = [
  // 1,000,000元, 20 万, 10–20万, ¥5000, 1000+人, 5千万, 1亿以内, 20万元（含）以内.
  [/(?<=\d),(?=\d{3}(?!\d))/gu, ''],
  [/(?<=\d) (?=(?:万|亿|元|人|天|场|桌|平米)(?!\p{Script=Latin}))/gu, ''],
  [/(?<=\d万?) ?[–—―﹣]{1,2} ?(?=\d)/gu, '-'],
  [/[¥￥](\d+)(?![\d.万元])/gu, '$1元'],
  [/(?<=\d万?)\+(人|元)/gu, '$1以上'],
  [/(?<!\d)(\d{1,4})([十百千])万/gu, (_, number = '', power = '') => `${Number(number) * (POWERS[power] ?? 1)}万`],
  [
    /(?<![\d.])(\d{1,4}(?:\.\d{1,3})?)亿(?=元|以内|之内|以下|以上|左右)/gu,
    (_, number = '') => `${Math.round(Number(number) * 10_000)}万`,
  ],
  [/(?<=[万元人])[(（]含[)）](?=以)/gu, ''],
  // 百万级预算, 预算千万级.
  [
    /([十百千])万级别?(?=的?(?:预算|经费|投入))|(?<=预算 ?)([十百千])万级别?/gu,
    (_, before = '', behind = '') => `${POWERS[before || behind] ?? 1}万以上`,
  ],
  // 50w, 50w粉博主, 3k人, 5千元, 10km, 300㎡.
  [/(\d)w(?![a-z0-9])/gu, '$1万'],
  [/(?<=\d万\+?)粉(?=$|[\s的]|博主|达人|主播|网红|账号|大v|kol)/gu, FOLLOWERS],
  [/(?<![\d.])(\d{1,7}(?:\.\d{1,3})?)[k千](?=人|元|块)/gu, (_, number = '') => String(Number(number) * 1_000)],
  [/(\d)km(?![a-z])/gu, '$1公里'],
  [/(\d)(?:㎡|平方米|平方)/gu, '$1平米'],
  [/(?<=[\d万千百])块钱?/gu, '元'],
  // 三百来人, 1000多人, 60个人, 5个城市.
  [new RegExp(`(?<=\\d|${NUMERAL})(?<!一)(?:多|来|余)?个?(?=人|小时|城市)`, 'gu'), ''],
  [new RegExp(`(?<=\\d|${NUMERAL})城市`, 'gu'), '城'],
  // A year of two digits: 26年, but no 25年 of somebody's life.
  [/(?<![\d.])([23]\d)年(?=年?[会度]|春|夏|秋|冬|中秋|国庆|元旦|新|双|6|的|$|\s|[上下]半年)/gu, '20$1年'],
];

const asDecksWrite = (text: string): string =>
  WAYS_TO_WRITE.reduce(
    (read, [way, meant]) => (typeof meant === 'string' ? read.replace(way, meant) : read.replace(way, meant)),
    text,
  );
/** A smaller number without a unit may count anything. */
const MIN_BARE_MONEY = 10_000;
/** The largest number that is written out. */
const MAX_NUMBER = 99_999_999;

/** What a number counts that stands before it or behind it (100万粉丝, 粉丝破10万), so that it is no money. */
const FOLLOWERS_BEFORE = /(?:粉丝|涨粉|关注者)(?:数量?|量|总量)? ?(?:有|达到?|已?破|超过?|过)? ?$/u;
const FOLLOWERS_BEHIND = /^(?:\+|以上|级别?)? ?的?[个名位]?(?:粉丝|关注者|订阅)/u;
const ofFollowers = (amount: Amount): Amount => ({
  ...amount,
  unit: FOLLOWERS,
  spellings: amount.spellings.map((spelling) => `${spelling}${FOLLOWERS}`),
});
const countsFollowers = (text: string, { index, 0: { length } }: RegExpExecArray): boolean =>
  FOLLOWERS_BEFORE.test(text.slice(0, index)) || FOLLOWERS_BEHIND.test(text.slice(index + length));

/** Splits a folded text into amounts and the text between them. */
export function splitByAmounts(typed: string): (string | Amount)[] {
  const text = asDecksWrite(typed);
  const pieces: (string | Amount)[] = [];
  let done = 0;
  for (const match of text.matchAll(AMOUNT)) {
    if (match.index > done) pieces.push(text.slice(done, match.index));
    const amount = amountOf(match[0]);
    pieces.push(amount.unit === '万' && countsFollowers(text, match) ? ofFollowers(amount) : amount);
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
}

function amountOf(typed: string): Amount {
  const { limit = '', low, number = '', unit = '', suffix = '' } = PARTS.exec(typed)?.groups ?? {};
  const inTenThousands = number.endsWith('万');
  const [lowest, value] = (low === undefined ? spokenRange(number) : null) ?? [
    numberOf(inTenThousands && low !== undefined && !low.endsWith('万') ? `${low}万` : (low ?? number)) ?? 0,
    numberOf(number) ?? 0,
  ];
  const plain = { typed, from: Math.min(lowest, value), to: Math.max(lowest, value) };
  const isLimited = limit + suffix !== '';
  const isBareMoney = unit === '' && !inTenThousands && isLimited && value >= MIN_BARE_MONEY;
  const rest = {
    unit: unit || (inTenThousands ? '万' : isBareMoney ? '元' : ''),
    bound: boundOf(limit, suffix),
    isLimited,
  };
  if (lowest !== value) return { ...plain, ...rest, spellings: [typed] };
  const spellings = [`${number}${unit}`, ...otherSpellings(value, unit)];
  // 20万 alone is not within 20万. What no plan states as a fact (3天以内) is sought without its limit.
  const isBounded = rest.bound !== 'near' && ['人', '元', '万', ''].includes(rest.unit);
  const written = isBounded ? spellings.map((spelling) => `${limit}${spelling}${suffix}`) : spellings;
  return { ...plain, ...rest, spellings: [...new Set(written)] };
}

/** Returns both numbers of what is said as one: 三四百 is 300 to 400, 四五万 40,000 to 50,000. Null for any other number. */
function spokenRange(number: string): [number, number] | null {
  const [, low = '', high = '', power = ''] =
    /^([一二三四五六七八])([二三四五六七八九])([十百千万]{1,2})$/u.exec(number) ?? [];
  const [from, to] = [numberOf(low + power), numberOf(high + power)];
  return from !== null && to !== null && from < to ? [from, to] : null;
}

function boundOf(limit: string, suffix: string): Bound {
  const matches = (words: string, text: string) => new RegExp(`^(?:${words})$`, 'v').test(text.trim());
  const found = (['atMost', 'atLeast'] as const).find(
    (bound) => matches(BEFORE[bound], limit) || matches(AFTER[bound], suffix),
  );
  return found ?? 'near';
}

function otherSpellings(value: number, unit: string): string[] {
  if (value <= 0 || value > MAX_NUMBER || !Number.isInteger(value)) return [];
  const inTenThousands = value >= 10_000 && value % 10_000 === 0 ? [`${value / 10_000}万${unit}`] : [];
  const pair = value === 2 ? [`两${unit}`] : [];
  return [`${value}${unit}`, ...inTenThousands, ...pair, `${chineseNumber(value)}${unit}`];
}

/** Tells whether a folded text is a number alone, or an amount. */
export const isAmount = (text: string): boolean => PARTS.test(text);

/** Tells whether a folded text is a number of followers: 100万粉丝. */
export const isFollowers = (text: string): boolean => text.endsWith(FOLLOWERS) && isAmount(text);

/** What counts something else than money: 10万次 is no 10万. */
const COUNTED = '[次人份台册张件个名位粉条款辆套座吨家户亿]|到访|曝光|播放|浏览|阅读|用户|观众|客|会员';

/**
 * Returns a regular expression of PostgreSQL that finds an amount in the text of a page, but no amount within another: 百人 does not stand in 三百人,
 * nor 50万 in 150万人.
 */
export function amountPattern(amount: string): string {
  const literal = amount.replace(/[^\p{L}\p{N}]/gu, '\\$&').replaceAll('万', '[万萬]');
  const within = `[\\d${NUMERAL.slice(1, -1)}萬]`;
  const isNumber = new RegExp(`[\\d${NUMERAL.slice(1, -1)}]$`, 'v').test(amount);
  const next = [
    ...(isNumber ? [within] : []),
    ...(/[\d万]$/.test(amount) ? [COUNTED] : []),
    ...(amount.endsWith('人') ? ['次'] : []),
  ];
  const end = next.length > 0 ? `(?!${next.join('|')})` : '';
  return `(?<!${within}|\\d[.,]|第)${literal}${end}`;
}
