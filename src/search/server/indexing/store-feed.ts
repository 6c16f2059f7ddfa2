import { sql, type SQL } from 'drizzle-orm';
import { documentFactColumns, factFields } from '../../../library/server/filter-sql.ts';
import { type Db, rowsOf } from '../../../platform/db/client.ts';
import type { SourceDocument } from '../../engine/format/document.ts';

/** Queries of the engine feed (engine-feed.ts). Transaction ids are decimal texts, because they exceed exact numbers. */

const SOURCE = sql`d.id, d.file_id as "fileId", d.name, d.keyword, coalesce(o.name, '') as organization, coalesce(i.name, '') as industry,
  ${factFields(documentFactColumns('d', 'f'))}, f.file_type as "fileType", f.key_pages as "keyPages", d.popularity,
  d.recommend_score as "recommendScore"`;

const LABEL_JOINS = sql`left join organizations o on o.id = d.organization_id left join industries i on i.id = d.industry_id`;

/** Searched texts of a document beyond its own row: themes and page texts. */
type Inside = Pick<SourceDocument, 'themes' | 'texts'>;
/** A document without what stands inside it. */
export type Outside = Omit<SourceDocument, keyof Inside>;

/** Adds the names of the themes and the text of all pages. */
export async function withInside(db: Db, documents: Outside[]): Promise<SourceDocument[]> {
  if (documents.length === 0) return [];
  const rows = await rowsOf<Inside & { id: number }>(
    db,
    sql`select d.id, array(select t.name from themes t where t.id = any(d.theme_ids) order by t.id) as themes,
        array(select p.text from pages p where p.file_id = d.file_id and p.text <> '' order by p.page_number) as texts
      from documents d where d.id = any(${sql.param(documents.map(({ id }) => id))}::bigint[])`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return documents.map((document) => ({ themes: [], texts: [], ...byId.get(document.id), ...document }));
}

/** Selects up to `limit` published documents after `afterId`, by id. */
export async function selectSources(db: Db, afterId: number, limit: number): Promise<SourceDocument[]> {
  const documents = await rowsOf<Outside>(
    db,
    sql`select ${SOURCE} from documents d join files f on f.id = d.file_id ${LABEL_JOINS}
      where d.state = 'published' and d.id > ${afterId} order by d.id limit ${limit}`,
  );
  return withInside(db, documents);
}

/** The position of a reader: after the change of `documentId` in transaction `changedIn`. */
type FeedPlace = { changedIn: string; documentId: number };
/**
 * `textChangedIn`: the last transaction that touched more than facts; `factsChangedIn`: the last one that touched facts alone, null when none did; `changedIn`: the
 * later of both (0142-search-fact-changes.sql).
 */
export type ChangeRow = FeedPlace & { textChangedIn: string; factsChangedIn: string | null; source: Outside | null };

/** Selects up to `limit` changes after `place`, in order, with the current documents (withInside adds their texts); `source` is null for an unpublished document. */
export async function selectChanges(db: Db, place: FeedPlace, limit: number): Promise<ChangeRow[]> {
  type Row = Omit<Outside, 'id'> & Omit<ChangeRow, 'source'> & { id: number | null };
  const rows = await rowsOf<Row>(
    db,
    sql`select c.document_id as "documentId", c.noted_in::text as "changedIn", c.changed_in::text as "textChangedIn",
        c.facts_changed_in::text as "factsChangedIn", ${SOURCE}
      from (${changedAfter(place, limit)}) as c
        left join (documents d join files f on f.id = d.file_id) on d.id = c.document_id and d.state = 'published' ${LABEL_JOINS}
      order by c.noted_in, c.document_id`,
  );
  return rows.map(({ documentId, changedIn, textChangedIn, factsChangedIn, id, ...facts }) => ({
    documentId,
    changedIn,
    textChangedIn,
    factsChangedIn,
    source: id === null ? null : { id, ...facts },
  }));
}

function changedAfter(place: FeedPlace, limit: number): SQL {
  return sql`select * from search_changes
    where (noted_in, document_id) > (${place.changedIn}::xid8, ${place.documentId}::bigint)
    order by noted_in, document_id limit ${limit}`;
}

/** Counts the documents whose texts were changed by the transaction `horizon` or a later one. */
export async function countTextChanges(db: Db, horizon: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from search_changes
      where noted_in >= ${horizon}::xid8 and changed_in >= ${horizon}::xid8`,
  );
  return row?.count ?? 0;
}

/** Selects the horizon: every transaction before it has ended, and its changes are visible to later statements. */
export async function selectHorizon(db: Db): Promise<string> {
  const [row] = await rowsOf<{ horizon: string }>(
    db,
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`,
  );
  return row?.horizon ?? '0';
}

/**
 * Selects an id of this history of this database. Copies, restored databases and promoted standbys differ, the last two in the timeline alone: their
 * transaction ids mean other transactions. The control file keeps the old timeline for minutes after a promotion; the name of the log that is written
 * has the new one.
 */
export async function selectLineage(db: Db): Promise<string> {
  const [row] = await rowsOf<{ lineage: string }>(
    db,
    sql`select concat_ws(':', system_identifier, oid, case when pg_is_in_recovery() then lpad(to_hex(timeline_id), 8, '0')
        else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end) as lineage
      from pg_control_system(), pg_control_checkpoint(), pg_database where datname = current_database()`,
  );
  return row?.lineage ?? '';
}

/** Asks every node to rebuild its index. */
export async function upsertRebuildMark(db: Db): Promise<void> {
  await db.execute(sql`insert into search_changes (document_id, changed_in) values (0, pg_current_xact_id())
    on conflict (document_id) do update set changed_in = excluded.changed_in`);
  // Rows restored from another server may carry transaction ids that this server has not reached yet.
  await db.execute(sql`update search_changes set changed_in = pg_current_xact_id(), facts_changed_in = null
    where noted_in >= pg_snapshot_xmax(pg_current_snapshot()) and noted_in > pg_current_xact_id()`);
}
