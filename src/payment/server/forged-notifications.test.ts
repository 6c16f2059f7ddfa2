import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnectedApp, type ConnectedApp } from '../../../tests/outside.ts';
import { checkOrders } from '../../../tests/paying.ts';
import { addPerson } from '../../../tests/people.ts';
import { getMine } from '../../membership/contract.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { createCall, expectOk } from '../../protocol/call.ts';
import { listPrices } from '../../prices/contract.ts';
import { alipayQrcode, notifyPath, wxpayQrcode } from '../contract.ts';
import { selectOrder } from './store/orders.ts';

/** How many altered notifications a channel gets. */
const FORGED = Number(process.env['FORGED_NOTIFICATIONS'] ?? 1_000);

const CHANNELS = {
  wechat: { code: wxpayQrcode, control: 'wechat-pay' },
  alipay: { code: alipayQrcode, control: 'alipay' },
} as const;

type Received = { headers: Record<string, string>; body: Buffer };

let site: ConnectedApp;
/** Takes the provider's notifications in place of the site: they are genuine, and the site has not seen them. */
let catcher: Server;
let catcherUrl: string;
let caught: Received[] = [];

beforeAll(async () => {
  site = await openConnectedApp();
  catcher = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      caught.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
      response.end('success');
    });
  });
  catcher.listen(0, '127.0.0.1');
  await once(catcher, 'listening');
  const address = catcher.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  catcherUrl = `http://127.0.0.1:${address.port}`;
});
afterAll(async () => {
  catcher.closeAllConnections();
  catcher.close();
  await site.close();
});

const change = fc.record({
  at: fc.nat(),
  length: fc.integer({ min: 0, max: 20 }),
  bytes: fc.uint8Array({ maxLength: 20 }),
});

test.each(['wechat', 'alipay'] as const)(
  '%s: altered notifications of a payment that is not known yet change nothing; then the genuine one counts',
  async (channel) => {
    const { code, control } = CHANNELS[channel];
    const { token } = await addPerson(site.app);
    const [pack] = expectOk(await site.app.call(listPrices, {})).miao;
    if (!pack) throw new Error('the price list has a pack of coins');
    // The site takes its own address from the request: so the provider is given the catcher's.
    const call = createCall({ origin: catcherUrl, fetch: toSite, headers: () => ({ token }) });
    const no = expectOk(await call(code, { item_id: pack.id })).out_trade_no;
    caught = [];
    await site.control('POST', `${control}/pay`, { no });
    const [genuine] = caught;
    if (!genuine) throw new Error('nobody was notified');
    const post = ({ headers, body }: Received) =>
      site.app.fetch(notifyPath(channel), { method: 'POST', headers: partOf(headers), body: new Uint8Array(body) });
    const before = await everything();

    let refused = 0;
    for (const { at, length, bytes } of fc.sample(change, { numRuns: FORGED, seed: 20_261_122 })) {
      const start = at % genuine.body.length;
      const rest = genuine.body.subarray(start + length);
      const body = Buffer.concat([genuine.body.subarray(0, start), bytes, rest]);
      if (meaningOf(body) === meaningOf(genuine.body)) continue;
      const { status } = await post({ ...genuine, body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(FORGED * 0.9);
    expect(await everything()).toEqual(before);
    expect((await selectOrder(site.app.ctx.db, no))?.status).toBe('pending');

    expect((await post(genuine)).status).toBeLessThan(300);
    expect((await selectOrder(site.app.ctx.db, no))?.status).toBe('fulfilled');
    expect(expectOk(await site.app.call(getMine, {}, token)).balance).toBe(pack.coins);
    await checkOrders(site.app);
  },
);

const toSite = async (request: Request) =>
  site.app.fetch(request.url, { method: request.method, headers: request.headers, body: await request.text() });

/** Returns all rows that a notification can change, except for the count of refused notifications. */
const everything = () =>
  rowsOf<{ orders: string; notices: number; entries: number; jobs: number }>(
    site.app.ctx.db,
    sql`select (select string_agg(o::text, '' order by id) from orders o) as orders,
      (select count(*)::int from payment_notices) as notices,
      (select count(*)::int from ledger_entries) as entries,
      (select count(*)::int from graphile_worker.jobs) as jobs`,
  );

/** Two spellings of one form are the same notification. A body that is no form stays as it is. */
function meaningOf(body: Buffer): string {
  if (body[0] === 0x7b) return body.toString('latin1');
  return [...new URLSearchParams(body.toString('utf8'))]
    .map((field) => JSON.stringify(field))
    .toSorted()
    .join();
}

/** The headers that the site may read: without those of the connection. */
const partOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(content-type|wechatpay-)/.test(name)));
