import { chineseNumber, DIGITS, numberOf } from '../library/numerals.ts';

/**
 * Amounts in queries: a number with its unit, in digits or in Chinese numerals. Decks write them either way, so a query for one asks for
 * both: 一千人 and 1000人, 四十二公里 and 42公里.
 */
const UNITS = '人|天|公里|场|万元|元|平米|平|桌|米|届|城|周年|岁|小时|分钟|个月';
const NUMERALS = `[〇${DIGITS}两十百千万]+`;
const AMOUNT = new RegExp(
  `(?:\\d+(?:\\.\\d+)?万?|${NUMERALS})(?:${UNITS})|\\d+(?:\\.\\d+)?万(?!\\d)|(?<=预算|经费|费用)${NUMERALS}(?<=万)`,
  'gu',
);
/** The largest number that is written out. */
const MAX_NUMBER = 99_999_999;

/** Splits a folded text into amounts and the text between them. An amount is a list of its spellings, the typed one first. */
export function splitByAmounts(text: string): (string | readonly string[])[] {
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
  return [`${value}${unit}`, ...inTenThousands, `${chineseNumber(value)}${unit}`];
}
