import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { documents, files } from '../../../library/server/tables.ts';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import type { VersionFacts } from '../../about/is-version.ts';
import { fileFingerprints, fileWords } from './tables.ts';

export type FingerprintRow = Omit<typeof fileFingerprints.$inferInsert, 'madeAt'>;

/** Returns the name of the oldest document of a file; "" when it has none. */
export async function selectNameOfFile(db: Db, fileId: number): Promise<string> {
  const [row] = await db
    .select({ name: documents.name })
    .from(documents)
    .where(eq(documents.fileId, fileId))
    .orderBy(asc(documents.id))
    .limit(1);
  return row?.name ?? '';
}

// Hashes are unsigned; integers of PostgreSQL are signed.
const signed = (hashes: readonly number[]) => hashes.map((hash) => hash | 0);
const unsigned = (hashes: readonly number[]) => hashes.map((hash) => hash >>> 0);

/** Returns true when the file had no fingerprint before. */
export async function upsertFingerprint(db: Db, row: FingerprintRow): Promise<boolean> {
  const { fileId, ...rest } = { ...row, minHashes: signed(row.minHashes) };
  const [made] = await db
    .insert(fileFingerprints)
    .values({ fileId, ...rest })
    .onConflictDoUpdate({ target: fileFingerprints.fileId, set: { ...rest, madeAt: sql`now()` } })
    // xmax of a row that was updated, not inserted, is the transaction that locked it.
    .returning({ isNew: sql<boolean>`xmax = 0` });
  return made?.isNew ?? false;
}

export async function selectFingerprint(db: Db, fileId: number) {
  const [row] = await db.select().from(fileFingerprints).where(eq(fileFingerprints.fileId, fileId));
  return row ?? null;
}

/** Deletes everything that was found in the text of a file. */
export async function deleteFingerprint(db: Db, fileId: number): Promise<void> {
  await db.delete(fileWords).where(eq(fileWords.fileId, fileId));
  await db.delete(fileFingerprints).where(eq(fileFingerprints.fileId, fileId));
}

export async function replaceWords(db: Db, fileId: number, vector: { word: string; weight: number }[]): Promise<void> {
  await db.delete(fileWords).where(eq(fileWords.fileId, fileId));
  if (vector.length > 0) await db.insert(fileWords).values(vector.map((entry) => ({ fileId, ...entry })));
}

/**
 * Returns the files with the most similar words, by the cosine of the word vectors. For each word only the `each` files
 * with the largest weights are compared, so that the cost does not grow with the library.
 */
export function selectSimilarFiles(
  db: Db,
  fileId: number,
  vector: { word: string; weight: number }[],
  options: { each: number; least: number; limit: number },
): Promise<{ fileId: number; score: number }[]> {
  if (vector.length === 0) return Promise.resolve([]);
  return rowsOf(
    db,
    sql`select f.file_id as "fileId", sum(f.weight * mine.weight)::float8 as score
      from unnest(${sql.param(vector.map(({ word }) => word))}::text[], ${sql.param(vector.map(({ weight }) => weight))}::float8[])
        as mine (word, weight)
      cross join lateral (select w.file_id, w.weight from file_words w
        where w.word = mine.word order by w.weight desc limit ${options.each}) as f
      where f.file_id <> ${fileId}
      group by f.file_id having sum(f.weight * mine.weight) >= ${options.least}
      order by score desc, f.file_id limit ${options.limit}`,
  );
}

/**
 * Returns the files whose text hash has a quarter in common with this one: every hash that differs in at most three
 * bits is among them.
 */
export async function selectNearHashes(db: Db, fileId: number, simhash: string, limit: number): Promise<number[]> {
  const quarter = (from: number) => sql`(select file_id from file_fingerprints
    where substr(simhash, ${sql.raw(String(from))}, 4) = ${simhash.slice(from - 1, from + 3)} and pieces > 0 limit ${limit})`;
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select distinct file_id as id from (${sql.join([1, 5, 9, 13].map(quarter), sql` union all `)}) as near
      where file_id <> ${fileId}`,
  );
  return rows.map((row) => row.id);
}

/** Returns the files with hardly any text that have the same title. */
export async function selectSameTitle(
  db: Db,
  fileId: number,
  title: string,
  leastShingles: number,
  limit: number,
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select file_id as id from file_fingerprints
      where title = ${title} and pieces < ${leastShingles} and file_id <> ${fileId} limit ${limit}`,
  );
  return rows.map((row) => row.id);
}

/** Returns what versions are recognised by, for some files. */
export async function selectVersionFacts(db: Db, fileIds: number[]): Promise<(VersionFacts & { fileId: number })[]> {
  if (fileIds.length === 0) return [];
  const rows = await db
    .select({
      fileId: fileFingerprints.fileId,
      simhash: fileFingerprints.simhash,
      minHashes: fileFingerprints.minHashes,
      shingleCount: fileFingerprints.shingleCount,
      cover: fileFingerprints.coverHash,
      title: fileFingerprints.title,
      pageCount: files.pageCount,
    })
    .from(fileFingerprints)
    .innerJoin(files, eq(files.id, fileFingerprints.fileId))
    .where(inArray(fileFingerprints.fileId, fileIds))
    .limit(fileIds.length);
  return rows.map((row) => ({ ...row, minHashes: unsigned(row.minHashes) }));
}

/** Returns the names that documents of other files already have. */
export async function selectTakenNames(
  db: Db,
  names: readonly string[],
  fileIds: readonly number[],
): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`select distinct name from documents where name = any(${sql.param([...names])}::text[])
      and file_id <> all(${sql.param([...fileIds])}::bigint[])`,
  );
  return rows.map(({ name }) => name);
}

/** Counts the files of the sample that have each of these words; `files` is the size of the sample. */
export async function selectWordCounts(
  db: Db,
  words: string[],
): Promise<{ files: number; withWord: Map<string, number> }> {
  const rows = await rowsOf<{ word: string; files: number }>(
    db,
    sql`select word, files from word_counts where word = any(${sql.param(['', ...words])}::text[])`,
  );
  const withWord = new Map(rows.map((row) => [row.word, row.files]));
  return { files: withWord.get('') ?? 0, withWord };
}

/** Number of files when words were last counted, and of files added since. */
export type WordCounting = { countedFiles: number; newFiles: number };

export async function selectWordCounting(db: Db): Promise<WordCounting> {
  const [row] = await rowsOf<WordCounting>(
    db,
    sql`select counted_files as "countedFiles", new_files as "newFiles" from word_counting`,
  );
  return row ?? { countedFiles: 0, newFiles: 0 };
}

/** Adds one to the number of files since the last counting of words. The row of `word_counting` stays locked until the transaction ends. */
export async function updateNewFileCount(db: Db): Promise<WordCounting> {
  const [row] = await rowsOf<WordCounting>(
    db,
    sql`update word_counting set new_files = new_files + 1
      returning counted_files as "countedFiles", new_files as "newFiles"`,
  );
  return row ?? { countedFiles: 0, newFiles: 0 };
}

/**
 * Counts words over at most `sample` files, chosen by a hash of their ids, so that the sample changes little as the
 * library grows.
 */
export async function updateWordCounts(db: Db, sample: number): Promise<void> {
  // A second recount waits, because both would insert the same rows. Readers do not wait.
  await db.execute(sql`lock table word_counts in share row exclusive mode`);
  await db.execute(sql`delete from word_counts`);
  await db.execute(sql`with sample as (select file_id from file_fingerprints
        order by hashint8extended(file_id, 42), file_id limit ${sample}),
      chosen as (select words from sample join file_fingerprints using (file_id)),
      counted as (select word, count(*)::int as files from chosen, unnest(words) as word where word <> '' group by word having count(*) > 1)
    insert into word_counts (word, files)
      select word, files from counted union all select '', count(*)::int from chosen`);
  await db.execute(sql`update word_counting
    set counted_files = (select count(*) from file_fingerprints), new_files = 0`);
}

/** Returns a page, by id, of the files that can be described and have no description, or one of an older version. */
export async function selectUndescribed(db: Db, afterId: number, version: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .leftJoin(fileFingerprints, eq(fileFingerprints.fileId, files.id))
    .where(
      and(
        gt(files.id, afterId),
        inArray(files.state, ['ready', 'pending-preview']),
        sql`coalesce(${fileFingerprints.version}, 0) < ${version}`,
      ),
    )
    .orderBy(asc(files.id))
    .limit(limit);
  return rows.map((row) => row.id);
}
