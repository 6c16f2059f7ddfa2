import { dayText } from '../../library/rules.ts';
import { standingText, termsOf, TIER_NAMES, type Member } from '../../membership/contract.ts';
import { daysLeft, extendClocks, tierAt } from '../../membership/rules.ts';
import { bonusCoins, lengthText, perDay, plansOf, purchaseVerb } from '../../membership/web/prices/plans.ts';
import type { PurchaseWanted } from '../../membership/web/prices/purchase.tsx';
import type { PriceItem } from '../../prices/contract.ts';
import type { Prices } from './pay-calls.ts';
import type { PayVariant } from './pay-state.ts';
import { formatNumber } from '../../protocol/format-number.ts';

/** An item of the price list as the dialog offers it. `term` is 365 天 or 100 年, `note` what the price comes to. */
export type Offer = { item: PriceItem; name: string; term: string; note: string; isRecommended: boolean };

/**
 * Returns what a tab of the dialog sells: the user centre sells `items`, the site `vip`, both the same coins (C-30). `wantedId`: the item
 * of an order that is continued, which may be from the other list, and is then offered as well.
 */
export function offersOf(prices: Prices, kind: 'vip' | 'coin', variant: PayVariant, wantedId?: number): Offer[] {
  if (kind === 'coin') {
    return prices.miao.map((item) => {
      const bonus = bonusCoins(item, prices.miao);
      const note = bonus > 0 ? `多送 ${formatNumber(bonus)} 喵币` : '基础包';
      return { item, name: `${formatNumber(item.coins)} 喵币`, term: '', note, isRecommended: false };
    });
  }
  const lists = {
    site: plansOf(prices.vip),
    'user-centre': prices.items.map((item) => ({
      item,
      name: TIER_NAMES[item.tier === 2 ? 2 : 1],
      isRecommended: item.tier === 2,
    })),
  };
  const sold = lists[variant];
  const isWanted = ({ item }: { item: PriceItem | null }) => wantedId !== undefined && item?.id === wantedId;
  const other = sold.some(isWanted) ? [] : lists[variant === 'site' ? 'user-centre' : 'site'].filter(isWanted);
  return [...sold, ...other.map((plan) => ({ ...plan, isRecommended: false }))].flatMap(
    ({ item, name, isRecommended }) => {
      if (!item) return [];
      const daily = perDay(item);
      return [
        { item, name, term: lengthText(item.days), note: daily ? `约 ¥${daily} / 天` : '一次开通', isRecommended },
      ];
    },
  );
}

/** Returns the offer that is chosen when the tab opens (C-110); null when nothing is on sale. */
export function defaultOffer(offers: readonly Offer[], kind: 'vip' | 'coin', wanted: PurchaseWanted): Offer | null {
  const named = offers.find(({ item }) => item.id === wanted.itemId);
  if (named) return named;
  if (kind === 'vip') return offers[1] ?? offers[0] ?? null;
  const missing = wanted.missingCoins ?? 0;
  const covering = offers.filter(({ item }) => item.coins >= missing);
  const largest = offers.toSorted((a, b) => b.item.coins - a.item.coins)[0];
  if (missing > 0) return covering.toSorted((a, b) => a.item.price - b.item.price)[0] ?? largest ?? null;
  return offers[0] ?? null;
}

/**
 * The effect of a purchase for this member: the verb, what the member has, and what the member will have. `warning` says when the purchase would
 * change nothing; `isUseless` then, and nothing is offered for payment.
 */
export type Effect = { verb: string; before: string; after: string; warning: string; isUseless: boolean };

/** Returns the effect of a purchase at `now`, in Unix milliseconds, by the rules that the grant follows (C-32). */
export function effectOf(item: PriceItem, member: Member, now: number): Effect {
  if (item.kind === 'coin') {
    const [before, after] = [balanceText(member.balance), balanceText(member.balance + item.coins)];
    return { verb: '充值', before, after, warning: '', isUseless: false };
  }
  const terms = termsOf(member);
  const before = standingText(member) || '非会员';
  if (terms.some(({ tier, isForLife }) => tier === 2 && isForLife)) {
    return { verb: '续费', before, after: before, warning: '您已是终身会员，无需再购买', isUseless: true };
  }
  const after = standingText(extended(member, item, now));
  const verb = purchaseVerb(item, member);
  if (after !== before) return { verb, before, after, warning: '', isUseless: false };
  const warning = terms.some(({ isForLife }) => isForLife)
    ? '您已是终身标准会员，无需再购买'
    : '您的高级会员期限更长，购买标准会员不会延长它';
  return { verb, before, after, warning, isUseless: true };
}

/** Returns what a member has of a kind, as 高级会员 2027-11-22 到期 or 余额 130 喵币. */
export const standingOf = (member: Member, kind: PriceItem['kind']): string =>
  kind === 'coin' ? balanceText(member.balance) : standingText(member);

const balanceText = (coins: number) => `余额 ${formatNumber(coins)} 喵币`;

/** Returns the member after the grant of an item. */
function extended(member: Member, { tier, days }: PriceItem, now: number): Member {
  const dateOf = (seconds: number) => (seconds > 0 ? new Date(seconds * 1_000) : null);
  const clocks = extendClocks(
    { standardEndAt: dateOf(member.unlock_end_time), advancedEndAt: dateOf(member.advanced_end_time) },
    tier === 2 ? 2 : 1,
    days,
    now,
  );
  const secondsOf = (at: Date | null) => Math.floor((at?.getTime() ?? 0) / 1_000);
  const textOf = (at: Date | null) => (at ? dayText(at) : '');
  return {
    ...member,
    is_vip: tierAt(clocks, now),
    unlock_end_time: secondsOf(clocks.standardEndAt),
    unlock_end_time_text: textOf(clocks.standardEndAt),
    advanced_end_time: secondsOf(clocks.advancedEndAt),
    advanced_end_time_text: textOf(clocks.advancedEndAt),
    vip_last_day: daysLeft(clocks, now),
  };
}
