import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The items for sale. A `vip` item has a tier and days, a `coin` item has coins; the other columns are null and 0. */
export const priceItems = pgTable('price_items', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  catalogue: text('catalogue').$type<'items' | 'vip' | 'miao'>().notNull(),
  position: integer('position').notNull(),
  description: text('description').notNull(),
  kind: text('kind').$type<'vip' | 'coin'>().notNull(),
  tier: integer('tier').$type<1 | 2>(),
  days: integer('days').notNull().default(0),
  coins: integer('coins').notNull().default(0),
  priceFen: integer('price_fen').notNull(),
  originalPriceFen: integer('original_price_fen').notNull(),
  isOnSale: boolean('is_on_sale').notNull().default(true),
});
