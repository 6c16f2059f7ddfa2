import { sql } from 'drizzle-orm';
import type { DestinationStream } from 'pino';
import { getMine } from '../src/membership/contract.ts';
import { verifyLedger } from '../src/membership/server/verify-ledger.ts';
import { alipayQrcode, checkOrder, notifyPath, wxpayQrcode } from '../src/payment/contract.ts';
import type { Channel, Payment } from '../src/payment/ports.ts';
import { selectOrder } from '../src/payment/server/store/orders.ts';
import type { Order } from '../src/payment/server/tables.ts';
import { verifyOrders } from '../src/payment/server/operator/verify-orders.ts';
import { rowsOf } from '../src/platform/db/client.ts';
import { expectOk } from '../src/protocol/call.ts';
import { listPrices } from '../src/prices/contract.ts';
import { addPerson } from './people.ts';
import { createStandInGateway } from './stand-in-gateway.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import type { TestDatabase } from './test-database.ts';

/** Throws when orders, goods, refunds or the books of coins do not agree. */
export async function checkOrders(app: TestApp): Promise<void> {
  const violations = [...(await verifyOrders(app.ctx)).violations, ...(await verifyLedger(app.ctx)).violations];
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
}

/** The API with two payment providers in memory, and what buyers do with it. */
export async function openPayingApp(
  options: { isRateLimited?: boolean; database?: TestDatabase; logTo?: DestinationStream } = {},
) {
  const clock = { now: () => app.ctx.clock.now() };
  const [wechat, alipay] = [createStandInGateway('wechat', clock), createStandInGateway('alipay', clock)];
  const app = await openTestApp({ ...options, gateways: { wechat: wechat.gateway, alipay: alipay.gateway } });
  const { vip, miao, items } = expectOk(await app.call(listPrices, {}));
  const [pack, year, life] = [miao[0], vip[1], vip[2]];
  if (!pack || !year || !life) throw new Error('the price list has a pack of coins, a year and a plan for life');
  const of = { wechat, alipay };

  const askCode = (token: string | undefined, itemId: number, channel: Channel = 'wechat') =>
    app.call(channel === 'wechat' ? wxpayQrcode : alipayQrcode, { item_id: itemId }, token);

  /** Orders an item and returns the number. */
  const order = async (token: string, itemId: number, channel: Channel = 'wechat') =>
    expectOk(await askCode(token, itemId, channel)).out_trade_no;

  const notify = (channel: Channel, payment: Payment, more: { id?: string; account?: string } = {}) =>
    app.fetch(notifyPath(channel), of[channel].notification(payment, more));

  const orderOf = async (outTradeNo: string): Promise<Order> => {
    const found = await selectOrder(app.ctx.db, outTradeNo);
    if (!found) throw new Error(`there is no order ${outTradeNo}`);
    return found;
  };

  return {
    app,
    wechat,
    alipay,
    pack,
    year,
    life,
    items,
    addBuyer: () => addPerson(app),
    askCode,
    order,
    notify,
    orderOf,
    statusOf: async (outTradeNo: string) => (await orderOf(outTradeNo)).status,
    tradeStateOf: async (token: string, outTradeNo: string) =>
      expectOk(await app.call(checkOrder, { out_trade_no: outTradeNo }, token)).trade_state,
    mine: async (token: string) => expectOk(await app.call(getMine, {}, token)),
    /** Returns the jobs with this key, each with the seconds between its last enqueueing and the time from which it may run. */
    jobsOf: (key: string) =>
      rowsOf<{ task: string; seconds: number }>(
        app.ctx.db,
        sql`select task_identifier as task, round(extract(epoch from run_at - updated_at))::int as seconds
          from graphile_worker.jobs where key = ${key}`,
      ),
  };
}

export type PayingApp = Awaited<ReturnType<typeof openPayingApp>>;
