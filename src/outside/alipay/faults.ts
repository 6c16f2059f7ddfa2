import { z } from 'zod';
import { PAYMENT_FAULTS, paymentScript } from '../fault-scripts.ts';

/** The occasions that a fault can be scripted for: a call of the site, the download of a bill, or a notification. */
const CALLS = ['precreate', 'query', 'close', 'refund', 'refund-query', 'bill-url', 'bill', 'notify'] as const;
export type AlipayCall = (typeof CALLS)[number];

/**
 * Alipay's faults beside those of every provider. Notifications can also have `hang`, `reset`, `500`, `429` and `lost`.
 * `stale`: an answer is that of the state before, a notification has an old `notify_time`. Every call and every notification
 * can have: `wrong-app-id`, `wrong-seller-id`, `gbk`.
 *
 * Only answers: `dup-json-key` (the response twice, first as signed, then forged), `dup-inner-key` (twice within the signed
 * response), `system-error` (code 20000), `no-permission` (code 40006).
 *
 * Only notifications: `sha1` (signed with SHA-1 and so declared), `sign-type-signed` (genuine: `sign_type` is part of what is
 * signed, as for some kinds), `double-encoded` (values URL-encoded twice), `dup-field` (`total_amount` a second time).
 */
const FAULTS = [
  ...PAYMENT_FAULTS,
  'wrong-app-id',
  'wrong-seller-id',
  'gbk',
  'dup-inner-key',
  'system-error',
  'no-permission',
  'sha1',
  'sign-type-signed',
  'double-encoded',
  'dup-field',
] as const;

export const faultScript = z.object({ call: z.enum(CALLS), fault: z.enum(FAULTS), ...paymentScript });
export type FaultScript = z.infer<typeof faultScript>;
