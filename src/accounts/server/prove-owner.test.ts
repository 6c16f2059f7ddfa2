import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { newOpenid } from '../../../tests/coming-by-scan.ts';
import { openAccountsApp } from '../../../tests/accounts-app.ts';
import { addPerson, PASSWORD } from '../../../tests/people.ts';
import { newPhone, openVisitor, type Visitor } from '../../../tests/visitor.ts';
import { getMine } from '../../membership/contract.ts';
import { transact } from '../../context.ts';
import { expectOk, type Reply } from '../../protocol/call.ts';
import type { Input } from '../../protocol/endpoint.ts';
import {
  bindPhone,
  cancelAccount,
  exportAccount,
  phoneCodeLogin,
  phoneLogin,
  returnPwd,
  sendPhoneCode,
} from '../contract.ts';
import { getMiniLoginScene, miniLoginScanned, offiaccountLogin, OFFIACCOUNT_EVENTS_PATH } from '../contract-scans.ts';
import { ProviderUnavailable } from '../ports.ts';
import { maskPhone } from '../rules.ts';

const LATER_MS = 601_000;
const SCAN_NEEDED = { code: 43, message: '为了您的账号安全，请先用微信扫码，确认是您本人', data: { proof: 'scan' } };
const OLD_CODE_NEEDED = { code: 40, data: { field: 'old_code' } };

const { app, outside, byPhone, byScan } = await openAccountsApp();
const { codeFor, codeOfOwn, comeIn } = byPhone;
const { startMini, check, confirm } = byScan;

/** Logs a new user in by WeChat. */
async function comeByWeChat(openid = newOpenid()): Promise<Visitor & { openid: string; id: number }> {
  const browser = openVisitor(app);
  const scene = await startMini(browser);
  await confirm(scene, openid);
  expect(await check(browser, scene)).toMatchObject({ code: 0 });
  return { ...browser, openid, id: expectOk(await browser.call(getMine, {})).uid };
}

/** Returns the proof that a scan by `openid` gives to this browser's session. */
async function prove(browser: Visitor, openid: string) {
  const { scene } = expectOk(await browser.call(getMiniLoginScene, { purpose: 'prove' }));
  await confirm(scene, openid);
  return check(browser, scene);
}

const phoneOf = async (browser: Visitor) => expectOk(await browser.call(getMine, {})).phone;

describe('a phone that replaces another', () => {
  it('needs a code to the old phone: a session and a code to the new phone are not enough', async () => {
    const victim = await comeIn();
    const mine = newPhone();
    const code = await codeFor(mine);
    const attempt = (old_code?: string) =>
      victim.call(bindPhone, { phone: mine, code, pwd: 'attacker99', ...(old_code !== undefined && { old_code }) });
    expect(await attempt()).toMatchObject(OLD_CODE_NEEDED);
    expect(await attempt('')).toMatchObject(OLD_CODE_NEEDED);
    expect(await attempt('000000')).toMatchObject({ code: 42, data: { field: 'old_code' } });
    // Neither the code of the new phone nor one for another purpose, nor one without a purpose, is the proof.
    expect(await attempt(code)).toMatchObject({ code: 42 });
    app.clock.offsetMs += 61_000;
    await openVisitor(app).call(sendPhoneCode, { phone: victim.phone });
    expect(await attempt(outside.codeTo(victim.phone))).toMatchObject({ code: 42 });
    app.clock.offsetMs += 61_000;
    await openVisitor(app).call(sendPhoneCode, { phone: victim.phone, scene: 'bind' });
    expect(await attempt(outside.codeTo(victim.phone))).toMatchObject({ code: 42 });
    expect(await phoneOf(victim)).toBe(maskPhone(victim.phone));
    expect(await openVisitor(app).call(phoneLogin, { phone: mine, pwd: 'attacker99' })).toMatchObject({ code: 1 });
  });

  it('is bound by both codes, the old phone is told, and its number is free', async () => {
    const person = await comeIn();
    const next = newPhone();
    const old_code = await codeOfOwn(person, 'rebind');
    const code = await codeFor(next);
    // A typing error in the new code costs no message to the old phone.
    const wrong = code === '111111' ? '222222' : '111111';
    expect(await person.call(bindPhone, { phone: next, code: wrong, old_code })).toMatchObject({
      code: 42,
      data: null,
    });
    const before = outside.notices.length;
    expect(await person.call(bindPhone, { phone: next, code, old_code })).toMatchObject({ code: 0 });
    expect(outside.notices.slice(before)).toEqual([{ phone: person.phone, tail: next.slice(-4) }]);
    expect(await phoneOf(person)).toBe(maskPhone(next));
    // Used up: it changes nothing a second time.
    const third = newPhone();
    expect(await person.call(bindPhone, { phone: third, code: await codeFor(third), old_code })).toMatchObject({
      code: 42,
      data: { field: 'old_code' },
    });
  });

  it('is bound although the message to the old phone fails, and no message is sent when a password was the proof', async () => {
    const person = await comeIn();
    app.clock.offsetMs += 61_000;
    const setting = { phone: person.phone, pwd: 'mine-1234', code: await codeFor(person.phone) };
    expect(await person.call(returnPwd, setting)).toMatchObject({ code: 0 });
    const next = newPhone();
    const code = await codeFor(next);
    outside.failing.sms = new ProviderUnavailable('stand-in', 'no answer in time', true);
    expect(await person.call(bindPhone, { phone: next, code, pwd: 'mine-1234' })).toMatchObject({ code: 0 });
    expect(outside.notices.at(-1)).toEqual({ phone: person.phone, tail: next.slice(-4) });
    expect(await phoneOf(person)).toBe(maskPhone(next));
  });

  it('lets a user choose a first password by a code to the bound phone', async () => {
    const person = await comeIn();
    app.clock.offsetMs += LATER_MS;
    const choosing = { phone: person.phone, pwd: 'first-1234', code: await codeFor(person.phone) };
    expect(await person.call(bindPhone, choosing)).toMatchObject({ code: 0 });
    expect(await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'first-1234' })).toMatchObject({
      code: 0,
    });
  });

  it('is bound by a scan where the old phone is lost, and only by the account’s own WeChat', async () => {
    const person = await comeByWeChat();
    const old = newPhone();
    expect(await person.call(bindPhone, { phone: old, code: await codeFor(old) })).toMatchObject({ code: 0 });
    const next = newPhone();
    const code = await codeFor(next);
    // The login itself is seconds old: for a phone that is there already it proves nothing.
    expect(await person.call(bindPhone, { phone: next, code })).toMatchObject(OLD_CODE_NEEDED);
    expect(await prove(person, newOpenid())).toMatchObject({ code: 5, message: '扫码的微信不是当前账号绑定的微信' });
    const other = await comeByWeChat();
    expect(await prove(person, other.openid)).toMatchObject({ code: 5 });
    expect(await person.call(bindPhone, { phone: next, code })).toMatchObject(OLD_CODE_NEEDED);
    expect(await prove(person, person.openid)).toEqual({ code: 0, message: 'success', data: {} });
    expect(await person.call(bindPhone, { phone: next, code })).toMatchObject({ code: 0 });
  });
});

describe('an account with WeChat alone', () => {
  it('binds its first phone right after the login as C-68 has it, and later after a scan', async () => {
    const fresh = await comeByWeChat();
    const phone = newPhone();
    expect(await fresh.call(bindPhone, { phone, pwd: 'first-1234', code: await codeFor(phone) })).toMatchObject({
      code: 0,
    });

    const left = await comeByWeChat();
    app.clock.offsetMs += LATER_MS;
    const mine = newPhone();
    const code = await codeFor(mine);
    expect(await left.call(bindPhone, { phone: mine, pwd: 'attacker99', code })).toEqual(SCAN_NEEDED);
    expect(await prove(left, left.openid)).toMatchObject({ code: 0 });
    expect(await left.call(bindPhone, { phone: mine, pwd: 'owners-1234', code })).toMatchObject({ code: 0 });
  });

  it('is not given up by an old session alone', async () => {
    const left = await comeByWeChat();
    app.clock.offsetMs += LATER_MS;
    expect(await left.call(cancelAccount, {})).toEqual(SCAN_NEEDED);
    await prove(left, left.openid);
    expect(await left.call(cancelAccount, {})).toMatchObject({ code: 0 });
  });
});

describe('a scan that proves', () => {
  it('is for a session: visitors get no scene for it', async () => {
    expect(await openVisitor(app).call(getMiniLoginScene, { purpose: 'prove' })).toMatchObject({ code: 10000 });
    expect(await openVisitor(app).call(offiaccountLogin, { purpose: 'prove' })).toMatchObject({ code: 10000 });
  });

  it('starts no session, makes no account, and shows its purpose on the phone', async () => {
    const person = await comeByWeChat();
    const { scene } = expectOk(await person.call(getMiniLoginScene, { purpose: 'prove' }));
    const stranger = newOpenid();
    const asked = await openVisitor(app).call(miniLoginScanned, { scene, code: outside.wxCode(stranger) });
    expect(asked).toMatchObject({ code: 0, data: { purpose: 'prove' } });
    expect(await confirm(scene, stranger)).toMatchObject({ code: 1, message: '该微信没有绑定正在验证的账号' });
    const before = [...person.cookies];
    expect(await check(person, scene)).toMatchObject({ code: 5, data: {} });
    expect(await confirm(scene, stranger)).toMatchObject({ code: 1, message: '该微信没有绑定正在验证的账号' });
    expect([...person.cookies]).toEqual(before);
    const next = expectOk(await person.call(getMiniLoginScene, { purpose: 'prove' })).scene;
    const held = outside.holdNextCode();
    const second = confirm(next, stranger);
    await held.asked;
    await confirm(next, stranger);
    held.release();
    expect(await second).toMatchObject({ code: 1, message: '该微信没有绑定正在验证的账号' });
    const { rows } = await app.ctx.db.execute(`select 1 from user_identities where openid = '${stranger}'`);
    expect(rows).toEqual([]);
  });

  it('proves the session that asked, and no other that shares the browser’s cookie', async () => {
    const person = await comeByWeChat();
    const { scene } = expectOk(await person.call(getMiniLoginScene, { purpose: 'prove' }));
    await confirm(scene, person.openid);
    const other = await comeByWeChat();
    // The same scene_bind, another session.
    for (const [name, value] of person.cookies) if (name === 'scene_bind') other.cookies.set(name, value);
    expect(await check(other, scene)).toMatchObject({ code: 5 });
    expect(await check(person, scene)).toMatchObject({ code: 6 });
  });

  it('proves only the session that asked, and only when that session polls', async () => {
    const person = await comeByWeChat();
    const { scene } = expectOk(await person.call(getMiniLoginScene, { purpose: 'prove' }));
    await confirm(scene, person.openid);
    const other = await comeByWeChat(person.openid);
    for (const [name, value] of person.cookies) if (name === 'scene_bind') other.cookies.set(name, value);
    app.clock.offsetMs += LATER_MS - 500_000;
    expect(await check(other, scene)).toMatchObject({ code: 5 });
    app.clock.offsetMs += 500_000;
    for (const browser of [person, other]) expect(await browser.call(exportAccount, {})).toEqual(SCAN_NEEDED);
  });

  it('works by the official account’s code as well, and is over after ten minutes', async () => {
    const openid = newOpenid();
    const browser = openVisitor(app);
    const login = expectOk(await browser.call(offiaccountLogin, {})).scene;
    const push = (scene: string) =>
      app.fetch(`${OFFIACCOUNT_EVENTS_PATH}?signature=genuine`, { method: 'POST', body: `${scene} ${openid}` });
    await push(login);
    expect(await check(browser, login)).toMatchObject({ code: 0 });
    app.clock.offsetMs += LATER_MS;
    const { scene } = expectOk(await browser.call(offiaccountLogin, { purpose: 'prove' }));
    await push(scene);
    expect(await check(browser, scene)).toEqual({ code: 0, message: 'success', data: {} });
    expect(await browser.call(exportAccount, {})).toMatchObject({ code: 0 });
    app.clock.offsetMs += LATER_MS;
    expect(await browser.call(exportAccount, {})).toEqual(SCAN_NEEDED);
  });
});

describe('a copy of all data', () => {
  it('is made right after the login, and later for a code to the phone asked for by name', async () => {
    const person = await comeIn();
    expect(await person.call(exportAccount, {})).toMatchObject({ code: 0 });
    app.clock.offsetMs += LATER_MS;
    expect(await person.call(exportAccount, {})).toMatchObject({ code: 40, data: { field: 'code' } });
    expect(await person.call(exportAccount, { code: await codeFor(person.phone) })).toMatchObject({ code: 42 });
    const code = await codeOfOwn(person, 'export');
    expect(await openVisitor(app).call(phoneCodeLogin, { phone: person.phone, code })).toMatchObject({ code: 42 });
    expect(await person.call(exportAccount, { code })).toMatchObject({ code: 0 });
  });
});

describe('a password that is left out', () => {
  it('is asked for, and counts as no wrong password', async () => {
    const { token } = await addPerson(app);
    app.clock.offsetMs += LATER_MS;
    const phone = newPhone();
    const binding = { phone, code: await codeFor(phone) };
    const wanted = { code: 40, message: '请输入密码', data: { field: 'pwd' } };
    for (let round = 0; round < 3; round += 1) {
      expect(await app.call(exportAccount, {}, token)).toEqual(wanted);
      expect(await app.call(cancelAccount, { pwd: '' }, token)).toEqual(wanted);
      expect(await app.call(bindPhone, binding, token)).toEqual(wanted);
    }
    expect(await app.call(exportAccount, { pwd: PASSWORD }, token)).toMatchObject({ code: 0 });
    expect(await app.call(bindPhone, { ...binding, pwd: PASSWORD }, token)).toMatchObject({ code: 0 });
  });
});

describe('two phone bindings of one account at the same moment', () => {
  /** Sends two bindings and holds the user's row until both are past their checks, so that they meet at the update. */
  async function bindTogether(person: Visitor & { id: number }, bindings: Input<typeof bindPhone>[]) {
    const replies: Promise<Reply<typeof bindPhone>>[] = [];
    await transact(app.ctx, async (tx) => {
      await tx.db.execute(sql`select id from users where id = ${person.id} for no key update`);
      for (const binding of bindings) replies.push(person.call(bindPhone, binding));
      const bothWait = async () => {
        const { rows } = await app.ctx.db.execute(sql`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'update "users"%'`);
        expect(rows).toHaveLength(bindings.length);
      };
      await vi.waitFor(bothWait, { timeout: 15_000 });
    });
    return Promise.all(replies);
  }

  it('gives an account without a phone one phone, and tells the other request', async () => {
    const person = await comeByWeChat();
    const phones = [newPhone(), newPhone()] as const;
    const codes = [await codeFor(phones[0]), await codeFor(phones[1])] as const;
    const replies = await bindTogether(person, [
      { phone: phones[0], code: codes[0], pwd: 'first-1234' },
      { phone: phones[1], code: codes[1], pwd: 'second-1234' },
    ]);
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 60]);
    const isFirst = replies[0]?.code === 0;
    expect(replies.find(({ code }) => code === 60)).toEqual({
      code: 60,
      message: '账号的手机号或密码刚刚已被更改，请刷新页面后重试',
      data: null,
    });
    const [bound, refused] = isFirst ? phones : phones.toReversed();
    expect(await phoneOf(person)).toBe(maskPhone(bound ?? ''));
    const password = isFirst ? 'first-1234' : 'second-1234';
    expect(await openVisitor(app).call(phoneLogin, { phone: bound ?? '', pwd: password })).toMatchObject({ code: 0 });
    // The refused number stays free for another account.
    expect((await comeIn(refused ?? '')).id).not.toBe(person.id);
  });

  it('replaces a phone once', async () => {
    const person = await comeIn();
    const old_code = await codeOfOwn(person, 'rebind');
    const phone = newPhone();
    const binding = { phone, code: await codeFor(phone), pwd: 'first-1234', old_code };
    expect(await person.call(bindPhone, binding)).toMatchObject({ code: 0 });
    const next = [newPhone(), newPhone()] as const;
    const replies = await bindTogether(person, [
      { phone: next[0], code: await codeFor(next[0]), pwd: 'first-1234' },
      { phone: next[1], code: await codeFor(next[1]), pwd: 'first-1234' },
    ]);
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 60]);
    const bound = replies[0]?.code === 0 ? next[0] : next[1];
    expect(await phoneOf(person)).toBe(maskPhone(bound));
  });
});
