import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openOutside, type OutsideServer } from '../server.ts';
import { qrCodeIn } from './phone.ts';
import { precreate } from './trades.ts';

let outside: OutsideServer;
beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
});
afterAll(() => outside.close());

let serial = 0;
function newCode(subject = '年度会员', expiresAt: number | null = null): { no: string; qrCode: string } {
  const no = `P${(serial += 1)}`;
  const code = precreate(outside.world.alipay, no, { totalFen: 29_800, subject, notifyUrl: '', expiresAt, terms: '' });
  if (typeof code === 'string') throw new Error(code);
  return { no, qrCode: code.qrCode };
}
const statusOf = (no: string) => outside.world.alipay.trades.get(no)?.status;
const open = (text: string) =>
  fetch(`${outside.url}/phone?open=${encodeURIComponent(text)}`).then((page) => page.text());
const press = (path: string, values: Record<string, string>) =>
  fetch(`${outside.url}/phone/alipay/${path}`, { method: 'POST', body: new URLSearchParams(values) }).then((page) =>
    page.text(),
  );
const deepLink = (code: string) => `alipays://platformapi/startapp?saId=10000007&qrcode=${encodeURIComponent(code)}`;

test('a code is scanned, shown with merchant, subject and amount, and paid', async () => {
  const { no, qrCode } = newCode();
  const home = await (await fetch(`${outside.url}/phone`)).text();
  expect(home).toContain('年度会员 · ¥298.00');
  expect(await open(qrCode)).toContain('用哪个支付宝账号付款');
  expect(statusOf(no)).toBeUndefined();
  const cashier = await press('scan', { code: qrCode, person: 'lili' });
  for (const words of ['确认付款', '¥298.00', '年度会员', '策库科技', '李丽', '取消']) expect(cashier).toContain(words);
  expect(statusOf(no)).toBe('WAIT_BUYER_PAY');
  expect(await press('decide', { code: qrCode, step: 'confirm' })).toContain('支付成功 ¥298.00');
  expect(statusOf(no)).toBe('TRADE_SUCCESS');
  expect(await (await fetch(`${outside.url}/phone`)).text()).not.toContain(encodeURIComponent(qrCode));
});

test('cancelled, nothing is paid, and the code can be opened again', async () => {
  const { no, qrCode } = newCode();
  await press('scan', { code: qrCode });
  expect(await press('decide', { code: qrCode, step: 'cancel' })).toContain('已取消付款');
  expect(statusOf(no)).toBe('WAIT_BUYER_PAY');
  expect(await open(qrCode)).toContain('确认付款');
});

test('the deep link of a phone browser opens the same code', async () => {
  const { qrCode } = newCode();
  expect(qrCodeIn(deepLink(qrCode))).toBe(qrCode);
  expect(await open(deepLink(qrCode))).toContain('用哪个支付宝账号付款');
});

test.each([
  'https://evil.example/bax1',
  deepLink('https://evil.example/'),
  'alipays://platformapi/startapp?saId=20000067&qrcode=https%3A%2F%2Fqr.alipay.com%2Fbax1',
  'javascript:alert(1)',
  '',
])('%s is no code of Alipay', async (text) => {
  expect(qrCodeIn(text)).toBeNull();
  expect(await open(text)).toContain('无法识别');
});

test('a code of WeChat Pay is no code of Alipay: the phone opens it in WeChat', async () => {
  const code = 'weixin://wxpay/bizpayurl?pr=1';
  expect(qrCodeIn(code)).toBeNull();
  expect(await open(code)).toContain('<h1>微信支付</h1>');
});

test('a code whose time is over says so, before and after the scan', async () => {
  const { alipay } = outside.world;
  const [scanned, waiting] = [newCode('a', Date.now() + 60_000), newCode('b', Date.now() + 60_000)];
  await press('scan', { code: scanned.qrCode });
  onTestFinished(() => void (alipay.skewMs = 0));
  alipay.skewMs = 61_000;
  for (const { qrCode } of [scanned, waiting]) expect(await open(qrCode)).toContain('付款码已失效');
  expect(await press('decide', { code: scanned.qrCode, step: 'confirm' })).toContain('付款码已失效');
});

test('what it shows is escaped', async () => {
  const { qrCode } = newCode('<script>alert(1)</script>');
  const pages = [
    await (await fetch(`${outside.url}/phone`)).text(),
    await press('scan', { code: qrCode, newcomer: '<script>x' }),
    await open('"><script>y'),
  ];
  for (const page of pages) expect(page).not.toMatch(/<script>(alert|x|y)/);
});
