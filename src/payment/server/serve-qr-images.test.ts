import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { encoded, PASSWORD } from '../../../tests/people.ts';
import { usernameLogin } from '../../accounts/contract.ts';
import { ALIPAY_QR_PATH, WECHAT_QR_PATH } from '../contract.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());

/** A buyer with the HttpOnly cookie that a browser sends with a picture. */
async function buyerWithCookie() {
  const buyer = await paying.addBuyer();
  const answer = await paying.app.fetch(usernameLogin.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: buyer.username, password: encoded(PASSWORD) }),
  });
  const sess = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('sess='));
  return { ...buyer, cookie: sess?.split(';')[0] ?? '' };
}

describe.each([
  ['wechat', WECHAT_QR_PATH],
  ['alipay', ALIPAY_QR_PATH],
] as const)('the picture of a payment code of %s (C-54)', (channel, path) => {
  const ask = (cookie: string, query: Record<string, string | number>) =>
    paying.app.fetch(`${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))}`, {
      headers: { cookie },
    });

  test('is a PNG of an order of the session’s user, the same within five minutes', async () => {
    const { cookie, id, token } = await buyerWithCookie();
    const query = { itemId: paying.year.id, fileId: 7, userId: id };
    const [first, again] = [await ask(cookie, query), await ask(cookie, query)];
    expect([first.status, first.headers.get('content-type'), first.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'no-store',
    ]);
    const { width, format } = await sharp(Buffer.from(await first.arrayBuffer())).metadata();
    expect([format, (width ?? 0) >= 360]).toEqual(['png', true]);
    const no = first.headers.get('x-out-trade-no') ?? '';
    expect(again.headers.get('x-out-trade-no')).toBe(no);
    expect(await paying.orderOf(no)).toMatchObject({ userId: id, channel, documentId: 7 });
    expect(await paying.order(token, paying.year.id, channel)).toBe(no);
  });

  test('HEAD orders nothing', async () => {
    const { cookie } = await buyerWithCookie();
    const before = paying[channel].trades.size;
    const answer = await paying.app.fetch(`${path}?itemId=${paying.year.id}`, { method: 'HEAD', headers: { cookie } });
    expect([answer.status, paying[channel].trades.size]).toEqual([405, before]);
  });

  test('of a value that is given twice, each must be the session’s own', async () => {
    const { cookie, id } = await buyerWithCookie();
    const before = paying[channel].trades.size;
    for (const more of [`userId=${id}&userId=1`, 'offiaccountOpenid=&offiaccountOpenid=oSomebody']) {
      const answer = await paying.app.fetch(`${path}?itemId=${paying.year.id}&${more}`, { headers: { cookie } });
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, '50']);
    }
    expect(paying[channel].trades.size).toBe(before);
  });

  test('a link of another site orders nothing', async () => {
    const { cookie, id } = await buyerWithCookie();
    const asked = (site: string) =>
      paying.app.fetch(`${path}?itemId=${paying.year.id}&userId=${id}`, {
        headers: { cookie, 'sec-fetch-site': site },
      });
    const before = paying[channel].trades.size;
    for (const site of ['cross-site', 'same-site']) {
      const answer = await asked(site);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, '50']);
    }
    expect(paying[channel].trades.size).toBe(before);
    for (const site of ['same-origin', 'none']) expect((await asked(site)).status).toBe(200);
  });

  test.each([
    ['without a session', { itemId: 1 }, false, 401, '10000'],
    ['in the name of another user', { itemId: 1, userId: 1 }, true, 403, '50'],
    ['in the name of another openid', { itemId: 1, offiaccountOpenid: 'oSomebody' }, true, 403, '50'],
    ['of an item that is not on sale', { itemId: 'x' }, true, 409, '60'],
  ] as const)('%s: a picture that says so', async (_name, query, isLoggedIn, status, code) => {
    const { cookie, id } = await buyerWithCookie();
    const before = paying[channel].trades.size;
    const answer = await ask(isLoggedIn ? cookie : '', query);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(360);
    expect(paying[channel].trades.size).toBe(before);
    expect(id).toBeGreaterThan(0);
  });

  test('a token in a header is no cookie: a page of another site could send neither', async () => {
    const { token } = await paying.addBuyer();
    const answer = await paying.app.fetch(`${path}?itemId=${paying.year.id}`, { headers: { token } });
    expect(answer.status).toBe(401);
  });

  test('a provider that is away: 503 as a picture', async () => {
    const { cookie } = await buyerWithCookie();
    paying[channel].away.add('createCode');
    const answer = await ask(cookie, { itemId: paying.pack.id });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([503, '503']);
    paying[channel].away.clear();
  });

  test('a provider that says paid, and then does not answer: 503 as a picture', async () => {
    const { cookie } = await buyerWithCookie();
    const gateway = paying[channel];
    gateway.away.add('createCode');
    await ask(cookie, { itemId: paying.pack.id });
    gateway.away.clear();
    gateway.pay([...gateway.trades.keys()].at(-1) ?? '');
    gateway.away.add('findPayment');
    const answer = await ask(cookie, { itemId: paying.pack.id });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([503, '503']);
    gateway.away.clear();
  });
});
