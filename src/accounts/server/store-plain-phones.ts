import { isNotNull, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import type { StoredPhone } from './store.ts';
import { users } from './tables.ts';

/** Of anybody: which key the phones are sealed with. */
export async function findSealedPhone(db: Db): Promise<Buffer | null> {
  const [row] = await db
    .select({ phoneSealed: users.phoneSealed })
    .from(users)
    .where(isNotNull(users.phoneIndex))
    .limit(1);
  return row?.phoneSealed ?? null;
}

/** The column is no part of the table any more: only this step knows it. Another node's rows are left to it. */
export const takePlainPhones = (db: Db, limit: number) =>
  rowsOf<{ id: number; phone: string }>(
    db,
    sql`select id, phone from users where phone is not null order by id limit ${limit} for update skip locked`,
  );

export const sealPhoneOf = (db: Db, id: number, { phoneSealed, phoneIndex }: StoredPhone) =>
  db.execute(
    sql`update users set phone_sealed = ${phoneSealed}, phone_index = ${phoneIndex}, phone = null where id = ${id}`,
  );
