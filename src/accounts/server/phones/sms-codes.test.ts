import { describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { openAccountsApp } from '../../../../tests/accounts-app.ts';
import { standInProviders } from '../../../../tests/stand-in-providers.ts';
import { openTestApp } from '../../../../tests/test-app.ts';
import { newAddress, newPhone, openVisitor } from '../../../../tests/visitor.ts';
import { bindPhone, phoneCodeLogin, returnPwd, sendPhoneCode } from '../../contract.ts';
import { ProviderRefused, ProviderUnavailable } from '../../ports.ts';

const HOUR_MS = 3_600_000;
const SENT = { code: 0, message: '验证码已发送, 有效时间5分钟', data: { retry_after: 60, expire_seconds: 300 } };
const WRONG = { code: 42, message: '验证码错误或已过期', data: null };

const { app, outside } = await openAccountsApp();

const send = (phone: unknown, ip = newAddress(), scene?: 'login' | 'bind' | 'reset') =>
  openVisitor(app, ip).call(sendPhoneCode, { phone, ...(scene && { scene }) });
const logIn = (phone: string, code: string) => openVisitor(app).call(phoneCodeLogin, { phone, code });
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111');
const messagesTo = (phone: string) => outside.messages.filter((message) => message.phone === phone).length;

describe('sendPhoneCode', () => {
  it('sends six digits, and answers alike for a phone that has an account and one that has none', async () => {
    const phone = newPhone();
    expect(await send(phone)).toEqual(SENT);
    expect(outside.codeTo(phone)).toMatch(/^\d{6}$/);
    await logIn(phone, outside.codeTo(phone));
    app.clock.offsetMs = 61_000;
    expect(await send(phone)).toEqual(SENT);
    expect(await send(newPhone())).toEqual(SENT);
  });

  it.each([
    [undefined],
    [''],
    ['12345'],
    ['23800001234'],
    ['+8613800001234'],
    [13_800_001_234],
    [['13800001234', '13800001235']],
    [{ $ne: '' }],
    ['13800001234\0'],
    ['１３８００００１２３４'],
    ['138****1234'],
  ])('refuses %j from a visitor', async (phone) => {
    const before = outside.messages.length;
    expect(await send(phone)).toEqual({ code: 40, message: '请输入正确的手机号', data: { field: 'phone' } });
    expect(outside.messages).toHaveLength(before);
  });

  it('sends to one phone once a minute, five times an hour and ten times a day', async () => {
    const phone = newPhone();
    expect(await send(phone)).toEqual(SENT);
    const refused = await send(phone);
    expect(refused).toMatchObject({ code: 41, data: { retry_after: expect.any(Number) } });
    app.clock.offsetMs = 58_000;
    expect(await send(phone)).toMatchObject({ code: 41 });
    for (let minute = 2; minute <= 5; minute += 1) {
      app.clock.offsetMs = minute * 61_000;
      expect(await send(phone)).toEqual(SENT);
    }
    app.clock.offsetMs = 10 * 61_000;
    expect(await send(phone)).toMatchObject({ code: 41 });
    for (let more = 1; more <= 5; more += 1) {
      app.clock.offsetMs = HOUR_MS + more * 10 * 60_000 + 61_000;
      expect(await send(phone)).toEqual(SENT);
    }
    app.clock.offsetMs = 20 * HOUR_MS;
    const daily = await send(phone);
    expect(daily).toMatchObject({ code: 41 });
    expect(messagesTo(phone)).toBe(10);
    app.clock.offsetMs = 25 * HOUR_MS;
    expect(await send(phone)).toEqual(SENT);
  });

  it('sends twenty an hour for one address, and counts an IPv6 household as one', async () => {
    for (const addresses of [['198.51.100.7'], ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:0db8:1:2:3:4:5:6']]) {
      const codes = [];
      for (let count = 0; count < 21; count += 1) {
        codes.push((await send(newPhone(), addresses[count % addresses.length])).code);
      }
      expect(codes).toEqual([...Array.from({ length: 20 }, () => 0), 41]);
    }
  });

  it('sends sixty an hour for one IPv6 /48, whose 65,536 households one customer can rent', async () => {
    const codes: number[] = [];
    for (let household = 0; household < 13; household += 1) {
      for (let count = 0; count < 5; count += 1) {
        codes.push((await send(newPhone(), `2001:db8:77:${household.toString(16)}::1`)).code);
      }
    }
    expect(codes.filter((code) => code === 0)).toHaveLength(60);
    expect(codes.slice(60)).toEqual([41, 41, 41, 41, 41]);
    expect((await send(newPhone(), '2001:db8:78::1')).code).toBe(0);
  });

  it('sends SMS_PER_HOUR for the whole site, says so in the log, and says what else lets people in', async () => {
    let log = '';
    const own = standInProviders();
    const watched = await openTestApp({
      providers: own.providers,
      logTo: { write: (line) => void (log += line) },
    });
    try {
      watched.ctx.config.smsPerHour = 6;
      const ask = () => openVisitor(watched).call(sendPhoneCode, { phone: newPhone() });
      const first = [await ask(), await ask()];
      expect(log).not.toContain('SMS_PER_HOUR');
      const answers = await Promise.all(Array.from({ length: 10 }, ask));
      expect([...first, ...answers].filter(({ code }) => code === 0)).toHaveLength(6);
      expect(own.messages).toHaveLength(6);
      const refused = answers.find(({ code }) => code === 41);
      expect(refused).toMatchObject({ data: { retry_after: expect.any(Number) } });
      expect(refused?.message).toMatch(/^短信发送量已达上限，请改用微信扫码或密码登录，或 \d+ 分钟后再试$/);
      expect(log.match(/half of SMS_PER_HOUR/g)).toHaveLength(1);
      expect(log.match(/SMS_PER_HOUR is used up/g)).toHaveLength(1);
      watched.clock.offsetMs = HOUR_MS + 1_000;
      expect((await ask()).code).toBe(0);
    } finally {
      await watched.close();
    }
  });

  it('stays within SMS_PER_HOUR when different people at different addresses ask at the same moment', async () => {
    const own = standInProviders();
    const busy = await openTestApp({ providers: own.providers });
    try {
      busy.ctx.config.smsPerHour = 1;
      const rounds = 10;
      for (let round = 0; round < rounds; round += 1) {
        busy.clock.offsetMs = round * (HOUR_MS + 1_000);
        const ask = () => openVisitor(busy).call(sendPhoneCode, { phone: newPhone() });
        const answers = await Promise.all(Array.from({ length: 6 }, ask));
        expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
      }
      expect(own.messages).toHaveLength(rounds);
    } finally {
      await busy.close();
    }
  });

  it('sends nothing twice when many ask at once, from one address or from many', async () => {
    const phone = newPhone();
    const crowd = await Promise.all(Array.from({ length: 40 }, () => send(phone)));
    expect(crowd.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(crowd.filter(({ code }) => code === 41)).toHaveLength(39);
    expect(messagesTo(phone)).toBe(1);
    const ip = newAddress();
    const phones = await Promise.all(Array.from({ length: 40 }, () => send(newPhone(), ip)));
    expect(phones.filter(({ code }) => code === 0)).toHaveLength(20);
  });

  it('stays within ten a day for each of many phones under a storm from many addresses', async () => {
    const phones = Array.from({ length: 5 }, newPhone);
    const answers = [];
    for (let round = 0; round < 14; round += 1) {
      app.clock.offsetMs = round * 20 * 60_000;
      const asked = Array.from({ length: 40 }, (_, at) => send(phones[at % phones.length]));
      answers.push(...(await Promise.all(asked)));
    }
    const sent = answers.filter(({ code }) => code === 0).length;
    expect(answers.every(({ code }) => code === 0 || code === 41)).toBe(true);
    expect(phones.map(messagesTo)).toEqual([10, 10, 10, 10, 10]);
    expect(sent).toBe(50);
    expect(new Set(outside.messages.map(({ reference }) => reference)).size).toBe(outside.messages.length);
  });

  it('says 503 when the carrier is away, sends nothing again, and frees nothing', async () => {
    const phone = newPhone();
    outside.failing.sms = new ProviderUnavailable('stand-in', 'no answer in time', true);
    await expect(send(phone)).rejects.toMatchObject({ status: 503, message: '服务暂时不可用，请稍后再试' });
    outside.failing.sms = null;
    expect(messagesTo(phone)).toBe(1);
    expect(await send(phone)).toMatchObject({ code: 41 });
    // The message may arrive all the same: then it works.
    expect(await logIn(phone, outside.codeTo(phone))).toMatchObject({ code: 0 });
  });

  it('forgets the code of a message that was surely not sent, and still counts it', async () => {
    const unsent = new ProviderUnavailable('stand-in', 'connection refused', false);
    const cases: [Error, number][] = [
      [unsent, 503],
      [new ProviderRefused('stand-in', 'no-credit', 'isv.AMOUNT_NOT_ENOUGH'), 503],
      [new ProviderRefused('stand-in', 'bad-number', 'isv.MOBILE_NUMBER_ILLEGAL'), 40],
      [new ProviderRefused('stand-in', 'too-many', 'isv.BUSINESS_LIMIT_CONTROL'), 41],
    ];
    for (const [error, code] of cases) {
      const phone = newPhone();
      outside.failing.sms = error;
      const answer = await send(phone).catch((failure: { status: number }) => ({ code: failure.status }));
      expect(answer.code).toBe(code);
      outside.failing.sms = null;
      expect(await logIn(phone, outside.codeTo(phone))).toEqual(WRONG);
      expect(await send(phone)).toMatchObject({ code: 41 });
    }
  });

  it('says 503 where there is no carrier', async () => {
    const bare = await openTestApp();
    try {
      await expect(openVisitor(bare).call(sendPhoneCode, { phone: newPhone() })).rejects.toMatchObject({ status: 503 });
    } finally {
      await bare.close();
    }
  });
});

describe('a code', () => {
  it('works once, even for many at once', async () => {
    const phone = newPhone();
    await send(phone);
    const code = outside.codeTo(phone);
    const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(phone, code)));
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === 42)).toHaveLength(4);
    expect(await logIn(phone, code)).toEqual(WRONG);
  });

  it('is worth five tries, also when they come together', async () => {
    const phone = newPhone();
    await send(phone);
    const code = outside.codeTo(phone);
    await Promise.all(Array.from({ length: 20 }, () => logIn(phone, otherThan(code))));
    expect(await logIn(phone, code)).toEqual(WRONG);
    const patient = newPhone();
    await send(patient);
    for (let wrong = 0; wrong < 4; wrong += 1) await logIn(patient, otherThan(outside.codeTo(patient)));
    expect(await logIn(patient, outside.codeTo(patient))).toMatchObject({ code: 0 });
  });

  it('works for five minutes', async () => {
    const [early, late] = [newPhone(), newPhone()];
    await Promise.all([send(early), send(late)]);
    app.clock.offsetMs = 299_000;
    expect(await logIn(early, outside.codeTo(early))).toMatchObject({ code: 0 });
    app.clock.offsetMs = 301_000;
    expect(await logIn(late, outside.codeTo(late))).toEqual(WRONG);
  });

  it('is replaced by a newer code', async () => {
    const phone = newPhone();
    await send(phone);
    const old = outside.codeTo(phone);
    app.clock.offsetMs = 61_000;
    await send(phone);
    const isSame = old === outside.codeTo(phone);
    expect((await logIn(phone, old)).code).toBe(isSame ? 0 : 42);
  });

  it('serves the purpose it was asked for, any where none was named, and no other phone', async () => {
    const person = await addPerson(app);
    const bind = (phone: string) =>
      app.call(bindPhone, { phone, pwd: 'demo-1234', code: outside.codeTo(phone) }, person.token);
    const reset = newPhone();
    await send(reset, newAddress(), 'reset');
    expect(await logIn(reset, outside.codeTo(reset))).toEqual(WRONG);
    expect(await bind(reset)).toEqual(WRONG);
    // Its own purpose: the holder of a phone nobody has is told so.
    const answer = await app.call(returnPwd, { phone: reset, pwd: 'tulip7harbor', code: outside.codeTo(reset) });
    expect(answer).toMatchObject({ code: 1, message: '该手机号未注册' });
    const any = newPhone();
    await send(any);
    expect(await logIn(newPhone(), outside.codeTo(any))).toEqual(WRONG);
    expect(await bind(any)).toMatchObject({ code: 0, message: '绑定成功' });
  });

  it('is not in the database, nor is the phone', async () => {
    const phone = newPhone();
    await send(phone);
    const { rows } = await app.ctx.db.execute('select * from sms_codes');
    const text = JSON.stringify(rows, (_, value: unknown) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : value,
    );
    expect(text).not.toContain(phone);
    expect(text).not.toContain(`"${outside.codeTo(phone)}"`);
  });
});
