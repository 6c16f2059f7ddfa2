import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDocument } from '../../../../tests/documents.ts';
import { PASSWORD, addPerson, encoded } from '../../../../tests/people.ts';
import { openPrivacyApp, type Known, type PrivacyApp } from '../../../../tests/privacy-app.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import type { TestApp } from '../../../../tests/test-app.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { openVisitor } from '../../../../tests/visitor.ts';
import type { Ctx } from '../../../context.ts';
import { NO_REQUEST } from '../../../platform/http/api/request-context.ts';
import { getMine } from '../../../membership/contract.ts';
import { membershipCommands } from '../../../membership/server/commands.ts';
import { downloadDocument as download } from '../../../membership/server/download-document.ts';
import { verifyLedger } from '../../../membership/server/verify-ledger.ts';
import { PERSONAL_DATA } from '../../../slices.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { getDetail as readDetail } from '../../../reading/server/get-detail.ts';
import { cancelAccount, phoneCodeLogin, phoneLogin, sendPhoneCode, usernameLogin } from '../../contract.ts';
import { getMiniLoginScene, miniLoginChecking, miniLoginConfirm } from '../../contract-scans.ts';
import { cancelAccount as cancel, eraseLeftovers, eraseUser } from './delete-account.ts';
import type { PersonalData } from '../personal-data.ts';
import { sweepPrivacy } from './sweep-privacy.ts';
import { updateInfo } from '../users.ts';
import { DAY_MS } from '../../../protocol/durations.ts';

let privacy: PrivacyApp;
let app: TestApp;
beforeAll(async () => {
  privacy = await openPrivacyApp();
  app = privacy.app;
});
afterAll(() => privacy.close());
beforeEach(() => {
  app.clock.offsetMs = 0;
});

/** Every row of every table, as text: what a copy of the database would tell. */
async function everything(): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    app.ctx.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      rowsOf<{ text: string }>(app.ctx.db, sql`select t::text as text from ${sql.identifier(name)} as t`),
    ),
  );
  return rows
    .flat()
    .map((row) => row.text)
    .join('\n');
}

/** Returns the tables of all slices with a row of the user: after an erasure only those that bookkeeping needs. */
async function tablesNaming(userId: number): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    app.ctx.db,
    sql`select c.table_name as name from information_schema.columns c
      join information_schema.tables t on t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and t.table_schema = 'public' and c.column_name = 'user_id' order by 1`,
  );
  const naming: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf(app.ctx.db, sql`select 1 from ${sql.identifier(name)} where user_id = ${userId} limit 1`);
    if (rows.length > 0) naming.push(name);
  }
  return naming;
}

const booksBroken = async () => (await verifyLedger(app.ctx)).violations;

/** Gives a user an order whose payment was put aside for the operator. */
async function addPutAside(userId: number) {
  await app.ctx.db.execute(sql`insert into orders
    (out_trade_no, user_id, channel, item_id, kind, description, price_fen, coins, tier, days, status, notify_url,
      created_at, expires_at, transaction_id, paid_fen, paid_currency, paid_at, mismatch)
    select 'M20260101000000' || lpad(${userId}::text, 10, '0'), ${userId}, 'wechat', id, kind, description, 100, coins, tier, days,
      'mismatch', '', now(), now() + interval '5 minutes', ${`paid-${userId}`}, 1, 'CNY', now(), 'another amount'
    from price_items order by id limit 1`);
}

const typeCeku = (line: string) =>
  typeCommand((program) => membershipCommands(program, (work) => work(app.ctx), PERSONAL_DATA), line.split(' '));

/** Asks for the deletion, by a code to the phone the page only shows masked. */
async function askDeletion(person: Known) {
  app.clock.offsetMs += 61_000;
  expect(await person.call(sendPhoneCode, { scene: 'cancel' })).toMatchObject({ code: 0 });
  return person.call(cancelAccount, { code: privacy.outside.codeTo(person.phone) });
}

describe('deleting one’s account', () => {
  it('ends all sessions at once, and the account after seven days, with nothing personal left', async () => {
    const person = await privacy.addKnown();
    const { url } = await privacy.exportOf(person);
    const traces = [person.openid, person.nickname, person.ip, person.reason];
    const tracesIn = (text: string) => [...traces, person.phone].filter((trace) => text.includes(trace));
    expect(tracesIn(await everything())).toEqual(traces);

    expect(await askDeletion(person)).toMatchObject({
      code: 0,
      message: '注销申请已提交',
      data: { erase_at: expect.any(Number) },
    });
    expect(person.cookies.has('token')).toBe(false);
    app.clock.offsetMs += 7 * DAY_MS - 60_000;
    expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);
    app.clock.offsetMs += 120_000;
    // The job comes once an hour; nobody gets in between.
    expect((await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).code).toBe(1);
    expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(1);
    expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);

    expect(tracesIn(await everything())).toEqual([]);
    expect(await tablesNaming(person.id)).toEqual([
      'coin_accounts',
      'entitlements',
      'ledger_entries',
      'membership_grants',
    ]);
    expect(await booksBroken()).toEqual([]);
    const balance = await rowsOf(app.ctx.db, sql`select balance from coin_accounts where user_id = ${person.id}`);
    expect(balance).toEqual([{ balance: 18 }]);
    app.clock.offsetMs = 0;
    expect((await person.fetch(url)).status).toBe(403);
    expect(await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).toMatchObject({
      code: 1,
    });
  });

  it('also takes what requests under way leave behind the erasure', async () => {
    const person = await privacy.addKnown();
    const [document, free] = [await addPublished(app, { name: '春节方案' }), await addDocument(app, { priceCoins: 0 })];
    const session = { id: 1, userId: person.id, sid: '' };
    const late: Ctx = { ...app.ctx, session, request: { ...NO_REQUEST, ip: person.ip } };
    expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(true);
    // They passed the check of the session before it was gone.
    await readDetail(late, document.id);
    await download(late, { fid: free.id, expect: undefined });
    await expect(updateInfo(late, { nickname: person.nickname })).rejects.toMatchObject({ code: 2 });
    const books = ['coin_accounts', 'entitlements', 'ledger_entries', 'membership_grants'];
    expect(await tablesNaming(person.id)).toEqual([...books, 'reads']);
    const due = await rowsOf<{ seconds: number }>(
      app.ctx.db,
      sql`select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs
        where task_identifier = 'accounts-erase-leftovers' order by id desc limit 1`,
    );
    expect(due[0]?.seconds).toBeGreaterThan(60);
    await eraseLeftovers(app.ctx, PERSONAL_DATA, person.id);
    expect(await tablesNaming(person.id)).toEqual(books);
    const kept = await rowsOf(app.ctx.db, sql`select distinct method from entitlements where user_id = ${person.id}`);
    expect(kept).toEqual([{ method: 'coin' }]);
    expect(await booksBroken()).toEqual([]);
  });

  it('removes nothing of a user who is not erased, whichever job asks for the leftovers', async () => {
    const person = await privacy.addKnown();
    const before = await tablesNaming(person.id);
    await eraseLeftovers(app.ctx, PERSONAL_DATA, person.id);
    expect(await tablesNaming(person.id)).toEqual(before);
  });

  it('makes a new account for a person who comes back afterwards', async () => {
    const person = await privacy.addKnown();
    expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(true);
    expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(false);
    expect(await person.call(getMine, {})).toMatchObject({ code: 2 });
    app.clock.offsetMs = 61_000;
    const browser = openVisitor(app);
    await browser.call(sendPhoneCode, { phone: person.phone });
    await browser.call(phoneCodeLogin, { phone: person.phone, code: privacy.outside.codeTo(person.phone) });
    const mine = expectOk(await browser.call(getMine, {}));
    expect(mine.uid).not.toBe(person.id);
    expect(mine).toMatchObject({ balance: 0, is_vip: 0 });
    expect(await booksBroken()).toEqual([]);
  });

  it('is taken back by a login within the seven days', async () => {
    const person = await privacy.addKnown();
    await askDeletion(person);
    expect((await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'wrong-1234' })).code).toBe(1);
    const back = openVisitor(app);
    expect((await back.call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).code).toBe(0);
    expect(back.cookies.get('withdrawn')).toBe('1');
    app.clock.offsetMs += 8 * DAY_MS;
    expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);
    const again = openVisitor(app);
    expect((await again.call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).code).toBe(0);
    expect(again.cookies.has('withdrawn')).toBe(false);
    expect(expectOk(await again.call(getMine, {})).balance).toBe(18);
  });

  describe('when the seven days are over', () => {
    const BEING_ERASED = '该账号已申请注销，七天期限已过，正在删除，无法登录';

    /** Logs in by phone and code. */
    async function comeByCode(phone: string) {
      const browser = openVisitor(app);
      expect(await browser.call(sendPhoneCode, { phone })).toMatchObject({ code: 0 });
      return browser.call(phoneCodeLogin, { phone, code: privacy.outside.codeTo(phone) });
    }

    /** Scans the code of the mini program and confirms. */
    async function comeByScan(openid: string) {
      const browser = openVisitor(app);
      const { scene } = expectOk(await browser.call(getMiniLoginScene, {}));
      await openVisitor(app).call(miniLoginConfirm, { scene, code: privacy.outside.wxCode(openid) });
      return browser.call(miniLoginChecking, { scene });
    }

    it('tells who has proven themselves that the account is being erased, and nobody else', async () => {
      const [person, named] = [await privacy.addKnown(), await addPerson(app)];
      await askDeletion(person);
      await app.call(cancelAccount, { pwd: PASSWORD }, named.token);
      app.clock.offsetMs += 7 * DAY_MS + 1_000;
      const byPhone = (pwd: string) => openVisitor(app).call(phoneLogin, { phone: person.phone, pwd });
      const byName = (password: string) =>
        openVisitor(app).call(usernameLogin, { username: named.username, password: encoded(password) });
      expect(await byPhone('known-1234')).toMatchObject({ code: 1, message: BEING_ERASED });
      expect(await byPhone('wrong-1234')).toMatchObject({ code: 1, message: '手机号或密码错误' });
      expect(await byName(PASSWORD)).toMatchObject({ code: 1, message: BEING_ERASED });
      expect(await byName('wrong-1234')).toMatchObject({ code: 1, message: '账号或密码错误' });
      expect(await comeByCode(person.phone)).toMatchObject({ code: 1, message: BEING_ERASED });
      expect(await comeByScan(person.openid)).toMatchObject({ code: 5, message: BEING_ERASED });
      expect((await typeCeku(`user show --id ${person.id}`)).out).toContain(
        'asked for deletion: erased within the hour, a login is refused\n',
      );
      expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(2);
    });

    it.each<[string, (person: Known) => Promise<{ code: number }>]>([
      ['password', (person) => openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })],
      ['code', (person) => comeByCode(person.phone)],
      ['scan', (person) => comeByScan(person.openid)],
    ])('a login by %s takes the deletion back while money stands against it', async (_way, comeBack) => {
      const person = await privacy.addKnown();
      await askDeletion(person);
      await addPutAside(person.id);
      app.clock.offsetMs += 8 * DAY_MS;
      expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);
      expect((await typeCeku(`user show --id ${person.id}`)).out).toContain(
        'asked for deletion: erased as soon as this is settled unless they log in: 您有已付款但未完成的订单或退款',
      );
      expect(await comeBack(person)).toMatchObject({ code: 0 });
      expect((await typeCeku(`user show --id ${person.id}`)).out).not.toContain('deletion');
      expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);
      expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(false);
    });
  });

  it('leaves either a login or an erased account when both come at the same moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      app.clock.offsetMs = 0;
      const person = await privacy.addKnown();
      await askDeletion(person);
      const browser = openVisitor(app);
      const [login, erased] = await Promise.all([
        browser.call(phoneLogin, { phone: person.phone, pwd: 'known-1234' }),
        eraseUser(app.ctx, PERSONAL_DATA, person.id, { dueAt: new Date(app.ctx.clock.now() + 8 * DAY_MS) }),
      ]);
      expect(login.code === 0).toBe(!erased);
      expect((await browser.call(getMine, {})).code === 0).toBe(!erased);
    }
    expect(await booksBroken()).toEqual([]);
  });

  it('makes a new account for a scan that waits for the erasure', async () => {
    const person = await privacy.addKnown();
    const browser = openVisitor(app);
    const { scene } = expectOk(await browser.call(getMiniLoginScene, {}));
    const [isErased, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const last: PersonalData = {
      collect: async () => ({}),
      erase: async () => {
        isErased.resolve();
        await mayCommit.promise;
      },
    };
    const erased = eraseUser(app.ctx, [...PERSONAL_DATA, last], person.id);
    await isErased.promise;
    const code = privacy.outside.wxCode(person.openid, `union-${person.openid}`);
    const confirmed = openVisitor(app).call(miniLoginConfirm, { scene, code });
    await expect
      .poll(() =>
        rowsOf(
          app.ctx.db,
          sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1);
    mayCommit.resolve();
    expect(await erased).toBe(true);
    expect(await confirmed).toMatchObject({ code: 0 });
    expect(await browser.call(miniLoginChecking, { scene })).toMatchObject({ code: 0 });
    const mine = expectOk(await browser.call(getMine, {}));
    expect(mine).toMatchObject({ openid: person.openid, balance: 0 });
    expect(mine.uid).not.toBe(person.id);
    expect(await tablesNaming(person.id)).not.toContain('user_identities');
  });

  it('wants a proof: the code, without a phone the password, without either the session', async () => {
    const person = await privacy.addKnown();
    expect(await person.call(cancelAccount, {})).toMatchObject({ code: 40, data: { field: 'code' } });
    expect(await person.call(cancelAccount, { code: '000000' })).toMatchObject({ code: 42 });
    expect(await person.call(cancelAccount, { pwd: 'known-1234' })).toMatchObject({ code: 40 });
    expect((await person.call(getMine, {})).code).toBe(0);

    const named = await addPerson(app);
    expect(await app.call(cancelAccount, { pwd: 'wrong-1234' }, named.token)).toMatchObject({
      code: 1,
      message: '密码错误',
    });
    expect(await app.call(cancelAccount, { pwd: PASSWORD }, named.token)).toMatchObject({ code: 0 });
    expect((await app.call(getMine, {}, named.token)).code).toBe(2);
    const back = await app.call(usernameLogin, { username: named.username, password: encoded(PASSWORD) });
    expect(back.code).toBe(0);
    expect(await app.call(cancelAccount, {})).toMatchObject({ code: 10000 });
  });

  it('is refused in words while a slice has something against it', async () => {
    const person = await addPerson(app);
    const session = { id: 1, userId: person.id, sid: person.sid };
    const parts: PersonalData[] = [
      ...PERSONAL_DATA,
      { collect: async () => ({}), erase: async () => {}, obstacle: async () => '有已支付但未到账的订单' },
    ];
    const asked = cancel({ ...app.ctx, session }, parts, { code: '', pwd: PASSWORD });
    await expect(asked).rejects.toMatchObject({ code: 60, message: '有已支付但未到账的订单' });
    expect((await app.call(getMine, {}, person.token)).code).toBe(0);
  });

  it('happens for everybody else when accounts before them cannot be erased', async () => {
    await app.ctx.db.execute(sql`insert into users (nickname, erase_at)
      select '有未完成订单', now() - interval '2 days' from generate_series(1, 1000)`);
    const stuck = await rowsOf<{ id: number }>(app.ctx.db, sql`select id from users where nickname = '有未完成订单'`);
    const withOrders = new Set(stuck.map(({ id }) => id));
    const [failing, last] = [await addPerson(app), await addPerson(app)];
    await app.ctx.db.execute(sql`update users set erase_at = now() - interval '1 day' where id = ${failing.id}`);
    await app.ctx.db.execute(sql`update users set erase_at = now() - interval '1 minute' where id = ${last.id}`);
    await app.ctx.db.execute(sql`insert into sms_codes (phone_index, ip_index, code_hash, created_at)
      values ('\\x01', '\\x02', '', now() - interval '2 days')`);
    const parts: PersonalData[] = [
      {
        collect: async () => ({}),
        obstacle: async (_ctx, userId) => (withOrders.has(userId) ? '有已支付但未到账的订单' : null),
        erase: async (_tx, userId) => {
          if (userId === failing.id) throw new Error('a row refers to it');
        },
      },
    ];
    await expect(sweepPrivacy(app.ctx, parts)).rejects.toMatchObject({ errors: [{ message: 'a row refers to it' }] });
    const states = await rowsOf<{ state: string }>(
      app.ctx.db,
      sql`select state from users where id in (${failing.id}, ${last.id}) order by erase_at nulls last`,
    );
    expect(states).toEqual([{ state: 'active' }, { state: 'erased' }]);
    expect(await rowsOf(app.ctx.db, sql`select 1 from sms_codes where phone_index = '\\x01'`)).toEqual([]);
    await app.ctx.db.execute(
      sql`update users set erase_at = null where nickname = '有未完成订单' or id = ${failing.id}`,
    );
  });
});
