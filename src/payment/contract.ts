import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';

const priceItem = z.object({
  id: z.number().int(),
  desc: z.string(),
  /** Yuan, at most two decimals (C-06). */
  price: z.number(),
  org_price: z.number(),
  /** The specification asks for this second spelling as well (C-30). */
  orginal_price: z.number(),
  kind: z.enum(['vip', 'coin']),
  /** 1 standard, 2 advanced, 0 for coins. */
  tier: z.number().int(),
  days: z.number().int(),
  months: z.number().int(),
  coins: z.number().int(),
});
export type PriceItem = z.infer<typeof priceItem>;

export const listPrices = endpoint({
  method: 'GET',
  path: '/api/payItem/getList',
  summary: '在售的会员套餐与喵币包。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ items: z.array(priceItem), vip: z.array(priceItem), miao: z.array(priceItem) }),
  isShared: () => true,
});
