import { sql, type SQL } from 'drizzle-orm';
import { countDownloads } from '../../library/server/document-sql.ts';
import { DUPLICATE_KEY, isSqlState, rowsOf, type Db } from '../../platform/db/client.ts';
import { COUPONS_A_DAY } from '../rules.ts';
import { HOUSE } from './store-ledger.ts';
import { dayOf, monthOf } from './store.ts';

export type Payment = {
  userId: number;
  documentId: number;
  /** The price that the decision was made with; when it has changed, the payment fails. */
  priceCoins: number;
  at: Date;
} & ({ method: 'free' } | { method: 'coin' } | { method: 'coupon'; monthlyCap: number });

const MISSING_VALUE = '23502';

/**
 * Pays for a document and inserts the entitlement, all or nothing in one statement. The rows decide every race: the
 * account and the quotas by conditional updates, the second of two clicks by the entitlement's key. Returns the new
 * balance (null when no coins were involved), or `lost` when anything was not as decided: look again. Never call it
 * inside a transaction: a lost race ends the statement with an error.
 */
export async function payForDocument(db: Db, payment: Payment): Promise<{ balance: number | null } | 'lost'> {
  try {
    const [row] = await rowsOf<{ balance: number | null }>(db, statementOf(payment));
    return row ?? 'lost';
  } catch (error) {
    if (isSqlState(error, DUPLICATE_KEY) || isSqlState(error, MISSING_VALUE)) return 'lost';
    throw error;
  }
}

/**
 * Builds the statement. `paid` has one row when the means were there, and none otherwise; everything after it depends
 * on that row.
 */
function statementOf(payment: Payment): SQL {
  const { userId, documentId, priceCoins } = payment;
  const at = payment.at.toISOString();
  return sql`
    with document as (
      select id from documents
      where id = ${documentId} and price_coins = ${priceCoins} and state = 'published'
    ),
    ${meansOf(payment)},
    entitled as (
      insert into entitlements (user_id, document_id, method, coins, created_at)
      select ${userId}, document.id, paid.method, paid.coins, ${at}::timestamptz from paid, document
      returning document_id
    ),
    counted as (
      ${countDownloads(sql`select document_id from entitled`)}
    )
    select balance from paid`;
}

function meansOf(payment: Payment): SQL {
  if (payment.method === 'free')
    return sql`paid as (select 'free' as method, 0 as coins, null::bigint as balance from document)`;
  return payment.method === 'coin' ? coins(payment) : coupon(payment, payment.monthlyCap);
}

/** Charges coins. The house has no balance to update: it would be one row that every debit of the site waits for. */
function coins({ userId, documentId, priceCoins, at }: Payment): SQL {
  return sql`
    paid as (
      update coin_accounts set balance = balance - ${priceCoins}
      where user_id = ${userId} and balance >= ${priceCoins} and exists (select from document)
      returning 'coin' as method, ${priceCoins}::integer as coins, balance
    ),
    txn as materialized (select gen_random_uuid() as id from paid),
    entries as (
      insert into ledger_entries (txn_id, user_id, amount, kind, ref, created_at)
      select txn.id, side.user_id, side.amount, 'download', ${`${userId}/${documentId}`}, ${at.toISOString()}::timestamptz
      from txn, (values (${userId}::bigint, ${-priceCoins}::bigint), (${HOUSE}::bigint, ${priceCoins}::bigint))
        as side (user_id, amount)
    )`;
}

/**
 * Uses one coupon of the month and one of the day. When the day is used up after the month was counted, the method is
 * null, which the entitlements table refuses: the statement fails and the month's count is rolled back.
 */
function coupon({ userId, at }: Payment, monthlyCap: number): SQL {
  return sql`
    month as (
      insert into quota_uses (user_id, kind, period, used)
      select ${userId}, 'download-month', ${monthOf(at)}, 1 from document
      on conflict (user_id, kind, period) do update set used = quota_uses.used + 1 where quota_uses.used < ${monthlyCap}
      returning user_id
    ),
    day as (
      insert into quota_uses (user_id, kind, period, used)
      select user_id, 'coupon-day', ${dayOf(at)}, 1 from month
      on conflict (user_id, kind, period) do update set used = quota_uses.used + 1 where quota_uses.used < ${COUPONS_A_DAY}
      returning user_id
    ),
    paid as (
      select case when day.user_id is not null then 'coupon' end as method, 0 as coins, null::bigint as balance
      from month left join day using (user_id)
    )`;
}
