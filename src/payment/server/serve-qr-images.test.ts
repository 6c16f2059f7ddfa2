import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { encoded, PASSWORD } from '../../../tests/people.ts';
import { newToken } from '../../accounts/server/session-cookies.ts';
import { usernameLogin } from '../../accounts/contract.ts';
import { buildApi } from '../../app.ts';
import { openDatabase } from '../../platform/db/client.ts';
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

  test('a database that is away: 503 as a picture, with the time to wait', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { max: 1, log: paying.app.ctx.log });
    const { api } = buildApi({ ...paying.app.ctx, db: away.db });
    const request = new Request(`http://ceku.test${path}?itemId=1`, { headers: { cookie: `sess=${newToken()}` } });
    const answer = await api.fetch(request, { ip: '127.0.0.1', requestId: '' });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([503, '503']);
    expect([answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual(['image/png', '5']);
    await away.close();
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

test('an address whose minute is used up gets a picture that says so, and when to ask again (C-54)', async () => {
  const limited = await openPayingApp({ isRateLimited: true });
  onTestFinished(() => limited.app.close());
  const ask = () => limited.app.fetch(WECHAT_QR_PATH);
  const answers = await Promise.all(Array.from({ length: 61 }, ask));
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.filter(({ status }) => status === 401).length, refused.length]).toEqual([60, 1]);
  const [answer] = refused;
  expect(answer?.headers.get('content-type')).toBe('image/png');
  expect(answer?.headers.get('x-error-code')).toBe('41');
  expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(0);
});
