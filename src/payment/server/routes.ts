import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { CHANNELS } from '../ports.ts';
import { checkOrder, getLastOrderPayStatus } from './check-order.ts';
import { createCode } from './create-order.ts';
import { requestInvoice } from './invoices/invoices.ts';
import { listOrders } from './list-orders.ts';
import { serveNotification } from './notifications.ts';
import { serveEvents } from './serve-events.ts';
import { serveQrImage } from './serve-qr-images.ts';

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
    routes.raw(['POST'], contract.notifyPath(channel), NOTIFICATIONS_PER_MINUTE, serveNotification(channel));
  routes.raw(['GET'], contract.EVENTS_PATH, STREAMS_PER_MINUTE, serveEvents);
  routes.raw(['GET'], contract.WECHAT_QR_PATH, PICTURES_PER_MINUTE, serveQrImage('wechat'));
  routes.raw(['GET'], contract.ALIPAY_QR_PATH, PICTURES_PER_MINUTE, serveQrImage('alipay'));
}
