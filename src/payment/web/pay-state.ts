import type { PriceItem } from '../../prices/contract.ts';
import type { OrderItem } from '../contract.ts';
import { CHANNELS, type Channel } from '../ports.ts';
import { ORDER_SECONDS, PLATFORM, REUSE_SECONDS, type OrderStatus, type Platform } from '../rules.ts';

export type PayVariant = 'user-centre' | 'site';

/** §4 and C-51: how often each dialog asks, and after how many polls and how much time its QR code counts as invalid. */
export const POLLING = {
  'user-centre': { everyMs: 1_000, maxPolls: Infinity, maxMs: Infinity },
  site: { everyMs: 1_500, maxPolls: 200, maxMs: 300_000 },
} as const satisfies Record<PayVariant, object>;

export type PayChoice = { itemId: number; kind: PriceItem['kind']; channel: Channel };

/** The QR code of one order of this dialog. */
export type PayCode = PayChoice & {
  /** The content of the QR code: `weixin://…` or `https://qr.alipay.com/…`. */
  content: string;
  outTradeNo: string;
  totalFen: number;
  /** Unix milliseconds by the clock of this browser. */
  expiresAt: number;
};

/**
 * Why there is no QR code. `retryAt`: when the dialog asks again by itself; null when only the buyer does. `isProviderAway`: another provider
 * may have one. `isRefused`: the item is off sale, or its order stands otherwise than this page knows.
 */
export type PayFailure = { text: string; retryAt: number | null; isProviderAway?: boolean; isRefused?: boolean };

/**
 * A payment of this account that a buyer has to know of before there is another code: it came minutes ago, was put aside, or goes back. `name`
 * is what it was for, '' when that is not known here.
 */
export type PaidBefore = { over: 'just-paid' | 'mismatch' | 'refunding'; outTradeNo: string; name: string };

/** Why the shown QR code is of no use any more, or why none is shown before the buyer asks for one. */
type OverReason = 'expired' | 'refunded' | PaidBefore['over'];

export type PayState = {
  choice: PayChoice | null;
  /** Each round asks for one QR code; an answer to an earlier round only joins `issued`. */
  round: number;
  phase: 'idle' | 'loading' | 'waiting' | 'over' | 'failed';
  code: PayCode | null;
  failure: PayFailure | null;
  over: OverReason | null;
  polls: number;
  /** When polling gives up by the clock, in Unix milliseconds. */
  endsAt: number;
  /** All orders of this dialog and of those before it in this tab, the newest first: a superseded QR code can still be paid (C-57). */
  issued: readonly PayCode[];
  /** Why the buyer is asked before there is a code; null otherwise. */
  before: PaidBefore | null;
  /** The orders of such payments in spite of which the buyer wanted a code. */
  accepted: readonly string[];
  /** The kinds of which nothing was paid before, or of which the buyer wants more. */
  sure: readonly PayChoice['kind'][];
};

export type PayEvent =
  | { type: 'chosen'; choice: PayChoice | null }
  | { type: 'refresh' }
  | { type: 'paid-before'; kind: PayChoice['kind']; before: PaidBefore }
  | { type: 'issued'; round: number; code: PayCode; at: number; variant: PayVariant }
  | { type: 'failed'; round: number; failure: PayFailure }
  | { type: 'polled'; at: number; variant: PayVariant }
  | { type: 'told'; outTradeNo: string; status: OrderStatus };

export const NO_PAYMENT: PayState = {
  choice: null,
  round: 0,
  phase: 'idle',
  code: null,
  failure: null,
  over: null,
  polls: 0,
  endsAt: Infinity,
  issued: [],
  before: null,
  accepted: [],
  sure: [],
};

/** Returns the state of a pay dialog after an event (§4). There is no event for a payment that succeeded: it closes the dialog. */
export function nextPayState(state: PayState, event: PayEvent): PayState {
  switch (event.type) {
    case 'chosen':
      return event.choice ? askingFor(state, event.choice) : nothingOf(state);
    case 'refresh':
      if (!state.choice) return state;
      return askingFor(accepting(state, state.choice), state.choice);
    case 'paid-before':
      return paidBefore(state, event);
    case 'issued':
      return issued(state, event);
    case 'failed':
      return event.round === state.round ? { ...state, phase: 'failed', failure: event.failure } : state;
    case 'polled':
      return polled(state, event);
    case 'told':
      return told(state, event);
  }
}

const sureOf = (state: PayState, { kind }: PayChoice): PayState =>
  state.sure.includes(kind) ? state : { ...state, sure: [...state.sure, kind] };

const unsureOf = (state: PayState, kind: PayChoice['kind']): PayState => ({
  ...state,
  sure: state.sure.filter((each) => each !== kind),
});

/** The buyer wants a code in spite of the payment that was asked about. */
const accepting = (state: PayState, choice: PayChoice): PayState =>
  state.before ? { ...sureOf(state, choice), accepted: [...state.accepted, state.before.outTradeNo] } : state;

/** Returns the first payment that the buyer was not asked about; null when there is none. */
export const unaskedOf = ({ accepted }: Pick<PayState, 'accepted'>, found: readonly PaidBefore[]): PaidBefore | null =>
  found.find(({ outTradeNo }) => !accepted.includes(outTradeNo)) ?? null;

/**
 * Returns the payments of a kind that a buyer has to know of before there is another code: what was put aside, what came minutes ago, what goes
 * back; in this order, as the first one is told.
 */
export function paidBeforeOf(orders: readonly PaidOrder[], kind: PayChoice['kind']): PaidBefore[] {
  const overOf = ({ status, just_paid: isJustPaid }: PaidOrder): PaidBefore['over'] | null =>
    status === 'mismatch' || status === 'refunding' ? status : isJustPaid === 1 ? 'just-paid' : null;
  const found = orders.flatMap((order) => {
    const over = order.kind === kind ? overOf(order) : null;
    return over ? [{ over, outTradeNo: order.trade_no, name: order.orderItemName }] : [];
  });
  return (['mismatch', 'just-paid', 'refunding'] as const).flatMap((over) =>
    found.filter((each) => each.over === over),
  );
}

type PaidOrder = Pick<OrderItem, 'trade_no' | 'orderItemName' | 'kind' | 'status' | 'just_paid'>;

/** Takes the code away, which may be paid for the second time; an answer that is on its way only joins `issued`. */
function paidBefore(state: PayState, { kind, before }: Extract<PayEvent, { type: 'paid-before' }>): PayState {
  if (!unaskedOf(state, [before])) return state;
  const unsure = unsureOf(state, kind);
  if (state.choice?.kind !== kind || state.over === 'mismatch') return unsure;
  return { ...unsure, round: state.round + 1, phase: 'over', over: before.over, before, code: null, failure: null };
}

const nothingOf = ({ round, issued: orders, accepted, sure }: PayState): PayState => ({
  ...NO_PAYMENT,
  round: round + 1,
  issued: orders,
  accepted,
  sure,
});

const askingFor = (state: PayState, choice: PayChoice): PayState => ({
  ...nothingOf(state),
  choice,
  phase: 'loading',
});

function issued(state: PayState, { round, code, at, variant }: Extract<PayEvent, { type: 'issued' }>): PayState {
  const others = state.issued.filter(({ outTradeNo }) => outTradeNo !== code.outTradeNo);
  if (round !== state.round) return { ...state, issued: [...others, code] };
  const endsAt = Math.min(code.expiresAt, at + POLLING[variant].maxMs);
  return { ...sureOf(state, code), phase: 'waiting', code, polls: 0, endsAt, issued: [code, ...others] };
}

function polled(state: PayState, { at, variant }: Extract<PayEvent, { type: 'polled' }>): PayState {
  if (state.phase !== 'waiting') return state;
  const polls = state.polls + 1;
  const isOver = polls >= POLLING[variant].maxPolls || at >= state.endsAt;
  return isOver ? { ...state, polls, phase: 'over', over: 'expired' } : { ...state, polls };
}

const OVER: Partial<Record<OrderStatus, OverReason>> = {
  closed: 'expired',
  mismatch: 'mismatch',
  // A refund of the order on the screen: its QR code is no longer valid.
  refunding: 'refunded',
  refunded: 'refunded',
};

/** Money that is put aside covers the code of whichever order, so that nobody pays again meanwhile; a refund covers its own code. */
const isCovering = (status: OrderStatus, isShown: boolean) =>
  status === 'mismatch' || (isShown && (status === 'refunding' || status === 'refunded'));

function told(state: PayState, { outTradeNo, status }: Extract<PayEvent, { type: 'told' }>): PayState {
  const over = OVER[status];
  const order = state.issued.find((each) => each.outTradeNo === outTradeNo);
  if (!over || !order) return state;
  if (over === 'mismatch') return putAside(state, order);
  // A code that has expired may have been paid before.
  const isOpen = state.phase === 'waiting' || (state.phase === 'over' && state.over === 'expired');
  return isOpen && state.code?.outTradeNo === outTradeNo ? { ...state, phase: 'over', over } : state;
}

/** Covers the code, also one that is still on its way and then only joins `issued`. The next choice of the kind is asked about as well. */
function putAside(state: PayState, { kind, outTradeNo }: PayCode): PayState {
  const before = { over: 'mismatch', outTradeNo, name: '' } as const;
  if (!unaskedOf(state, [before])) return state;
  const unsure = unsureOf(state, kind);
  if (!state.choice || state.over === 'mismatch') return unsure;
  return { ...unsure, round: state.round + 1, phase: 'over', over: 'mismatch', before, failure: null };
}

/** The answer to a buyer who asks by hand: `unknown` when not every order could be asked about, `told` when the veil says it. */
export type LookAnswer = 'paid' | 'unpaid' | 'unknown' | 'told';

/** Returns the answer for the orders that were asked about; a status is null when the server could not tell. */
export function lookAnswerOf(
  found: readonly { outTradeNo: string; status: OrderStatus | null }[],
  shown: string,
  accepted: readonly string[] = [],
): LookAnswer {
  if (found.some(({ status }) => status === 'fulfilled')) return 'paid';
  const isTold = (no: string, status: OrderStatus) => isCovering(status, no === shown) && !accepted.includes(no);
  if (found.some(({ outTradeNo, status }) => status && isTold(outTradeNo, status))) return 'told';
  return found.some(({ status }) => status === null) ? 'unknown' : 'unpaid';
}

/** Every fourth poll of the site dialog also asks for the status of the shown order; the others only learn whether it is paid. */
export const asksStatus = ({ polls }: Pick<PayState, 'polls'>): boolean => polls % 4 === 3;

/** A poll of the site dialog: one order of this dialog, or the newest order of the platform since `since`. */
export type SitePoll = { payPlatform: Platform; out_trade_no?: string; since?: number };

/**
 * Returns what the poll number `polls` of the site dialog asks: the platforms in turn (C-51), of each platform the orders of this
 * dialog in turn, the newest twice as often. A platform without an order here is asked since the first order of the dialog.
 */
export function sitePoll({ polls, issued: all }: Pick<PayState, 'polls' | 'issued'>): SitePoll {
  const channel = CHANNELS[polls % CHANNELS.length] ?? CHANNELS[0];
  const payPlatform = PLATFORM[channel];
  const own = all.filter((order) => order.channel === channel);
  const order = inTurn(own, Math.floor(polls / CHANNELS.length));
  if (order) return { payPlatform, out_trade_no: order.outTradeNo };
  const first = all.at(-1);
  return { payPlatform, ...(first && { since: orderedAt(first.outTradeNo) }) };
}

/** Returns the order that the poll number `polls` of the user-centre dialog asks about: the shown one, at times an earlier one. */
export const userCentrePoll = ({ polls, issued: all }: Pick<PayState, 'polls' | 'issued'>): PayCode | null =>
  inTurn(all, polls);

/** Returns the newest order for an even `turn`, and the earlier ones in rotation for an odd `turn`. */
function inTurn(orders: readonly PayCode[], turn: number): PayCode | null {
  const [newest, ...earlier] = orders;
  if (!newest) return null;
  if (turn % 2 === 0 || earlier.length === 0) return newest;
  return earlier[Math.floor(turn / 2) % earlier.length] ?? newest;
}

/** Returns when an order was made, in Unix seconds by the server's clock: its number begins with the Shanghai time (C-48). */
export function orderedAt(outTradeNo: string): number {
  const digits = outTradeNo.slice(1, 15).replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6+08:00');
  const at = Date.parse(digits);
  return Number.isNaN(at) ? 0 : at / 1_000;
}

/**
 * Returns when a QR code expires by the browser's clock `now`, in milliseconds. `expireAt` is in seconds by the server's
 * clock. An order is at most REUSE_SECONDS old when its code is given, so a browser whose clock is wrong is off by no more than that.
 */
export function expiryOf(expireAt: number, now: number): number {
  const left = expireAt * 1_000 - now;
  return now + Math.min(Math.max(left, (ORDER_SECONDS - REUSE_SECONDS) * 1_000), ORDER_SECONDS * 1_000);
}
