import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';

/**
 * WeChat hands out the next token five minutes before the old one ends. Within this margin the next token is requested.
 */
const MARGIN = sql.raw(`interval '4 minutes'`);
/**
 * How long a renewal is leased to one node: longer than a call to the vendor takes at most. Then another node may try.
 */
const LEASE = sql.raw(`interval '10 seconds'`);

/** Returns the current token when it stays valid beyond the margin and is not `stale`. The database's clock decides. */
export async function selectAccessToken(db: Db, account: string, stale: string | null): Promise<string | null> {
  const [row] = await rowsOf<{ token: string }>(
    db,
    sql`select token from access_tokens
        where account = ${account} and expires_at > now() + ${MARGIN} and token <> coalesce(${stale}, '')`,
  );
  return row?.token ?? null;
}

/** Leases the renewal of a token. Returns true for the one caller that has the lease. */
export async function upsertRenewalLease(db: Db, account: string, stale: string | null): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`insert into access_tokens as known (account, renewing_until) values (${account}, now() + ${LEASE})
        on conflict (account) do update set renewing_until = excluded.renewing_until
        where known.renewing_until < now()
          and (known.expires_at <= now() + ${MARGIN} or known.token = coalesce(${stale}, ''))
        returning account`,
  );
  return rows.length === 1;
}

/** Stores a new token and ends the lease. */
export const updateAccessToken = (db: Db, account: string, token: string, seconds: number) =>
  db.execute(
    sql`update access_tokens
        set token = ${token}, expires_at = now() + make_interval(secs => ${seconds}), renewing_until = '-infinity'
        where account = ${account}`,
  );

export const updateRenewalLeaseEnded = (db: Db, account: string) =>
  db.execute(sql`update access_tokens set renewing_until = '-infinity' where account = ${account}`);
