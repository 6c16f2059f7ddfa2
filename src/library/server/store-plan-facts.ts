import { asc, eq, sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../platform/db/client.ts';
import type { KeyPage } from '../key-pages.ts';
import type { StatedFact } from '../plan-facts.ts';
import { pages } from './tables.ts';

/** Locks a file whose facts were not read by this version; false when they were, or the file is gone. */
export async function lockFileWithoutFacts(db: Db, fileId: number, version: number): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`select id from files where id = ${fileId} and facts_version < ${version} for no key update`,
  );
  return rows.length > 0;
}

/** Selects the text of all pages, from the first; "" for a page that has no row. */
export async function selectPageTexts(db: Db, fileId: number): Promise<string[]> {
  const rows = await db
    .select({ page: pages.pageNumber, text: pages.text })
    .from(pages)
    .where(eq(pages.fileId, fileId))
    .orderBy(asc(pages.pageNumber));
  const texts = new Map(rows.map(({ page, text }) => [page, text]));
  return Array.from({ length: rows.at(-1)?.page ?? 0 }, (_, index) => texts.get(index + 1) ?? '');
}

/** Saves the facts of a file; returns true when a value, a kind or a page is another than before. */
export async function updateFacts(
  db: Db,
  fileId: number,
  version: number,
  { facts, keyPages }: { facts: StatedFact[]; keyPages: KeyPage[] },
): Promise<boolean> {
  const of = (kind: StatedFact['kind']) => facts.find((fact) => fact.kind === kind) ?? { value: 0, page: 0 };
  const [budget, people, days] = [of('budget'), of('people'), of('days')];
  const rows = await rowsOf<{ isChanged: boolean }>(
    db,
    sql`update files f set facts_version = ${version},
        budget_fen = ${budget.value * 100}, budget_page = ${budget.page},
        people = ${people.value}, people_page = ${people.page}, days = ${days.value}, days_page = ${days.page},
        key_pages = ${JSON.stringify(keyPages)}::jsonb
      from files before where f.id = ${fileId} and before.id = f.id
      returning (f.budget_fen, f.budget_page, f.people, f.people_page, f.days, f.days_page, f.key_pages)
        is distinct from (before.budget_fen, before.budget_page, before.people, before.people_page, before.days, before.days_page, before.key_pages)
        as "isChanged"`,
  );
  return rows[0]?.isChanged ?? false;
}

/** Selects up to `limit` files of published documents after `afterId` whose facts were not read by this version, by id. */
export async function selectFilesWithoutFacts(
  db: Db,
  { afterId, version, limit }: { afterId: number; version: number; limit: number },
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select f.id from files f where f.id > ${afterId} and f.facts_version < ${version}
      and exists (select from documents d where d.file_id = f.id and d.state = 'published') order by f.id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

export async function selectDocumentsOfFiles(db: Db, fileIds: number[]): Promise<number[]> {
  if (fileIds.length === 0) return [];
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select id from documents where file_id = any(${sql.param(fileIds)}::bigint[]) order by id limit 1000`,
  );
  return rows.map(({ id }) => id);
}
