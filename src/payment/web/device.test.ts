import { expect, it } from 'vitest';
import { channelsOn, deviceOf, payLinkOf } from './device.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; PGU110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile';

it.each([
  ['computer', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0'],
  ['computer', 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 MicroMessenger/7.0 NetType/WIFI WindowsWechat'],
  ['computer', 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'],
  ['computer', 'Mozilla/5.0 (Linux; Android 15; Tablet) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari'],
  ['phone-browser', `${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`],
  ['phone-browser', `${ANDROID} Safari/537.36`],
  ['phone-browser', 'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 ArkWeb/4.1 Mobile'],
  ['wechat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.50`],
  ['wechat', `${ANDROID} MMWEBSDK/2024 MicroMessenger/8.0.50`],
  ['alipay', `${ANDROID} AlipayDefined AlipayClient/10.6`],
] as const)('%s: %s', (device, userAgent) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it.each([
  ['computer', ['wechat', 'alipay']],
  ['wechat', ['wechat', 'alipay']],
  ['phone-browser', ['alipay', 'wechat']],
  ['alipay', ['alipay', 'wechat']],
] as const)('begins with what works there: %s', (device, order) => {
  expect(channelsOn(device, ['wechat', 'alipay'])).toEqual(order);
  expect(channelsOn(device, ['wechat'])).toEqual(['wechat']);
  expect(channelsOn(device, [])).toEqual([]);
});

const alipay = { channel: 'alipay', content: 'https://qr.alipay.com/bax1?a=b' } as const;
const wechat = { channel: 'wechat', content: 'weixin://wxpay/bizpayurl?pr=1' } as const;
const PHONE = 'http://127.0.0.1:3001/phone';

it('opens the app of Alipay from a browser, the code itself inside Alipay, and nothing from WeChat', () => {
  const link = 'alipays://platformapi/startapp?saId=10000007&qrcode=https%3A%2F%2Fqr.alipay.com%2Fbax1%3Fa%3Db';
  expect(payLinkOf('phone-browser', alipay, null)).toBe(link);
  expect(payLinkOf('alipay', alipay, null)).toBe(alipay.content);
  expect(payLinkOf('wechat', alipay, PHONE)).toBeNull();
  expect(payLinkOf('computer', alipay, PHONE)).toBeNull();
});

it('opens no code of WeChat, which is for 扫一扫 alone', () => {
  for (const device of ['phone-browser', 'wechat', 'alipay'] as const)
    expect(payLinkOf(device, wechat, PHONE)).toBeNull();
});

it('opens the pretend phone in a trial', () => {
  expect(payLinkOf('phone-browser', alipay, PHONE)).toBe(`${PHONE}?open=https%3A%2F%2Fqr.alipay.com%2Fbax1%3Fa%3Db`);
});
