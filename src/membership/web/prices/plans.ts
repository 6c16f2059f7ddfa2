import type { PriceItem } from '../../../prices/contract.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, LIFETIME_DAYS, READS_A_MONTH } from '../../rules.ts';
import { PLAN_NAMES, saleName, standingText, termsOf, TIER_NAMES, type Member } from '../../contract.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Stands beside every button that pays (C-45). */
export const REFUND_NOTICE = '会员与喵币为虚拟商品，开通后不支持退款；重复支付、未到账或文件损坏可申请退款。';

/** A column of the comparison. `item` is null for the free column, and for a plan that is not on sale. */
export type Plan = {
  key: 'ordinary' | 'quarter' | 'year' | 'lifetime';
  name: string;
  item: PriceItem | null;
  isRecommended: boolean;
};

/**
 * Returns the columns. The `vip` array of the price list is quarter, year, lifetime in that order (§3, C-30); a plan that lasts another time has
 * the name under which it is ordered.
 */
export function plansOf(vip: readonly PriceItem[]): Plan[] {
  const paid = (['quarter', 'year', 'lifetime'] as const).map((key, position) => {
    const item = vip[position] ?? null;
    const name = item && saleName({ ...item, catalogue: 'vip', position, description: item.desc });
    return { key, name: name || (PLAN_NAMES[position] ?? ''), item, isRecommended: key === 'year' };
  });
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

/** Returns what the purchase of a plan is for this member: 开通, 续费, or 升级 to a higher tier than theirs. Null: a visitor. */
export function purchaseVerb({ tier }: { tier: number }, member: Member | null): '开通' | '续费' | '升级' {
  const [now] = member ? termsOf(member) : [];
  if (!now) return '开通';
  return tier > now.tier ? '升级' : '续费';
}

/** Returns the member's plan as 当前套餐：标准会员 2027-11-22 到期，每月免费下载 300 份. Null where a column of the table shows it. */
export function standingNote(member: Member | null): string | null {
  const [now] = member ? termsOf(member) : [];
  if (!member || !now || currentPlan(member) !== null) return null;
  return `当前套餐：${standingText(member)}，每月免费下载 ${DOWNLOADS_A_MONTH[now.tier]} 份`;
}

/** Returns what a membership of a tier gives, a line each. */
export const rightsOf = (tier: 1 | 2): string[] => [
  `每天 ${COUPONS_A_DAY} 张下载券，每月免费下载 ${formatNumber(DOWNLOADS_A_MONTH[tier])} 份`,
  `每月阅读全文 ${formatNumber(READS_A_MONTH[tier])} 份，搜索不限条数`,
  ...(tier === 2 ? ['图表数据可导出'] : []),
];

/** A cell: text is shown as it is, `true` and `false` as a tick and a dash. */
export type Cell = string | boolean;

/** How many sessions one account may keep open at once (C-43). */
export type SessionLimits = { standard: number; lifetime: number };

/**
 * Returns the rows of the comparison, with cells in the order of `plans` (§2). What a paid plan gives follows the tier
 * and the days that its item sells (C-31); a plan that is not on sale gives nothing.
 */
export function comparisonOf(plans: readonly Plan[], sessions: SessionLimits): { row: string; cells: Cell[] }[] {
  const row = (name: string, ordinary: Cell, paid: (item: PriceItem, tier: 1 | 2) => Cell) => ({
    row: name,
    cells: plans.map(({ key, item }) => {
      if (key === 'ordinary') return ordinary;
      return item?.tier === 1 || item?.tier === 2 ? paid(item, item.tier) : false;
    }),
  });
  const isForLife = (item: PriceItem) => item.days > LIFETIME_DAYS;
  return [
    row('会员等级', '普通用户', (_item, tier) => TIER_NAMES[tier]),
    row('有效期', '永久', (item) => lengthText(item.days)),
    row('搜索结果', '10 条', () => '不限'),
    row('方案下载', '使用喵币', () => `每天 ${COUPONS_A_DAY} 张下载券`),
    row('每月免费下载', false, (_item, tier) => `${formatNumber(DOWNLOADS_A_MONTH[tier])} 份`),
    row('阅读全文', '前 10 页', (_item, tier) => `每月 ${formatNumber(READS_A_MONTH[tier])} 份`),
    row('图表数据', false, (_item, tier) => tier === 2),
    row('使用范围', '仅个人', (item) => (isForLife(item) ? '可共享' : '仅个人')),
    row(
      '同时登录',
      `${sessions.standard} 处`,
      (item) => `${isForLife(item) ? sessions.lifetime : sessions.standard} 处`,
    ),
    row('每日更新', true, () => true),
    row('共享社群', false, () => true),
  ];
}

/** Returns 90 天 or, for whole years from ten on, 100 年. */
export const lengthText = (days: number): string =>
  days >= 3_650 && days % 365 === 0 ? `${days / 365} 年` : `${days} 天`;

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
