import { and, eq, gt, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import { createMemo } from '../../platform/memo.ts';
import { scanQuotaUsed } from '../rules.ts';
import { vendorCalls } from './tables.ts';
import { DAY_MS } from '../../protocol/durations.ts';

const MINUTE_MS = 60_000;

/**
 * WeChat counts calls by the minute and by the day (5,000 and 100,000 for these at the time of writing). The site stops
 * itself below that, so that one visitor cannot use up what the operator's other systems need as well.
 */
export const VENDOR_QUOTAS = {
  'wechat-official-qr': { perMinute: 1_000, perDay: 80_000 },
  'wechat-mini-qr': { perMinute: 1_000, perDay: 80_000 },
  'wechat-mini-openid': { perMinute: 2_000, perDay: 200_000 },
} as const;
export type Vendor = keyof typeof VENDOR_QUOTAS;

/**
 * Counts one call to a vendor before it is made, on all nodes together. Throws scanQuotaUsed (41, with what to do
 * meanwhile) when the quota of the minute or of the day is used; at half of it and at its end the log says so.
 */
export async function takeVendorQuota(ctx: Ctx, vendor: Vendor): Promise<void> {
  const { perMinute, perDay } = VENDOR_QUOTAS[vendor];
  const now = ctx.clock.now();
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const inDay = await countCalls(ctx.db, vendor, new Date(now - DAY_MS));
  const inMinute = inDay < perDay ? await addCall(ctx.db, vendor, new Date(minute), perMinute) : null;
  const isUsedUp = inMinute === null;
  if (isUsedUp || inMinute * 2 >= perMinute || inDay * 2 >= perDay) {
    await alarm(ctx, `${vendor} ${isUsedUp ? 'full' : 'half'}`, async () => {
      const facts = { vendor, inMinute: inMinute ?? perMinute, perMinute, inDay, perDay };
      if (isUsedUp) ctx.log.error(facts, 'the quota of calls to WeChat is used up: people are sent to the phone login');
      else ctx.log.warn(facts, 'half of the quota of calls to WeChat is used');
    });
  }
  if (isUsedUp) throw scanQuotaUsed(inDay < perDay ? Math.ceil((minute + MINUTE_MS - now) / 1000) : 3_600);
}

/** Says each alarm of this process at most once in ten minutes. */
const alarm = createMemo<void>(600_000, 20);

/** What `ceku stats` shows: calls of the last 24 hours by vendor, zero where there were none. */
export async function readVendorCalls(db: Db, now: number): Promise<Record<Vendor, { inDay: number; perDay: number }>> {
  const since = new Date(now - DAY_MS);
  const [official, mini, openid] = await Promise.all([
    countCalls(db, 'wechat-official-qr', since),
    countCalls(db, 'wechat-mini-qr', since),
    countCalls(db, 'wechat-mini-openid', since),
  ]);
  return {
    'wechat-official-qr': { inDay: official, perDay: VENDOR_QUOTAS['wechat-official-qr'].perDay },
    'wechat-mini-qr': { inDay: mini, perDay: VENDOR_QUOTAS['wechat-mini-qr'].perDay },
    'wechat-mini-openid': { inDay: openid, perDay: VENDOR_QUOTAS['wechat-mini-openid'].perDay },
  };
}

/** At most 1,440 rows: one a minute. */
async function countCalls(db: Db, vendor: Vendor, since: Date): Promise<number> {
  const [row] = await db
    .select({ calls: sql<number>`coalesce(sum(${vendorCalls.calls}), 0)::int` })
    .from(vendorCalls)
    .where(and(eq(vendorCalls.vendor, vendor), gt(vendorCalls.minute, since)));
  return row?.calls ?? 0;
}

/** The calls of this minute with this one; null when there were `max` already. */
async function addCall(db: Db, vendor: Vendor, minute: Date, max: number): Promise<number | null> {
  const [row] = await db
    .insert(vendorCalls)
    .values({ vendor, minute, calls: 1 })
    .onConflictDoUpdate({
      target: [vendorCalls.vendor, vendorCalls.minute],
      set: { calls: sql`${vendorCalls.calls} + 1` },
      setWhere: sql`${vendorCalls.calls} < ${max}`,
    })
    .returning({ calls: vendorCalls.calls });
  return row?.calls ?? null;
}
