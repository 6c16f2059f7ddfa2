import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../../tests/paying.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { eraseUser } from '../../../accounts/server/privacy/delete-account.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { PERSONAL_DATA } from '../../../slices.ts';
import { listOrders, requestInvoice } from '../../contract.ts';
import { paymentCommands } from '../commands.ts';
import { sendRefund } from '../refunds.ts';
import { selectInvoiceOf } from '../store/invoices.ts';
import { selectRefundOf } from '../store/refunds.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(() => checkOrders(paying.app));

const COMPANY = { title: '上海策划有限公司', tax_no: '91310000MA1FL00001', email: 'finance@example.com' };
const NUMBER = '26312000000012345678';
const OTHER_NUMBER = '26312000000012345687';

const ceku = (...argv: string[]) =>
  typeCommand((program) => paymentCommands(program, (work) => work(paying.app.ctx)), ['order', ...argv]);

async function ordered() {
  const buyer = await paying.addBuyer();
  return { ...buyer, no: await paying.order(buyer.token, paying.pack.id) };
}

async function paid() {
  const bought = await ordered();
  await paying.notify('wechat', paying.wechat.pay(bought.no));
  return bought;
}

const ask = (token: string | undefined, no: string, fields: object = COMPANY) =>
  // Safe: the cases below hold what a client may send, well or badly formed.
  paying.app.call(requestInvoice, { out_trade_no: no, ...(fields as typeof COMPANY) }, token);

async function itemOf(token: string, no: string) {
  const { data, items } = expectOk(await paying.app.call(listOrders, { status: 'all' }, token));
  expect(data).toEqual(items);
  return items.find(({ trade_no: number }) => number === no);
}

async function finishRefund(no: string) {
  const refund = await selectRefundOf(paying.app.ctx.db, (await paying.orderOf(no)).id);
  await sendRefund(paying.app.ctx, { refundNo: refund?.refundNo ?? '' });
}

describe('requesting an invoice (C-119)', () => {
  test('is recorded, and stands in both shapes of the order list with the address masked', async () => {
    const { token, no } = await paid();
    expect(await itemOf(token, no)).toMatchObject({ invoice: null, can_invoice: 1 });
    const reply = await ask(token, no);
    expect(reply).toMatchObject({ code: CODE.ok, message: '发票申请已提交', data: { out_trade_no: no } });
    expect(await itemOf(token, no)).toMatchObject({
      can_invoice: 0,
      invoice: {
        status: 'requested',
        status_text: '开票中',
        title: COMPANY.title,
        tax_no: COMPANY.tax_no,
        email: 'f***@example.com',
        invoice_no: '',
        reason: '',
        create_time: expect.any(Number),
      },
    });
  });

  test('a person needs no tax number, and one that is sent all the same is not kept', async () => {
    const { token, no } = await paid();
    const reply = await ask(token, no, { title: '王小明', title_type: 'person', tax_no: 'x', email: 'w@example.com' });
    expect(expectOk(reply).invoice).toMatchObject({ status: 'requested', tax_no: '' });
  });

  test.each([
    [{ title: '' }, '请输入发票抬头'],
    [{ title: '   ' }, '请输入发票抬头'],
    [{ title: undefined }, '请输入发票抬头'],
    [{ title: ['策划'] }, '请输入发票抬头'],
    [{ title: '策' }, '发票抬头应为 2–100 个字'],
    [{ title: '策'.repeat(101) }, '发票抬头应为 2–100 个字'],
    [{ title: '策划\u0000公司' }, '发票抬头含有不能使用的字符'],
    [{ title: '乙公司  91110000123456789X  a@b.cn' }, '发票抬头含有不能使用的字符'],
    [{ title: '乙公司\u3000甲' }, '发票抬头含有不能使用的字符'],
    [{ title: '乙公司\u2028甲' }, '发票抬头含有不能使用的字符'],
    [{ title: '乙公司\u3164甲' }, '发票抬头含有不能使用的字符'],
    [{ title: '策划\u202e公司' }, '发票抬头含有不能使用的字符'],
    [{ title: '<b>策划公司</b>' }, '发票抬头含有不能使用的字符'],
    [{ tax_no: undefined }, '请输入纳税人识别号'],
    [{ tax_no: '' }, '请输入纳税人识别号'],
    [{ tax_no: 91_310_000 }, '请输入纳税人识别号'],
    [{ tax_no: '9131000012345A' }, '纳税人识别号应为 15–20 位大写字母或数字'],
    [{ tax_no: '9'.repeat(21) }, '纳税人识别号应为 15–20 位大写字母或数字'],
    [{ tax_no: '91310000ma1fl00001' }, '纳税人识别号应为 15–20 位大写字母或数字'],
    [{ tax_no: '91310000-MA1FL0000' }, '纳税人识别号应为 15–20 位大写字母或数字'],
    [{ email: '' }, '请输入接收发票的邮箱'],
    [{ email: null }, '请输入接收发票的邮箱'],
    [{ email: 'finance' }, '请输入正确的邮箱地址'],
    [{ email: 'finance@localhost' }, '请输入正确的邮箱地址'],
    [{ email: 'a@example.com\nBcc: b@example.com' }, '请输入正确的邮箱地址'],
    [{ email: `${'a'.repeat(90)}@example.com` }, '请输入正确的邮箱地址'],
  ])('%j is refused: %s', async (wrong, message) => {
    const { token, no } = await shared();
    expect(await ask(token, no, { ...COMPANY, ...wrong })).toMatchObject({ code: CODE.invalid, message });
    expect((await itemOf(token, no))?.invoice).toBeNull();
  });

  let sharedOrder: Promise<Awaited<ReturnType<typeof paid>>> | null = null;
  const shared = () => (sharedOrder ??= paid());

  test('a visitor, somebody else, and an invented number', async () => {
    const [{ no }, stranger] = [await paid(), await paying.addBuyer()];
    expect(await ask(undefined, no)).toMatchObject({ code: CODE.notLoggedIn });
    for (const number of [no, 'M202603020030000000000000', "' or 1=1", 'M\u0000', 'x'.repeat(64)])
      expect(await ask(stranger.token, number)).toMatchObject({ code: CODE.notFound, message: '订单不存在' });
    // Whose order it is, is looked up for a request that could be recorded alone.
    for (const number of [no, 'M202603020030000000000000'])
      expect(await ask(stranger.token, number, { ...COMPANY, email: 'finance' })).toMatchObject({ code: CODE.invalid });
    // @ts-expect-error: what a client may send all the same.
    expect(await ask(stranger.token, {})).toMatchObject({ code: CODE.invalid, message: '请提供订单号' });
    expect(await selectInvoiceOf(paying.app.ctx.db, (await paying.orderOf(no)).id)).toBeNull();
  });

  test('asked for again after a refusal: the masked address of the list stands for the one that was given before', async () => {
    const { token, no } = await paid();
    const { ctx } = paying.app;
    const { id } = await paying.orderOf(no);
    // Nothing was given before that a mask could stand for.
    const masked = { code: CODE.invalid, message: '请重新填写完整的邮箱', data: { field: 'email' } };
    expect(await ask(token, no, { ...COMPANY, email: 'f***@example.com' })).toMatchObject(masked);
    await ask(token, no);
    await ceku('invoice', 'refuse', no, '--reason', '税号与抬头不符');
    for (const email of ['g***@example.com', 'f***@example.org'])
      expect(await ask(token, no, { ...COMPANY, email })).toMatchObject(masked);
    expect(await ask(token, no, { ...COMPANY, email: 'f***@example.com' })).toMatchObject({ code: CODE.ok });
    expect((await selectInvoiceOf(ctx.db, id))?.email).toBe(COMPANY.email);
  });

  test('only of a paid order, and only once', async () => {
    const [unpaid, putAside, bought] = [await ordered(), await ordered(), await paid()];
    await paying.notify('wechat', paying.wechat.pay(putAside.no, { amountFen: 1 }));
    expect(await ask(unpaid.token, unpaid.no)).toMatchObject({
      code: CODE.conflict,
      message: '订单尚未支付，支付成功后才能申请发票',
    });
    expect(await ask(putAside.token, putAside.no)).toMatchObject({
      code: CODE.conflict,
      message: '订单正在处理中，到账后才能申请发票',
    });
    expect(await itemOf(putAside.token, putAside.no)).toMatchObject({ can_invoice: 0, status_text: '处理中' });
    expect((await ask(bought.token, bought.no)).code).toBe(CODE.ok);
    expect(await ask(bought.token, bought.no, { ...COMPANY, title: '另一家公司' })).toMatchObject({
      code: CODE.conflict,
      message: '该订单已申请过发票，请勿重复提交',
    });
    expect((await itemOf(bought.token, bought.no))?.invoice?.title).toBe(COMPANY.title);
  });

  test('fifty requests at once are one', async () => {
    const { token, no } = await paid();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(token, no, { ...COMPANY, title: `第${index}家公司` })),
    );
    expect(replies.filter(({ code }) => code === CODE.ok)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === CODE.conflict)).toHaveLength(49);
    const winner = replies.find(({ code }) => code === CODE.ok);
    expect((await itemOf(token, no))?.invoice?.title).toBe(winner?.data?.invoice.title);
  });

  test('is refused once the money goes back; a refund and a request at once end in one of the two orders', async () => {
    const [early, race] = [await paid(), await paid()];
    await ceku('refund', early.no);
    for (const finish of [async () => {}, () => finishRefund(early.no)]) {
      await finish();
      expect(await ask(early.token, early.no)).toMatchObject({
        code: CODE.conflict,
        message: '该订单已退款，不能申请发票',
      });
    }
    const [reply] = await Promise.all([ask(race.token, race.no), ceku('refund', race.no)]);
    expect([CODE.ok, CODE.conflict]).toContain(reply.code);
    const state = (await itemOf(race.token, race.no))?.invoice?.status ?? null;
    expect(state).toBe(reply.code === CODE.ok ? 'cancelled' : null);
  });

  test('ten a minute', async () => {
    const limited = await openPayingApp({ isRateLimited: true });
    try {
      const { token } = await limited.addBuyer();
      const askUnknown = () =>
        limited.app.call(requestInvoice, { out_trade_no: 'M202603020030000000000000', ...COMPANY }, token);
      for (let asked = 0; asked < 10; asked += 1) expect((await askUnknown()).code).toBe(CODE.notFound);
      expect(await askUnknown()).toMatchObject({ code: CODE.tooFrequent, data: { retry_after: expect.any(Number) } });
    } finally {
      await limited.app.close();
    }
  });
});

describe('ceku order invoice', () => {
  test('answer: the request leaves the list, and the buyer sees the number', async () => {
    const { token, no } = await paid();
    await ask(token, no);
    const listed = (await ceku('invoice', 'list')).out;
    expect(listed).toContain(`${no}  100 喵币  ¥10.00  ${COMPANY.title}  ${COMPANY.tax_no}  ${COMPANY.email}`);
    expect(listed).toContain(`ceku order invoice answer ${no} --number <digits>`);
    expect((await ceku('report')).out).toMatch(/invoice requests that wait: [1-9]/);
    const done = await ceku('invoice', 'answer', no, '--number', NUMBER);
    expect([done.code, done.out]).toEqual([0, expect.stringContaining(`The request for ${no} is issued`)]);
    expect((await ceku('invoice', 'list')).out).not.toContain(no);
    expect((await ceku('invoice', 'list', '--all')).out).toContain(`issued: ${NUMBER}`);
    expect((await ceku('show', no)).out).toContain(`invoice for ${COMPANY.title}: issued ${NUMBER}`);
    expect((await itemOf(token, no))?.invoice).toMatchObject({
      status: 'issued',
      status_text: '已开票',
      invoice_no: NUMBER,
    });
    // Not a second time, and not for an order without a request.
    expect((await ceku('invoice', 'answer', no, '--number', NUMBER)).code).toBe(65);
    expect((await ceku('invoice', 'refuse', no, '--reason', '税号有误')).err).toContain('waits for an answer');
    expect((await ask(token, no)).code).toBe(CODE.conflict);
  });

  test('refuse: the buyer reads why, corrects it once, and fifty corrections at once are one', async () => {
    const { token, no } = await paid();
    await ask(token, no, { ...COMPANY, tax_no: '913100000000000000' });
    expect((await ceku('invoice', 'refuse', no, '--reason', '税号与抬头不符')).code).toBe(0);
    expect(await itemOf(token, no)).toMatchObject({
      can_invoice: 1,
      invoice: { status: 'refused', status_text: '未通过', reason: '税号与抬头不符' },
    });
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(token, no)));
    expect(replies.filter(({ code }) => code === CODE.ok)).toHaveLength(1);
    expect(await itemOf(token, no)).toMatchObject({
      can_invoice: 0,
      invoice: { status: 'requested', reason: '', tax_no: COMPANY.tax_no },
    });
  });

  test('a refund before the answer cancels the request', async () => {
    const { token, no } = await paid();
    await ask(token, no);
    await ceku('refund', no);
    expect((await itemOf(token, no))?.invoice).toMatchObject({ status: 'cancelled', status_text: '已取消' });
    expect((await ceku('invoice', 'list')).out).not.toContain(no);
    const late = await ceku('invoice', 'refuse', no, '--reason', '税号有误');
    expect([late.code, late.err]).toEqual([65, expect.stringContaining('no invoice may be issued for it')]);
  });

  test('an invoice that was issued while a refund began is recorded, and a case until it is voided', async () => {
    const { token, no } = await paid();
    await ask(token, no);
    await ceku('refund', no);
    const { code, out } = await ceku('invoice', 'answer', no, '--number', NUMBER);
    expect([code, out]).toEqual([0, expect.stringContaining('The order is refunded: void the invoice')]);
    expect((await ceku('report')).out).toContain(`${no}  refunded, and invoice ${NUMBER} was issued for it`);
    expect((await itemOf(token, no))?.invoice).toMatchObject({ status: 'issued', invoice_no: NUMBER });
    expect((await ceku('invoice', 'void', no, '--note', 'red')).code).toBe(0);
    expect((await ceku('invoice', 'answer', no, '--number', OTHER_NUMBER)).code).toBe(65);
  });

  test('a number that was mistyped is corrected, and the old one stays on record', async () => {
    const { token, no } = await paid();
    await ask(token, no);
    await ceku('invoice', 'answer', no, '--number', OTHER_NUMBER);
    expect((await ceku('invoice', 'answer', no, '--number', OTHER_NUMBER)).err).toContain('has that number already');
    const { code, out } = await ceku('invoice', 'answer', no, '--number', NUMBER);
    expect([code, out]).toEqual([0, expect.stringContaining(`is now ${NUMBER}`)]);
    expect((await itemOf(token, no))?.invoice).toMatchObject({ status: 'issued', invoice_no: NUMBER });
    expect((await ceku('invoice', 'list', '--all')).out).toContain(`issued: ${NUMBER} (was ${OTHER_NUMBER})`);
    expect((await ceku('invoice', 'refuse', no, '--reason', '税号有误')).code).toBe(65);
    await ceku('refund', no);
    await ceku('invoice', 'void', no, '--note', 'red');
    expect((await ceku('invoice', 'list', '--all')).out).toContain(`${NUMBER}, voided: was ${OTHER_NUMBER}; red`);
  });

  test('a refund after the invoice is a case until it is voided', async () => {
    const { token, no } = await paid();
    await ask(token, no);
    await ceku('invoice', 'answer', no, '--number', NUMBER);
    expect((await ceku('invoice', 'void', no, '--note', 'x')).err).toContain('its invoice stands');
    await ceku('refund', no);
    const report = (await ceku('report')).out;
    expect(report).toContain(`${no}  refunded, and invoice ${NUMBER} was issued for it`);
    expect(report).toContain(`ceku order invoice void ${no} --note <number of the red invoice>`);
    expect((await ceku('invoice', 'list')).out).toContain(`ceku order invoice void ${no}`);
    await finishRefund(no);
    expect((await ceku('report')).out).toContain(`${no}  refunded, and invoice`);
    expect((await ceku('invoice', 'void', no, '--note', 'red 26312000000099999999')).code).toBe(0);
    expect((await ceku('report')).out).not.toContain(no);
    expect((await itemOf(token, no))?.invoice).toMatchObject({ status: 'voided', status_text: '已红冲' });
    expect((await ceku('invoice', 'void', no, '--note', 'again')).code).toBe(65);
  });

  test.each([
    [['invoice', 'answer', 'M1', '--number', NUMBER], 2, /M and 24 digits/],
    [['invoice', 'answer', 'M202603020030000000000000', '--number', '12'], 2, /8, 12 or 20 digits/],
    [['invoice', 'answer', 'M202603020030000000000000', '--number', NUMBER], 65, /No request/],
    [['invoice', 'answer', 'M202603020030000000000000'], 2, /--number/],
    [['invoice', 'refuse', 'M202603020030000000000000', '--reason', ' '], 2, /one line/],
    [['invoice', 'void', 'M202603020030000000000000', '--note', 'x'], 65, /no issued invoice/],
  ])('%j ends with %i in plain words', async (argv, expected, words) => {
    const { code, err } = await ceku(...argv);
    expect(code).toBe(expected);
    expect(err).toMatch(words);
    expect(err).not.toContain('    at ');
  });
});

test('the copy of one’s data has the invoices; an erasure keeps those that were issued, without the address', async () => {
  const { app } = paying;
  const buyer = await paying.addBuyer();
  const buy = async () => {
    const no = await paying.order(buyer.token, paying.pack.id);
    await paying.notify('wechat', paying.wechat.pay(no));
    app.clock.offsetMs += 301_000;
    return no;
  };
  const [issued, open, refused] = [await buy(), await buy(), await buy()];
  for (const no of [issued, open, refused]) await ask(buyer.token, no);
  await ceku('invoice', 'answer', issued, '--number', NUMBER);
  await ceku('invoice', 'refuse', refused, '--reason', '税号有误');
  const parts = await Promise.all(PERSONAL_DATA.map((part) => part.collect(app.ctx, buyer.id)));
  expect(parts.flatMap((part) => part['invoices'] ?? [])).toMatchObject([
    { outTradeNo: issued, ...sentOf(COMPANY), state: 'issued', invoiceNo: NUMBER },
    { outTradeNo: open, ...sentOf(COMPANY), state: 'requested' },
    { outTradeNo: refused, ...sentOf(COMPANY), state: 'refused', reason: '税号有误' },
  ]);
  await eraseUser(app.ctx, PERSONAL_DATA, buyer.id);
  const left = await Promise.all(
    [issued, open, refused].map(async (no) => selectInvoiceOf(app.ctx.db, (await paying.orderOf(no)).id)),
  );
  expect(left).toMatchObject([{ title: COMPANY.title, invoiceNo: NUMBER, email: '' }, null, null]);
});

const sentOf = ({ title, tax_no: taxNo, email }: typeof COMPANY) => ({ title, taxNo, email });
