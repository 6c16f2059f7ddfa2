/**
 * Occasions of plans: festivals, shopping days and seasons, one group of spellings each. A plan for one occasion is hardly useful for
 * another, so occasions weigh in the similarity of documents (rules.ts) and suggest a theme for a search without results.
 */
const OCCASIONS: readonly (readonly string[])[] = [
  ['元旦', '双旦', '跨年'],
  ['春节', '新春', '年货', '贺岁', '除夕', '小年', '团圆宴', '年夜饭', '庙会'],
  ['元宵', '上元', '灯会'],
  ['情人节', '七夕', '520', '五二零', '表白日'],
  ['妇女节', '女神节', '女王节', '三八节', '38节'],
  ['植树节'],
  ['清明'],
  ['读书日', '读书节'],
  ['五一', '劳动节'],
  ['五四', '青年节'],
  ['母亲节'],
  ['父亲节'],
  ['儿童节', '六一'],
  ['端午', '龙舟'],
  ['618', '六一八'],
  ['毕业季', '毕业典礼'],
  ['开学季', '迎新季'],
  ['教师节'],
  ['中秋', '月饼', '双节'],
  ['国庆', '十一黄金周', '双节'],
  ['重阳', '敬老'],
  ['丰收节'],
  ['万圣节'],
  ['双十一', '双11', '光棍节'],
  ['感恩节'],
  ['双十二', '双12'],
  ['圣诞', '平安夜'],
  ['冬至', '腊八'],
  ['周年庆', '店庆', '司庆'],
];

/** Sorted by length, the longest first. A word may belong to two occasions: 双节 is 中秋 and 国庆. */
const WORDS = [...new Set(OCCASIONS.flat())]
  .sort((a, b) => b.length - a.length)
  .map((word) => ({
    pattern: new RegExp(/^\d/.test(word) ? `(?<!\\d)${word}(?!\\d)` : word, 'gu'),
    groups: OCCASIONS.flatMap((words, group) => (words.includes(word) ? [group] : [])),
  }));

/**
 * Returns the numbers of the occasions a text names; all spellings of an occasion share a number. A word inside a longer word does not
 * count (六一 in 六一八), nor does a number inside a longer number.
 */
export function occasionsIn(text: string): Set<number> {
  const found = new Set<number>();
  let rest = text;
  for (const { pattern, groups } of WORDS) {
    const without = rest.replace(pattern, '\n');
    if (without !== rest) for (const group of groups) found.add(group);
    rest = without;
  }
  return found;
}
