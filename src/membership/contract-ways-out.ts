import { z } from 'zod';
import { priceItem } from '../prices/contract.ts';

/**
 * Answer to a refusal of a download, of the pages after the preview or of a chart: what the member lacks (coins, coupons or a
 * membership) and the ways to get it (§8, C-42). `waysOut` of ways-out.ts fills it.
 */
export const waysOut = z.object({
  is_vip: z
    .union([z.literal(0), z.literal(1), z.literal(2)])
    .describe('应答时的等级：0 非会员，1 标准会员，2 高级会员'),
  balance: z.number().int().describe('当前喵币余额'),
  cost: z.number().int().describe('这份方案的价格（喵币）；仅供预览、不能购买的方案为 0；图表不单卖，为 0'),
  missing: z.number().int().describe('还差的喵币：价格减去余额；够用时为 0'),
  pack: priceItem.nullable().describe('补足所差喵币最便宜的喵币包；不差喵币或没有在售的喵币包时为 null'),
  pack_count: z.number().int().describe('需要几个 pack 才够，通常为 1；没有 pack 时为 0'),
  vip: priceItem.nullable().describe('能解除这一限制的最便宜的会员套餐；没有这样的套餐时为 null'),
  free_at: z
    .number()
    .int()
    .describe('会员免费额度恢复的时间（上海时间的零点或下月 1 日零点），Unix 秒；非会员，或届时会员已到期，为 0'),
  free_at_text: z.string().describe('free_at 的文字，如 2026-12-01 00:00；没有时为空字符串'),
  download: z
    .enum(['owned', 'free', 'coupon', 'coin', 'insufficient', 'unavailable'])
    .describe('现在下载这份方案将如何扣费（下载后永久可读）；unavailable 仅供预览，不提供下载'),
});
export type WaysOut = z.infer<typeof waysOut>;

/** Tells the data of a refusal that names ways out from the data of any other. Pages ask it: they have no schema. */
export const isWaysOut = (data: unknown): data is WaysOut =>
  typeof data === 'object' && data !== null && 'missing' in data && 'free_at_text' in data;
