/** Festivals that people write as a date: by month and day. */
const FESTIVALS: Readonly<Record<string, string>> = {
  '1.1': '元旦',
  '2.14': '情人节',
  '3.8': '女神节',
  '3.15': '315',
  '5.1': '五一',
  '5.20': '520',
  '6.1': '六一',
  '6.18': '618',
  '9.10': '教师节',
  '10.1': '国庆',
  '11.11': '双十一',
  '12.12': '双十二',
  '12.25': '圣诞',
};
const DATE = /(?<![\d.])(\d{1,2})月(\d{1,2})[日号]/gu;
/** The date of a festival with a point: 6.18大促, 3·15. Any other number with a point, and one with a unit, is an amount or a version. */
const POINTED = new RegExp(
  String.raw`(?<![\d.·．A-Za-z¥￥$第])(?:${Object.keys(FESTIVALS).join('|').replaceAll('.', '[.·．]')})(?![\d.·．]|\s?[万亿元块倍折%％个声英寸米平度公克斤吨升级分版章㎡°℃:：A-Za-z])`,
  'gu',
);
const festivalOf = (date: string): string => FESTIVALS[date.replace(/[·．]/u, '.')] ?? '';

/** Puts the festival in the place of a day of the calendar in a query (6月1日儿童节, 6.18大促); any other day is said by the way (10月18日开业). */
export const withFestivals = (query: string): string =>
  query
    .replace(DATE, (_, month: string, day: string) => ` ${FESTIVALS[`${Number(month)}.${Number(day)}`] ?? ''} `)
    .replace(POINTED, (date) => ` ${festivalOf(date)} `);

/** Returns the festivals named by their number that a text writes as a date with a point: 618 of 6.18. */
export const numberedFestivals = (text: string): string[] =>
  /[.·．]/u.test(text)
    ? Array.from(text.matchAll(POINTED), ([date]) => festivalOf(date)).filter((name) => /^\d+$/.test(name))
    : [];
