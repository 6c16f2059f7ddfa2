import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { CHANNELS, type Channel } from '../ports.ts';
import { CHANNEL_TEXT } from '../rules.ts';
import { checkOrder, getLastOrderPayStatus } from './check-order.ts';
import { createCode } from './create-order.ts';
import { requestInvoice } from './invoices/invoices.ts';
import { listOrders } from './list-orders.ts';
import { serveNotification } from './notifications.ts';
import { serveEvents } from './serve-events.ts';
import { drawRefusal, serveQrImage } from './serve-qr-images.ts';

/**
 * Requests a minute from one address. A provider notifies from few addresses, and repeats; an office behind one address
 * opens many dialogs.
 */
const NOTIFICATIONS_PER_MINUTE = 3_000;
const STREAMS_PER_MINUTE = 120;
const PICTURES_PER_MINUTE = 60;

export function paymentRoutes(routes: Routes): void {
  routes.on(contract.wxpayQrcode, (ctx, input) => createCode(ctx, 'wechat', input));
  routes.on(contract.alipayQrcode, (ctx, input) => createCode(ctx, 'alipay', input));
  routes.on(contract.checkOrder, checkOrder);
  routes.on(contract.checkAlipayOrder, checkOrder);
  routes.on(contract.getLastOrderPayStatus, getLastOrderPayStatus);
  routes.on(contract.listOrders, listOrders);
  routes.on(contract.requestInvoice, requestInvoice);
  for (const channel of CHANNELS)
    routes.raw(
      ['POST'],
      contract.notifyPath(channel),
      { perIp: NOTIFICATIONS_PER_MINUTE, hiddenBecause: 'only the payment provider calls it, in a form of its own' },
      serveNotification(channel),
    );
  routes.raw(
    ['GET'],
    contract.EVENTS_PATH,
    {
      perIp: STREAMS_PER_MINUTE,
      summary: '本人支付结果的事件流（text/event-stream），事件 paid 含订单号与状态；需登录。',
    },
    serveEvents,
  );
  const code = (channel: Channel, path: `/api/${string}`) =>
    routes.raw(
      ['GET'],
      path,
      {
        perIp: PICTURES_PER_MINUTE,
        summary: `${CHANNEL_TEXT[channel]}下单并返回付款码图片，itemId 为价格项 id，fileId 为方案 id（可省略）；以浏览器的登录为准。`,
      },
      serveQrImage(channel),
      drawRefusal,
    );
  code('wechat', contract.WECHAT_QR_PATH);
  code('alipay', contract.ALIPAY_QR_PATH);
}
