import type { Ctx } from '../../context.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type { listPrices as contract, PriceItem } from '../contract.ts';
import { monthsOf, yuan } from '../rules.ts';
import { listOnSale, type PriceItemRow } from './store.ts';

/** The three lists of C-30: plans of the user centre, plans of /aboutVip, coin packs. */
export async function listPrices(ctx: Ctx): Promise<Output<typeof contract>> {
  const rows = await listOnSale(ctx.db);
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
