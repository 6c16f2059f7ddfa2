import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson, logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { transact, type Ctx } from '../../context.ts';
import { downloadDocument, listCoinRecords } from '../contract.ts';
import { grantCoins, grantMembership } from './grants.ts';
import { LedgerConflict, OverdrawnAccount, postTransfer } from './ledger.ts';
import { selectBalance } from './store-ledger.ts';
import { verifyLedger } from './verify-ledger.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const rulesBroken = async () => (await verifyLedger(app.ctx)).violations.map((violation) => violation.rule);

describe('postTransfer', () => {
  it('posts the same transfer once, however often and at once it comes', async () => {
    const { id } = await addPerson(app);
    const grant = () => grantCoins(app.ctx, { userId: id, coins: 7, reason: 'test', ref: `same-${id}` });
    const posted = await Promise.all(Array.from({ length: 12 }, grant));
    expect(posted.filter((one) => one.isNew)).toHaveLength(1);
    expect(posted.every((one) => one.balance === 7)).toBe(true);
    expect(await grant()).toEqual({ balance: 7, isNew: false });
    expect(await rulesBroken()).toEqual([]);
  });

  it('refuses other content under a known ref, and leaves no trace of it', async () => {
    const [one, other] = [await addPerson(app), await addPerson(app)];
    const grant = (userId: number, coins: number) =>
      grantCoins(app.ctx, { userId, coins, reason: 'test', ref: `once-${one.id}` });
    await grant(one.id, 7);
    await expect(grant(one.id, 8)).rejects.toThrow(LedgerConflict);
    await expect(grant(other.id, 7)).rejects.toThrow(LedgerConflict);
    expect(await selectBalance(app.ctx.db, one.id)).toBe(7);
    expect(await selectBalance(app.ctx.db, other.id)).toBe(0);
    expect(await rulesBroken()).toEqual([]);
  });

  it('takes no balance below zero, even from twenty sides at once', async () => {
    const { id } = await addPerson(app);
    await grantCoins(app.ctx, { userId: id, coins: 10, reason: 'test' });
    const take = (index: number) =>
      postTransfer(app.ctx, { userId: id, amount: -3, kind: 'reversal', ref: `${id}/${index}`, note: '' });
    const taken = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => take(index)));
    const refused = taken.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(17);
    expect(refused.every((one) => one.reason instanceof OverdrawnAccount)).toBe(true);
    expect(await selectBalance(app.ctx.db, id)).toBe(1);
    expect(await rulesBroken()).toEqual([]);
  });

  it('vanishes with the transaction around it', async () => {
    const { id } = await addPerson(app);
    const failing = transact(app.ctx, async (tx) => {
      await grantCoins(tx, { userId: id, coins: 5, reason: 'test' });
      throw new Error('something else failed');
    });
    await expect(failing).rejects.toThrow('something else failed');
    expect(await selectBalance(app.ctx.db, id)).toBe(0);
  });

  it.each([0, 1.5, Number.NaN])('does not post %s coins', async (amount) => {
    expect(() => postTransfer(app.ctx, { userId: 1, amount, kind: 'grant', ref: 'x', note: '' })).toThrow(RangeError);
  });
});

describe('the ledger', () => {
  it.each(['update ledger_entries set amount = 1', 'delete from ledger_entries', 'truncate ledger_entries'])(
    'refuses: %s',
    async (statement) => {
      await expect(app.ctx.db.execute(statement)).rejects.toMatchObject({
        cause: { message: 'table ledger_entries is append-only' },
      });
    },
  );
});

/** Each fault is planted past the guards, looked at, and taken back. */
describe('verifyLedger', () => {
  const faults: [rule: string, plant: string][] = [
    [
      'balance is the sum of the entries (INV-01)',
      'update coin_accounts set balance = balance + 1 where user_id = $user',
    ],
    ['balance is the sum of the entries (INV-01)', 'delete from ledger_entries where user_id = $user'],
    ['a transfer sums to zero (INV-01)', "update ledger_entries set amount = 99 where user_id = 0 and kind = 'grant'"],
    ['a transfer is between one user and the house', 'delete from ledger_entries where user_id = 0'],
    [
      'a transfer is between one user and the house',
      "update ledger_entries set txn_id = (select max(txn_id::text)::uuid from ledger_entries where kind = 'grant')",
    ],
    [
      'no balance is below zero (INV-02)',
      'alter table coin_accounts drop constraint coin_accounts_check; update coin_accounts set balance = -1 where user_id = $user',
    ],
    ['the ledger cannot be changed (INV-03)', 'alter table ledger_entries disable trigger ledger_entries_append_only'],
    ['the ledger cannot be changed (INV-03)', 'drop trigger ledger_entries_append_only on ledger_entries'],
    [
      'a kind and ref are posted once (INV-04)',
      `alter table ledger_entries drop constraint ledger_entries_kind_ref_user_id_key;
        with txn as (select gen_random_uuid() as id) insert into ledger_entries (txn_id, user_id, amount, kind, ref)
        select txn.id, user_id, amount, kind, ref from ledger_entries, txn where kind = 'grant'`,
    ],
    [
      'the sign of an entry matches its kind (INV-05)',
      "update ledger_entries set amount = -amount where kind = 'grant'",
    ],
    [
      'every entitlement paid with coins is in the ledger (INV-22)',
      "delete from ledger_entries where kind = 'download'",
    ],
    ['every entitlement paid with coins is in the ledger (INV-22)', 'update entitlements set coins = coins + 1'],
    [
      'every entitlement paid with coins is in the ledger (INV-22)',
      "update entitlements set method = 'free', coins = 0",
    ],
    ['every charged download has an entitlement (INV-22)', 'delete from entitlements'],
    ['coupons of a day (INV-21)', "update entitlements set method = 'coupon', coins = 0"],
    ['coupons of a day (INV-21)', "insert into quota_uses values ($user, 'coupon-day', '2026-11-21', 21)"],
    ['coupons of a month (INV-21)', "insert into quota_uses values ($user, 'download-month', '2026-11', 601)"],
    ['reads of a month (INV-21)', "insert into quota_uses values ($user, 'read-month', '2026-11', 1)"],
    ['reads of a month (INV-21)', "insert into member_reads select $user, id, '2026-11' from documents limit 1"],
    [
      'reads of a month (INV-21)',
      `insert into quota_uses values ($user, 'read-month', '2026-11', 3001);
        insert into member_reads select $user, n, '2026-11' from generate_series(1, 3001) n`,
    ],
    [
      'a membership lasts as long as its grants (INV-20)',
      `update memberships set advanced_end_at = advanced_end_at + interval '1 second'`,
    ],
    [
      'a membership lasts as long as its grants (INV-20)',
      `update memberships set standard_end_at = standard_end_at - interval '31 days'`,
    ],
    ['a membership lasts as long as its grants (INV-20)', 'update memberships set standard_end_at = null'],
    ['a membership lasts as long as its grants (INV-20)', 'delete from membership_grants where tier = 2'],
    ['a membership lasts as long as its grants (INV-20)', 'delete from membership_grants'],
  ];

  class Undo extends Error {}

  const brokenBy = async (ctx: Ctx, plant: string): Promise<string[]> => {
    let broken: string[] = [];
    const planted = transact(ctx, async (tx) => {
      // Off for this transaction alone, so that a fault does not also show as a missing trigger.
      await tx.db.execute(sql`set local session_replication_role = replica`);
      await tx.db.execute(sql.raw(plant));
      broken = (await verifyLedger(tx)).violations.map((violation) => violation.rule);
      throw new Undo();
    });
    await expect(planted).rejects.toThrow(Undo);
    return broken;
  };

  it('finds nothing in books that add up, and every planted fault', async () => {
    const own = await openTestApp();
    try {
      const person = await addPerson(own);
      const { id } = await addDocument(own, { priceCoins: 5 });
      await grantCoins(own.ctx, { userId: person.id, coins: 9, reason: 'test' });
      for (const tier of [1, 2] as const)
        await grantMembership(own.ctx, { userId: person.id, tier, days: 30, reason: 'test' });
      // Bought when the membership has ended: it costs coins.
      own.clock.offsetMs = 61 * 86_400_000;
      person.token = (await logIn(own, person.username)).token;
      await own.call(downloadDocument, { fid: id }, person.token);
      const good = { checked: { entries: 4, accounts: 1, entitlements: 1 }, violations: [] };
      for (const [rule, plant] of faults) {
        expect(await verifyLedger(own.ctx)).toEqual(good);
        expect(await brokenBy(own.ctx, plant.replaceAll('$user', String(person.id))), plant).toContain(rule);
      }
    } finally {
      await own.close();
    }
  });
});

it('lists what came and went, newest first, with the document that was paid for', async () => {
  const [person, other] = [await addPerson(app), await addPerson(app)];
  const { id } = await addDocument(app, { name: '周年庆方案', priceCoins: 12 });
  await grantCoins(app.ctx, { userId: person.id, coins: 30, reason: 'an operator’s note' });
  await grantCoins(app.ctx, { userId: other.id, coins: 7, reason: 'another’s' });
  await app.call(downloadDocument, { fid: id }, person.token);
  const reply = await app.call(listCoinRecords, {}, person.token);
  expect(reply.data).toMatchObject({
    count: 2,
    total: 2,
    page: 1,
    page_size: 10,
    items: [
      { kind_text: '下载方案', amount: -12, fid: id, name: '周年庆方案' },
      { kind_text: '客服发放', amount: 30, fid: 0, name: '' },
    ],
  });
  expect(JSON.stringify(reply.data)).not.toContain('note');
});

it('has pages, and is empty beyond the end and for users without entries', async () => {
  const person = await addPerson(app);
  expect((await app.call(listCoinRecords, {}, person.token)).data).toMatchObject({ items: [], count: 0 });
  for (const coins of [1, 2, 3]) await grantCoins(app.ctx, { userId: person.id, coins, reason: 'test' });
  const pageOf = async (page: number) =>
    (await app.call(listCoinRecords, { page, pageSize: 2 }, person.token)).data?.items.map(({ amount }) => amount);
  expect([await pageOf(1), await pageOf(2), await pageOf(3)]).toEqual([[3, 2], [1], []]);
});

it('is for who is logged in', async () => {
  expect(await app.call(listCoinRecords, { page: 'x', pageSize: -1 })).toMatchObject({ code: 10000 });
});
