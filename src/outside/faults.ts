/** Targets of faults: the calls of the vendors. */
export const TARGETS = [
  'stable_token',
  'qrcode',
  'showqrcode',
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

type Script = { target: Target; fault: Fault; times: number; ms: number };

export type Faults = {
  add(script: Script): void;
  /** Removes and returns the next fault of that target. */
  take(target: Target): { fault: Fault; ms: number } | null;
  clear(): void;
  list(): Script[];
};

export function createFaults(): Faults {
  let scripts: Script[] = [];
  return {
    add: (script) => void scripts.push(script),
    take(target) {
      const script = scripts.find((one) => one.target === target);
      if (!script) return null;
      script.times -= 1;
      if (script.times <= 0) scripts = scripts.filter((one) => one !== script);
      return { fault: script.fault, ms: script.ms };
    },
    clear: () => void (scripts = []),
    list: () => scripts,
  };
}
