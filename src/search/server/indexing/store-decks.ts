import { sql, type SQL } from 'drizzle-orm';
import { factColumns, factFields } from '../../../library/server/filter-sql.ts';
import { type Db, rowsOf } from '../../../platform/db/client.ts';
import { RELATED, TYPED } from '../../decks/deck-levels.ts';
import type { DeckFacts } from '../../engine/match/deck-facts.ts';
import type { Gathered } from '../../engine/match/gather.ts';

/** A word to be looked for on single pages: its tsquery literal, and a pattern that the text of the page has to match, "" for any text. */
export type PageCheck = { word: string; pattern: string };

/** Returns for each file and each check whether one of the pages passes it. */
export async function selectHeld(
  db: Db,
  fileIds: number[],
  checks: PageCheck[],
): Promise<ReadonlyMap<number, boolean[]>> {
  const rows = await rowsOf<{ id: number; held: boolean[] }>(
    db,
    sql`select f.id, array[${sql.join(checks.map(passes), sql`, `)}]::boolean[] as held
      from unnest(${sql.param(fileIds)}::bigint[]) as f (id)`,
  );
  return new Map(rows.map(({ id, held }) => [id, held]));
}

/** Returns the condition that a page of a file passes a check. Offset 0 keeps the planner from searching the index of all pages for each file. */
const passes = ({ word, pattern }: PageCheck) =>
  pattern === ''
    ? sql`exists (select from (select tokens from page_entries where file_id = f.id offset 0) as e
        where e.tokens @@ ${word}::tsquery)`
    : sql`exists (select from (select page_number, tokens from page_entries where file_id = f.id offset 0) as e
          join pages p on p.file_id = f.id and p.page_number = e.page_number
        where e.tokens @@ ${word}::tsquery and p.text ~ ${pattern})`;

/** tsquery literals of a word: anywhere, in the name alone, and the same of each related word. */
export type WordLiterals = { typed: string; typedInName: string; related: { word: string; wordInName: string }[] };

/** A word that occurs in more files is so common that it hardly matters which of them are read. */
const MAX_FILES = 2_000;

/** Answers as the engine does (engine/match/gather.ts), for a node whose engine is not ready. */
export async function selectDecks(db: Db, words: WordLiterals[], limit: number): Promise<Gathered> {
  const [row] = await rowsOf<{
    documents: number;
    frequencies: Record<string, number> | null;
    decks: { id: number; levels: Record<string, number> }[] | null;
  }>(
    db,
    sql`with held as (${sql.join(
      words.flatMap((word, at) => partsOf(word, at)),
      sql` union all `,
    )}), levels as materialized (
        select id, word, max(typed) as typed, max(related) as related from held group by id, word
      ), frequencies as (
        select word, count(*) as count from levels where typed > 0 group by word
      ), decks as (
        select id, json_object_agg(word, (typed << 2) | related) as levels, count(*) filter (where typed > 0) as words,
          sum(typed) as worth
        from levels group by id order by words desc, worth desc, id desc limit ${limit})
      select (select count(*) from search_entries) as documents,
        (select json_object_agg(word, count) from frequencies) as frequencies,
        (select json_agg(json_build_object('id', id, 'levels', levels)) from decks) as decks`,
  );
  const found = row?.decks ?? [];
  const facts = await selectFacts(
    db,
    found.map(({ id }) => id),
  );
  return {
    full: null,
    documents: row?.documents ?? 0,
    frequencies: words.map((_, at) => row?.frequencies?.[at] ?? 0),
    decks: found.flatMap(({ id, levels }) => {
      const own = facts.get(id);
      return own ? [{ ...own, id, levels: words.map((_, at) => levels[at] ?? 0) }] : [];
    }),
  };
}

/** Selects the facts of documents by their ids. */
async function selectFacts(db: Db, ids: number[]): Promise<ReadonlyMap<number, DeckFacts>> {
  const rows = await rowsOf<DeckFacts & { id: number }>(
    db,
    sql`select e.document_id as id, d.file_id as "fileId", f.file_type as "fileType", ${factFields(factColumns('e'))},
        e.popularity, e.recommend_score as "recommendScore"
      from search_entries e join documents d on d.id = e.document_id join files f on f.id = d.file_id
      where e.document_id = any(${sql.param(ids)}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function partsOf({ typed, typedInName, related }: WordLiterals, at: number): SQL[] {
  return [
    sql`select ${at}::integer as word, document_id as id,
        case when tokens @@ ${typedInName}::tsquery then ${TYPED.inName} else ${TYPED.inLabels} end::integer as typed,
        ${RELATED.nowhere}::integer as related from search_entries where tokens @@ ${typed}::tsquery`,
    sql`select ${at}::integer, d.id, ${TYPED.onPages} + least(3, floor(log(2, p.pages)))::integer, ${RELATED.nowhere}::integer
      from (select file_id, count(*) as pages from page_entries where tokens @@ ${typed}::tsquery
          group by file_id order by pages desc limit ${MAX_FILES}) as p
        join documents d on d.file_id = p.file_id and d.state = 'published'`,
    ...related.map(
      ({ word, wordInName }) =>
        sql`select ${at}::integer, document_id, ${TYPED.nowhere}::integer,
          case when tokens @@ ${wordInName}::tsquery then ${RELATED.inName} else ${RELATED.inLabels} end::integer
        from search_entries where tokens @@ ${word}::tsquery`,
    ),
  ];
}
