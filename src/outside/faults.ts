/** Targets of faults: the calls of the vendors. */
export const TARGETS = [
  'stable_token',
  'qrcode',
  'userinfo',
  'push',
  'getwxacodeunlimit',
  'jscode2session',
  'sms',
] as const;
export type Target = (typeof TARGETS)[number];

/**
 * Kinds of faults. `reset`: the connection is cut. `lost`: the call is carried out, but its answer is lost.
 * `error-json`: the vendor's own error, with HTTP 200. `html`: a proxy's error page. `expired-token`: 42001, and the
 * access token has expired. `wrong-sign`, `unsigned`: pushes are signed wrongly or not at all; for SMS, the vendor
 * reports a wrong signature. `limit`: the carrier's limit. `twice`: pushed twice.
 */
export const FAULTS = [
  'delay',
  'hang',
  'reset',
  'lost',
  '500',
  'html',
  'error-json',
  'expired-token',
  'wrong-sign',
  'unsigned',
  'limit',
  'bad-number',
  'no-credit',
  'stale',
  'twice',
] as const;
export type Fault = (typeof FAULTS)[number];

/** A fault of the next `times` calls of its target. */
export type Script = { target: Target; fault: Fault; times: number; ms: number };
