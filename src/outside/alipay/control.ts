import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { rotateKey, type Alipay, type Trade } from './alipay.ts';
import { faultScript } from './faults.ts';
import { notify } from './notify.ts';
import { closeTrade, findTrade, finishTrade, payTrade, refundedFen, refundTrade, scanCode } from './trades.ts';

const numbered = z.object({ no: z.string() });
const scanning = numbered.extend({ buyer: z.string().min(1).default('xiaoce') });
/** `amountFen`: another amount than was asked for. */
const paying = scanning.extend({ amountFen: z.number().int().min(1).optional() });
const refunding = numbered.extend({
  /** Fen; the rest of the payment unless given. */
  fen: z.number().int().min(1).optional(),
  requestNo: z.string().min(1).default('console-1'),
});
const clock = z.object({ skewMs: z.number().int().optional(), retryScale: z.number().min(0).max(1).optional() });

/** Calls for tests: what the buyer, the merchant at Alipay's console and Alipay itself can do, the truth, and faults. */
export function alipayControl(world: World) {
  const { alipay } = world;
  return new Hono<Env>()
    .onError((error, c) =>
      error instanceof z.ZodError || error instanceof SyntaxError
        ? c.json({ error: error.message }, 400)
        : c.json({ error: String(error) }, 500),
    )
    .post('/control/alipay/scan', async (c) => {
      const { no, buyer } = scanning.parse(await c.req.json());
      const code = alipay.codes.get(no);
      const trade = code ? scanCode(alipay, code, buyer) : null;
      return trade ? c.json(stateOf(alipay, trade)) : c.json({ error: 'no code of this number can be scanned' }, 404);
    })
    .post('/control/alipay/pay', async (c) => {
      const { no, buyer, amountFen } = paying.parse(await c.req.json());
      const code = alipay.codes.get(no);
      const trade = findTrade(alipay, no) ?? (code ? scanCode(alipay, code, buyer) : null);
      if (!trade) return c.json({ error: 'no code of this number can be scanned' }, 404);
      if (!payTrade(alipay, trade, amountFen)) return c.json({ error: `the trade is ${trade.status}` }, 409);
      const notified = await notify(alipay, trade);
      return c.json({ ...stateOf(alipay, trade), notified });
    })
    .post('/control/alipay/notify', async (c) => {
      const trade = findTrade(alipay, numbered.parse(await c.req.json()).no);
      return trade ? c.json({ notified: await notify(alipay, trade) }) : c.json({ error: 'no such trade' }, 404);
    })
    .post('/control/alipay/close', async (c) => {
      const trade = findTrade(alipay, numbered.parse(await c.req.json()).no);
      if (!trade) return c.json({ error: 'no such trade' }, 404);
      const refusal = closeTrade(alipay, trade);
      if (refusal) return c.json({ error: refusal }, 409);
      return c.json({ ...stateOf(alipay, trade), notified: await notify(alipay, trade) });
    })
    .post('/control/alipay/finish', async (c) => {
      const trade = findTrade(alipay, numbered.parse(await c.req.json()).no);
      if (!trade || !finishTrade(trade)) return c.json({ error: 'no such trade is paid' }, 404);
      return c.json({ ...stateOf(alipay, trade), notified: await notify(alipay, trade) });
    })
    .post('/control/alipay/refund', async (c) => {
      const { no, fen, requestNo } = refunding.parse(await c.req.json());
      const trade = findTrade(alipay, no);
      if (!trade) return c.json({ error: 'no such trade' }, 404);
      const rest = trade.totalFen - refundedFen(trade);
      const outcome = refundTrade(alipay, trade, { requestNo, fen: fen ?? rest, reason: '商家后台退款' });
      if (typeof outcome === 'string') return c.json({ error: outcome }, 409);
      const notified = outcome.isNew ? await notify(alipay, trade, outcome.refund) : null;
      return c.json({ ...stateOf(alipay, trade), notified });
    })
    .post('/control/alipay/rotateKey', (c) => c.json(rotateKey(alipay)))
    .put('/control/alipay/clock', async (c) => {
      const { skewMs, retryScale } = clock.parse(await c.req.json());
      alipay.skewMs = skewMs ?? alipay.skewMs;
      alipay.retryScale = retryScale ?? alipay.retryScale;
      return c.json({ skewMs: alipay.skewMs, retryScale: alipay.retryScale });
    })
    .get('/control/alipay/trades', (c) =>
      c.json({
        codes: [...alipay.codes.values()].map(({ outTradeNo, qrCode, totalFen }) => ({ outTradeNo, qrCode, totalFen })),
        trades: [...alipay.trades.keys()].flatMap((no) => {
          const trade = findTrade(alipay, no);
          return trade ? [stateOf(alipay, trade)] : [];
        }),
      }),
    )
    .get('/control/alipay/faults', (c) => c.json(alipay.faults.list()))
    .post('/control/alipay/faults', async (c) => {
      alipay.faults.add(faultScript.parse(await c.req.json()));
      return c.json(alipay.faults.list());
    })
    .delete('/control/alipay/faults', (c) => {
      alipay.faults.clear();
      return c.json([]);
    });
}

/** One row of the truth: what Alipay knows of a trade, and how often the site was told. */
const stateOf = (alipay: Alipay, trade: Trade) => ({
  outTradeNo: trade.outTradeNo,
  tradeNo: trade.tradeNo,
  status: trade.status,
  totalFen: trade.totalFen,
  refundedFen: refundedFen(trade),
  isPaid: trade.paidAt !== null,
  paidAt: trade.paidAt,
  attempts: alipay.attempts.get(trade.outTradeNo) ?? [],
});
