import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { sendRefund, startRefund } from './refunds.ts';
import { selectRefundOf } from './store/refunds.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());

test('the copy of one’s data tells which membership was taken back, and how far its refund has come', async () => {
  const { app, wechat, year } = paying;
  const buyer = await paying.addBuyer();
  const buy = async () => {
    const no = await paying.order(buyer.token, year.id);
    await paying.notify('wechat', wechat.pay(no));
    app.clock.offsetMs += 301_000;
    return no;
  };
  const kept = await buy();
  app.clock.offsetMs += 86_400_000;
  const taken = await buy();
  const copy = async () => {
    const parts = await Promise.all(PERSONAL_DATA.map((part) => part.collect(app.ctx, buyer.id)));
    return Object.assign({}, ...parts);
  };
  expect(await startRefund(app.ctx, taken, { note: 'asked by phone', keepsGoods: false })).toBe('started');
  expect(await copy()).toMatchObject({
    orders: [
      { outTradeNo: kept, status: 'fulfilled', refundState: null },
      { outTradeNo: taken, status: 'refunding', refundState: 'asked', refundedAt: null },
    ],
    membership: { grants: [{ revokedAt: null }, { revokedAt: expect.any(Date) }] },
  });
  const refund = await selectRefundOf(app.ctx.db, (await paying.orderOf(taken)).id);
  await sendRefund(app.ctx, { refundNo: refund?.refundNo ?? '' });
  expect(await copy()).toMatchObject({ orders: [{}, { status: 'refunded', refundState: 'succeeded' }] });
});
