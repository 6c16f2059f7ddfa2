import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { bills } from './bills.ts';
import { wechatPayControl } from './control.ts';
import { orders } from './orders.ts';
import { wechatPayPhone } from './phone.ts';
import { refunds } from './refunds.ts';

/** WeChat Pay APIv3, its control plane, and the phone's pages of paying. */
export const wechatPay = (world: World) =>
  new Hono<Env>()
    .route('/', orders(world))
    .route('/', refunds(world))
    .route('/', bills(world))
    .route('/', wechatPayControl(world))
    .route('/', wechatPayPhone(world));
