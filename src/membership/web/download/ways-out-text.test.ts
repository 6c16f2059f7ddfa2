import { expect, it } from 'vitest';
import type { PriceItem } from '../../../prices/contract.ts';
import type { WaysOut } from '../../contract-ways-out.ts';
import type { Wanted } from '../../ways-out.ts';
import { quotaDay, waysText } from './ways-out-text.ts';

const item = (facts: Partial<PriceItem>): PriceItem => ({
  id: 1,
  desc: '',
  price: 98,
  org_price: 98,
  orginal_price: 98,
  kind: 'vip',
  tier: 2,
  days: 90,
  months: 3,
  coins: 0,
  ...facts,
});
const pack = item({ kind: 'coin', tier: 0, price: 10, coins: 100 });

const ways = (facts: Partial<WaysOut>): WaysOut => ({
  is_vip: 0,
  balance: 3,
  cost: 12,
  missing: 9,
  pack,
  pack_count: 1,
  vip: item({}),
  free_at: 0,
  free_at_text: '',
  download: 'insufficient',
  ...facts,
});
/** The lines as they are read: main, note in brackets, side. */
const linesOf = (wanted: Wanted, facts: Partial<WaysOut>) =>
  waysText(wanted, ways(facts)).map(({ main, note, side }) =>
    [main, note && `（${note}）`, side && ` ${side}`].join(''),
  );

const COINS = '还差 9 喵币（价格 12，余额 3） ¥10 得 100 喵币';
const MIDNIGHT = { free_at: 1, free_at_text: '2026-11-23 00:00' };

it.each<[string, Wanted, Partial<WaysOut>, string[]]>([
  ['an ordinary user', 'download', {}, [COINS, '开通会员（每天 20 张下载券） ¥98 起']],
  [
    'a member at the end of the day',
    'download',
    { is_vip: 2, vip: null, ...MIDNIGHT },
    [COINS, '免费下载恢复 11月23日 00:00'],
  ],
  [
    'a standard member at the end of the month',
    'download',
    { is_vip: 1, free_at: 1, free_at_text: '2026-12-01 00:00' },
    [COINS, '升级高级会员（每月 600 次免费下载） ¥98 起', '免费下载恢复 12月1日 00:00'],
  ],
  ['several packs', 'download', { pack_count: 3, vip: null }, ['还差 9 喵币（价格 12，余额 3） ¥10 得 100 喵币 × 3']],
  [
    'a chart, for an ordinary user',
    'chart',
    { cost: 0, missing: 0, pack: null, pack_count: 0 },
    ['开通高级会员（图表的数字与原图） ¥98 起'],
  ],
  [
    'a chart, for a standard member',
    'chart',
    { is_vip: 1, cost: 0, missing: 0, pack: null, pack_count: 0 },
    ['升级高级会员（图表的数字与原图） ¥98 起'],
  ],
  ['nothing on sale', 'download', { pack: null, pack_count: 0, vip: null }, ['还差 9 喵币（价格 12，余额 3）']],
  [
    'thousands and fen',
    'download',
    { cost: 9_999, missing: 9_996, pack: item({ price: 1_999.5, coins: 10_000 }), vip: null },
    ['还差 9,996 喵币（价格 9,999，余额 3） ¥1,999.50 得 10,000 喵币'],
  ],
  ['an ordinary reader', 'reading', {}, [COINS, '开通会员（每月可读 3,000 份全文） ¥98 起']],
  [
    'an ordinary reader with coins',
    'reading',
    { missing: 0, pack: null, download: 'coin', balance: 30 },
    ['下载后永久可读（当前余额 30） 12 喵币', '开通会员（每月可读 3,000 份全文） ¥98 起'],
  ],
  [
    'a member over the reads of the month, with coupons',
    'reading',
    { is_vip: 2, vip: null, download: 'coupon', free_at: 1, free_at_text: '2026-12-01 00:00' },
    ['下载后永久可读 使用 1 张下载券', '阅读次数恢复 12月1日 00:00'],
  ],
  [
    'a preview that cannot be downloaded',
    'reading',
    { missing: 0, pack: null, download: 'unavailable', cost: 0 },
    ['开通会员（每月可读 3,000 份全文） ¥98 起'],
  ],
])('%s', (_who, wanted, facts, lines) => {
  expect(linesOf(wanted, facts)).toEqual(lines);
});

it('sells the pack and the plan that it names, and nothing with a date', () => {
  const offered = ways({ ...MIDNIGHT, pack: item({ ...pack, id: 6 }), vip: item({ id: 3 }) });
  expect(waysText('download', offered).map(({ buy }) => buy)).toEqual([
    { kind: 'coin', itemId: 6, missingCoins: 9 },
    { kind: 'vip', itemId: 3 },
    null,
  ]);
});

it.each([
  ['2026-12-01 00:00', '12月1日 00:00'],
  ['2027-01-10 00:00', '1月10日 00:00'],
])('%s is said as %s', (at, text) => {
  expect(quotaDay(at)).toBe(text);
});
