import type { Locator, Page } from 'playwright-core';

/** The order of a QR code that a page was given. */
export type IssuedCode = { code_uri: string; out_trade_no: string; total_fee: number; pay_platform: 0 | 1 };

export const payDialogOf = (page: Page) => page.getByRole('dialog', { name: '开通与充值' });

/** The QR codes that a page is given, in the order of their coming. */
export function codesOf(page: Page): IssuedCode[] {
  const codes: IssuedCode[] = [];
  page.on('response', (response) => {
    if (!/\/api\/pay\/(wxpay|alipay)Qrcode$/.test(response.url())) return;
    // Safe: the contract of both calls; a refusal has no data and is no code.
    // A page that closes takes the body of its last answer along.
    const body = response.json().catch(() => ({ data: null }));
    void body.then(({ data }: { data: IssuedCode | null }) => data && codes.push(data));
  });
  return codes;
}

/** Ticks the agreement of a first purchase, after which the QR code is shown. */
export async function agree(dialog: Locator): Promise<void> {
  await dialog.getByRole('checkbox', { name: /我已年满18周岁并同意/ }).check();
  await dialog.getByRole('img', { name: /二维码$/ }).waitFor();
}

/** Opens the shown code on the pretend phone and pays it there, as a person does. */
export async function payOnPhone(page: Page): Promise<void> {
  const opening = page.waitForEvent('popup');
  await payDialogOf(page).getByRole('link', { name: '用模拟手机操作' }).click();
  await payOpened(await opening);
}

/** Pays what the pretend phone shows. */
export async function payOpened(phone: Page): Promise<void> {
  const wechat = phone.getByRole('button', { name: '支付', exact: true });
  const alipay = phone.getByRole('button', { name: '扫一扫' });
  await wechat.or(alipay).waitFor();
  if (await alipay.isVisible()) {
    await alipay.click();
    await phone.getByRole('button', { name: '确认付款' }).click();
  } else await wechat.click();
  await phone.getByRole('heading', { name: /^支付成功/ }).waitFor();
  await phone.close();
}
