import { sql, type SQL } from 'drizzle-orm';
import { LABELS, type SingleKind } from '../taxonomy.ts';

/** Returns SQL for the name of a document's label, "" for none; `documents` is the name or alias of that table. */
export const labelNameSql = (kind: SingleKind, documents: string): SQL<string> =>
  sql<string>`coalesce((select name from ${sql.identifier(LABELS[kind].table)} where id = ${sql.raw(`${documents}.${kind}_id`)}), '')`;

/**
 * Returns a statement that counts one download of each document whose id the query `ids` returns. Membership makes it a part of the
 * statement that takes the payment.
 */
export function countDownloads(ids: SQL): SQL {
  return sql`update documents set download_count = download_count + 1 where id in (${ids})`;
}
