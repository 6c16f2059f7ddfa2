import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../answer.ts';
import { meet, type World } from '../world.ts';
import { faultScript } from './faults.ts';
import { payOrder } from './orders.ts';
import { end, open, refundedFen } from './refunds.ts';
import { orderNow, rotateKey, wechatPayAccountOf, type Order } from './wechat-pay.ts';
import { digits } from '../random-text.ts';

const named = z.object({ no: z.string() });
const paying = named.extend({
  /** Another amount than was asked for. */
  amountFen: z.number().int().min(1).optional(),
  buyer: z.string().min(1).default('xiaoce'),
  /** Also an order that is closed: the money was under way. */
  isLate: z.boolean().default(false),
});
const clock = z.object({ skewMs: z.number().int().optional(), retryScale: z.number().min(0).max(1).optional() });
const mode = z.enum(['public-key', 'certificate']);

/** Calls for tests: what a payer, the merchant in the console, and WeChat Pay itself can do, and faults. */
export function wechatPayControl(world: World) {
  const pay = world.wechatPay;
  const stateOf = (order: Order) => ({
    outTradeNo: order.outTradeNo,
    state: orderNow(pay, order.outTradeNo)?.state,
    totalFen: order.totalFen,
    paidFen: order.paidFen,
    refundedFen: order.paidAt === null ? 0 : refundedFen(pay, order),
    transactionId: order.transactionId,
    paidAt: order.paidAt,
  });
  return (
    new Hono<Env>()
      .basePath('/control/wechat-pay')
      .onError((error, c) =>
        error instanceof z.ZodError || error instanceof SyntaxError
          ? c.json({ error: error.message }, 400)
          : c.json({ error: String(error) }, 500),
      )
      .get('/account', (c) =>
        c.json(wechatPayAccountOf(pay, world.url, mode.parse(c.req.query('mode') ?? 'public-key'))),
      )
      .get('/orders', (c) => c.json({ orders: [...pay.orders.values()].map(stateOf) }))
      .get('/orders/:no', (c) => {
        const order = pay.orders.get(c.req.param('no'));
        return order ? c.json(stateOf(order)) : c.json({ error: 'no such order' }, 404);
      })
      /** The truth: every order for which money came, in the order of payment. */
      .get('/paid', (c) => {
        const paid = [...pay.orders.values()].filter(({ paidAt }) => paidAt !== null);
        return c.json({ orders: paid.toSorted((a, b) => (a.paidAt ?? 0) - (b.paidAt ?? 0)).map(stateOf) });
      })
      .get('/notifications/:no', (c) =>
        c.json({ told: pay.told.filter(({ outTradeNo }) => outTradeNo === c.req.param('no')) }),
      )
      .post('/pay', async (c) => {
        const ask = paying.parse(await c.req.json());
        const order = pay.orders.get(ask.no);
        if (!order) return c.json({ error: 'no such order' }, 404);
        const paid = payOrder(world, order, {
          person: meet(world, ask.buyer),
          fen: ask.amountFen,
          isLate: ask.isLate,
        });
        if (paid.refusal !== null) return c.json({ error: paid.refusal }, 409);
        await paid.told;
        return c.json(stateOf(order));
      })
      .post('/close', async (c) => {
        const order = pay.orders.get(named.parse(await c.req.json()).no);
        if (!order || order.paidAt !== null) return c.json({ error: 'no such order, or it is paid' }, 404);
        order.state = 'CLOSED';
        return c.json(stateOf(order));
      })
      // The merchant sends money back in the console: the site is not told.
      .post('/refund', async (c) => {
        const ask = named.extend({ fen: z.number().int().min(1).optional() }).parse(await c.req.json());
        const order = pay.orders.get(ask.no);
        if (!order || order.paidAt === null) return c.json({ error: 'no such order, or it is not paid' }, 404);
        const fen = ask.fen ?? order.paidFen - refundedFen(pay, order);
        const outRefundNo = `console${digits(12)}`;
        await end(pay, open(pay, order, { outRefundNo, fen, reason: '', notifyUrl: null, terms: '' }), 'SUCCESS');
        return c.json(stateOf(order));
      })
      .post('/refundEnd', async (c) => {
        const ask = z
          .object({ outRefundNo: z.string(), status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']).default('SUCCESS') })
          .parse(await c.req.json());
        const refund = pay.refunds.get(ask.outRefundNo);
        if (!refund) return c.json({ error: 'no such refund' }, 404);
        await end(pay, refund, ask.status);
        return c.json({ status: refund.status });
      })
      .put('/clock', async (c) => {
        const { skewMs, retryScale } = clock.parse(await c.req.json());
        pay.skewMs = skewMs ?? pay.skewMs;
        pay.retryScale = retryScale ?? pay.retryScale;
        return c.json({ skewMs: pay.skewMs, retryScale: pay.retryScale });
      })
      .post('/rotateKey', async (c) =>
        c.json({ id: rotateKey(pay, z.object({ mode }).parse(await c.req.json()).mode) }),
      )
      .post('/notifyMode', async (c) => {
        pay.notifyMode = z.object({ mode }).parse(await c.req.json()).mode;
        return c.json({ mode: pay.notifyMode });
      })
      .get('/calls', (c) => c.json(Object.fromEntries(pay.calls)))
      .get('/faults', (c) => c.json(pay.faults.list()))
      .post('/faults', async (c) => {
        pay.faults.add(faultScript.parse(await c.req.json()));
        return c.json(pay.faults.list());
      })
      .delete('/faults', (c) => {
        pay.faults.clear();
        return c.json([]);
      })
  );
}
