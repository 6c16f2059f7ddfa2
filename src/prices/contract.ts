import { z } from 'zod';
import { endpoint, type Answer } from '../protocol/endpoint.ts';

export const priceItem = z.object({
  id: z.number().int().describe('价格项 id'),
  desc: z.string().describe('名称'),
  price: z.number().describe('现价（元），最多两位小数'),
  org_price: z.number().describe('原价（元），最多两位小数'),
  /** C-30 sends the original price under both spellings. */
  orginal_price: z.number().describe('原价（元），与 org_price 相同'),
  kind: z.enum(['vip', 'coin']).describe('vip 会员，coin 喵币'),
  tier: z.number().int().describe('1 标准，2 高级，0 喵币'),
  days: z.number().int().describe('会员有效天数；喵币为 0'),
  months: z.number().int().describe('会员有效月数；喵币为 0'),
  coins: z.number().int().describe('喵币数；会员为 0'),
});
export type PriceItem = z.infer<typeof priceItem>;

export const listPrices = endpoint({
  method: 'GET',
  path: '/api/payItem/getList',
  summary: '在售的会员套餐与喵币包。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({
    items: z.array(priceItem).describe('会员价格：第 0 项标准，第 1 项高级'),
    vip: z.array(priceItem).describe('会员价格：季度、年度、终身'),
    miao: z.array(priceItem).describe('喵币充值包'),
    /** How many sessions an account may have; the oldest ends when another begins (C-43). */
    session_limits: z
      .object({
        standard: z.number().int().describe('普通用户与一般会员'),
        lifetime: z.number().int().describe('终身会员'),
      })
      .describe('一个账号可同时有效的登录数'),
  }),
  isShared: () => true,
});
type Prices = Answer<typeof listPrices>;

/** Returns everything that is on sale, in the order of the pages: plans by time, plans of the user centre, coin packs. */
export const itemsOf = ({ vip, items, miao }: Pick<Prices, 'vip' | 'items' | 'miao'>): PriceItem[] => [
  ...vip,
  ...items,
  ...miao,
];
