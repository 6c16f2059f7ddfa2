import type { Ctx } from '../../context.ts';
import type { Measurement } from '../../platform/metrics.ts';
import { SMS_SITE_SECONDS } from '../rules.ts';
import { countSends } from './phones/store-codes.ts';
import { readVendorCalls } from './scans/wechat-calls.ts';

/** Returns the messages of the last hour and the calls to WeChat of the last 24 hours, each with its limit. */
export async function readQuotas(ctx: Ctx) {
  const now = ctx.clock.now();
  const inHour = await countSends(ctx.db, new Date(now - SMS_SITE_SECONDS * 1000));
  return { messages: { inHour, perHour: ctx.config.smsPerHour }, calls: await readVendorCalls(ctx.db, now) };
}

/** Measures the quotas of vendors and how much of each is used, for /metrics. */
export async function measureAccounts(ctx: Ctx): Promise<Measurement[]> {
  const { messages, calls } = await readQuotas(ctx);
  const quotas = [
    { quota: 'sms-hour', used: messages.inHour, limit: messages.perHour },
    ...Object.entries(calls).map(([vendor, { inDay, perDay }]) => ({
      quota: `${vendor}-day`,
      used: inDay,
      limit: perDay,
    })),
  ];
  return [
    {
      name: 'ceku_vendor_quota_used',
      help: 'Text messages of the last hour and calls to WeChat of the last 24 hours.',
      values: quotas.map(({ quota, used }) => ({ labels: { quota }, value: used })),
    },
    {
      name: 'ceku_vendor_quota_limit',
      help: 'The limits of ceku_vendor_quota_used: beyond them nobody can log in that way.',
      values: quotas.map(({ quota, limit }) => ({ labels: { quota }, value: limit })),
    },
  ];
}
