import type { Db } from '../../../platform/db/client.ts';
import { ProviderUnavailable } from '../../ports.ts';
import {
  upsertRenewalLease,
  updateRenewalLeaseEnded,
  selectAccessToken,
  updateAccessToken,
} from '../scans/store-access-tokens.ts';

const WAIT_MS = 100;
/** How long a caller waits for another node's renewal. */
const MAX_AWAY_MS = 7_000;

/** Returns an access token. `stale`: a token that the vendor has just refused; a different token is returned. */
export type AccessTokens = (stale: string | null) => Promise<string>;

/**
 * Shares one token between all nodes through the database. Of any number of callers one asks the vendor (a lease on the
 * row, not a transaction, so that no connection is held meanwhile), and the others wait for its result.
 */
export function shareAccessTokens(options: {
  db: Db;
  account: string;
  ask: () => Promise<{ token: string; seconds: number }>;
}): AccessTokens {
  const { db, account, ask } = options;
  const pending = new Map<string | null, Promise<string>>();

  return (stale) => {
    const known = pending.get(stale);
    if (known) return known;
    const asked = obtain(stale).finally(() => pending.delete(stale));
    pending.set(stale, asked);
    return asked;
  };

  async function obtain(stale: string | null): Promise<string> {
    for (const deadline = performance.now() + MAX_AWAY_MS; performance.now() < deadline;) {
      const token = await selectAccessToken(db, account, stale);
      if (token) return token;
      if (await upsertRenewalLease(db, account, stale)) return renew();
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    throw new ProviderUnavailable(account, 'no access token in time', false);
  }

  async function renew(): Promise<string> {
    try {
      const { token, seconds } = await ask();
      await updateAccessToken(db, account, token, seconds);
      return token;
    } catch (error) {
      await updateRenewalLeaseEnded(db, account);
      throw error;
    }
  }
}
