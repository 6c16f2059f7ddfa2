import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Given } from '../../../platform/environment.ts';
import { createOutbound } from '../../../platform/http/outbound.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gateways } from '../../ports.ts';
import { alipayKeys, alipaySettings, readAlipaySettings, type AlipaySettings } from './alipay-settings.ts';
import { createAlipay } from './alipay.ts';
import {
  readWechatPaySettings,
  wechatPayKeys,
  wechatPaySettings,
  type WechatPaySettings,
} from './wechat-pay-settings.ts';
import { createWechatPay } from './wechat-pay.ts';

/** A payer waits at most five seconds for a QR code, and our own work is part of them. */
const TIMEOUT_MS = 4_500;

/** The merchant's accounts with the payment providers; null: not configured. */
export type GatewaySettings = { wechat: WechatPaySettings | null; alipay: AlipaySettings | null };

/** The environment variables of the payment providers. */
export const gatewayKeys = { ...wechatPayKeys, ...alipayKeys };

/** Returns the complete accounts. Each missing or unusable value of an incomplete account is a problem. */
export function readGatewaySettings(given: Given): { settings: GatewaySettings; problems: string[] } {
  const [wechat, alipay] = [readWechatPaySettings(given), readAlipaySettings(given)];
  return {
    settings: { wechat: wechat.settings, alipay: alipay.settings },
    problems: [...wechat.problems, ...alipay.problems],
  };
}

const outsideAccounts = z.object({ wechatPay: wechatPaySettings.optional(), alipay: alipaySettings.optional() });

/** Returns the merchant's accounts among those that the pretend outside world opened for us. */
export function gatewaysOfOutside(accounts: object): GatewaySettings {
  const { wechatPay, alipay } = outsideAccounts.parse(accounts);
  return { wechat: wechatPay ?? null, alipay: alipay ?? null };
}

/** Returns the adapters that the settings configure. `timeoutMs`: how long a provider may take. */
export function openGateways(
  { wechat, alipay }: GatewaySettings,
  { clock, log, timeoutMs = TIMEOUT_MS }: { clock: Clock; log: Log; timeoutMs?: number },
): Gateways {
  return {
    wechat: wechat && createWechatPay(wechat, { clock, log, timeoutMs }),
    alipay: alipay && createAlipay(alipay, { clock, log, outbound: createOutbound(log, timeoutMs) }),
  };
}
