import { z } from 'zod';
import { PAYMENT_FAULTS, paymentScript } from '../fault-scripts.ts';

/** The occasions that a fault can be scripted for: a call of the site, the download of a bill, or a notification. */
const CALLS = [
  'native',
  'query',
  'close',
  'refund',
  'refund-query',
  'bill',
  'bill-file',
  'certificates',
  'notify',
] as const;
export type WechatPayCall = (typeof CALLS)[number];

/**
 * WeChat Pay's faults beside those of every provider. `stale`: signed 400 s ago; `huge`: 5 MB. Every call and every
 * notification can have: `signtest` (WeChat Pay's own probe of who verifies: a signature that begins with
 * WECHATPAY/SIGNTEST/), `unknown-serial`, `dup-json-key`, `wrong-currency`, `wrong-mchid`, `wrong-appid`.
 *
 * Only calls: `body-after-204`. Only refund: `no-credit`, `refund-abnormal` and `refund-closed` (accepted, and ends without money),
 * `refund-slow` (accepted, and ends when the control plane says so).
 */
export const WECHAT_PAY_FAULTS = [
  ...PAYMENT_FAULTS,
  'signtest',
  'unknown-serial',
  'wrong-currency',
  'wrong-mchid',
  'wrong-appid',
  'body-after-204',
  'no-credit',
  'refund-abnormal',
  'refund-closed',
  'refund-slow',
] as const;
export type WechatPayFault = (typeof WECHAT_PAY_FAULTS)[number];

export const faultScript = z.object({ call: z.enum(CALLS), fault: z.enum(WECHAT_PAY_FAULTS), ...paymentScript });
export type FaultScript = z.infer<typeof faultScript>;

const HUGE = 5_000_000;

/** Returns the object as a faulty WeChat Pay states it, before it is written and signed. */
export function falsify(object: Record<string, unknown>, script: FaultScript | null): Record<string, unknown> {
  const amountOf = (change: (amount: Record<string, unknown>) => Record<string, unknown>) => {
    const { amount } = object;
    return typeof amount === 'object' && amount !== null ? { ...object, amount: change({ ...amount }) } : object;
  };
  switch (script?.fault) {
    case 'wrong-amount':
      return amountOf((amount) => ({
        ...amount,
        ...shifted(amount, 'total', script.by),
        ...shifted(amount, 'refund', script.by),
      }));
    case 'wrong-currency':
      return amountOf((amount) => ({ ...amount, currency: 'USD' }));
    case 'wrong-mchid':
      return { ...object, mchid: '1900999999' };
    case 'wrong-appid':
      return { ...object, appid: 'wx99999999outside9' };
    case 'wrong-out-trade-no':
      return { ...object, out_trade_no: 'M00000000000000OTHERORDER' };
    default:
      return object;
  }
}

const shifted = (amount: Record<string, unknown>, key: string, by: number) =>
  typeof amount[key] === 'number' ? { [key]: amount[key] + by } : {};

/** Writes the object as JSON; some faults are in how it is written. The text is what gets signed. */
export function write(object: Record<string, unknown>, script: FaultScript | null): string {
  const text = JSON.stringify(falsify(object, script));
  switch (script?.fault) {
    case 'dup-json-key': {
      const [key = 'x', value] =
        'trade_state' in object ? ['trade_state', 'SUCCESS'] : (Object.entries(object)[0] ?? []);
      return `${text.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(value)}}`;
    }
    case 'html':
      return '<html><body><h1>502 Bad Gateway</h1></body></html>';
    case 'huge':
      return text + ' '.repeat(HUGE);
    default:
      return text;
  }
}
