import { chineseNumber, DIGITS, numberOf } from '../library/numerals.ts';

/**
 * Amounts in queries: a number with its unit, in digits or in Chinese numerals. Decks write them either way, so a query for one asks for
 * both: 一千人 and 1000人, 四十二公里 and 42公里.
 */
const UNITS = '人|天|夜|公里|场|万元|元|平米|平|桌|米|届|城|站|所|期|周年|周|岁|小时|分钟|个月';
const NUMERAL = `[〇${DIGITS}两十百千万]`;
const NUMERALS = `${NUMERAL}+`;
const AMOUNT = new RegExp(
  `(?:\\d+(?:\\.\\d+)?万?|${NUMERALS})(?:${UNITS})|\\d+(?:\\.\\d+)?万(?!\\d)|(?<=预算|经费|费用)${NUMERALS}(?<=万)`,
  'gu',
);

/** What people write and decks do not: each with what it stands for. */
const WAYS_TO_WRITE: readonly (readonly [RegExp, string | ((...match: string[]) => string)])[] = [
  // 50w, 3k人, 5千元, 10km, 300㎡.
  [/(\d)w(?![a-z0-9])/gu, '$1万'],
  [/(?<![\d.])(\d{1,7}(?:\.\d{1,3})?)[k千](?=人|元|块)/gu, (_, number = '') => String(Number(number) * 1_000)],
  [/(\d)km(?![a-z])/gu, '$1公里'],
  [/(\d)(?:㎡|平方米|平方)/gu, '$1平米'],
  [/(?<=[\d万千百])块钱?/gu, '元'],
  // Between two numbers stands the one in the middle: 500-800人 asks for 650人.
  [
    /(?<!\d)(\d{1,9})[-~至到](\d{1,9})(?=万|人|元|天|场|桌)/gu,
    (_, from = '', to = '') => String(Math.round((Number(from) + Number(to)) / 2)),
  ],
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
/** The largest number that is written out. */
const MAX_NUMBER = 99_999_999;

/** Splits a folded text into amounts and the text between them. An amount is a list of its spellings, the typed one first. */
export function splitByAmounts(typed: string): (string | readonly string[])[] {
  const text = asDecksWrite(typed);
  const pieces: (string | readonly string[])[] = [];
  let done = 0;
  for (const match of text.matchAll(AMOUNT)) {
    if (match.index > done) pieces.push(text.slice(done, match.index));
    pieces.push([...new Set([match[0], ...otherSpellings(match[0])])]);
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
}

function otherSpellings(amount: string): string[] {
  const [, number = '', unit = ''] = /^([\d.]+万?|[〇零一二三四五六七八九两十百千万]+)(.*)$/u.exec(amount) ?? [];
  const value = numberOf(number);
  if (value === null || value > MAX_NUMBER || !Number.isInteger(value)) return [];
  const inTenThousands = value >= 10_000 && value % 10_000 === 0 ? [`${value / 10_000}万${unit}`] : [];
  const pair = value === 2 ? [`两${unit}`] : [];
  return [`${value}${unit}`, ...inTenThousands, ...pair, `${chineseNumber(value)}${unit}`];
}
