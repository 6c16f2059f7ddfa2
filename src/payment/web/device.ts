import type { Channel } from '../ports.ts';

/**
 * The device that the dialog is shown on. Nobody scans the screen of the phone in their own hand, so a phone is led elsewhere (docs/decisions/027). A
 * tablet, and WeChat for computers, are screens that a phone scans.
 */
export type Device = 'computer' | 'phone-browser' | 'wechat' | 'alipay';

export function deviceOf(userAgent: string): Device {
  if (!/iPhone|iPod|Mobile/i.test(userAgent) || /iPad/i.test(userAgent)) return 'computer';
  if (/MicroMessenger/i.test(userAgent)) return 'wechat';
  return /AlipayClient/i.test(userAgent) ? 'alipay' : 'phone-browser';
}

/**
 * Returns the channels in the order in which the dialog offers them; the first is the default. On a phone Alipay comes first, since its app
 * opens from there. Inside WeChat no link to Alipay works.
 */
export function channelsOn(device: Device, offered: readonly Channel[]): Channel[] {
  const first: Channel = device === 'phone-browser' || device === 'alipay' ? 'alipay' : 'wechat';
  return offered.toSorted((a, b) => Number(b === first) - Number(a === first));
}

/**
 * Returns the address that opens the payment on this phone; null where none does: WeChat's code is for 扫一扫 alone, and WeChat opens no link
 * to Alipay. `phoneUrl`: the pretend phone of a trial.
 */
export function payLinkOf(
  device: Device,
  { channel, content }: { channel: Channel; content: string },
  phoneUrl: string | null,
): string | null {
  if (channel === 'wechat' || device === 'computer' || device === 'wechat') return null;
  if (phoneUrl) return `${phoneUrl}?open=${encodeURIComponent(content)}`;
  if (device === 'alipay') return content;
  return `alipays://platformapi/startapp?saId=10000007&qrcode=${encodeURIComponent(content)}`;
}
