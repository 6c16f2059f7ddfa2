import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ProviderUnavailable } from '../src/accounts/ports.ts';
import type {
  BillLine,
  Channel,
  CloseResult,
  CodeRequest,
  Notification,
  Payment,
  PaymentGateway,
  PaymentState,
  RefundRequest,
  RefundState,
} from '../src/payment/ports.ts';

type Call = 'createCode' | 'findPayment' | 'close' | 'refund' | 'findRefund' | 'findBill';

type Trade = { request: CodeRequest; payment: Payment | null; isClosed: boolean; refund: RefundRequest | null };

const ACCOUNT = 'merchant-1';
const SECRET = 'known to the provider and the site';

const money = z.object({
  outTradeNo: z.string(),
  transactionId: z.string(),
  amountFen: z.number(),
  currency: z.string(),
  paidAt: z.coerce.date(),
});
const message = z.object({ id: z.string(), account: z.string(), payment: money });

/**
 * A payment provider in memory, for tests of orders that need no vendor's protocol: it keeps what was paid and what
 * was asked, and signs its notifications. The adapters of the vendors are tested in tests/providers.
 */
export function createStandInGateway(channel: Channel, clock: { now(): number } = { now: Date.now }) {
  const trades = new Map<string, Trade>();
  const calls = new Map<Call, number>();
  const away = new Set<Call>();
  /** Called inside the next call of a kind, before it answers. */
  const before = new Map<Call, () => Promise<void>>();
  let refundAnswer: RefundState | null = null;
  let clockAheadSeconds: number | null = null;

  /** Counts a call; throws while the provider is away. */
  async function enter(call: Call): Promise<void> {
    calls.set(call, (calls.get(call) ?? 0) + 1);
    const work = before.get(call);
    before.delete(call);
    await work?.();
    if (away.has(call)) throw new ProviderUnavailable(`stand-in ${channel}`, 'is away', true);
  }

  const gateway: PaymentGateway = {
    channel,
    account: ACCOUNT,
    clockAheadSeconds: () => clockAheadSeconds,
    async createCode(request) {
      const known = trades.get(request.outTradeNo);
      if (known && JSON.stringify(known.request) !== JSON.stringify(request))
        throw new Error('the same number came with other values');
      if (!known) trades.set(request.outTradeNo, { request, payment: null, isClosed: false, refund: null });
      await enter('createCode');
      if (known?.payment) return { state: 'paid' };
      if (known?.isClosed) return { state: 'closed' };
      return { state: 'created', content: `https://pay.example/${channel}/${request.outTradeNo}` };
    },
    async findPayment(outTradeNo): Promise<PaymentState> {
      await enter('findPayment');
      const trade = trades.get(outTradeNo);
      if (!trade) return { state: 'unknown' };
      if (trade.payment) return { state: trade.refund ? 'refunded' : 'paid', payment: trade.payment };
      return { state: trade.isClosed ? 'closed' : 'unpaid' };
    },
    async close(outTradeNo): Promise<CloseResult> {
      await enter('close');
      const trade = trades.get(outTradeNo);
      if (!trade) return 'unknown';
      if (trade.payment) return 'paid';
      trade.isClosed = true;
      return 'closed';
    },
    async refund(request) {
      await enter('refund');
      const trade = trades.get(request.outTradeNo);
      if (!trade?.payment) return { state: 'failed', why: 'NOT_PAID' };
      if (refundAnswer) return refundAnswer;
      trade.refund = request;
      return { state: 'succeeded', refundFen: request.refundFen, refundedAt: new Date(clock.now()) };
    },
    async findRefund({ outTradeNo, refundNo }) {
      await enter('findRefund');
      const refund = trades.get(outTradeNo)?.refund;
      if (refund?.refundNo !== refundNo) return refundAnswer ?? { state: 'unknown' };
      return { state: 'succeeded', refundFen: refund.refundFen, refundedAt: new Date(clock.now()) };
    },
    async readNotification({ headers, body }): Promise<Notification> {
      if (headers.get('x-signature') !== sign(Buffer.from(body)))
        return { kind: 'not-genuine', why: 'wrong signature' };
      const read = message.safeParse(JSON.parse(Buffer.from(body).toString('utf8')));
      if (!read.success) return { kind: 'other', id: randomUUID(), what: 'something else', outTradeNo: null };
      if (read.data.account !== ACCOUNT) return { kind: 'not-genuine', why: 'another merchant' };
      return { kind: 'paid', id: read.data.id, payment: read.data.payment };
    },
    answerNotification: (outcome) => ({
      status: outcome === 'accepted' ? 200 : outcome === 'refused' ? 401 : 503,
      contentType: 'text/plain',
      body: outcome === 'accepted' ? 'success' : 'fail',
    }),
    async findBill() {
      await enter('findBill');
      return [...trades.values()].flatMap(({ payment, refund }): BillLine[] => {
        if (!payment) return [];
        const line = { outTradeNo: payment.outTradeNo, transactionId: payment.transactionId };
        const paid = { ...line, kind: 'payment' as const, refundNo: null, amountFen: payment.amountFen };
        if (!refund) return [paid];
        return [paid, { ...line, kind: 'refund', refundNo: refund.refundNo, amountFen: refund.refundFen }];
      });
    },
  };

  const sign = (body: Buffer) => createHmac('sha256', SECRET).update(body).digest('hex');

  /** A genuine notification with any content. */
  const signed = (content: object) => {
    const body = Buffer.from(JSON.stringify(content));
    return { method: 'POST', body, headers: { 'x-signature': sign(body), 'content-type': 'application/json' } };
  };

  return {
    gateway,
    trades,
    away,
    before,
    countOf: (call: Call) => calls.get(call) ?? 0,
    /** Sets the answer to refunds from now on; null: they succeed. */
    answerRefunds: (state: RefundState | null) => void (refundAnswer = state),
    /** Sets how far the provider's clock is ahead of ours, in seconds. */
    setClockAhead: (seconds: number) => void (clockAheadSeconds = seconds),
    /** Somebody pays: the amount of the order in CNY unless given, also when the code was closed. */
    pay(outTradeNo: string, paid: Partial<Payment> = {}): Payment {
      const trade = trades.get(outTradeNo);
      if (!trade) throw new Error(`the provider does not know ${outTradeNo}`);
      trade.payment ??= {
        outTradeNo,
        transactionId: `4200${randomUUID()}`,
        amountFen: trade.request.amountFen,
        currency: 'CNY',
        paidAt: new Date(clock.now()),
        ...paid,
      };
      return trade.payment;
    },
    /** The notification of a payment as it comes over HTTP; `id` is the same in each repetition. */
    notification: (
      payment: Payment,
      { id = randomUUID(), account = ACCOUNT }: { id?: string; account?: string } = {},
    ) => signed({ id, account, payment }),
    signed,
  };
}
