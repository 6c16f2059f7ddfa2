import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, ne, sql } from 'drizzle-orm';
import { documents } from '../../library/server/tables.ts';
import { offsetOf, type PageWanted } from '../../protocol/paging.ts';
import type { Db } from '../../platform/db/client.ts';
import { coinAccounts, ledgerEntries, type LedgerKind } from './tables.ts';

/**
 * The account on the other side of every entry. Its `balance` column stays 0: the real balance is what the users hold,
 * with the other sign, and updating it would make every posting of the site wait for one row.
 */
export const HOUSE = 0;

export type Transfer = {
  userId: number;
  /** Coins to the user; negative takes them away. */
  amount: number;
  kind: LedgerKind;
  /** Unique within its kind: the order, the operator's action, the invitee. */
  ref: string;
  note: string;
};

/**
 * Inserts both sides of a transfer: the entry of the user and the opposite entry of the house. An entry whose (kind, ref, user)
 * exists is skipped. Returns how many of the two entries were inserted.
 */
export async function insertEntries(db: Db, transfer: Transfer, at: Date): Promise<number> {
  const { userId, amount, kind, ref, note } = transfer;
  const entry = { txnId: randomUUID(), kind, ref, note, createdAt: at };
  // Takes the same lock on the account as a download: a user's entries are inserted one after the other, so their ids rise in the
  // order in which they changed the balance.
  await db
    .insert(coinAccounts)
    .values({ userId })
    .onConflictDoUpdate({ target: coinAccounts.userId, set: { balance: sql`${coinAccounts.balance}` } });
  const made = await db
    .insert(ledgerEntries)
    .values([
      { ...entry, userId, amount },
      { ...entry, userId: HOUSE, amount: -amount },
    ])
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id });
  return made.length;
}

/** Returns the user's side of the transfer under (kind, ref); null when there is none. */
export async function selectTransfer(db: Db, kind: LedgerKind, ref: string) {
  const [row] = await db
    .select({ userId: ledgerEntries.userId, amount: ledgerEntries.amount })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, kind), eq(ledgerEntries.ref, ref), ne(ledgerEntries.userId, HOUSE)))
    .limit(1);
  return row ?? null;
}

/** Adds to a balance and returns the new one; null when it would fall below zero. */
export async function updateBalance(db: Db, userId: number, amount: number): Promise<number | null> {
  const [row] = await db
    .update(coinAccounts)
    .set({ balance: sql`${coinAccounts.balance} + ${amount}` })
    .where(and(eq(coinAccounts.userId, userId), sql`${coinAccounts.balance} + ${amount} >= 0`))
    .returning({ balance: coinAccounts.balance });
  return row?.balance ?? null;
}

export async function selectBalance(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ balance: coinAccounts.balance })
    .from(coinAccounts)
    .where(eq(coinAccounts.userId, userId));
  return row?.balance ?? 0;
}

/**
 * Returns a page of a user's entries, newest first, with the document that was paid for and the balance after each: the
 * balance of the account without the entries that came later.
 */
export async function selectEntries(db: Db, userId: number, wanted: PageWanted) {
  const laterAmounts = sql`sum(${ledgerEntries.amount})
    over (order by ${ledgerEntries.id} desc rows between unbounded preceding and 1 preceding)`;
  // The documents are joined to the page alone: of thousands of entries a page shows ten.
  const page = db
    .select({
      id: ledgerEntries.id,
      kind: ledgerEntries.kind,
      ref: ledgerEntries.ref,
      amount: ledgerEntries.amount,
      later: sql<number>`coalesce(${laterAmounts}, 0)`.as('later'),
      createdAt: ledgerEntries.createdAt,
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.userId, userId))
    .orderBy(desc(ledgerEntries.id))
    .limit(wanted.pageSize)
    .offset(offsetOf(wanted))
    .as('page');
  // The ref of a download is user/document. Refs of other kinds are no numbers, so the case must guard the cast.
  const documentId = sql`case when ${page.kind} = 'download' then split_part(${page.ref}, '/', 2)::bigint end`;
  return db
    .select({
      id: page.id,
      kind: page.kind,
      amount: page.amount,
      balanceAfter: sql<number>`(${coinAccounts.balance} - ${page.later})::bigint`,
      createdAt: page.createdAt,
      documentId: documents.id,
      documentName: documents.name,
    })
    .from(page)
    .innerJoin(coinAccounts, eq(coinAccounts.userId, userId))
    .leftJoin(documents, eq(documents.id, documentId))
    .orderBy(desc(page.id));
}

export async function countEntries(db: Db, userId: number): Promise<number> {
  const [row] = await db.select({ total: count() }).from(ledgerEntries).where(eq(ledgerEntries.userId, userId));
  return row?.total ?? 0;
}
