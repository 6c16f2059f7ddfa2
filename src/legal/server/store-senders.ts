import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { infringementReports, privacyRequests } from './tables.ts';

/** Keyed hashes of where a form came from; `networkIndex` is null for IPv4. */
export type Sender = { addressIndex: Buffer; networkIndex: Buffer | null };

const TABLES = { report: infringementReports, request: privacyRequests };

/**
 * Returns when the form was received that has to grow older than `since` before an address and its network may send another of this
 * kind; null where they may send one now. `ofAddress`, `ofNetwork`: how many forms each may send since then.
 */
export async function selectLeavingTime(
  db: Db,
  kind: keyof typeof TABLES,
  { addressIndex, networkIndex }: Sender,
  counted: { since: Date; ofAddress: number; ofNetwork: number },
): Promise<Date | null> {
  const forms = TABLES[kind];
  const nth = async (isOfSender: SQL, max: number) => {
    const [row] = await db
      .select({ receivedAt: forms.receivedAt })
      .from(forms)
      .where(and(isOfSender, gt(forms.receivedAt, counted.since)))
      .orderBy(desc(forms.receivedAt))
      .offset(max - 1)
      .limit(1);
    return row?.receivedAt ?? null;
  };
  const ofAddress = await nth(eq(forms.addressIndex, addressIndex), counted.ofAddress);
  const ofNetwork = networkIndex && (await nth(eq(forms.networkIndex, networkIndex), counted.ofNetwork));
  if (ofAddress === null || ofNetwork === null) return ofAddress ?? ofNetwork;
  return ofAddress > ofNetwork ? ofAddress : ofNetwork;
}

/** Returns the sealed means of contact of the newest report and of the newest request, as far as there are any. */
export async function selectNewestContacts(db: Db): Promise<Buffer[]> {
  const newest = (forms: (typeof TABLES)[keyof typeof TABLES]) =>
    db.select({ sealed: forms.contactSealed }).from(forms).orderBy(desc(forms.id)).limit(1);
  const rows = await Promise.all(Object.values(TABLES).map(newest));
  return rows.flat().map(({ sealed }) => sealed);
}
