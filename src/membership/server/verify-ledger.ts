import { sql, type SQL } from 'drizzle-orm';
import type { TransactionCtx } from '../../context.ts';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, READS_A_MONTH } from '../rules.ts';
import { HOUSE } from './store-ledger.ts';

/** `subject` names the row at fault, `detail` what it should be and is. */
export type Violation = { rule: string; subject: string; detail: string };
type LedgerReport = {
  checked: { entries: number; accounts: number; entitlements: number };
  violations: Violation[];
};

/** Enough to act on: a broken rule is rarely broken once. */
const MAX_PER_RULE = 100;

/**
 * Checks that coins, coupons, entitlements, reads and memberships add up (INV-01 to -05, -20 to -22), while the site runs: all rules read one
 * snapshot and change nothing. At most 100 violations a rule.
 */
export function verifyLedger(ctx: TransactionCtx): Promise<LedgerReport> {
  return ctx.db.transaction(
    async (db) => {
      const violations: Violation[] = [];
      for (const [rule, statement] of Object.entries(RULES)) violations.push(...(await broken(db, rule, statement)));
      return { checked: await count(db), violations };
    },
    // Reading a large ledger takes longer than a statement of a page may.
    { isolationLevel: 'repeatable read', accessMode: 'read only', isUnlimited: true },
  );
}

async function broken(db: Db, rule: string, statement: SQL): Promise<Violation[]> {
  const rows = await rowsOf<{ subject: string; detail: string }>(
    db,
    sql`select subject::text, detail::text from (${statement}) as broken (subject, detail) limit ${MAX_PER_RULE}`,
  );
  return rows.map(({ subject, detail }) => ({ rule, subject, detail }));
}

async function count(db: Db): Promise<LedgerReport['checked']> {
  const [row] = await rowsOf<LedgerReport['checked']>(
    db,
    sql`select (select count(*) from ledger_entries) as entries,
      (select count(*) from coin_accounts where user_id <> ${HOUSE}) as accounts,
      (select count(*) from entitlements) as entitlements`,
  );
  return row ?? { entries: 0, accounts: 0, entitlements: 0 };
}

const day = sql`to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`;
const month = sql`to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM')`;

/** Selects the coupons counted from the entitlements they paid for, beside what the quotas say. */
const coupons = (kind: string, period: SQL) => sql`
  select coalesce(q.user_id, e.user_id) as user_id, coalesce(q.period, e.period) as period,
    coalesce(q.used, 0) as used, coalesce(e.paid, 0) as paid
  from (select user_id, period, used from quota_uses where kind = ${kind}) as q
  full join (
    select user_id, ${period} as period, count(*) as paid
    from entitlements where method = 'coupon' group by 1, 2
  ) as e using (user_id, period)`;

const quotaRule = (kind: string, period: SQL, max: number) => sql`
  select format('user %s, %s', user_id, period), format('%s coupons counted, %s used, at most %s', used, paid, ${max}::integer)
  from (${coupons(kind, period)}) as both_sides
  where used <> paid or used > ${max}`;

/** A day of a membership is 24 hours, also where the clocks of the database's own time zone change. */
const DAY = sql.raw(`interval '24 hours'`);

/** True of an end before what one grant alone reaches, after what all grants together reach, or without a grant. */
const isOutside = (end: string, earliest: string, latest: string) =>
  sql.raw(`(coalesce(${end} < ${earliest} or ${end} > ${latest}, ${end} is not null or ${earliest} is not null))`);

/** A name for each rule, and a query for the rows that break it. */
const RULES: Record<string, SQL> = {
  'balance is the sum of the entries (INV-01)': sql`
    select format('user %s', user_id), format('balance %s, entries %s', balance, total)
    from (
      select user_id, coalesce(a.balance, 0) as balance, coalesce(l.total, 0) as total
      from (select user_id, balance from coin_accounts) as a
      full join (select user_id, sum(amount) as total from ledger_entries group by 1) as l using (user_id)
    ) as sides
    where user_id <> ${HOUSE} and balance <> total`,
  'a transfer sums to zero (INV-01)': sql`
    select format('txn %s', txn_id), format('sum %s', sum(amount)) from ledger_entries
    group by txn_id having sum(amount) <> 0`,
  'a transfer is between one user and the house': sql`
    select format('txn %s', txn_id), format('%s entries', count(*)) from ledger_entries group by txn_id
    having count(*) <> 2 or count(*) filter (where user_id = ${HOUSE}) <> 1
      or count(distinct (kind, ref, created_at)) <> 1`,
  'no balance is below zero (INV-02)': sql`
    select format('user %s', user_id), format('balance %s', balance) from coin_accounts
    where balance < 0 and user_id <> ${HOUSE}`,
  'the ledger cannot be changed (INV-03)': sql`
    select 'ledger_entries', 'its append-only trigger is missing or disabled'
    where not exists (
      select from pg_trigger where tgrelid = 'ledger_entries'::regclass
        and tgname = 'ledger_entries_append_only' and tgenabled in ('O', 'A'))`,
  'a kind and ref are posted once (INV-04)': sql`
    select format('%s %s', kind, ref), format('%s transfers', count(distinct txn_id)) from ledger_entries
    group by kind, ref having count(distinct txn_id) <> 1`,
  'the sign of an entry matches its kind (INV-05)': sql`
    select format('entry %s', id), format('%s of %s coins', kind, amount) from ledger_entries
    where user_id <> ${HOUSE} and ((kind in ('grant', 'topup', 'invite') and amount < 0) or (kind = 'download' and amount > 0))`,
  'every entitlement paid with coins is in the ledger (INV-22)': sql`
    select format('user %s, document %s', e.user_id, e.document_id), format('%s coins, ledger %s', e.coins, coalesce(-l.amount, 0))
    from entitlements e
    left join ledger_entries l on l.kind = 'download' and l.ref = format('%s/%s', e.user_id, e.document_id)
      and l.user_id = e.user_id
    where e.coins <> coalesce(-l.amount, 0)`,
  'every charged download has an entitlement (INV-22)': sql`
    select format('download %s', l.ref), format('%s coins and no entitlement', -l.amount) from ledger_entries l
    where l.kind = 'download' and l.user_id <> ${HOUSE} and not exists (
      select from entitlements e where e.user_id = l.user_id and l.ref = format('%s/%s', e.user_id, e.document_id))`,
  'coupons of a day (INV-21)': quotaRule('coupon-day', day, COUPONS_A_DAY),
  'coupons of a month (INV-21)': quotaRule('download-month', month, DOWNLOADS_A_MONTH[2]),
  'reads of a month (INV-21)': sql`
    select format('user %s, %s', user_id, period), format('%s counted, %s documents read, at most %s', used, documents, ${READS_A_MONTH[2]}::integer)
    from (
      select user_id, period, coalesce(q.used, 0) as used, coalesce(m.documents, 0) as documents
      from (select user_id, period, used from quota_uses where kind = 'read-month') as q
      full join (select user_id, month as period, count(*) as documents from member_reads group by 1, 2) as m
        using (user_id, period)
    ) as both_sides
    where used <> documents or used > ${READS_A_MONTH[2]}`,
  'a membership lasts as long as its grants (INV-20)': sql`
    select format('user %s', user_id), format('standard until %s, advanced until %s', standard_end_at, advanced_end_at)
    from memberships left join (
      select user_id, max(created_at) + sum(days) * ${DAY} as standard_latest,
        max(created_at + days * ${DAY}) filter (where tier = 1) as standard_earliest,
        (max(created_at) filter (where tier = 2)) + (sum(days) filter (where tier = 2)) * ${DAY} as advanced_latest,
        max(created_at + days * ${DAY}) filter (where tier = 2) as advanced_earliest
      from membership_grants where revoked_at is null group by user_id
    ) as granted using (user_id)
    where ${isOutside('standard_end_at', 'standard_earliest', 'standard_latest')}
      or ${isOutside('advanced_end_at', 'advanced_earliest', 'advanced_latest')}`,
};
