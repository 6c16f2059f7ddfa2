import { describe, expect, it } from 'vitest';
import { diffPriceLists, formatPriceList, parsePriceList, type PriceList } from './price-list.ts';
import { FileProblems } from '../../platform/yaml-file.ts';

const plan = (facts: string) => `  - ${facts.split('; ').join('\n    ')}\n`;
const STANDARD = plan('id: 1; description: 标准会员; tier: 1; days: 365; price: 198; original_price: 399');
const ADVANCED = plan('id: 2; description: 高级会员; tier: 2; days: 365; price: 298; original_price: 599');
const VIP = [
  plan('id: 3; description: 季度; tier: 2; days: 90; price: 98; original_price: 149'),
  plan('id: 4; description: 年度; tier: 2; days: 365; price: 298; original_price: 599'),
  plan('id: 5; description: 终身; tier: 2; days: 36500; price: 998; original_price: 1999'),
].join('');
const PACK = plan('id: 6; description: 100 喵币; coins: 100; price: 10; original_price: 10');
const FILE = `items:\n${STANDARD}${ADVANCED}vip:\n${VIP}miao:\n${PACK}`;

function problemsOf(text: string): string {
  try {
    parsePriceList(text);
  } catch (error) {
    if (error instanceof FileProblems) return error.message;
    throw error;
  }
  return 'none';
}

describe('reading a price list', () => {
  it('reads terms of plans and packs, prices as fen', () => {
    const list = parsePriceList(FILE.replace('price: 198', 'price: 19.9').replace('price: 98', 'price: "98.05"'));
    expect(list.items[0]).toEqual({
      id: 1,
      description: '标准会员',
      tier: 1,
      days: 365,
      coins: 0,
      priceFen: 1_990,
      originalPriceFen: 39_900,
    });
    expect(list.vip.map(({ priceFen }) => priceFen)).toEqual([9_805, 29_800, 99_800]);
    expect(list.miao[0]).toMatchObject({ tier: null, days: 0, coins: 100, priceFen: 1_000 });
  });

  it('reads what it writes', () => {
    const list = parsePriceList(FILE.replace('price: 298', 'price: 297.1'));
    expect(parsePriceList(formatPriceList(list))).toEqual(list);
    const added: PriceList = {
      ...list,
      miao: list.miao.map((item) => ({ ...item, id: null, description: '# "x": [y]' })),
    };
    expect(parsePriceList(formatPriceList(added))).toEqual(added);
  });

  it.each([
    ['', /^The file is empty\.$/],
    ['# items:\n', /^The file is empty\.$/],
    ['null\n', /^The file is empty\.$/],
    ['items: [', /^line 1: This is no YAML\. [^\n]*$/],
    ['items:\n  - tier: 1\n   days: 90\n', /^line 3: This is no YAML\. /],
    ['[1, 2]', /line 1: The file is wrong/],
    [FILE.replace('price: 198', 'price: 19.999'), /^line 6: items\[0\]\.price must be yuan with at most two decimals/],
    [FILE.replace('price: 198', 'price: 0'), /^line 6: items\[0\]\.price must be at least 0\.01/],
    [FILE.replace('price: 198', 'price: -5'), /items\[0\]\.price must be yuan/],
    [FILE.replace('price: 198', 'price: 1e3x'), /items\[0\]\.price must be yuan/],
    [FILE.replace('price: 198', 'price: 9999999'), /items\[0\]\.price must be at most 1000000/],
    [FILE.replace('price: 198', 'price: 400'), /items\[0\]\.original_price must not be less than its price/],
    [FILE.replace('price: 198', 'cost: 198'), /items\[0\]\.price .*\n.*cost/s],
    [FILE.replace('tier: 1', 'tier: 3'), /^line 4: items\[0\]\.tier must be 1 \(standard\) or 2/],
    [FILE.replace('tier: 1', 'tier: 2'), /items\[0\]\.tier must be 1: the standard plan comes first/],
    [FILE.replace('days: 90', 'days: 36501'), /vip\[0\]\.days is wrong/],
    [FILE.replace('days: 90', 'days: 1.5'), /vip\[0\]\.days is wrong/],
    [FILE.replace('coins: 100', 'coins: 0'), /miao\[0\]\.coins is wrong/],
    [FILE.replace('id: 6', 'id: 5'), /miao\[0\]\.id 5 is used twice/],
    [FILE.replace('100 喵币', '"a\\tb"'), /miao\[0\]\.description must be one line of visible characters/],
    [FILE.replace('100 喵币', '""'), /miao\[0\]\.description must not be empty/],
    [FILE.replace(ADVANCED, ''), /^line \d+: items must have two plans/],
    [`${FILE}${PACK.replace('id: 6', 'id: 7')}${PACK.replace('id: 6', 'id: 7')}`, /miao\[2\]\.id 7 is used twice/],
    [`${FILE}other: 1\n`, /other/],
    [`a: &a [x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a]\nc: [${'*b, '.repeat(100)}]\n${FILE}`, /The file is wrong/],
    ['x'.repeat(100_001), /too long/],
  ])('refuses %#', (text, words) => {
    expect(problemsOf(text)).toMatch(words);
  });

  it('names every problem at once', () => {
    const problems = problemsOf(FILE.replace('price: 198', 'price: x').replace('days: 90', 'days: 0'));
    expect(problems.split('\n')).toHaveLength(2);
  });
});

describe('the difference of two price lists', () => {
  const list = parsePriceList(FILE);

  it('is empty for the same list', () => expect(diffPriceLists(list, parsePriceList(FILE))).toEqual([]));

  it('names what is changed, new, moved and off sale', () => {
    const changed = parsePriceList(
      `items:\n${STANDARD.replace('price: 198', 'price: 188').replace('365', '400')}${ADVANCED}vip:\n${VIP}miao:\n${PACK.replace(
        'id: 6',
        'description: 新',
      )
        .replace('description: 100 喵币', 'coins: 5')
        .replace(/coins: 100\n\s+/, '')}`,
    );
    expect(diffPriceLists(list, changed)).toEqual([
      '~ items: 标准会员 (id 1): days 365 → 400, price ¥198.00 → ¥188.00',
      '+ miao: 新, 5 coins, ¥10.00',
      '- miao: 100 喵币, 100 coins, ¥10.00 (id 6) goes off sale',
    ]);
    const [first, second, third] = list.vip;
    if (!first || !second || !third) throw new Error('The list has three plans.');
    expect(diffPriceLists(list, { ...list, vip: [second, first, third] })).toEqual([
      '~ vip: 年度 (id 4): position 2 → 1',
      '~ vip: 季度 (id 3): position 1 → 2',
    ]);
  });
});
