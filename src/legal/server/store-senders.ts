import { and, desc, eq, gte, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { infringementReports, privacyRequests } from './tables.ts';

/** Keyed hashes of where a form came from; `networkIndex` is null for IPv4. */
export type Sender = { addressIndex: Buffer; networkIndex: Buffer | null };
/** The number of forms of one kind that a sender's address and network have sent. */
type SentForms = { ofAddress: number; ofNetwork: number };

const TABLES = { report: infringementReports, request: privacyRequests };

/** Counts the forms of one kind since `since` that came from an address, and from its network. */
export async function countSent(
  db: Db,
  kind: keyof typeof TABLES,
  { addressIndex, networkIndex }: Sender,
  since: Date,
): Promise<SentForms> {
  const forms = TABLES[kind];
  const isOfAddress = eq(forms.addressIndex, addressIndex);
  const isOfNetwork = networkIndex === null ? sql`false` : eq(forms.networkIndex, networkIndex);
  const [row] = await db
    .select({
      ofAddress: sql<number>`count(*) filter (where ${isOfAddress})`,
      ofNetwork: sql<number>`count(*) filter (where ${isOfNetwork})`,
    })
    .from(forms)
    .where(and(or(isOfAddress, isOfNetwork), gte(forms.receivedAt, since)));
  return row ?? { ofAddress: 0, ofNetwork: 0 };
}

/** Returns the sealed means of contact of the newest report and of the newest request, as far as there are any. */
export async function selectNewestContacts(db: Db): Promise<Buffer[]> {
  const newest = (forms: (typeof TABLES)[keyof typeof TABLES]) =>
    db.select({ sealed: forms.contactSealed }).from(forms).orderBy(desc(forms.id)).limit(1);
  const rows = await Promise.all(Object.values(TABLES).map(newest));
  return rows.flat().map(({ sealed }) => sealed);
}
