import type { Ctx } from '../../../context.ts';
import type { Db } from '../../../platform/db/client.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { ProviderRefused, ProviderUnavailable } from '../../ports.ts';
import { scanQuotaUsed } from '../../rules.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { countVendorCalls, upsertVendorCall } from '../store-limits.ts';

/** Awaits a call to WeChat. Logs a refusal or a missing answer and throws unavailable (503) in its place. */
export async function callWeChat<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    ctx.log.error({ error }, 'a call to WeChat failed');
    throw unavailable();
  }
}

const MINUTE_MS = 60_000;

/**
 * WeChat limits calls by the minute and by the day (5,000 and 100,000 for these at the time of writing). The site stops
 * below these limits, so that one visitor cannot use up what the operator's other systems need.
 */
export const VENDOR_QUOTAS = {
  'wechat-official-qr': { perMinute: 1_000, perDay: 80_000 },
  'wechat-mini-qr': { perMinute: 1_000, perDay: 80_000 },
  'wechat-mini-openid': { perMinute: 1_000, perDay: 80_000 },
} as const;
export type Vendor = keyof typeof VENDOR_QUOTAS;

/**
 * Counts one call to a vendor before the call is made, over all nodes. Throws scanQuotaUsed (41, with advice) when the
 * quota of the minute or of the day is used up. Logs a warning at half of a quota and an error at its end.
 */
export async function takeVendorQuota(ctx: Ctx, vendor: Vendor): Promise<void> {
  const { perMinute, perDay } = VENDOR_QUOTAS[vendor];
  const now = ctx.clock.now();
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const inDay = await countVendorCalls(ctx.db, vendor, new Date(now - DAY_MS));
  const inMinute = inDay < perDay ? await upsertVendorCall(ctx.db, vendor, new Date(minute), perMinute) : null;
  const isUsedUp = inMinute === null;
  if (isUsedUp || inMinute * 2 >= perMinute || inDay * 2 >= perDay) {
    await ctx.caches.accounts.vendorAlarms(ctx, `${vendor} ${isUsedUp ? 'full' : 'half'}`, async () => {
      const facts = { vendor, inMinute: inMinute ?? perMinute, perMinute, inDay, perDay };
      if (isUsedUp) ctx.log.error(facts, 'the quota of calls to WeChat is used up: users are asked to log in by phone');
      else ctx.log.warn(facts, 'half of the quota of calls to WeChat is used');
    });
  }
  if (isUsedUp) throw scanQuotaUsed(inDay < perDay ? Math.ceil((minute + MINUTE_MS - now) / 1000) : 3_600);
}

/** Returns the calls of the last 24 hours and the daily quota by vendor, for `ceku user quotas`. */
export async function readVendorCalls(db: Db, now: number): Promise<Record<Vendor, { inDay: number; perDay: number }>> {
  const since = new Date(now - DAY_MS);
  const [official, mini, openid] = await Promise.all([
    countVendorCalls(db, 'wechat-official-qr', since),
    countVendorCalls(db, 'wechat-mini-qr', since),
    countVendorCalls(db, 'wechat-mini-openid', since),
  ]);
  return {
    'wechat-official-qr': { inDay: official, perDay: VENDOR_QUOTAS['wechat-official-qr'].perDay },
    'wechat-mini-qr': { inDay: mini, perDay: VENDOR_QUOTAS['wechat-mini-qr'].perDay },
    'wechat-mini-openid': { inDay: openid, perDay: VENDOR_QUOTAS['wechat-mini-openid'].perDay },
  };
}
