import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import type { PriceTerms } from './price-list.ts';
import { priceItems } from './tables.ts';

export type PriceItemRow = typeof priceItems.$inferSelect;

/** Returns what is on sale, in the order of the price list. */
export function selectPricesOnSale(db: Db): Promise<PriceItemRow[]> {
  return db
    .select()
    .from(priceItems)
    .where(eq(priceItems.isOnSale, true))
    .orderBy(asc(priceItems.position), asc(priceItems.id))
    .limit(300);
}

/** Returns all items, also those that are off sale. */
export function selectPriceItems(db: Db): Promise<PriceItemRow[]> {
  return db.select().from(priceItems);
}

/** Returns an item that is on sale. */
export async function selectItemOnSale(db: Db, id: number) {
  const { catalogue, position, description, kind, tier, days, coins, priceFen } = priceItems;
  const [row] = await db
    .select({ id: priceItems.id, catalogue, position, description, kind, tier, days, coins, priceFen })
    .from(priceItems)
    .where(and(eq(priceItems.id, id), eq(priceItems.isOnSale, true)));
  return row ?? null;
}

/** Makes other writers of prices wait until this transaction ends; readers go on. */
export async function lockPriceItems(db: Db): Promise<void> {
  await db.execute(sql`lock table price_items in share row exclusive mode`);
}

/** Takes every item off sale, to a position that no item on sale has. */
export async function withdrawPriceItems(db: Db): Promise<void> {
  await db.update(priceItems).set({ isOnSale: false, position: sql`-${priceItems.id}` });
}

export async function upsertPriceItem(
  db: Db,
  catalogue: PriceItemRow['catalogue'],
  position: number,
  { id, ...terms }: PriceTerms,
): Promise<void> {
  const row = { ...terms, position, isOnSale: true };
  if (id === null) {
    await db.insert(priceItems).values({ ...row, catalogue, kind: terms.tier === null ? 'coin' : 'vip' });
    return;
  }
  await db.update(priceItems).set(row).where(eq(priceItems.id, id));
}
