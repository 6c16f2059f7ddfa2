import { dayText, startOfNextDay, startOfNextMonth } from '../library/rules.ts';
import type { PriceItem } from '../prices/contract.ts';
import type { WaysOut } from './contract-ways-out.ts';
import { decideDownload, isChartTier, READS_A_MONTH, tierAt, type Clocks, type Standing, type Tier } from './rules.ts';

/**
 * The thing that a refusal is about: the file, the pages after the preview, or the numbers and the original picture of a
 * chart. Charts are not sold for coins and do not come with the document (C-39).
 */
export type Wanted = 'download' | 'reading' | 'chart';

/** The facts of one document and one user. `reads`: documents that the user has read in full this month. */
export type WaysOutFacts = {
  document: { isOwned: boolean; priceCoins: number; isPreviewOnly: boolean };
  standing: Standing & Clocks & { reads: number };
};

/** The kind of goods on sale: `vip` are membership plans, `miao` are coin packs (C-30). */
type OnSale = { vip: readonly PriceItem[]; miao: readonly PriceItem[] };

/**
 * Returns what is missing for `wanted`, and every way to it (§8, C-42): the coins and the cheapest pack that covers
 * them, the cheapest plan that would lift the limit, and the moment at which the free quota returns. A way that leads
 * nowhere is left out: a plan that would not help, a quota that returns after the membership has ended. `now` in epoch
 * milliseconds.
 */
export function waysOut(wanted: Wanted, { document, standing }: WaysOutFacts, onSale: OnSale, now: number): WaysOut {
  const { tier, balance } = standing;
  const cost = document.isPreviewOnly || wanted === 'chart' ? 0 : document.priceCoins;
  const missing = document.isOwned ? 0 : Math.max(cost - balance, 0);
  const isFree = (at: Standing & { reads: number }) => isFreeOf(wanted, document, at);
  const isFreeNow = isFree(standing);
  const freeAt = isFreeNow ? 0 : whenFree(standing, now, isFree);
  return {
    is_vip: tier,
    balance,
    cost,
    missing,
    ...cheapestPack(onSale.miao, missing),
    vip: isFreeNow ? null : cheapest(onSale.vip.filter((plan) => isFree({ ...standing, tier: tierOf(plan, tier) }))),
    free_at: freeAt / 1_000,
    free_at_text: freeAt === 0 ? '' : `${dayText(new Date(freeAt))} 00:00`,
    download: document.isPreviewOnly ? 'unavailable' : decideDownload(document, standing).method,
  };
}

/** Returns whether a user of that standing would get it without paying coins. */
function isFreeOf(wanted: Wanted, document: WaysOutFacts['document'], standing: Standing & { reads: number }): boolean {
  if (wanted === 'chart') return isChartTier(standing.tier);
  if (document.isOwned) return true;
  if (wanted === 'reading') return standing.reads < READS_A_MONTH[standing.tier];
  const { method } = decideDownload(document, standing);
  return method === 'free' || method === 'coupon';
}

/** Returns the tier with a plan: the higher of both tiers counts (C-32). */
const tierOf = (plan: PriceItem, tier: Tier): Tier => (plan.tier === 2 || tier === 2 ? 2 : 1);

/**
 * Returns when the next reset of a quota makes the document free, in epoch milliseconds: midnight for the coupons of the
 * day, the first of next month for the limit of the month. Returns 0 when the membership does not last until then.
 */
function whenFree(
  standing: WaysOutFacts['standing'],
  now: number,
  isFree: (at: Standing & { reads: number }) => boolean,
): number {
  const month = startOfNextMonth(now);
  const starts = [...new Set([startOfNextDay(now), month])];
  const isFreeAt = (start: number) => {
    const isNewMonth = start === month;
    return isFree({
      ...standing,
      tier: tierAt(standing, start),
      todayUsed: 0,
      monthUsed: isNewMonth ? 0 : standing.monthUsed,
      reads: isNewMonth ? 0 : standing.reads,
    });
  };
  return starts.find(isFreeAt) ?? 0;
}

/**
 * Returns the pack to buy for `missing` coins: the cheapest that covers them; where no pack is large enough, the pack of
 * which several cost least.
 */
function cheapestPack(packs: readonly PriceItem[], missing: number): Pick<WaysOut, 'pack' | 'pack_count'> {
  if (missing === 0) return { pack: null, pack_count: 0 };
  const sold = packs.filter((pack) => pack.coins > 0);
  const single = cheapest(sold.filter((pack) => pack.coins >= missing));
  if (single) return { pack: single, pack_count: 1 };
  const countOf = (pack: PriceItem) => Math.ceil(missing / pack.coins);
  const pack = cheapest(sold, (each) => each.price * countOf(each));
  return { pack, pack_count: pack ? countOf(pack) : 0 };
}

/** Returns the item of the lowest price, the first of equals; null when there is none. */
function cheapest(items: readonly PriceItem[], priceOf = (item: PriceItem) => item.price): PriceItem | null {
  return items.toSorted((a, b) => priceOf(a) - priceOf(b))[0] ?? null;
}
