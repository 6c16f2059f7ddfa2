import { describe, expect, it } from 'vitest';
import { encoded, PASSWORD } from '../../../../tests/people.ts';
import { openAccountsApp } from '../../../../tests/accounts-app.ts';
import { newAddress, newPhone, openVisitor } from '../../../../tests/visitor.ts';
import { getMine } from '../../../membership/contract.ts';
import { expectOk } from '../../../protocol/call.ts';
import { maskPhone } from '../../rules.ts';
import { phoneCodeLogin, phoneLogin, usernameLogin } from '../../contract.ts';
import { banUser } from '../account-admin.ts';
import { createUser } from '../users.ts';

const WRONG = { code: 1, message: '手机号或密码错误', data: null };

const { app, byPhone } = await openAccountsApp();
const { codeFor, comeIn } = byPhone;

describe('login by a code', () => {
  it('makes the account of a phone once, and finds it again', async () => {
    const phone = newPhone();
    const first = openVisitor(app);
    const response = await first.fetch('/api/user/phoneCodeLogin', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, code: await codeFor(phone), 'origin-source': 1 }),
    });
    const body: { code: number; infor: object; data: object } = await response.json();
    expect(body.code).toBe(0);
    expect(body.infor).toEqual(body.data);
    expect(body.infor).toEqual({ authToken: first.cookies.get('token'), openid: '', sid: first.cookies.get('sid') });
    const mine = expectOk(await first.call(getMine, {}));
    expect(mine).toMatchObject({ phone: maskPhone(phone), balance: 0, is_vip: 0, has_password: 0, openid: '' });
    expect(mine.nickname).toMatch(/^策库用户\d{6}$/);
    const again = await comeIn(phone);
    expect(again.id).toBe(mine.uid);
  });

  it('tells a banned owner, and nobody else, that the account is banned', async () => {
    const person = await comeIn();
    await banUser(app.ctx, person.id);
    const answer = await openVisitor(app).call(phoneCodeLogin, {
      phone: person.phone,
      code: await codeFor(person.phone),
    });
    expect(answer).toMatchObject({ code: 1, message: '该账号已被停用，请联系客服' });
    expect(await openVisitor(app).call(phoneCodeLogin, { phone: person.phone, code: '000000' })).toMatchObject({
      code: 42,
    });
  });

  it.each([
    [{ phone: '123', code: '123456' }, '请输入正确的手机号', 'phone'],
    [{ phone: ['13800001234'], code: '123456' }, '请输入正确的手机号', 'phone'],
    [{ phone: '13800001234', code: '12345' }, '请输入6位验证码', 'code'],
    [{ phone: '13800001234', code: 123_456 }, '请输入6位验证码', 'code'],
    [{ phone: '13800001234' }, '请输入6位验证码', 'code'],
    [{}, '请输入正确的手机号', 'phone'],
  ])('refuses %j', async (body, message, field) => {
    const response = await app.fetch('/api/user/phoneCodeLogin', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toEqual({ code: 40, message, data: { field } });
  });
});

describe('login by phone and password', () => {
  it('answers one text for every wrong input', async () => {
    const phone = newPhone();
    await createUser(app.ctx, { username: null, password: PASSWORD, phone, nickname: '小策' });
    const banned = newPhone();
    const id = await createUser(app.ctx, { username: null, password: PASSWORD, phone: banned, nickname: '小策' });
    await banUser(app.ctx, id ?? 0);
    const bare = await comeIn();
    const attempt = (to: string, pwd: unknown) => openVisitor(app).call(phoneLogin, { phone: to, pwd });
    for (const [to, pwd] of [
      [phone, 'wrong-1234'],
      [newPhone(), PASSWORD],
      [banned, PASSWORD],
      [bare.phone, ''],
      [bare.phone, PASSWORD],
      [phone, ''],
      [phone, 'x'.repeat(65)],
      [phone, [PASSWORD]],
    ] as const) {
      expect(await attempt(to, pwd)).toEqual(WRONG);
    }
    expect(await attempt('23800001234', PASSWORD)).toMatchObject({ code: 40, data: { field: 'phone' } });
    const browser = openVisitor(app);
    expect(await browser.call(phoneLogin, { phone, pwd: PASSWORD })).toMatchObject({
      code: 0,
      data: { authToken: browser.cookies.get('token'), openid: '' },
    });
  });

  it('takes a code in the password’s place', async () => {
    const phone = newPhone();
    const answer = await openVisitor(app).call(phoneLogin, { phone, code: await codeFor(phone) });
    expect(answer.code).toBe(0);
    expect(await openVisitor(app).call(phoneLogin, { phone, code: '12' })).toMatchObject({ code: 40 });
  });

  it('locks the account by whichever name the five wrong passwords came, and unknown phones alike', async () => {
    const phone = newPhone();
    await createUser(app.ctx, { username: 'two-names', password: PASSWORD, phone, nickname: '小策' });
    const ip = newAddress();
    const byPhone = (to: string, pwd: string) => openVisitor(app, ip).call(phoneLogin, { phone: to, pwd });
    const byName = (password: string) =>
      openVisitor(app, ip).call(usernameLogin, { username: 'two-names', password: encoded(password) });
    for (let wrong = 0; wrong < 3; wrong += 1) expect((await byPhone(phone, 'wrong-1234')).code).toBe(1);
    for (let wrong = 0; wrong < 2; wrong += 1) expect((await byName('wrong-1234')).code).toBe(1);
    expect(await byPhone(phone, PASSWORD)).toMatchObject({ code: 41, data: { retry_after: expect.any(Number) } });
    expect(await byName(PASSWORD)).toMatchObject({ code: 41 });
    const ghost = newPhone();
    for (let wrong = 0; wrong < 5; wrong += 1) expect(await byPhone(ghost, PASSWORD)).toEqual(WRONG);
    expect(await byPhone(ghost, PASSWORD)).toMatchObject({ code: 41 });
    // The owner still comes in by a code.
    const owner = openVisitor(app);
    expect(await owner.call(phoneCodeLogin, { phone, code: await codeFor(phone) })).toMatchObject({ code: 0 });
  });

  it('takes as much work for a phone without an account', async () => {
    const phone = newPhone();
    await createUser(app.ctx, { username: null, password: PASSWORD, phone, nickname: '小策' });
    // Passwords are hashed in a thread of their own: the processor time is that of the process.
    const work = async (to: string) => {
      const before = process.cpuUsage();
      await app.call(phoneLogin, { phone: to, pwd: 'wrong-1234' });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const best = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 4; round += 1) {
      best.known = Math.min(best.known, await work(phone));
      best.unknown = Math.min(best.unknown, await work(newPhone()));
    }
    expect(best.unknown / best.known).toBeGreaterThan(0.5);
    expect(best.unknown / best.known).toBeLessThan(2);
  });
});
