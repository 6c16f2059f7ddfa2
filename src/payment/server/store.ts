import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { priceItems } from './tables.ts';

export type PriceItemRow = typeof priceItems.$inferSelect;

/** What is on sale, in the order of the shop window. */
export function listOnSale(db: Db): Promise<PriceItemRow[]> {
  return db
    .select()
    .from(priceItems)
    .where(eq(priceItems.isOnSale, true))
    .orderBy(asc(priceItems.position), asc(priceItems.id))
    .limit(300);
}
