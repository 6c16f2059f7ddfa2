import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../src/accounts/ports.ts';
import type {
  Channel,
  CodeRequest,
  Notification,
  NotificationOutcome,
  PaymentGateway,
} from '../../src/payment/ports.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createLog, type Log } from '../../src/platform/log.ts';

/** The calls of the port that ask the provider. */
export type PortCall = 'createCode' | 'findPayment' | 'close' | 'refund' | 'findRefund';

/** The actions of the suite at the provider, and the way to open the adapter. */
export type Provider = {
  /** A gateway of the merchant. 5 s and the right time unless given. */
  open(options: { log: Log; timeoutMs?: number; clock?: Clock }): PaymentGateway;
  /** A gateway of somebody who has the merchant's numbers and another private key. */
  openStranger(log: Log): PaymentGateway;
  /** A gateway of the merchant, at an address where nobody listens. */
  openAway(log: Log): PaymentGateway;
  /** Texts that must never be in a log. */
  secrets: string[];
  /** Somebody scans the code and pays; resolves when the first attempt to notify has ended. */
  pay(outTradeNo: string, amountFen?: number): Promise<unknown>;
  /** The provider plays this fault at the next call of that name, or at the next notification. */
  script(
    call: PortCall | 'notify' | 'bill',
    fault: string,
    more?: { ms?: number; by?: number; n?: number },
  ): Promise<unknown>;
  clearScripts(): Promise<unknown>;
  /** Moves the provider's clock on, when its bill of a day is there only on the next. */
  passDay(): Promise<unknown>;
  close(): Promise<void>;
};

/** Differences between the providers, known before a provider is opened. */
export type ProviderFacts = {
  name: string;
  channel: Channel;
  /** The content of a QR code. */
  code: RegExp;
  /** The answers of query and close for an order whose QR code nobody has scanned. */
  unscanned: { payment: 'unpaid' | 'unknown'; close: 'closed' | 'unknown' };
  /** Faults that the provider knows by these names and that no adapter may believe, for each call. */
  forgeries: Record<PortCall, string[]>;
  /** Faults of notifications that are not genuine. */
  forgedNotifications: string[];
  /** Two bodies of one meaning are the same notification: another spelling of the same form. Without it: the bytes. */
  meaningOf?: (body: Buffer) => string;
  open(): Promise<Provider>;
};

type Received = { headers: Headers; body: Buffer };

/** Faults that mean no usable answer, whatever the call. */
const FAILURES = ['reset', '500', '429', 'html', 'huge'];
const FUZZED = 10_000;

/** The rules of the payment port, which every provider's adapter keeps. Call it at the top of a test file. */
export function testGateway(facts: ProviderFacts): void {
  let provider: Provider;
  let gateway: PaymentGateway;
  let site: Server;
  let siteUrl = '';
  /** The notifications by address of the site: each order has an address of its own. */
  const received = new Map<string, Received[]>();
  const receivedAt = (url: string): Received[] => received.get(new URL(url).pathname) ?? [];
  /** What the site answers to the next notifications, in turn; to all later ones `accepted`. */
  let outcomes: NotificationOutcome[] = [];
  let lines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });

  beforeAll(async () => {
    provider = await facts.open();
    gateway = provider.open({ log });
    site = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = new Headers(
          Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const path = request.url ?? '';
        received.set(path, [...(received.get(path) ?? []), { headers, body: Buffer.concat(chunks) }]);
        const answer = gateway.answerNotification(outcomes.shift() ?? 'accepted');
        response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
      });
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    siteUrl = `http://127.0.0.1:${address.port}`;
  });
  afterEach(async () => {
    await provider.clearScripts();
    outcomes = [];
  });
  afterAll(async () => {
    await provider.close();
    site.closeAllConnections();
    site.close();
  });

  let serial = 0;
  const order = (change: Partial<CodeRequest> = {}): CodeRequest => {
    serial += 1;
    return {
      outTradeNo: `M20261122103000SUITE${String(serial).padStart(5, '0')}`,
      amountFen: 29_800,
      subject: '标准会员 365 天',
      expiresAt: new Date(Math.ceil(Date.now() / 1000) * 1000 + 900_000),
      notifyUrl: `${siteUrl}/paid/${serial}`,
      ...change,
    };
  };
  const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      (answer) => expect.unreachable(`it was answered: ${JSON.stringify(answer)}`),
      (error: unknown) => error,
    );
  /** An order that was paid, and the notification of it. */
  async function paidOrder(change: Partial<CodeRequest> = {}): Promise<{ asked: CodeRequest; notified: Received }> {
    const asked = order(change);
    await gateway.createCode(asked);
    await provider.pay(asked.outTradeNo);
    const [notified] = receivedAt(asked.notifyUrl);
    if (!notified) throw new Error('nobody was notified');
    return { asked, notified };
  }
  const refundOf = (asked: CodeRequest) => ({
    outTradeNo: asked.outTradeNo,
    refundNo: `R${asked.outTradeNo.slice(1)}`,
    refundFen: asked.amountFen,
    totalFen: asked.amountFen,
    reason: '重复购买，自动退款',
    notifyUrl: asked.notifyUrl.replace('/paid/', '/refunded/'),
  });
  /** Each call of the port, on an order of its own that it fits. */
  const calls: Record<PortCall, () => Promise<() => Promise<unknown>>> = {
    createCode: async () => {
      const asked = order();
      return () => gateway.createCode(asked);
    },
    findPayment: async () => {
      const { asked } = await paidOrder();
      return () => gateway.findPayment(asked.outTradeNo);
    },
    close: async () => {
      const asked = order();
      await gateway.createCode(asked);
      return () => gateway.close(asked.outTradeNo);
    },
    refund: async () => {
      const { asked } = await paidOrder();
      return () => gateway.refund(refundOf(asked));
    },
    findRefund: async () => {
      const { asked } = await paidOrder();
      await gateway.refund(refundOf(asked));
      return () => gateway.findRefund(refundOf(asked));
    },
  };
  const names = ['createCode', 'findPayment', 'close', 'refund', 'findRefund'] as const;

  describe(`${facts.name}: the life of an order`, () => {
    test('the gateway says which channel and whose account it is', () => {
      expect(gateway.channel).toBe(facts.channel);
      expect(gateway.account).toMatch(/\d{8}/);
      for (const secret of provider.secrets) expect(gateway.account).not.toContain(secret);
    });

    test("the difference between the provider's clock and ours is known after an answer, and only then", async () => {
      const fresh = provider.open({ log });
      expect(fresh.clockAheadSeconds()).toBeNull();
      await fresh.findPayment(order().outTradeNo);
      expect(Math.abs(fresh.clockAheadSeconds() ?? 99)).toBeLessThanOrEqual(5);
      for (const seconds of [-120, 200, 3_600]) {
        const wrong = provider.open({ log, clock: { now: () => Date.now() - seconds * 1_000 } });
        // From 300 s on the provider, or the adapter, believes nothing any more.
        await wrong.findPayment(order().outTradeNo).catch(() => undefined);
        expect(Math.abs((wrong.clockAheadSeconds() ?? 0) - seconds), `${seconds}`).toBeLessThanOrEqual(5);
      }
    });

    test('a code is created, and with the same values again it is a code of the same order', async () => {
      const asked = order();
      for (let round = 0; round < 2; round += 1) {
        const made = await gateway.createCode(asked);
        expect(made).toEqual({ state: 'created', content: expect.stringMatching(facts.code) });
      }
      await provider.pay(asked.outTradeNo);
      expect(await gateway.findPayment(asked.outTradeNo)).toMatchObject({ state: 'paid' });
    });

    test('ten codes at once', async () => {
      const made = await Promise.all(Array.from({ length: 10 }, () => gateway.createCode(order())));
      expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(10);
    });

    test('one fen and a large amount are exact', async () => {
      for (const amountFen of [1, 99, 100, 101, 9_999_999]) {
        const { asked } = await paidOrder({ amountFen });
        expect(await gateway.findPayment(asked.outTradeNo)).toMatchObject({ payment: { amountFen } });
      }
    });

    test('unpaid before the payment, paid after it, and a code is not to be had any more', async () => {
      const asked = order();
      await gateway.createCode(asked);
      expect(await gateway.findPayment(asked.outTradeNo)).toEqual({ state: facts.unscanned.payment });
      const before = Date.now();
      await provider.pay(asked.outTradeNo);
      const found = await gateway.findPayment(asked.outTradeNo);
      expect(found).toEqual({
        state: 'paid',
        payment: {
          outTradeNo: asked.outTradeNo,
          transactionId: expect.stringMatching(/^\d{16,64}$/),
          amountFen: 29_800,
          currency: 'CNY',
          paidAt: expect.any(Date),
        },
      });
      if (found.state !== 'paid') throw new Error('it is paid');
      // The providers state whole seconds.
      expect(Math.abs(found.payment.paidAt.getTime() - before)).toBeLessThan(60_000);
      expect(await gateway.createCode(asked)).toEqual({ state: 'paid' });
    });

    test('two payments have two numbers of the provider', async () => {
      const [one, two] = [await paidOrder(), await paidOrder()];
      const found = await Promise.all([one, two].map(({ asked }) => gateway.findPayment(asked.outTradeNo)));
      const ids = found.map((state) => (state.state === 'paid' ? state.payment.transactionId : ''));
      expect(new Set(ids).size).toBe(2);
    });

    test('an order that nobody made is unknown', async () => {
      expect(await gateway.findPayment('M20261122103000NEVERMADE1')).toEqual({ state: 'unknown' });
      expect(await gateway.close('M20261122103000NEVERMADE1')).toBe('unknown');
    });

    test('closing: before the payment it is closed, after it the provider says that it is paid', async () => {
      const asked = order();
      await gateway.createCode(asked);
      expect(await gateway.close(asked.outTradeNo)).toBe(facts.unscanned.close);
      const { asked: paid } = await paidOrder();
      expect(await gateway.close(paid.outTradeNo)).toBe('paid');
      expect(await gateway.findPayment(paid.outTradeNo)).toMatchObject({ state: 'paid' });
    });

    test('a whole refund: accepted, the same when it is asked for again, and then the order is refunded', async () => {
      const { asked } = await paidOrder();
      const refund = refundOf(asked);
      expect(await gateway.findRefund(refund)).toEqual({ state: 'unknown' });
      expect((await gateway.refund(refund)).state).toMatch(/^(processing|succeeded)$/);
      await gateway.refund(refund);
      await expect
        .poll(() => gateway.findRefund(refund), { timeout: 20_000 })
        .toMatchObject({ state: 'succeeded', refundFen: 29_800 });
      expect(await gateway.findPayment(asked.outTradeNo)).toMatchObject({
        state: 'refunded',
        payment: { outTradeNo: asked.outTradeNo, amountFen: 29_800 },
      });
    });

    test('more than was paid is not sent back', async () => {
      const { asked } = await paidOrder();
      const refund = { ...refundOf(asked), refundFen: 29_801, totalFen: 29_801 };
      expect(await failureOf(gateway.refund(refund))).toBeInstanceOf(ProviderRefused);
      expect(await gateway.findPayment(asked.outTradeNo)).toMatchObject({ state: 'paid' });
    });

    test('the bill of the day has a line for the payment and one for the refund', async () => {
      const { asked } = await paidOrder({ subject: '100 喵币, "含逗号"' });
      const { asked: other } = await paidOrder({ amountFen: 1 });
      await gateway.refund(refundOf(asked));
      const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
      await provider.passDay();
      const bill = await gateway.findBill(day);
      if (bill === 'not-ready') throw new Error('the bill is not there');
      const of = (no: string) => bill.filter(({ outTradeNo }) => outTradeNo === no);
      expect(of(asked.outTradeNo)).toMatchObject([
        { kind: 'payment', refundNo: null, amountFen: 29_800 },
        { kind: 'refund', refundNo: refundOf(asked).refundNo, amountFen: 29_800 },
      ]);
      expect(of(other.outTradeNo)).toMatchObject([{ kind: 'payment', refundNo: null, amountFen: 1 }]);
      const found = await gateway.findPayment(other.outTradeNo);
      expect(found).toMatchObject({ payment: { transactionId: of(other.outTradeNo)[0]?.transactionId } });
    });
  });

  describe(`${facts.name}: answers that are not believed`, () => {
    describe.each(names)('%s', (name) => {
      test.each(facts.forgeries[name])('%s', async (fault) => {
        const ask = await calls[name]();
        await provider.script(name, fault);
        const error = await failureOf(ask());
        expect(error).toBeInstanceOf(ProviderUnavailable);
        // Nothing was decided: the next honest answer says what is.
        await ask();
      });

      test.each(FAILURES)('%s: unavailable, and the next one works', async (fault) => {
        const ask = await calls[name]();
        await provider.script(name, fault);
        expect(await failureOf(ask())).toBeInstanceOf(ProviderUnavailable);
        await ask();
      });

      test.each(['hang', 'slowloris'])('%s: given up in time, the outcome is unknown', async (fault) => {
        const ask = await calls[name]();
        const patient = gateway;
        gateway = provider.open({ log, timeoutMs: 300 });
        await provider.script(name, fault, { ms: 50 });
        try {
          expect(await failureOf(ask())).toMatchObject({ name: 'ProviderUnavailable', isOutcomeUnknown: true });
        } finally {
          gateway = patient;
        }
        await ask();
      });

      test('carried out, and the answer is lost: asked again, nothing happens twice', async () => {
        const ask = await calls[name]();
        await provider.script(name, 'lost');
        expect(await failureOf(ask())).toMatchObject({ name: 'ProviderUnavailable', isOutcomeUnknown: true });
        await ask();
      });
    });

    test('a provider that is not there: unavailable, and nothing was done', async () => {
      const error = await failureOf(provider.openAway(log).createCode(order()));
      expect(error).toMatchObject({ name: 'ProviderUnavailable', isOutcomeUnknown: false });
    });

    test('another private key than the merchant’s: refused, for the operator to look at', async () => {
      const stranger = provider.openStranger(log);
      const asked = order();
      for (const ask of [stranger.createCode(asked), stranger.findPayment(asked.outTradeNo)])
        expect(await failureOf(ask)).toMatchObject({ name: 'ProviderRefused', reason: 'not-authorised' });
    });
  });

  describe(`${facts.name}: notifications`, () => {
    const meaningOf = facts.meaningOf ?? ((body: Buffer) => body.toString('latin1'));
    const read = ({ headers, body }: Received) => gateway.readNotification({ headers, body });

    test('of a payment: what a query says as well', async () => {
      const { asked, notified } = await paidOrder();
      const found = await gateway.findPayment(asked.outTradeNo);
      if (found.state !== 'paid') throw new Error('it is paid');
      expect(await read(notified)).toEqual({
        kind: 'paid',
        id: expect.stringMatching(/\S{8}/),
        payment: found.payment,
      });
    });

    test('is repeated with the same id until it is accepted', async () => {
      outcomes = ['refused', 'try-later'];
      const asked = order();
      await gateway.createCode(asked);
      await provider.pay(asked.outTradeNo);
      await expect.poll(() => receivedAt(asked.notifyUrl).length, { timeout: 20_000 }).toBe(3);
      const all = await Promise.all(receivedAt(asked.notifyUrl).map(read));
      expect(all.map(({ kind }) => kind)).toEqual(['paid', 'paid', 'paid']);
      expect(new Set(all.map((one) => ('id' in one ? one.id : ''))).size).toBe(1);
    });

    test('states another amount or order than was asked for: read as it is, for settleOrder to compare', async () => {
      for (const by of [1, -1, 29_800 * 99]) {
        await provider.script('notify', 'wrong-amount', { by });
        const { asked, notified } = await paidOrder();
        expect(await read(notified)).toMatchObject({
          kind: 'paid',
          payment: { outTradeNo: asked.outTradeNo, amountFen: 29_800 + by },
        });
      }
      await provider.script('notify', 'wrong-out-trade-no');
      const { asked, notified } = await paidOrder();
      const told = await read(notified);
      expect(told).toMatchObject({ kind: 'paid' });
      expect(told).not.toMatchObject({ payment: { outTradeNo: asked.outTradeNo } });
    });

    test.each(facts.forgedNotifications)('%s: not genuine, and the repetition is', async (fault) => {
      outcomes = ['refused'];
      await provider.script('notify', fault);
      const { asked, notified } = await paidOrder();
      expect(await read(notified)).toEqual({ kind: 'not-genuine', why: expect.any(String) });
      await expect.poll(() => receivedAt(asked.notifyUrl).length, { timeout: 20_000 }).toBe(2);
      const [, repeated] = receivedAt(asked.notifyUrl);
      expect(repeated && (await read(repeated))).toMatchObject({ kind: 'paid' });
    });

    test('with each header or each part of the body missing: not genuine', async () => {
      const { notified } = await paidOrder();
      for (const body of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from('null'), Buffer.from('a=b&sign=c')])
        expect(await read({ ...notified, body })).toMatchObject({ kind: 'not-genuine' });
      expect(await read({ headers: new Headers(), body: Buffer.alloc(0) })).toMatchObject({ kind: 'not-genuine' });
      const half = notified.body.subarray(0, notified.body.length / 2);
      expect(await read({ ...notified, body: half })).toMatchObject({ kind: 'not-genuine' });
      const long = Buffer.concat([notified.body, Buffer.alloc(70_000, ' ')]);
      expect(await read({ ...notified, body: long })).toMatchObject({ kind: 'not-genuine' });
    });

    test(`${FUZZED} altered ones: none is genuine, and none throws`, { timeout: 120_000 }, async () => {
      const { notified } = await paidOrder();
      const counts = new Map<Notification['kind'], number>();
      const altered = fc.oneof(
        // A byte is another, a piece is left out, a piece is doubled, something is put in.
        fc.record({ kind: fc.constant('byte' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) }),
        fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
        fc.record({ kind: fc.constant('twice' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
        fc.record({
          kind: fc.constant('put' as const),
          at: fc.nat(),
          bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
        }),
        fc.record({ kind: fc.constant('other' as const), bytes: fc.uint8Array({ maxLength: 300 }) }),
      );
      for (const change of fc.sample(altered, { numRuns: FUZZED, seed: 20_261_122 })) {
        const body = alter(notified.body, change);
        if (meaningOf(body) === meaningOf(notified.body)) continue;
        const { kind } = await read({ headers: notified.headers, body });
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      expect([...counts.keys()]).toEqual(['not-genuine']);
      expect(counts.get('not-genuine')).toBeGreaterThan(FUZZED * 0.99);
      // The original still is.
      expect(await read(notified)).toMatchObject({ kind: 'paid' });
    });
  });

  test(`${facts.name}: the log names calls, and neither keys nor bodies`, async () => {
    lines = [];
    const { asked, notified } = await paidOrder({ subject: '不可入日志的商品' });
    await gateway.findPayment(asked.outTradeNo);
    await gateway.readNotification(notified);
    for (const fault of [...FAILURES, 'unsigned', 'wrong-sign']) {
      await provider.script('findPayment', fault);
      await gateway.findPayment(asked.outTradeNo).catch(() => null);
    }
    const written = lines.join('\n');
    expect(written).toContain('"to":"127.0.0.1:');
    for (const secret of [...provider.secrets, asked.subject, notified.body.toString('utf8')])
      expect(written).not.toContain(secret);
  });
}

type Change =
  | { kind: 'byte'; at: number; by: number }
  | { kind: 'cut' | 'twice'; at: number; length: number }
  | { kind: 'put'; at: number; bytes: Uint8Array }
  | { kind: 'other'; bytes: Uint8Array };

function alter(body: Buffer, change: Change): Buffer {
  if (change.kind === 'other') return Buffer.from(change.bytes);
  const at = change.at % body.length;
  const [head, tail] = [body.subarray(0, at), body.subarray(at)];
  switch (change.kind) {
    case 'byte':
      return Buffer.concat([head, Buffer.from([((tail[0] ?? 0) + change.by) % 256]), tail.subarray(1)]);
    case 'cut':
      return Buffer.concat([head, tail.subarray(change.length)]);
    case 'twice':
      return Buffer.concat([head, tail.subarray(0, change.length), tail]);
    case 'put':
      return Buffer.concat([head, change.bytes, tail]);
  }
}
