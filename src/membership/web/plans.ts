import type { PriceItem } from '../../payment/contract.ts';
import { DOWNLOADS_A_MONTH } from '../rules.ts';
import { standingText, termsOf, TIER_NAMES, type Member } from '../contract.ts';

/** A column of the comparison. `item` is null for the free column, and for a plan that is not on sale. */
export type Plan = {
  key: 'ordinary' | 'quarter' | 'year' | 'lifetime';
  name: string;
  item: PriceItem | null;
  isRecommended: boolean;
};

const NAMES = { quarter: '季度会员', year: '年度会员', lifetime: '终身会员' } as const;

/** Returns the columns. The `vip` array of the price list is quarter, year, lifetime in that order (§3, C-30). */
export function plansOf(vip: readonly PriceItem[]): Plan[] {
  const paid = (['quarter', 'year', 'lifetime'] as const).map((key, index) => ({
    key,
    name: NAMES[key],
    item: vip[index] ?? null,
    isRecommended: key === 'year',
  }));
  return [{ key: 'ordinary', name: '普通用户', item: null, isRecommended: false }, ...paid];
}

/**
 * Returns the column of the member's plan, as far as their clocks tell: a quarter and a year look alike once they run.
 * Null for these, and for a visitor.
 */
export function currentPlan(member: Member | null): Plan['key'] | null {
  if (!member) return null;
  const [now] = termsOf(member);
  if (!now) return 'ordinary';
  return now.tier === 2 && now.isForLife ? 'lifetime' : null;
}

/** Returns the member's plan as 当前方案：标准会员至 2027-11-22，每月上限 300 份. Null where a column of the table shows it. */
export function standingNote(member: Member | null): string | null {
  const [now] = member ? termsOf(member) : [];
  if (!member || !now || currentPlan(member) !== null) return null;
  return `当前方案：${standingText(member)}，每月上限 ${DOWNLOADS_A_MONTH[now.tier]} 份`;
}

/** A cell: text is shown as it is, `true` and `false` as a tick and a dash. */
export type Cell = string | boolean;

/**
 * Returns the rows of the comparison, with cells in the order of `plans` (§2). The monthly allowance follows the tier
 * that a plan sells (C-31).
 */
export function comparisonOf(plans: readonly Plan[]): { row: string; cells: Cell[] }[] {
  const monthly = plans.map(({ item }) =>
    item?.tier === 1 || item?.tier === 2 ? `${DOWNLOADS_A_MONTH[item.tier]} 份` : false,
  );
  const tiers = plans.map(({ key, item }) => {
    if (key === 'ordinary') return '普通用户';
    return item?.tier === 1 || item?.tier === 2 ? TIER_NAMES[item.tier] : false;
  });
  return [
    { row: '会员等级', cells: tiers },
    ...FIXED_ROWS.slice(0, 4),
    { row: '每月上限', cells: monthly },
    ...FIXED_ROWS.slice(4),
  ];
}

const FIXED_ROWS: { row: string; cells: Cell[] }[] = [
  { row: '有效期', cells: ['永久', '90 天', '365 天', '100 年'] },
  { row: '搜索结果', cells: ['10 条', '不限', '不限', '不限'] },
  { row: '使用范围', cells: ['仅个人', '仅个人', '仅个人', '可共享'] },
  { row: '方案下载', cells: ['使用喵币', '每天 20 张下载券', '每天 20 张下载券', '每天 20 张下载券'] },
  { row: '每日更新', cells: [true, true, true, true] },
  { row: '共享社群', cells: [false, '即将开放', '即将开放', '即将开放'] },
];

/** Returns yuan without trailing zeros: 98, 98.50. */
export const yuan = (price: number) => (Number.isInteger(price) ? price.toLocaleString('en-US') : price.toFixed(2));

/** Returns the price of a plan for one day in yuan; null for a lifetime plan. */
export function perDay(item: PriceItem): string | null {
  return item.days > 0 && item.days <= 3_650 ? (item.price / item.days).toFixed(2) : null;
}

/** Returns how many coins a pack gives beyond the rate of the smallest pack; 0 for the smallest. */
export function bonusCoins(pack: PriceItem, packs: readonly PriceItem[]): number {
  const base = packs[0];
  if (!base || base.price <= 0) return 0;
  return Math.max(Math.round(pack.coins - (base.coins / base.price) * pack.price), 0);
}
