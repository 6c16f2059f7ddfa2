import { asc, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import type { Routes } from '../../context.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type * as contract from '../contract.ts';
import { listPrices as listEndpoint, type PriceItem } from '../contract.ts';
import { priceItems } from './tables.ts';

/** Returns yuan with at most two decimals (C-06): 19800 → 198, 19850 → 198.5. */
export const yuan = (fen: number) => fen / 100;

/** Returns the calendar months nearest to a number of days: 90 → 3, 365 → 12. */
export const monthsOf = (days: number) => Math.round((days * 12) / 365);

type PriceItemRow = typeof priceItems.$inferSelect;

/** Returns what is on sale, in the order of the price list. */
function selectPricesOnSale(db: Db): Promise<PriceItemRow[]> {
  return db
    .select()
    .from(priceItems)
    .where(eq(priceItems.isOnSale, true))
    .orderBy(asc(priceItems.position), asc(priceItems.id))
    .limit(300);
}

/** Returns the three lists of C-30: plans of the user centre, plans of /aboutVip, coin packs. */
export async function listPrices(ctx: Ctx): Promise<Output<typeof contract.listPrices>> {
  const rows = await selectPricesOnSale(ctx.db);
  const of = (catalogue: PriceItemRow['catalogue']) => rows.filter((row) => row.catalogue === catalogue).map(toItem);
  return { items: of('items'), vip: of('vip'), miao: of('miao') };
}

function toItem(row: PriceItemRow): PriceItem {
  return {
    id: row.id,
    desc: row.description,
    price: yuan(row.priceFen),
    org_price: yuan(row.originalPriceFen),
    orginal_price: yuan(row.originalPriceFen),
    kind: row.kind,
    tier: row.tier ?? 0,
    days: row.days,
    months: monthsOf(row.days),
    coins: row.coins,
  };
}

export function paymentRoutes(routes: Routes): void {
  routes.on(listEndpoint, listPrices);
}
