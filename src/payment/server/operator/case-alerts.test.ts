import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { checkOrders, openPayingApp, type PayingApp } from '../../../../tests/paying.ts';
import { dayText } from '../../../library/rules.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { requestInvoice } from '../../contract.ts';
import { compareBill } from './bills.ts';
import { postAlert, retryAlerts, tellCases } from './case-alerts.ts';
import { answerInvoice } from '../invoices/invoices.ts';
import { sendRefund, startRefund } from '../refunds.ts';
import { sweepOrders } from '../sweep.ts';
import { reportDay } from './report.ts';
import { acceptMismatch, settleOrder } from '../settle-order.ts';
import { selectRefundOf } from '../store/refunds.ts';

const SECRET = 'key-of-the-bot';
const UNKNOWN = 'M202603020030000000000000';
/** The job's last attempt is the tenth. */
const EARLY = { isLast: false };

const alert = z.object({
  event: z.string(),
  cases: z.array(z.object({ order: z.string(), kind: z.string(), what: z.string(), command: z.string() })),
  msgtype: z.literal('text'),
  text: z.object({ content: z.string() }),
  msg_type: z.literal('text'),
  content: z.object({ text: z.string() }),
});

let paying: PayingApp;
let lines: string[] = [];
/** The bodies that were posted to the receiver, their paths, and its answer. */
let received: string[] = [];
let paths: string[] = [];
let answerBy: (response: ServerResponse, request: IncomingMessage) => void;
const receiver = createServer((request, response) => {
  paths.push(request.url ?? '');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push(Buffer.concat(chunks).toString());
    answerBy(response, request);
  });
});
let receiverUrl: string;

beforeAll(async () => {
  paying = await openPayingApp({ logTo: { write: (line) => void lines.push(line) } });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  receiverUrl = `http://127.0.0.1:${address.port}/hook/${SECRET}?key=${SECRET}`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await paying.app.close();
});
beforeEach(async () => {
  [received, paths, lines] = [[], [], []];
  answerBy = (response) => void response.end('ok');
  paying.app.ctx.config.alertUrl = receiverUrl;
  await paying.app.ctx.db.execute(sql`delete from payment_case_alerts`);
  await paying.app.ctx.db.execute(
    sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`,
  );
  await paying.app.ctx.db.execute(sql`update payment_differences set resolved_at = now() where resolved_at is null`);
});
afterEach(() => checkOrders(paying.app));

const tell = () => tellCases(paying.app.ctx, EARLY);
const told = () => received.map((body) => alert.parse(JSON.parse(body)));
const jobs = () => paying.jobsOf('payment-tell-cases');

async function ordered(itemId = paying.pack.id) {
  const buyer = await paying.addBuyer();
  return { ...buyer, no: await paying.order(buyer.token, itemId) };
}

async function putAside() {
  const made = await ordered();
  await paying.notify('wechat', paying.wechat.pay(made.no, { amountFen: 1 }));
  return made;
}

async function failedRefund() {
  const made = await ordered();
  await paying.notify('wechat', paying.wechat.pay(made.no));
  await startRefund(paying.app.ctx, made.no, { note: '', keepsGoods: false });
  await failAgain(made.no);
  return made;
}

async function failAgain(no: string) {
  paying.wechat.answerRefunds({ state: 'failed', why: 'NOT_ENOUGH' });
  const refund = await selectRefundOf(paying.app.ctx.db, (await paying.orderOf(no)).id);
  await sendRefund(paying.app.ctx, refund ?? { refundNo: '' });
  paying.wechat.answerRefunds(null);
}

async function invoiced() {
  const made = await ordered();
  await paying.notify('wechat', paying.wechat.pay(made.no));
  const fields = { title: '上海策划有限公司', tax_no: '91310000MA1FL00001', email: 'finance@example.com' };
  expectOk(await paying.app.call(requestInvoice, { out_trade_no: made.no, ...fields }, made.token));
  return made;
}

/** Each makes a case for a person and returns its order number. */
const CASES: [kind: string, make: () => Promise<string>][] = [
  ['put-aside', async () => (await putAside()).no],
  ['refund-failed', async () => (await failedRefund()).no],
  [
    'difference',
    async () => {
      const { no } = await ordered();
      const payment = paying.wechat.pay(no);
      await settleOrder(paying.app.ctx, 'wechat', payment);
      await settleOrder(paying.app.ctx, 'wechat', { ...payment, transactionId: 'another' });
      return no;
    },
  ],
  [
    'difference',
    async () => {
      const { no } = await ordered();
      await paying.notify('wechat', paying.wechat.pay(no));
      const trade = paying.wechat.trades.get(no);
      paying.wechat.trades.delete(no);
      await compareBill(paying.app.ctx, 'wechat', dayText(new Date(paying.app.ctx.clock.now())));
      if (trade) paying.wechat.trades.set(no, trade);
      return no;
    },
  ],
  [
    'refund-slow',
    async () => {
      const { no } = await ordered();
      await paying.notify('wechat', paying.wechat.pay(no));
      await startRefund(paying.app.ctx, no, { note: '', keepsGoods: false });
      await sweepOrders(paying.app.ctx);
      expect(await jobs()).toEqual([]);
      paying.app.clock.offsetMs += 86_401_000;
      for (const _again of [1, 2]) await sweepOrders(paying.app.ctx);
      const { cases } = await reportDay(paying.app.ctx, '2026-03-01');
      expect(cases.find(({ outTradeNo }) => outTradeNo === no)).toMatchObject({
        kind: 'refund-slow',
        what: expect.stringContaining('has not finished'),
      });
      return no;
    },
  ],
  ['invoice-requested', async () => (await invoiced()).no],
  [
    'invoice-to-void',
    async () => {
      const { no } = await invoiced();
      await answerInvoice(paying.app.ctx, no, { invoiceNo: '26312000000012345678' });
      await startRefund(paying.app.ctx, no, { note: '', keepsGoods: false });
      return no;
    },
  ],
  [
    'unknown-number',
    async () => {
      const payment = { ...paying.wechat.pay((await ordered()).no), outTradeNo: UNKNOWN };
      for (const _again of [1, 2]) await paying.notify('wechat', payment, { id: 'stray' });
      return UNKNOWN;
    },
  ],
];

describe('what is told', () => {
  test.each(CASES)('%s: one job, one message, once', async (kind, make) => {
    const no = await make();
    expect(await jobs()).toHaveLength(1);
    await tell();
    expect(told().flatMap(({ cases }) => cases)).toEqual([
      { order: no, kind, what: expect.any(String), command: `ceku order show ${no}` },
    ]);
    paying.app.clock.offsetMs += 61_000;
    await tell();
    await sweepOrders(paying.app.ctx);
    await tell();
    expect(received).toHaveLength(1);
  });

  test('a refund that fails after it was slow, is sent again and is slow again, is told again', async () => {
    const { app } = paying;
    const { no } = await ordered();
    await paying.notify('wechat', paying.wechat.pay(no));
    await startRefund(app.ctx, no, { note: '', keepsGoods: false });
    const tellAfterADay = async () => {
      app.clock.offsetMs += 86_401_000;
      await sweepOrders(app.ctx);
      await tell();
    };
    await tellAfterADay();
    await failAgain(no);
    await startRefund(app.ctx, no, { note: '', keepsGoods: false });
    await sweepOrders(app.ctx);
    await tellAfterADay();
    const cases = told().flatMap((message) => message.cases.filter(({ order }) => order === no));
    expect(cases.map(({ kind }) => kind)).toEqual(['refund-slow', 'refund-slow']);
    await failAgain(no);
  });

  test('order numbers and constant words alone, in the form that bots of chat groups take', async () => {
    const { no, id, username } = await putAside();
    await tell();
    const [body = ''] = received;
    const [message] = told();
    expect(message).toMatchObject({ event: 'payment.cases', text: { content: message?.content.text } });
    expect(message?.text.content).toContain(`${no}: a payment that does not fit its order was put aside`);
    const order = await paying.orderOf(no);
    for (const word of [String(id), username, order.transactionId, order.notifyUrl, SECRET])
      expect(body.replaceAll(no, '')).not.toContain(word);
  });

  test('cases that come together are one message; its text fits a bot', async () => {
    const many = [];
    for (let count = 0; count < 12; count += 1) many.push((await putAside()).no);
    expect(await jobs()).toHaveLength(1);
    await tell();
    expect(told()).toHaveLength(1);
    expect(
      told()[0]
        ?.cases.map(({ order }) => order)
        .toSorted(),
    ).toEqual(many.toSorted());
    const text = told()[0]?.text.content ?? '';
    expect(text).toContain('12 payments wait for a person');
    expect(text).toContain('and 2 more');
    expect(Buffer.byteLength(text)).toBeLessThan(2_048);
  });

  test('a message a minute: the next case waits for it', async () => {
    await putAside();
    await tell();
    await putAside();
    await expect(tell()).rejects.toMatchObject({ seconds: 60 });
    paying.app.clock.offsetMs += 60_000;
    await tell();
    expect(told().map(({ cases }) => cases.length)).toEqual([1, 1]);
  });

  test('a case that a person has ended meanwhile is not told', async () => {
    const { no } = await putAside();
    await acceptMismatch(paying.app.ctx, no);
    await tell();
    expect(received).toEqual([]);
  });

  test('a refund that is sent again and fails again is told again', async () => {
    const { no } = await failedRefund();
    await tell();
    paying.app.clock.offsetMs += 61_000;
    expect(await startRefund(paying.app.ctx, no, { note: '', keepsGoods: false })).toBe('retried');
    await failAgain(no);
    await tell();
    expect(told().map(({ cases }) => cases.map(({ kind }) => kind))).toEqual([['refund-failed'], ['refund-failed']]);
  });

  test('without NOTIFY_URL nothing is recorded and nothing is sent', async () => {
    paying.app.ctx.config.alertUrl = null;
    await putAside();
    await tell();
    await retryAlerts(paying.app.ctx);
    expect([await jobs(), received]).toEqual([[], []]);
    expect(await rowsOf(paying.app.ctx.db, sql`select 1 from payment_case_alerts`)).toEqual([]);
    expect(await postAlert(paying.app.ctx, [])).toBe('is not set');
  });

  test('the case and its alert commit together: a settlement that is rolled back tells nothing', async () => {
    const { no } = await ordered();
    const payment = paying.wechat.pay(no, { amountFen: 1 });
    const { app } = paying;
    await app.ctx.db
      .transaction(async (db) => {
        await settleOrder({ ...app.ctx, db, jobs: app.ctx.jobs.within(db) }, 'wechat', payment);
        throw new Error('and then it fails');
      })
      .catch(() => undefined);
    expect([await paying.statusOf(no), await jobs()]).toEqual(['pending', []]);
    await tell();
    expect(received).toEqual([]);
  });
});

describe('a receiver that does not take it: the job fails, and the next attempt tells', () => {
  let deadline: AbortController | null = null;
  afterEach(() => vi.restoreAllMocks());

  test.each<[string, (response: ServerResponse, request: IncomingMessage) => void, RegExp]>([
    ['500', (response) => void response.writeHead(500).end(), /HTTP 500/],
    ['404', (response) => void response.writeHead(404).end(), /HTTP 404/],
    ['a redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end(), /no answer/],
    ['a cut connection', (_response, request) => void request.socket.destroy(), /no answer/],
    ['a bot’s refusal', (response) => void response.end('{"errcode":93000,"errmsg":"x"}'), /errcode 93000/],
    ['another bot’s refusal', (response) => void response.end('{"code":19024,"msg":"x"}'), /code 19024/],
    ['no end of the answer', (response) => void response.write('{'), /time-out/],
    ['a large answer', (response) => void response.end('x'.repeat(100_000)), /no answer/],
  ])('%s', async (name, answer, problem) => {
    const { no } = await putAside();
    if (name === 'no end of the answer') {
      // The deadline of the request is over as soon as the receiver has it.
      deadline = new AbortController();
      vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    }
    answerBy = (response, request) => {
      answer(response, request);
      deadline?.abort(new DOMException('over', 'TimeoutError'));
    };
    await expect(tell()).rejects.toThrow(problem);
    vi.restoreAllMocks();
    deadline = null;
    expect(paths.filter((path) => path.includes('elsewhere'))).toEqual([]);
    received = [];
    answerBy = (response) => void response.end('{"errcode":0,"errmsg":"ok"}');
    await tell();
    expect(told()[0]?.cases.map(({ order }) => order)).toEqual([no]);
  });

  test('nobody listens; the last attempt says so, and the next morning it is tried again', async () => {
    await putAside();
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const address = nobody.address();
    nobody.close();
    await once(nobody, 'close');
    if (address === null || typeof address === 'string') throw new Error('no port');
    paying.app.ctx.config.alertUrl = `http://127.0.0.1:${address.port}/hook`;
    await expect(tellCases(paying.app.ctx, { isLast: true })).rejects.toThrow('NOTIFY_URL: no answer (ECONNREFUSED)');
    expect(lines.join('')).toContain('NOTIFY_URL took nothing');
    await paying.app.ctx.db.execute(
      sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key = 'payment-tell-cases'))`,
    );
    paying.app.ctx.config.alertUrl = receiverUrl;
    for (const _twice of [1, 2]) await retryAlerts(paying.app.ctx);
    expect(await jobs()).toHaveLength(1);
    await tell();
    expect(received).toHaveLength(1);
    await retryAlerts(paying.app.ctx);
  });

  test('the address is a secret: neither the log nor an error holds it', async () => {
    await putAside();
    answerBy = (response) => void response.writeHead(500).end();
    const error: unknown = await tell().catch((thrown: unknown) => thrown);
    expect(paths).toEqual([`/hook/${SECRET}?key=${SECRET}`]);
    expect(lines.join('') + String(error)).not.toContain(SECRET);
    expect(lines.join('')).toContain('"status":500');
  });
});
