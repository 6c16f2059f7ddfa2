import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson, encoded, PASSWORD } from '../../../tests/people.ts';
import { shelve } from '../../../tests/shelf.ts';
import { standInProviders } from '../../../tests/stand-in-providers.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newAddress, newPhone, openVisitor, type Visitor } from '../../../tests/visitor.ts';
import { NO_REQUEST, type Ctx } from '../../context.ts';
import { downloadDocument, getMine } from '../../membership/contract.ts';
import { downloadDocument as download } from '../../membership/server/download-document.ts';
import { grantCoins } from '../../membership/server/grant-coins.ts';
import { grantMembership } from '../../membership/server/grant-membership.ts';
import { getDetail } from '../../reading/contract.ts';
import { getDetail as readDetail } from '../../reading/server/get-detail.ts';
import { verifyLedger } from '../../membership/server/verify-ledger.ts';
import { PERSONAL_DATA } from '../../personal-data.ts';
import { openDatabase, rowsOf } from '../../platform/db/client.ts';
import { startWorkers } from '../../platform/jobs/jobs.ts';
import { expectOk } from '../../protocol/call.ts';
import { sql } from 'drizzle-orm';
import {
  bindPhone,
  cancelAccount,
  exportAccount,
  exportStatus,
  phoneCodeLogin,
  phoneLogin,
  sendPhoneCode,
  usernameLogin,
  webLogout,
} from '../contract.ts';
import { getMiniLoginScene, miniLoginChecking, miniLoginConfirm } from '../contract-scans.ts';
import { cancelAccount as cancel } from './cancel-account.ts';
import { eraseLeftovers, eraseUser } from './erase-user.ts';
import { accountsJobs } from './jobs.ts';
import type { PersonalData } from './personal-data.ts';
import { sweepPrivacy } from './sweep-privacy.ts';
import { updateInfo } from './update-info.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let workers: { stop(): Promise<void> };
let close: () => Promise<void>;
const outside = standInProviders();
beforeAll(async () => {
  app = await openTestApp({ providers: outside.providers });
  const database = openDatabase(app.databaseUrl, { max: 4, log: app.ctx.log });
  close = database.close;
  workers = await startWorkers({
    url: app.databaseUrl,
    pool: database.pool,
    jobs: accountsJobs(PERSONAL_DATA),
    ctx: app.ctx,
    concurrency: 2,
    log: app.ctx.log,
  });
});
afterAll(async () => {
  await workers.stop();
  await close();
  await app.close();
});
beforeEach(() => {
  app.clock.offsetMs = 0;
});

type Known = Visitor & { id: number; ip: string; phone: string; openid: string; nickname: string; reason: string };

let known = 0;

/** Somebody who came by WeChat, bound a phone and a password, has coins, a membership and two downloads. */
async function addKnown(): Promise<Known> {
  const ip = newAddress();
  const browser = openVisitor(app, ip);
  known += 1;
  const [openid, nickname, reason] = [`openid-${newPhone()}`, `独一无二的${known}`, `private reason ${known}.`];
  const phone = newPhone();
  const { scene } = expectOk(await browser.call(getMiniLoginScene, {}));
  await openVisitor(app).call(miniLoginConfirm, {
    scene,
    code: outside.wxCode(openid, `union-${openid}`),
    nickname,
  });
  expect(await browser.call(miniLoginChecking, { scene })).toMatchObject({ code: 0 });
  await browser.call(sendPhoneCode, { phone, scene: 'bind' });
  expectOk(await browser.call(bindPhone, { phone, pwd: 'known-1234', code: outside.codeTo(phone) }));
  const id = expectOk(await browser.call(getMine, {})).uid;
  await grantCoins(app.ctx, { userId: id, coins: 30, reason: 'welcome' });
  const document = await addDocument(app, { priceCoins: 12 });
  expectOk(await browser.call(downloadDocument, { fid: document.id }));
  const shelved = await shelve(app, { name: '中秋方案' });
  expect(await browser.call(getDetail, { fid: shelved.id })).toMatchObject({ code: 0 });
  await grantMembership(app.ctx, { userId: id, tier: 1, days: 30, reason });
  const second = await addDocument(app, { priceCoins: 5 });
  expectOk(await browser.call(downloadDocument, { fid: second.id }));
  return { ...browser, id, ip, phone, openid, nickname, reason };
}

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

/** The tables with a row of the user, by whatever slice: only what the books need may be there after an erasure. */
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

async function exportOf(browser: Visitor) {
  expect(await browser.call(exportAccount, {})).toMatchObject({ code: 0 });
  return vi.waitFor(
    async () => {
      const status = expectOk(await browser.call(exportStatus, {}));
      expect(status.status).toBe('ready');
      return status;
    },
    { timeout: 15_000, interval: 100 },
  );
}

/** Asks for the deletion, by a code to the phone the page only shows masked. */
async function askDeletion(person: Known) {
  app.clock.offsetMs += 61_000;
  expect(await person.call(sendPhoneCode, { scene: 'cancel' })).toMatchObject({ code: 0 });
  return person.call(cancelAccount, { code: outside.codeTo(person.phone) });
}

describe('the copy of one’s data', () => {
  it('holds everything about oneself and nobody else, behind a link of 24 hours', async () => {
    const person = await addKnown();
    const other = await addKnown();
    expect(await person.call(exportStatus, {})).toMatchObject({ data: { status: 'none', url: '' } });
    const { url, size, expire_at } = await exportOf(person);
    expect(expire_at).toBeGreaterThan(Date.now() / 1000 + 86_000);
    const response = await person.fetch(url);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="ceku-data-${person.id}.zip"`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBe(size);
    const files = Object.entries(unzipSync(bytes));
    const json = Object.fromEntries(
      files.filter(([name]) => name.endsWith('.json')).map(([name, data]) => [name, JSON.parse(strFromU8(data))]),
    );
    expect(json).toMatchObject({
      'account.json': { id: person.id, nickname: person.nickname, phone: person.phone },
      'wechat.json': [{ provider: 'mini', openid: person.openid }],
      'sessions.json': [{ ip: person.ip }],
      'messages.json': [{ sentAt: expect.any(String) }],
      'coins.json': {
        balance: 18,
        ledger: [
          { coins: 30, note: 'welcome' },
          { coins: -12, kind: 'download' },
        ],
      },
      'reads.json': [{ lastReadAt: expect.any(String) }],
      'membership.json': { grants: [{ tier: 1, days: 30 }] },
      'downloads.json': [{ method: 'coin', coins: 12 }, { method: 'coupon' }],
      'quotas.json': expect.arrayContaining([expect.objectContaining({ kind: 'coupon-day', used: 1 })]),
    });
    const text = files.map(([, data]) => strFromU8(data)).join('');
    for (const secret of [other.phone, other.openid, person.cookies.get('token') ?? '', 'argon2']) {
      expect(text).not.toContain(secret);
    }
  });

  it('is made once, however often it is asked for', async () => {
    const person = await addPerson(app);
    const asked = await Promise.all(Array.from({ length: 8 }, () => app.call(exportAccount, {}, person.token)));
    expect(asked.every(({ code }) => code === 0)).toBe(true);
    const { rows } = await app.ctx.db.execute(sql`select id from account_exports where user_id = ${person.id}`);
    // The job may be quicker than the last click, which then asks for a new one.
    expect(rows.length).toBeLessThan(8);
    expect(await app.call(exportAccount, {})).toMatchObject({ code: 10000 });
    expect(await app.call(exportStatus, {})).toMatchObject({ code: 10000 });
  });

  it('is given to its owner alone, logged in: the link by itself opens nothing', async () => {
    const [person, other] = [await addKnown(), await addKnown()];
    const { url } = await exportOf(person);
    const refused = await app.fetch(url);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('用户中心');
    expect((await other.fetch(url)).status).toBe(403);
    expect((await app.fetch(url, { headers: { token: other.cookies.get('token') ?? '' } })).status).toBe(403);
    expect((await person.fetch(url)).status).toBe(200);
    await person.call(webLogout, {});
    expect((await person.fetch(url)).status).toBe(403);
  });

  it('leaves no file behind that no row names, and touches no other', async () => {
    const person = await addKnown();
    await exportOf(person);
    const [row] = await rowsOf<{ file_key: string }>(
      app.ctx.db,
      sql`select file_key from account_exports where user_id = ${person.id}`,
    );
    const source = join(app.dataDir, 'lost.zip');
    await writeFile(source, 'somebody’s data');
    const lost = `exports/${'0'.repeat(32)}.zip`;
    await app.ctx.files.put(lost, source);
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(lost)).not.toBeNull();
    app.clock.offsetMs += 2 * 3_600_000;
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(lost)).toBeNull();
    expect(await app.ctx.files.stat(row?.file_key ?? 'exports/none')).not.toBeNull();
  });

  it('is given to nobody by another link, and to nobody after a day', async () => {
    const person = await addKnown();
    const { url, expire_at } = await exportOf(person);
    const link = new URL(url, 'http://ceku.test');
    const changed = (name: string, value: string) => {
      const other = new URL(link);
      other.searchParams.set(name, value);
      return person.fetch(other.pathname + other.search);
    };
    expect((await changed('id', '1')).status).toBe(403);
    expect((await changed('until', String(expire_at + 1))).status).toBe(403);
    expect((await changed('sign', 'A'.repeat(24))).status).toBe(403);
    expect((await app.fetch('/api/user/exportFile')).status).toBe(403);
    expect((await person.fetch(url)).status).toBe(200);
    expect((await app.fetch(url, { headers: { token: person.cookies.get('token') ?? '' } })).status).toBe(200);
    app.clock.offsetMs = DAY_MS + 1_000;
    expect((await person.fetch(url)).status).toBe(403);
    expect(await person.call(exportStatus, {})).toMatchObject({ data: { status: 'none' } });
    const key = (
      await rowsOf<{ file_key: string }>(
        app.ctx.db,
        sql`select file_key from account_exports where user_id = ${person.id}`,
      )
    )[0];
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(key?.file_key ?? 'exports/none')).toBeNull();
  });
});

describe('deleting one’s account', () => {
  it('ends all sessions at once, and the account after seven days, with nothing personal left', async () => {
    const person = await addKnown();
    const { url } = await exportOf(person);
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
    const person = await addKnown();
    const [document, free] = [await shelve(app, { name: '春节方案' }), await addDocument(app, { priceCoins: 0 })];
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

  it('leaves somebody who is not erased alone, whatever asks for the leftovers', async () => {
    const person = await addKnown();
    const before = await tablesNaming(person.id);
    await eraseLeftovers(app.ctx, PERSONAL_DATA, person.id);
    expect(await tablesNaming(person.id)).toEqual(before);
  });

  it('makes a new account of whoever comes back afterwards', async () => {
    const person = await addKnown();
    expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(true);
    expect(await eraseUser(app.ctx, PERSONAL_DATA, person.id)).toBe(false);
    expect(await person.call(getMine, {})).toMatchObject({ code: 10000 });
    app.clock.offsetMs = 61_000;
    const browser = openVisitor(app);
    await browser.call(sendPhoneCode, { phone: person.phone });
    await browser.call(phoneCodeLogin, { phone: person.phone, code: outside.codeTo(person.phone) });
    const mine = expectOk(await browser.call(getMine, {}));
    expect(mine.uid).not.toBe(person.id);
    expect(mine).toMatchObject({ balance: 0, is_vip: 0 });
    expect(await booksBroken()).toEqual([]);
  });

  it('is taken back by a login within the seven days', async () => {
    const person = await addKnown();
    await askDeletion(person);
    expect((await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'wrong-1234' })).code).toBe(1);
    expect((await openVisitor(app).call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).code).toBe(0);
    app.clock.offsetMs += 8 * DAY_MS;
    expect(await sweepPrivacy(app.ctx, PERSONAL_DATA)).toBe(0);
    const again = openVisitor(app);
    expect((await again.call(phoneLogin, { phone: person.phone, pwd: 'known-1234' })).code).toBe(0);
    expect(expectOk(await again.call(getMine, {})).balance).toBe(18);
  });

  it('leaves either a login or an erased account when both come at the same moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      app.clock.offsetMs = 0;
      const person = await addKnown();
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

  it('wants a proof: the code, without a phone the password, without either the session', async () => {
    const person = await addKnown();
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
});
