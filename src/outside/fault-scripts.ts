import { z } from 'zod';

/** The faults that a test has scripted: each is played by the next calls of its name. */
export type FaultScripts<Call, Script> = {
  add(script: Script): void;
  /** Returns the next fault of that call, and counts it as played. Null for none. */
  take(call: Call): Script | null;
  list(): Script[];
  clear(): void;
};

/** `callOf`: the call that a script is for. */
export function createFaultScripts<Call, Script extends { times: number }>(
  callOf: (script: Script) => Call,
): FaultScripts<Call, Script> {
  let scripts: Script[] = [];
  return {
    add: (script) => void scripts.push({ ...script }),
    take(call) {
      const script = scripts.find((each) => callOf(each) === call);
      if (!script) return null;
      script.times -= 1;
      if (script.times <= 0) scripts = scripts.filter((each) => each !== script);
      return script;
    },
    list: () => scripts,
    clear: () => void (scripts = []),
  };
}

/**
 * Faults that both payment providers have. Every call and every notification can have: `ok` (no fault, uses up one turn of
 * the script), `delay` by `ms`, `unsigned`, `wrong-sign`, `stale`, `wrong-amount` (by `by` fen), `wrong-out-trade-no`, `html`,
 * `huge`, `slowloris` (a byte each `ms`). Every call can have: `hang`, `reset` (the connection is cut), `500`, `429`, `lost`
 * (carried out, the answer is lost), `dup-json-key`.
 *
 * Only the call for a QR code: `paid-first` (paid and notified before the answer).
 *
 * Only notifications: `never`, `twice` (`n` times at once), `reorder` (held back until after the next one).
 */
export const PAYMENT_FAULTS = [
  'ok',
  'delay',
  'hang',
  'reset',
  '500',
  '429',
  'lost',
  'unsigned',
  'wrong-sign',
  'stale',
  'wrong-amount',
  'wrong-out-trade-no',
  'html',
  'huge',
  'slowloris',
  'dup-json-key',
  'paid-first',
  'never',
  'twice',
  'reorder',
] as const;

/** The fields of a script of a payment provider, beside its call and its fault. */
export const paymentScript = {
  /** For how many calls. */
  times: z.number().int().min(1).default(1),
  ms: z.number().int().min(0).default(1_000),
  /** Fen that an amount is wrong by. */
  by: z.number().int().default(1),
  /** How often a notification is sent at once. */
  n: z.number().int().min(2).max(500).default(2),
};
