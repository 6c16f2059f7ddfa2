import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';

/** Returns the hot words in their order. */
export async function selectHotWords(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ word: string }>(db, sql`select word from hot_words order by position`);
  return rows.map(({ word }) => word);
}

/** Makes other writers of hot words wait until this transaction ends; readers go on. */
export async function lockHotWords(db: Db): Promise<void> {
  await db.execute(sql`lock table hot_words in share row exclusive mode`);
}

/** Makes `words` the hot words, in that order. */
export async function replaceHotWords(db: Db, words: readonly string[]): Promise<void> {
  await db.execute(sql`delete from hot_words`);
  await db.execute(sql`insert into hot_words (position, word)
    select number - 1, word from unnest(${sql.param([...words])}::text[]) with ordinality as given (word, number)`);
}
