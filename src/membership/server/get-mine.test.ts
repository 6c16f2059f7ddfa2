import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessions } from '../../accounts/contract.ts';
import { openSession } from '../../accounts/server/sessions.ts';
import { addPerson, logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { getMine } from '../contract.ts';
import { grantCoins, grantMembership } from './grants.ts';
import { LedgerConflict } from './ledger.ts';

const DAY = 86_400;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const mine = async (token?: string, sid?: string) => app.call(getMine, sid === undefined ? {} : { sid }, token);
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('mine', () => {
  it('says who is logged in', async () => {
    const person = await addPerson(app);
    await grantCoins(app.ctx, { userId: person.id, coins: 30, reason: 'test' });
    expect(await mine(person.token, person.sid)).toEqual({
      code: 0,
      message: 'success',
      data: {
        id: person.id,
        uid: person.id,
        user_id: person.id,
        sid: person.sid,
        token: person.token,
        openid: '',
        name: '小策',
        nickname: '小策',
        avatar: '',
        phone: '',
        has_password: 1,
        is_vip: 0,
        user_type: 1,
        unlock_chart: 0,
        unlock_end_time: 0,
        unlock_end_time_text: '',
        advanced_end_time: 0,
        advanced_end_time_text: '',
        vip_last_day: 0,
        vCount: 0,
        today_left: 0,
        today_used: 0,
        month_left: 0,
        month_used: 0,
        read_month_left: 0,
        read_month_used: 0,
        balance: 30,
        roles: [],
      },
    });
  });

  it('takes the sid of this session or none, and no other', async () => {
    const [one, other] = [await addPerson(app), await addPerson(app)];
    const second = await logIn(app, one.username);
    expect(await mine(one.token)).toMatchObject({ code: 0 });
    expect(await mine(one.token, second.sid)).toMatchObject({ code: 2, message: '登录状态已失效，请重新登录' });
    expect(await mine(one.token, other.sid)).toMatchObject({ code: 2 });
    expect(await mine()).toMatchObject({ code: 10000 });
    expect(await mine('A'.repeat(43))).toMatchObject({ code: 10000 });
  });

  it('tells tier, ends and quotas of a member', async () => {
    const { id, token } = await addPerson(app);
    await grantMembership(app.ctx, { userId: id, tier: 1, days: 10, reason: 'test' });
    const standard = (await mine(token)).data;
    expect(standard).toMatchObject({ is_vip: 1, user_type: 2, unlock_chart: 0, vip_last_day: 10, vCount: 20 });
    expect(standard).toMatchObject({ month_left: 300, read_month_left: 1_500 });
    await app.ctx.db.execute(sql`insert into quota_uses (user_id, kind, period, used) values
      (${id}, 'read-month', to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM'), 40),
      (${id}, 'read-month', '2020-01', 1_500)`);
    expect((await mine(token)).data?.read_month_left).toBe(1_460);
    expect(standard?.unlock_end_time).toBeGreaterThan(nowSeconds() + 10 * DAY - 60);
    expect(standard?.unlock_end_time_text).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await grantMembership(app.ctx, { userId: id, tier: 2, days: 90, reason: 'test' });
    const advanced = (await mine(token)).data;
    expect(advanced).toMatchObject({ is_vip: 2, user_type: 3, unlock_chart: 1, vip_last_day: 100, month_left: 600 });
    expect(advanced?.read_month_left).toBe(2_960);
    expect(advanced?.unlock_end_time).toBe((standard?.unlock_end_time ?? 0) + 90 * DAY);
    expect(advanced?.advanced_end_time).toBeGreaterThan(nowSeconds() + 90 * DAY - 60);
  });
});

describe('grantMembership', () => {
  it('grants a ref once, however many ask at once', async () => {
    const { id, token } = await addPerson(app);
    const grant = (days: number) =>
      grantMembership(app.ctx, { userId: id, tier: 2, days, reason: 'test', kind: 'order', ref: `order-${id}` });
    const granted = await Promise.all(Array.from({ length: 10 }, () => grant(30)));
    expect(granted.filter((one) => one.isNew)).toHaveLength(1);
    expect((await mine(token)).data?.vip_last_day).toBe(30);
    await expect(grant(31)).rejects.toThrow(LedgerConflict);
  });

  it('applies all of many concurrent grants', async () => {
    const { id, token } = await addPerson(app);
    const grant = () => grantMembership(app.ctx, { userId: id, tier: 1, days: 30, reason: 'test' });
    await Promise.all(Array.from({ length: 10 }, grant));
    expect((await mine(token)).data?.vip_last_day).toBe(300);
  });

  it('allows a member for life twenty sessions; the 21st ends the oldest, whose next call answers 2', async () => {
    const person = await addPerson(app);
    await grantMembership(app.ctx, { userId: person.id, tier: 2, days: 36_500, reason: 'test' });
    const open = async () => (await openSession(app.ctx, [], person.id))?.authToken ?? '';
    let newest = '';
    for (let count = 1; count < 20; count += 1) newest = await open();
    expect((await mine(person.token)).data?.vip_last_day).toBe(36_500);
    expect((await app.call(listSessions, {}, newest)).data).toMatchObject({ count: 20, limit: 20 });
    newest = await open();
    expect(await mine(person.token)).toMatchObject({ code: 2, message: '登录状态已失效，请重新登录' });
    expect((await app.call(listSessions, {}, newest)).data).toMatchObject({ count: 20, limit: 20 });
  });

  it('leaves five sessions to a member of any shorter time', async () => {
    const person = await addPerson(app);
    await grantMembership(app.ctx, { userId: person.id, tier: 2, days: 36_000, reason: 'test' });
    expect((await app.call(listSessions, {}, person.token)).data).toMatchObject({ count: 1, limit: 5 });
  });
});
