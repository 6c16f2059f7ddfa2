import { transact, type Ctx, type TransactionCtx } from '../../context.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type * as contract from '../contract.ts';
import type { PriceItem } from '../contract.ts';
import { FileProblems } from '../../platform/yaml-file.ts';
import { CATALOGUES, diffPriceLists, type PriceList, type PriceTerms } from './price-list.ts';
import {
  lockPriceItems,
  selectItemOnSale,
  selectPriceItems,
  selectPricesOnSale,
  upsertPriceItem,
  withdrawPriceItems,
  type PriceItemRow,
} from './store.ts';

/** Returns yuan with at most two decimals (C-06): 19800 → 198, 19850 → 198.5. */
export const yuan = (fen: number) => fen / 100;

/** Returns the calendar months nearest to a number of days: 90 → 3, 365 → 12. */
export const monthsOf = (days: number) => Math.round((days * 12) / 365);

/** Returns the three lists of C-30: plans of the user centre, plans of /aboutVip, coin packs; and the limits of sessions. */
export async function listPrices(ctx: Ctx): Promise<Output<typeof contract.listPrices>> {
  const rows = await selectPricesOnSale(ctx.db);
  const of = (catalogue: PriceItemRow['catalogue']) => rows.filter((row) => row.catalogue === catalogue).map(toItem);
  return { items: of('items'), vip: of('vip'), miao: of('miao'), session_limits: ctx.config.sessionLimits };
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

/** An item on sale with its price at this moment; an order keeps a copy. */
export type ItemOnSale = NonNullable<Awaited<ReturnType<typeof selectItemOnSale>>>;

/** Returns an item; null when there is none of that id, or it is off sale. */
export async function findItemOnSale(ctx: TransactionCtx, id: number): Promise<ItemOnSale | null> {
  // Safe in the type of the column: a larger number is no item's.
  return id > 2_147_483_647 ? null : selectItemOnSale(ctx.db, id);
}

/** Returns the price list on sale, as `ceku price` shows and edits it. */
export async function findPriceList(ctx: Ctx): Promise<PriceList> {
  return priceListOf(await selectPricesOnSale(ctx.db));
}

function priceListOf(rows: PriceItemRow[]): PriceList {
  const of = (catalogue: PriceItemRow['catalogue']) => rows.filter((row) => row.catalogue === catalogue).map(toTerms);
  return { items: of('items'), vip: of('vip'), miao: of('miao') };
}

const toTerms = ({ id, description, tier, days, coins, priceFen, originalPriceFen }: PriceItemRow): PriceTerms => ({
  id,
  description,
  tier,
  days,
  coins,
  priceFen,
  originalPriceFen,
});

/**
 * Puts a price list on sale and returns what it changes, a line for each change. Items keep their row, also off sale:
 * what was sold by an item refers to the row, and carries its own price and terms. Throws FileProblems when an id
 * does not belong to its catalogue.
 */
export async function setPriceList(
  ctx: Ctx,
  list: PriceList,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<{ changes: string[]; isDone: boolean }> {
  return transact(ctx, async ({ db }) => {
    await lockPriceItems(db);
    const rows = await selectPriceItems(db);
    const catalogueOf = new Map(rows.map(({ id, catalogue }) => [id, catalogue]));
    const problems = CATALOGUES.flatMap((catalogue) =>
      list[catalogue].flatMap(({ id }, index) =>
        id === null || catalogueOf.get(id) === catalogue
          ? []
          : [`${catalogue}[${index}].id ${id} is not an item of ${catalogue}. Leave the id out for a new item.`],
      ),
    );
    if (problems.length > 0) throw new FileProblems(problems);
    const changes = diffPriceLists(priceListOf(await selectPricesOnSale(db)), list);
    if (isDryRun || changes.length === 0) return { changes, isDone: false };
    await withdrawPriceItems(db);
    for (const catalogue of CATALOGUES)
      for (const [position, item] of list[catalogue].entries()) await upsertPriceItem(db, catalogue, position, item);
    return { changes, isDone: true };
  });
}
