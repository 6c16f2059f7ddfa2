import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { alipayBills } from './bill.ts';
import { alipayControl } from './control.ts';
import { alipayGateway } from './gateway.ts';
import { alipayPhone } from './phone.ts';

/** Alipay's addresses: the gateway, bills, the control plane and the buttons of the phone. */
export const alipay = (world: World) =>
  new Hono<Env>()
    .route('/', alipayGateway(world))
    .route('/', alipayBills(world))
    .route('/', alipayControl(world))
    .route('/', alipayPhone(world));
