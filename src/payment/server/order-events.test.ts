import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { openDatabase } from '../../platform/db/client.ts';
import { createLog } from '../../platform/log.ts';
import { webLogout } from '../../accounts/contract.ts';
import { takesGzip } from '../../platform/http/answers/compress.ts';
import { compressed } from '../../platform/http/answers/compress.ts';
import { EVENTS_PATH } from '../contract.ts';
import { createOrderEvents } from './order-events.ts';
import { startRefund } from './refunds.ts';
import { settleOrder } from './settle-order.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(() => checkOrders(paying.app));

/** Opens a stream and returns its events as they come, and how to leave. */
async function listen(token: string) {
  const leaving = new AbortController();
  const response = await paying.app.fetch(EVENTS_PATH, { headers: { token }, signal: leaving.signal });
  if (!response.body) throw new Error('the answer has no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    /** Resolves with everything that has come once it holds `part`; rejects when the stream ends before. */
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended after: ${text}`);
        text += value;
      }
      return text;
    },
    async end(): Promise<string> {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return text;
        text += value;
      }
    },
    leave: () => reader.cancel(),
  };
}

describe('GET /api/pay/events', () => {
  test('tells of a payment at once, the buyer alone, whichever way it was settled', async () => {
    const { pack, wechat } = paying;
    const [buyer, stranger] = [await paying.addBuyer(), await paying.addBuyer()];
    const [own, other] = [await listen(buyer.token), await listen(stranger.token)];
    expect(own.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await Promise.all([own.until('retry: '), other.until('retry: ')]);
    const no = await paying.order(buyer.token, pack.id);
    await paying.notify('wechat', wechat.pay(no));
    const told = await own.until('event: paid');
    expect(told).toContain(`"out_trade_no":"${no}"`);
    const foreign = await paying.order(stranger.token, pack.id);
    await paying.notify('wechat', wechat.pay(foreign));
    expect(await other.until('event: paid')).not.toContain(no);
    await Promise.all([own.leave(), other.leave()]);
  });

  test('another node settles the order: the database carries the word', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const stream = await listen(buyer.token);
    const no = await paying.order(buyer.token, pack.id);
    const node = openDatabase(app.databaseUrl, { max: 1, log: createLog('silent') });
    await settleOrder({ ...app.ctx, db: node.db }, 'wechat', wechat.pay(no));
    await node.close();
    expect(await stream.until('event: paid')).toContain(no);
    await stream.leave();
  });

  test('a stream that begins after the payment is told of it, once', async () => {
    const { pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    await paying.notify('wechat', wechat.pay(no));
    const stream = await listen(buyer.token);
    const text = await stream.until('event: paid');
    expect(text.split(no)).toHaveLength(2);
    await stream.leave();
  });

  test('tells of money that is put aside, and of money that goes back, each state once', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    const stream = await listen(buyer.token);
    await paying.notify('wechat', { ...wechat.pay(no), amountFen: 1 });
    await stream.until('"status":"mismatch"');
    expect(await startRefund(app.ctx, no, { note: 'test', keepsGoods: false })).toBe('started');
    const text = await stream.until('"status":"refund');
    expect(text.split('"status":"mismatch"')).toHaveLength(2);
    await stream.leave();
    const late = await listen(buyer.token);
    expect(await late.until('"status":"refund')).not.toContain('mismatch');
    await late.leave();
  });

  test('twenty payments that were put aside hide no fulfilment, and are not told for long', async () => {
    const { app, pack, wechat, year } = paying;
    const buyer = await paying.addBuyer();
    const paid = await paying.order(buyer.token, pack.id);
    await paying.notify('wechat', wechat.pay(paid));
    const aside = await paying.order(buyer.token, year.id);
    await paying.notify('wechat', { ...wechat.pay(aside), amountFen: 1 });
    // No number of an order has a U.
    await app.ctx.db.execute(sql`insert into orders
      (out_trade_no, user_id, channel, item_id, kind, description, price_fen, coins, tier, days, status, notify_url,
        created_at, expires_at, transaction_id, paid_fen, paid_currency, paid_at, mismatch)
      select left(out_trade_no, 22) || 'U' || lpad(n::text, 2, '0'), user_id, channel, item_id, kind, description, price_fen, coins, tier,
        days, status, notify_url, created_at, expires_at, transaction_id || n, paid_fen, paid_currency, paid_at, mismatch
      from orders, generate_series(1, 24) as n where out_trade_no = ${aside}`);
    const stream = await listen(buyer.token);
    expect(await stream.until('"status":"mismatch"')).toContain(`"out_trade_no":"${paid}","status":"fulfilled"`);
    await stream.leave();
    app.clock.offsetMs += 421_000;
    const last = await paying.order(buyer.token, pack.id);
    await paying.notify('wechat', wechat.pay(last));
    const late = await listen(buyer.token);
    expect(await late.until(last)).not.toContain('mismatch');
    await late.leave();
  });

  test('a visitor is refused, and so is an ended session', async () => {
    const { app } = paying;
    const buyer = await paying.addBuyer();
    const refusal = async (headers: Record<string, string>) => {
      const answer = await app.fetch(EVENTS_PATH, { headers });
      return [answer.status, JSON.parse(await answer.text())];
    };
    expect(await refusal({})).toMatchObject([401, { code: 10_000 }]);
    expect(await refusal({ token: 'x'.repeat(43) })).toMatchObject([401, { code: 10_000 }]);
    await app.call(webLogout, {}, buyer.token);
    expect(await refusal({ token: buyer.token })).toMatchObject([401, { code: 2 }]);
    expect((await app.fetch(EVENTS_PATH, { method: 'POST', headers: { token: buyer.token } })).status).toBe(405);
  });

  test('HEAD opens no stream: six of them leave the member’s real one', async () => {
    const buyer = await paying.addBuyer();
    const stream = await listen(buyer.token);
    for (let round = 0; round < 7; round += 1) {
      const answer = await paying.app.fetch(EVENTS_PATH, { method: 'HEAD', headers: { token: buyer.token } });
      expect(answer.status).toBe(405);
    }
    const no = await paying.order(buyer.token, paying.pack.id);
    await paying.notify('wechat', paying.wechat.pay(no));
    expect(await stream.until('event: paid')).toContain(no);
    await stream.leave();
  });

  test('another site opens no stream in the name of the member', async () => {
    const { token } = await paying.addBuyer();
    const asked = (site: string) => paying.app.fetch(EVENTS_PATH, { headers: { token, 'sec-fetch-site': site } });
    for (const site of ['cross-site', 'same-site']) {
      const answer = await asked(site);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 50 });
    }
    for (const site of ['same-origin', 'none']) {
      const answer = await asked(site);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
  });

  test('the seventh stream of a user ends the first', async () => {
    const buyer = await paying.addBuyer();
    const first = await listen(buyer.token);
    const others = await Promise.all(Array.from({ length: 6 }, () => listen(buyer.token)));
    expect(await first.end()).toContain('retry: ');
    await Promise.all(others.map(({ leave }) => leave()));
  });

  test('is never compressed: it has no end that could be waited for', async () => {
    const request = new Request('http://ceku.test/', { headers: { 'accept-encoding': 'gzip' } });
    expect(takesGzip('gzip')).toBe(true);
    const response = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
    expect(await compressed(request, response)).toBe(response);
  });
});

test('a node holds at most its maximum of streams, and none after it has closed', async () => {
  const log = createLog('silent');
  const events = createOrderEvents(paying.app.databaseUrl, log, { maxStreams: 2, maxStreamsPerUser: 2 });
  const ended: string[] = [];
  const join = (userId: number, name: string) => events.join(userId, { onChange() {}, end: () => ended.push(name) });
  const leave = join(1, 'a');
  expect([leave === null, join(2, 'b') === null, join(3, 'c') === null]).toEqual([false, false, true]);
  leave?.();
  leave?.();
  expect(join(3, 'd')).not.toBeNull();
  await events.close();
  expect(ended).toEqual(['b', 'd']);
  expect(join(4, 'e')).toBeNull();
});
