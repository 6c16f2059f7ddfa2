/**
 * The port to a payment provider: WeChat Pay and Alipay. The adapters are in server/adapters, one vendor a file;
 * tests/providers holds what each must keep. Every call throws ProviderRefused (asking again in the same way changes
 * nothing, the operator has to look) and ProviderUnavailable (no answer, or an answer that cannot be believed: unsigned,
 * wrongly signed, for another merchant, for another order; `isOutcomeUnknown` as in accounts/ports.ts).
 *
 * An adapter believes nothing that it has not verified: the signature over the exact bytes, before they are parsed,
 * and that the answer or notification is for the configured merchant (appid and mchid, app_id and seller_id). The
 * amount, the currency and the order are compared by settleOrder, not by the adapter.
 */

/** The providers, in the order in which lists and reports name them. */
export const CHANNELS = ['wechat', 'alipay'] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * Everything that a QR code is made of. The same order is asked for with exactly the same values again, so that the
 * provider recognises it.
 */
export type CodeRequest = {
  /** Our number of the order: 25 characters of [0-9A-Z], unique (C-48). */
  outTradeNo: string;
  /** Integer fen, at least 1. */
  amountFen: number;
  /** The name of the item on the payer's screen: at most 40 characters, without / = & and control characters. */
  subject: string;
  /** When the provider stops taking money for the order, as far as it keeps to that. */
  expiresAt: Date;
  /** Where the provider sends notifications: https, no query; http only to a loopback address. */
  notifyUrl: string;
};

export type CodeResult =
  /** `content`: the text that the QR code holds, `weixin://…` or `https://qr.alipay.com/…`. */
  | { state: 'created'; content: string }
  /** The order has been paid already: the caller asks with `findPayment`. */
  | { state: 'paid' }
  /** The provider has closed the order: it needs a new number. */
  | { state: 'closed' };

/** A payment as the provider states it, verified. */
export type Payment = {
  outTradeNo: string;
  /** The provider's number: transaction_id, trade_no. Unique within the provider. */
  transactionId: string;
  /** The amount of the order in integer fen, before the payer's coupons (`amount.total`, `total_amount`). */
  amountFen: number;
  /** ISO 4217; CNY where the provider does not state one. */
  currency: string;
  paidAt: Date;
};

/** The state of an order at the provider. */
export type PaymentState =
  /** Known and waiting for the payer. Not final: money may still come. */
  | { state: 'unpaid' }
  /** Unknown to the provider. Not final either: Alipay knows an order once somebody has scanned the code. */
  | { state: 'unknown' }
  /** Closed without ever having been paid. */
  | { state: 'closed' }
  | { state: 'paid'; payment: Payment }
  /** Paid, and all or part of the money was sent back. */
  | { state: 'refunded'; payment: Payment };

/**
 * `closed`: no money can come any more. `unknown`: the provider has no such order (a code that was never scanned), which is
 * as good as closed today but not final. `paid`: it was paid, ask with `findPayment`. `try-later`: the provider does not
 * close it now.
 */
export type CloseResult = 'closed' | 'unknown' | 'paid' | 'try-later';

export type RefundRequest = {
  outTradeNo: string;
  /** Our number of this refund, like CodeRequest.outTradeNo. The same number again is the same refund. */
  refundNo: string;
  /** 1 ≤ refundFen ≤ totalFen. */
  refundFen: number;
  /** The amount of the payment. */
  totalFen: number;
  /** Shown to the payer, at most 40 characters. */
  reason: string;
  /** Like CodeRequest.notifyUrl. A provider that has no notifications of refunds ignores it. */
  notifyUrl: string;
};

export type RefundState =
  /** `refundedAt`: null when the provider does not say when. */
  | { state: 'succeeded'; refundFen: number; refundedAt: Date | null }
  /** Accepted, not finished. */
  | { state: 'processing' }
  /**
   * Ended without the money having been sent back: the operator has to act. `why`: the provider's code. `isNumberClosed`: the
   * provider takes no further request under this number, another attempt needs a new one.
   */
  | { state: 'failed'; why: string; isNumberClosed?: boolean }
  /** The provider knows no such refund. */
  | { state: 'unknown' };

/** A request to one of our notification addresses. */
export type Notification =
  /**
   * Not from the provider, altered, older than the provider's limit, or for another merchant. Nothing in it may be used.
   * `why`: a short constant text for the log, never the content.
   */
  | { kind: 'not-genuine'; why: string }
  /** `id`: the provider's number of the notification, the same in each repetition. */
  | { kind: 'paid'; id: string; payment: Payment }
  | { kind: 'refund'; id: string; outTradeNo: string; refundNo: string; refund: RefundState }
  /** Genuine, and of no consequence: a closed order, a kind that the site does not use. `what`: the vendor's word. */
  | { kind: 'other'; id: string; what: string; outTradeNo: string | null };

/** The bytes exactly as they came, at most 64 KiB; nothing has parsed them. */
export type NotificationRequest = { headers: Headers; body: Uint8Array };

/**
 * The outcome to acknowledge. `accepted`: stored, need not be repeated. `refused`: not genuine. `try-later`: the site cannot store it now. The provider repeats after the last two.
 */
export type NotificationOutcome = 'accepted' | 'refused' | 'try-later';

/** The answer, to be sent exactly so: no other bytes, no compression, no redirect. */
export type NotificationAnswer = { status: number; contentType: string; body: string };

/** One line of the provider's bill of a day. */
export type BillLine = {
  outTradeNo: string;
  transactionId: string;
  kind: 'payment' | 'refund';
  /** Our number of the refund; null for a payment. */
  refundNo: string | null;
  /** Integer fen, positive in both kinds: the amount of the order, or what was sent back. */
  amountFen: number;
};

export type PaymentGateway = {
  readonly channel: Channel;
  /** The merchant's account with the provider, for the operator: no secret. */
  readonly account: string;
  /**
   * Asks for the QR code of an order. Safe to repeat with the same values: the provider returns a code of the same order.
   * Answers within 4.5 s or throws ProviderUnavailable.
   */
  createCode(request: CodeRequest): Promise<CodeResult>;
  findPayment(outTradeNo: string): Promise<PaymentState>;
  close(outTradeNo: string): Promise<CloseResult>;
  refund(request: RefundRequest): Promise<RefundState>;
  findRefund(refund: { outTradeNo: string; refundNo: string }): Promise<RefundState>;
  /** Never throws for anything that a stranger may send. Throws ProviderUnavailable when a key must be fetched and cannot be. */
  readNotification(request: NotificationRequest): Promise<Notification>;
  /**
   * Tries out a key that nothing but notifications needs; missing where there is none. `untried`: only a notification shows
   * whether it is right. Throws for a wrong one.
   */
  tryNotificationKey?(): Promise<'right' | 'untried'>;
  /**
   * Returns how many seconds the provider's clock was ahead of this machine's at its last answer (negative: behind); null before
   * the first answer. Beyond 300 s neither side believes the other.
   */
  clockAheadSeconds(): number | null;
  answerNotification(outcome: NotificationOutcome): NotificationAnswer;
  /** `day`: YYYY-MM-DD in Shanghai, before today. `not-ready`: the provider has not made it yet (ready by 10 in the morning). */
  findBill(day: string): Promise<BillLine[] | 'not-ready'>;
};

/** The configured gateways. Null: the provider is not configured; the site then does not offer to pay by it. */
export type Gateways = Record<Channel, PaymentGateway | null>;
