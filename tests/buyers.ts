import { eq, sql } from 'drizzle-orm';
import { downloadDocument, getMine, quoteDownload } from '../src/membership/contract.ts';
import { grantCoins, grantMembership } from '../src/membership/server/grants.ts';
import { monthOf } from '../src/membership/server/store.ts';
import { entitlements } from '../src/membership/server/tables.ts';
import { verifyLedger } from '../src/membership/server/verify-ledger.ts';
import { rowsOf } from '../src/platform/db/client.ts';
import { addDocument } from './documents.ts';
import { addPerson } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Sets what is counted of a user's reads this month; without `used` to the limit of a standard membership. */
export const useUpReads = (app: TestApp, userId: number, used = 1_500) =>
  app.ctx.db.execute(
    sql`insert into quota_uses values (${userId}, 'read-month', ${monthOf(new Date(app.ctx.clock.now()))}, ${used})
      on conflict (user_id, kind, period) do update set used = excluded.used`,
  );

/** People with coins or a membership, and what they do with them. `appOf`: the app, once it is open. */
export function buying(appOf: () => TestApp) {
  async function addBuyer(options: { coins?: number; tier?: 1 | 2; days?: number } = {}) {
    const person = await addPerson(appOf());
    const { coins = 0, tier, days = 30 } = options;
    if (coins > 0) await grantCoins(appOf().ctx, { userId: person.id, coins, reason: 'test' });
    if (tier) await grantMembership(appOf().ctx, { userId: person.id, tier, days, reason: 'test' });
    return person;
  }

  const download = (token: string | undefined, fid: number, expected?: { method: string; cost: number }) =>
    appOf().call(downloadDocument, { fid, ...(expected && { expect: expected }) }, token);
  const quote = (token: string, fid: number) => appOf().call(quoteDownload, { fid }, token);
  const balanceOf = async (token: string) => (await appOf().call(getMine, {}, token)).data?.balance;
  const rightsOf = (userId: number) =>
    appOf().ctx.db.select().from(entitlements).where(eq(entitlements.userId, userId));

  /** Published, and all with one file. */
  async function addBareDocuments(count: number, priceCoins = 0): Promise<number[]> {
    const { id } = await addDocument(appOf());
    const rows = await rowsOf<{ id: number }>(
      appOf().ctx.db,
      sql`insert into documents (file_id, name, price_coins, state)
        select file_id, '旧方案', ${priceCoins}, 'published' from documents, generate_series(1, ${count}::integer)
        where id = ${id} returning id`,
    );
    return rows.map((row) => row.id);
  }

  /** Throws when the books do not add up. */
  async function checkBooks(): Promise<void> {
    const { violations } = await verifyLedger(appOf().ctx);
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  }

  return { addBuyer, addBareDocuments, download, quote, balanceOf, rightsOf, checkBooks };
}
