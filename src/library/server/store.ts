import type { Sort } from '../limits.ts';
import { and, asc, desc, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import { type Db, namedRowsOf, preparedOnce, rowsOf } from '../../platform/db/client.ts';
import type { FacetCounts, DocumentFilter } from '../document-filter.ts';
import type { ItemRow } from './document-item.ts';
import {
  countsJson,
  documentFactColumns,
  factList,
  failedBits,
  matchesFilter,
  toFacetCounts,
  type CountsJson,
} from './filter-sql.ts';
import {
  documents,
  documentTypes,
  files,
  fileVersions,
  industries,
  organizations,
  pages,
  type DocumentState,
} from './tables.ts';

const isPublished = eq(documents.state, 'published');

const ITEM = {
  id: documents.id,
  name: documents.name,
  priceCoins: documents.priceCoins,
  researcher: documents.researcher,
  createdAt: documents.createdAt,
  updatedAt: documents.updatedAt,
  mediaKey: files.mediaKey,
  coverWidth: files.coverWidth,
  coverWidths: files.coverWidths,
  coverColor: files.coverColor,
  fileType: files.fileType,
  pageCount: files.pageCount,
  sizeBytes: files.sizeBytes,
  flags: files.flags,
  budgetFen: files.budgetFen,
  budgetPage: files.budgetPage,
  people: files.people,
  peoplePage: files.peoplePage,
  days: files.days,
  daysPage: files.daysPage,
  keyPages: files.keyPages,
  industryId: documents.industryId,
  industryName: industries.name,
  typeId: documents.typeId,
  typeName: documentTypes.name,
  organizationId: documents.organizationId,
  organizationName: organizations.name,
  /** The group that all versions of a plan share; null for a plan with one version alone. */
  versionGroup: fileVersions.groupId,
  state: documents.state,
  hiddenReason: documents.hiddenReason,
};

function selectItems(db: Db) {
  return db
    .select(ITEM)
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .leftJoin(documentTypes, eq(documentTypes.id, documents.typeId))
    .leftJoin(organizations, eq(organizations.id, documents.organizationId))
    .leftJoin(fileVersions, eq(fileVersions.fileId, documents.fileId));
}

const FACTS = documentFactColumns('documents', 'files');

const isPublishedWithin = (filter: DocumentFilter) => and(isPublished, matchesFilter(filter, FACTS));

/** Documents that are equal by the sort are ordered by id, the highest first. */
const SORT_COLUMNS: Record<Sort, SQL> = {
  relevance: desc(documents.recommendScore),
  newest: desc(documents.createdAt),
  hottest: desc(documents.popularity),
  pages: desc(files.pageCount),
  budget: desc(files.budgetFen),
  people: desc(files.people),
  days: desc(files.days),
};

/** Selects published documents under a filter; `relevance` sorts by recommend score. */
export function selectSorted(
  db: Db,
  filter: DocumentFilter,
  page: { sort: Sort; limit: number; offset: number },
): Promise<ItemRow[]> {
  return selectItems(db)
    .where(isPublishedWithin(filter))
    .orderBy(SORT_COLUMNS[page.sort], desc(documents.id))
    .limit(page.limit)
    .offset(page.offset);
}

/** Counts the documents `selectSorted` would list, up to `cap`. */
export async function countSorted(db: Db, filter: DocumentFilter, cap: number): Promise<number> {
  const some = db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(isPublishedWithin(filter))
    .limit(cap);
  const [row] = await db.select({ total: sql<number>`count(*)` }).from(some.as('some'));
  return row?.total ?? 0;
}

/** Counts the published documents each choice would leave under the rest of a filter. `now` in epoch ms. */
export async function selectFacetCounts(db: Db, filter: DocumentFilter, now: number): Promise<FacetCounts> {
  const [row] = await rowsOf<{ counts: CountsJson }>(
    db,
    sql`with hits as materialized (
        select ${factList(FACTS)}, ${failedBits(filter, FACTS)} as fails
        from ${documents} join ${files} on ${files.id} = ${documents.fileId} where ${isPublished}
      ) select ${countsJson(now)} as counts`,
  );
  if (!row) throw new Error('a count returned no row');
  return toFacetCounts(row.counts);
}

/** Selects the published documents among `ids`, unordered. Every list runs this statement, so it is prepared once per connection. */
export function selectByIds(db: Db, ids: number[]): Promise<ItemRow[]> {
  return DOCUMENTS_BY_IDS(db).execute({ ids });
}

const DOCUMENTS_BY_IDS = preparedOnce((db) =>
  selectItems(db)
    .where(and(isPublished, sql`${documents.id} = any(${sql.placeholder('ids')}::bigint[])`))
    .prepare('documents_by_ids'),
);

/** Selects the documents among `ids` in any state, unordered. */
export function selectAnyByIds(db: Db, ids: number[]) {
  return ANY_DOCUMENTS_BY_IDS(db).execute({ ids });
}

const ANY_DOCUMENTS_BY_IDS = preparedOnce((db) =>
  selectItems(db)
    .where(sql`${documents.id} = any(${sql.placeholder('ids')}::bigint[])`)
    .prepare('any_documents_by_ids'),
);

/**
 * Selects a version for each published document among `ids`: a text that changes whenever a row that its list item is made from
 * changes. The database joins all versions into one text, which is read ten times faster than rows.
 */
export async function selectVersions(db: Db, ids: number[]): Promise<Map<number, string>> {
  const [row] = await namedRowsOf<{ versions: string | null }>(
    db,
    'versions_by_ids',
    sql`select string_agg(concat_ws(' ', d.id, d.xmin, f.xmin, o.xmin, i.xmin, t.xmin, v.xmin), ',') as versions
      from documents d join files f on f.id = d.file_id left join organizations o on o.id = d.organization_id
        left join industries i on i.id = d.industry_id left join document_types t on t.id = d.type_id
        left join file_versions v on v.file_id = d.file_id
      where d.id = any(${sql.param(ids)}::bigint[]) and d.state = 'published'`,
  );
  const versions = row?.versions?.split(',') ?? [];
  return new Map(versions.map((version) => [Number(version.slice(0, version.indexOf(' '))), version]));
}

/** Tells whether a published document uses the file with this media key. */
export async function hasPublished(db: Db, mediaKey: string): Promise<boolean> {
  const some = await db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(and(isPublished, eq(files.mediaKey, mediaKey)))
    .limit(1);
  return some.length > 0;
}

/** Selects the oldest published document of a file, by the file's hash or media key; null when there is none. */
export async function selectPublishedOf(
  db: Db,
  file: { sha256: string } | { mediaKey: string },
): Promise<number | null> {
  const [row] = await db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(and(isPublished, 'sha256' in file ? eq(files.sha256, file.sha256) : eq(files.mediaKey, file.mediaKey)))
    .orderBy(asc(documents.id))
    .limit(1);
  return row?.id ?? null;
}

/**
 * Selects the name of a page's image and the width of its large image when a published document shows the page; null
 * otherwise.
 */
export async function selectShownPage(
  db: Db,
  mediaKey: string,
  page: number,
): Promise<{ name: string; largeWidth: number } | null> {
  const [row] = await db
    .select({ name: pages.imageName, largeWidth: pages.largeWidth })
    .from(pages)
    .innerJoin(files, eq(files.id, pages.fileId))
    .innerJoin(documents, eq(documents.fileId, files.id))
    .where(and(isPublished, eq(files.mediaKey, mediaKey), eq(pages.pageNumber, page), eq(pages.hasImage, true)))
    .limit(1);
  return row ? { ...row, name: row.name || `p${page}` } : null;
}

/** Selects the file of a media folder when a published document shows it; null otherwise. */
export async function selectShownFile(db: Db, mediaKey: string) {
  const [row] = await db
    .select({
      id: files.id,
      sha256: files.sha256,
      mediaKey: files.mediaKey,
      fileType: files.fileType,
      hasPdf: files.hasPdf,
      pageCount: files.pageCount,
      coverWidth: files.coverWidth,
      coverWidths: files.coverWidths,
      coverColor: files.coverColor,
    })
    .from(files)
    .innerJoin(documents, eq(documents.fileId, files.id))
    .where(and(isPublished, eq(files.mediaKey, mediaKey)))
    .limit(1);
  return row ?? null;
}

/** Selects the sizes in pixels that the images of pages have or would have. */
export function selectPageSizes(
  db: Db,
  fileId: number,
  { firstPage, lastPage }: { firstPage: number; lastPage: number },
) {
  return db
    .select({ page: pages.pageNumber, width: pages.width, height: pages.height })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), gte(pages.pageNumber, firstPage), lte(pages.pageNumber, lastPage)))
    .orderBy(asc(pages.pageNumber));
}

/**
 * Selects the pages up to `lastPage` whose text each of `patterns` matches: regular expressions of texts that the caller has normalized as the query
 * normalizes the pages: NFKC, small letters, no white space (slides break lines within words).
 */
export function selectPagesWithText(
  db: Db,
  fileId: number,
  { patterns, lastPage }: { patterns: readonly string[]; lastPage: number },
) {
  const normalized = sql`regexp_replace(lower(normalize(${pages.text}, NFKC)), '\\s', '', 'g')`;
  const holdsAll = and(...patterns.map((pattern) => sql`plain ~ ${pattern}`));
  // Without "offset 0" the text would be normalized again for each pattern.
  const isFound = sql`(select ${holdsAll} from (select ${normalized} as plain offset 0) as normalized_page)`;
  return db
    .select({ page: pages.pageNumber, text: pages.text })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), lte(pages.pageNumber, lastPage), isFound))
    .orderBy(asc(pages.pageNumber));
}

export async function countPublished(db: Db): Promise<{ documents: number; industries: number }> {
  const [row] = await rowsOf<{ documents: number; industries: number }>(
    db,
    sql`select (select count(*) from documents where state = 'published') as documents,
      (select count(*) from industries i where exists
        (select from documents d where d.industry_id = i.id and d.state = 'published')) as industries`,
  );
  return row ?? { documents: 0, industries: 0 };
}

/** The documents in each state, and the files whose original is damaged. */
export type StateCounts = { states: Map<DocumentState, number>; damaged: number };

export async function countByState(db: Db): Promise<StateCounts> {
  const rows = await rowsOf<{ state: DocumentState; count: number }>(
    db,
    sql`select s.state, count(d.id) as count
      from unnest(array['processing', 'published', 'hidden', 'failed']) s (state) left join documents d on d.state = s.state
      group by s.state`,
  );
  const [row] = await rowsOf<{ damaged: number }>(
    db,
    sql`select count(*) as damaged from files where damaged_at is not null`,
  );
  return { states: new Map(rows.map(({ state, count }) => [state, count])), damaged: row?.damaged ?? 0 };
}

export async function hasDocuments(db: Db): Promise<boolean> {
  const some = await db.select({ id: documents.id }).from(documents).limit(1);
  return some.length > 0;
}

/** Selects the published ids in (afterId, untilId] with the Shanghai day of their last change. */
export function selectPublishedDays(db: Db, range: { afterId: number; untilId: number }) {
  return rowsOf<{ id: number; day: string }>(
    db,
    sql`select id, to_char(updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from documents
      where state = 'published' and id > ${range.afterId} and id <= ${range.untilId} order by id`,
  );
}

export async function selectLastPublishedId(db: Db): Promise<number> {
  const [last] = await rowsOf<{ id: number | null }>(
    db,
    sql`select max(id) as id from documents where state = 'published'`,
  );
  return last?.id ?? 0;
}

/** Selects one document in any state with every known fact; null when the id was never given out. */
export async function selectDocument(db: Db, id: number) {
  const [row] = await DOCUMENT_BY_ID(db).execute({ id });
  return row ?? null;
}

const DOCUMENT_BY_ID = preparedOnce((db) =>
  db
    .select({
      ...ITEM,
      keyword: documents.keyword,
      themeIds: documents.themeIds,
      fileId: documents.fileId,
      sha256: files.sha256,
      fileState: files.state,
      hasPdf: files.hasPdf,
      previewCount: files.previewCount,
      coverHeight: files.coverHeight,
      outline: files.outline,
      textExcerpt: files.textExcerpt,
      fonts: files.fonts,
      progress: files.progress,
      hasStrip: files.hasStrip,
      hasWords: files.hasWords,
      failureCode: files.failureCode,
      failureDetail: files.failureDetail,
      checkedAt: files.checkedAt,
      damagedAt: files.damagedAt,
      destroyedAt: documents.destroyedAt,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .leftJoin(documentTypes, eq(documentTypes.id, documents.typeId))
    .leftJoin(organizations, eq(organizations.id, documents.organizationId))
    .leftJoin(fileVersions, eq(fileVersions.fileId, documents.fileId))
    .where(eq(documents.id, sql.placeholder('id')))
    .prepare('document_by_id'),
);

/** Selects the pages with an image among the first `limit`; later pages are never shown (C-76). */
export function selectPreviewPages(db: Db, fileId: number, limit: number) {
  return PREVIEW_PAGES_OF_FILE(db).execute({ fileId, limit });
}

const PREVIEW_PAGES_OF_FILE = preparedOnce((db) =>
  db
    .select({ page: pages.pageNumber, width: pages.width, height: pages.height, largeWidth: pages.largeWidth })
    .from(pages)
    .where(
      and(
        eq(pages.fileId, sql.placeholder('fileId')),
        eq(pages.hasImage, true),
        lte(pages.pageNumber, sql.placeholder('limit')),
      ),
    )
    .orderBy(asc(pages.pageNumber))
    .prepare('preview_pages_of_file'),
);
