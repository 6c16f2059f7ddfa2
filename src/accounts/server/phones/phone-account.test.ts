import { sql, type SQL } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { addPerson, logIn } from '../../../../tests/people.ts';
import { openAccountsApp } from '../../../../tests/accounts-app.ts';
import { openTestApp } from '../../../../tests/test-app.ts';
import { newAddress, newPhone, openVisitor, type Visitor } from '../../../../tests/visitor.ts';
import { getMine } from '../../../membership/contract.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { maskPhone } from '../../rules.ts';
import {
  bindPhone,
  cancelAccount,
  listSessions,
  phoneCodeLogin,
  phoneLogin,
  returnPwd,
  revokeSession,
  sendPhoneCode,
  updateInfo,
  verifyUserPhone,
} from '../../contract.ts';
import { withHashingSlot } from '../passwords.ts';

const WRONG = { code: 1, message: '手机号或密码错误', data: null };
const NOBODY = { code: 10000, message: '请先登录', data: null };

const { app, outside, byPhone } = await openAccountsApp();
const { codeFor, codeOfOwn, comeIn } = byPhone;

const codeOf = async (browser: Visitor) => (await browser.call(getMine, {})).code;

/**
 * Calls while another transaction has changed the account and not committed: the call finds the account as it was, waits
 * for the row, and goes on once the change is committed.
 */
async function duringChange<T>(userId: number, change: SQL, call: () => Promise<T>): Promise<T> {
  const [isChanged, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const changed = app.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`update users set ${change} where id = ${userId}`);
    isChanged.resolve();
    await mayCommit.promise;
  });
  await isChanged.promise;
  const answer = call();
  await expect
    .poll(() =>
      rowsOf(
        app.ctx.db,
        sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);
  mayCommit.resolve();
  await changed;
  return answer;
}

describe('an account that changes between the proof and the change', () => {
  it('keeps its phone when the proving password was replaced in between', async () => {
    const person = await comeIn();
    expectOk(await person.call(bindPhone, { ...(await bindingOf(person.phone)), pwd: 'fangan2026' }));
    const given = { ...(await bindingOf(newPhone())), pwd: 'fangan2026' };
    const answer = await duringChange(person.id, sql`password_hash = 'another'`, () => person.call(bindPhone, given));
    expect(answer).toMatchObject({ code: 60, message: '账号的手机号或密码刚刚已被更改，请刷新页面后重试' });
    expect(expectOk(await person.call(getMine, {})).phone).toBe(maskPhone(person.phone));
  });

  it('gets no password from the holder of a phone that was replaced in between', async () => {
    const person = await comeIn();
    const { phone } = person;
    const given = { phone, code: await codeFor(phone), pwd: 'fangan2026' };
    const change = sql`phone_index = decode(md5(random()::text), 'hex')`;
    const answer = await duringChange(person.id, change, () => openVisitor(app).call(returnPwd, given));
    expect(answer).toMatchObject({ code: 1, message: '该手机号未注册' });
    const [row] = await rowsOf<{ password_hash: string | null }>(
      app.ctx.db,
      sql`select password_hash from users where id = ${person.id}`,
    );
    expect(row?.password_hash).toBeNull();
  });

  it('opens no session and asks for no deletion by a code to a phone that was replaced in between', async () => {
    const change = sql`phone_index = decode(md5(random()::text), 'hex')`;
    const person = await comeIn();
    const login = { phone: person.phone, code: await codeFor(person.phone) };
    const visitor = openVisitor(app);
    expect(await duringChange(person.id, change, () => visitor.call(phoneCodeLogin, login))).toMatchObject({
      code: 42,
    });
    expect(visitor.cookies.get('token')).toBeUndefined();

    const other = await comeIn();
    const proof = { code: await codeOfOwn(other, 'cancel') };
    expect(await duringChange(other.id, change, () => other.call(cancelAccount, proof))).toMatchObject({ code: 42 });
    expect(await codeOf(other)).toBe(0);
  });

  const bindingOf = async (phone: string) => ({ phone, code: await codeFor(phone) });
});

describe('verifyUserPhone', () => {
  it('tells a visitor whether a phone is registered, and a member of their own alone', async () => {
    const person = await comeIn();
    const other = await comeIn();
    const ask = (browser: Visitor, phone: unknown) => browser.call(verifyUserPhone, { phone });
    const unknown = { code: 1, message: '该手机号未注册', data: null };
    expect(await ask(openVisitor(app), person.phone)).toMatchObject({ code: 0, data: { exists: 1 } });
    expect(await ask(openVisitor(app), newPhone())).toEqual(unknown);
    expect(await ask(openVisitor(app), '')).toMatchObject({ code: 40 });
    expect(await ask(openVisitor(app), ['13800001234'])).toMatchObject({ code: 40 });
    for (const own of [person.phone, maskPhone(person.phone), '']) {
      expect(await ask(person, own)).toMatchObject({ code: 0, data: { exists: 1 } });
    }
    expect(await ask(person, other.phone)).toEqual(unknown);
    expect(await ask(person, 'x')).toMatchObject({ code: 40 });
  });

  it('says how long to wait, and what to do instead, after five a minute and twenty a day from one address', async () => {
    const limited = await openTestApp({ isRateLimited: true });
    try {
      const ip = newAddress();
      const ask = () => openVisitor(limited, ip).call(verifyUserPhone, { phone: newPhone() });
      for (let count = 0; count < 5; count += 1) expect((await ask()).code).toBe(1);
      const refused = await ask();
      expect(refused).toMatchObject({ code: 43, data: { retry_after: expect.any(Number) } });
      expect(refused.message).toMatch(/^查询次数过多，请 \d+ (秒|分钟)后再试，或直接用短信验证码登录$/);
      expect((await openVisitor(limited).call(verifyUserPhone, { phone: newPhone() })).code).toBe(1);
      // All addresses of an IPv6 household count as one address.
      const codes = await Promise.all(
        Array.from({ length: 8 }, (_, host) =>
          openVisitor(limited, `2001:db8:1:2::${host + 1}`).call(verifyUserPhone, { phone: newPhone() }),
        ),
      );
      expect(codes.filter(({ code }) => code === 1)).toHaveLength(5);
    } finally {
      await limited.close();
    }
  });
});

describe('bindPhone', () => {
  it('binds a phone and a first password, and then changes the phone for the password', async () => {
    const scanned = await comeIn();
    const old_code = await codeOfOwn(scanned, 'rebind');
    const phone = newPhone();
    expect(await scanned.call(bindPhone, { phone, pwd: 'short1', code: '123456' })).toMatchObject({
      code: 40,
      message: '密码需为8-20位字母和数字组合',
    });
    expect(await scanned.call(bindPhone, { phone, pwd: 'abc12345', code: '123456' })).toMatchObject({
      code: 40,
      message: '这个密码太常见，容易被猜到，请换一个',
    });
    expect(await scanned.call(bindPhone, { phone, pwd: 'first-1234', code: await codeFor(phone), old_code })).toEqual({
      code: 0,
      message: '绑定成功',
      data: { phone: maskPhone(phone) },
    });
    expect(expectOk(await scanned.call(getMine, {}))).toMatchObject({ phone: maskPhone(phone), has_password: 1 });
    expect(await openVisitor(app).call(phoneLogin, { phone, pwd: 'first-1234' })).toMatchObject({ code: 0 });
    expect(await openVisitor(app).call(verifyUserPhone, { phone: scanned.phone })).toMatchObject({ code: 1 });

    const next = newPhone();
    const code = await codeFor(next);
    const wrong = await scanned.call(bindPhone, { phone: next, pwd: 'other-1234', code });
    expect(wrong).toEqual({ code: 1, message: '密码错误', data: null });
    expect(await scanned.call(bindPhone, { phone: next, pwd: 'first-1234', code })).toMatchObject({ code: 0 });
    expect(await codeOf(scanned)).toBe(0);
    expect(await openVisitor(app).call(phoneLogin, { phone: next, pwd: 'first-1234' })).toMatchObject({ code: 0 });
  });

  it('changes nothing for the phone of another account, a wrong code, a visitor', async () => {
    const [person, other] = [await comeIn(), await comeIn()];
    const old_code = await codeOfOwn(person, 'rebind');
    const taken = await person.call(bindPhone, { phone: other.phone, code: await codeFor(other.phone), old_code });
    expect(taken).toEqual({ code: 60, message: '该手机号已被其他账号绑定', data: null });
    // Only the holder of a phone learns that it is taken.
    const again = await codeOfOwn(person, 'rebind');
    expect(await person.call(bindPhone, { phone: other.phone, code: '000000', old_code: again })).toMatchObject({
      code: 42,
      data: null,
    });
    expect(expectOk(await person.call(getMine, {})).phone).toBe(maskPhone(person.phone));
    expect(await app.call(bindPhone, { phone: newPhone(), code: '123456' })).toEqual(NOBODY);
    expect(await person.call(bindPhone, { phone: 'x', code: '123456' })).toMatchObject({ code: 40 });
  });

  it('leaves a phone with one account when its owner comes in by it and binds it at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      app.clock.offsetMs = 0;
      const [phone, person, newcomer] = [newPhone(), await comeIn(), openVisitor(app)];
      await newcomer.call(sendPhoneCode, { phone, scene: 'login' });
      const loginCode = outside.codeTo(phone);
      app.clock.offsetMs += 61_000;
      await person.call(sendPhoneCode, { phone, scene: 'bind' });
      const bindCode = outside.codeTo(phone);
      const old_code = await codeOfOwn(person, 'rebind');
      const [login, bound] = await Promise.all([
        newcomer.call(phoneCodeLogin, { phone, code: loginCode }),
        person.call(bindPhone, { phone, code: bindCode, old_code }),
      ]);
      expect(login.code).toBe(0);
      expect([0, 60]).toContain(bound.code);
      const owner = expectOk(await newcomer.call(getMine, {})).uid;
      expect(owner === person.id).toBe(bound.code === 0);
    }
  });
});

describe('returnPwd', () => {
  it('leaves the code as it is while no password can be hashed', async () => {
    const person = await comeIn();
    const reset = { phone: person.phone, code: await codeFor(person.phone), pwd: 'fangan2026' };
    const mayEnd = Promise.withResolvers<void>();
    // Two hashes run, and forty wait.
    const hashing = Array.from({ length: 42 }, () => withHashingSlot(() => mayEnd.promise));
    expect(await person.call(returnPwd, reset)).toMatchObject({ code: 41 });
    mayEnd.resolve();
    await Promise.all(hashing);
    expect(await person.call(returnPwd, reset)).toMatchObject({ code: 0 });
  });

  it('sets a password by a code, ends the other sessions and takes the lock off', async () => {
    const person = await comeIn();
    const elsewhere = await comeIn(person.phone);
    for (let wrong = 0; wrong < 6; wrong += 1) {
      await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'wrong-1234' });
    }
    const reset = await person.call(returnPwd, {
      phone: maskPhone(person.phone),
      pwd: 'newer-1234',
      code: await codeFor(person.phone),
    });
    expect(reset).toEqual({ code: 0, message: '重置密码成功', data: {} });
    expect(await codeOf(person)).toBe(0);
    expect(await codeOf(elsewhere)).toBe(2);
    expect(await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'newer-1234' })).toMatchObject({
      code: 0,
    });
    const visitor = openVisitor(app);
    const code = await codeFor(person.phone);
    expect(await visitor.call(returnPwd, { phone: person.phone, pwd: 'latest-1234', code })).toMatchObject({ code: 0 });
    expect(await codeOf(person)).toBe(2);
    expect(await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'newer-1234' })).toEqual(WRONG);
  });

  it('refuses weak passwords, wrong codes, and phones without an account', async () => {
    const person = await comeIn();
    const reset = (pwd: unknown, code: unknown, phone = person.phone) =>
      app.fetch('/api/user/returnPwd', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ phone, pwd, code }),
      });
    for (const pwd of [
      'password1',
      'abcd1234',
      'abcdefgh',
      '12345678',
      'abc1234',
      `a1${'x'.repeat(19)}`,
      'abcd 1234',
      '',
      null,
      12_345_678,
    ]) {
      expect(await (await reset(pwd, '123456')).json()).toMatchObject({ code: 40, data: { field: 'pwd' } });
    }
    expect(await (await reset('tulip7harbor', '000000')).json()).toMatchObject({ code: 42 });
    expect(await (await reset('tulip7harbor', '000000', newPhone())).json()).toMatchObject({ code: 42 });
    expect(await (await reset('tulip7harbor', '000000', '')).json()).toMatchObject({ code: 40 });
    expect(await codeOf(person)).toBe(0);
  });
});

describe('updateInfo', () => {
  it('keeps a nickname without the space around it, and refuses odd ones', async () => {
    const person = await comeIn();
    expect(await person.call(updateInfo, { nickname: '  策划人 ' })).toEqual({
      code: 0,
      message: '保存成功',
      data: { nickname: '策划人' },
    });
    for (const nickname of ['', 'a', ' a ', 'x'.repeat(21), '<b>hi</b>', 'a\u0000b', 'a\u202eb', null, ['策划人']]) {
      expect(await person.call(updateInfo, { nickname })).toEqual({
        code: 40,
        message: '昵称长度为2-20个字符',
        data: { field: 'nickname' },
      });
    }
    expect(expectOk(await person.call(getMine, {})).nickname).toBe('策划人');
    expect(await app.call(updateInfo, { nickname: '策划人' })).toEqual(NOBODY);
  });
});

describe('the list of sessions', () => {
  it('shows where one is logged in, and ends one, another’s never, or all others', async () => {
    const person = await addPerson(app);
    const others = [await logIn(app, person.username), await logIn(app, person.username)];
    const stranger = await addPerson(app);
    const list = async (token: string) => expectOk(await app.call(listSessions, {}, token));
    const { sessions, count } = await list(person.token);
    expect(count).toBe(3);
    expect(sessions.map((session) => session.is_current)).toEqual([0, 0, 1]);
    expect(sessions[0]).toEqual({
      id: expect.any(Number),
      browser: '未知浏览器',
      place: '本机',
      login_time: expect.any(Number),
      expire_time: (sessions[0]?.login_time ?? 0) + 2_592_000,
      is_current: 0,
    });
    const foreign = (await list(stranger.token)).sessions[0]?.id ?? 0;
    for (const id of [foreign, 0, -1, 1e12, 'x', undefined]) {
      expect(await app.call(revokeSession, { id }, person.token)).toMatchObject({ code: 4 });
    }
    expect((await app.call(getMine, {}, stranger.token)).code).toBe(0);
    const newest = sessions[0]?.id;
    expect(await app.call(revokeSession, { id: String(newest) }, person.token)).toMatchObject({ data: { revoked: 1 } });
    expect(await app.call(revokeSession, { id: newest }, person.token)).toMatchObject({ code: 4 });
    expect((await app.call(getMine, {}, others[1]?.token)).code).toBe(2);
    for (const others of [0, '0', '', 'no', null, {}]) {
      expect(await app.call(revokeSession, { others }, person.token)).toMatchObject({ code: 4 });
    }
    expect(await app.call(revokeSession, { others: 1 }, person.token)).toMatchObject({ data: { revoked: 1 } });
    expect((await app.call(getMine, {}, others[0]?.token)).code).toBe(2);
    expect((await list(person.token)).count).toBe(1);
    expect(await app.call(listSessions, {})).toEqual(NOBODY);
    expect(await app.call(revokeSession, { others: 1 })).toEqual(NOBODY);
    expect((await app.call(getMine, {}, stranger.token)).code).toBe(0);
  });

  it('takes the cookies along when it ends its own', async () => {
    const person = await comeIn();
    const own = expectOk(await person.call(listSessions, {})).sessions[0]?.id;
    expect(await person.call(revokeSession, { id: own })).toMatchObject({ code: 0 });
    expect(person.cookies.has('token')).toBe(false);
  });
});
