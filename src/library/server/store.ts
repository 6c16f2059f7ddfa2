import { and, asc, desc, eq, gt, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { namedRowsOf, preparedOnce, rowsOf } from '../../platform/db/client.ts';
import type { ShelfCounts, ShelfFilter, Sort } from '../shelf-filter.ts';
import type { ItemRow } from './document-item.ts';
import {
  countsJson,
  failedBits,
  holdsAll,
  isFreeSql,
  toShelfCounts,
  type CountsJson,
  type FactColumns,
} from './shelf-counts.ts';
import { documents, documentTypes, files, industries, organizations, pages, themes } from './tables.ts';

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
  industryId: documents.industryId,
  industryName: industries.name,
  typeId: documents.typeId,
  typeName: documentTypes.name,
  organizationId: documents.organizationId,
  organizationName: organizations.name,
};

function selectItems(db: Db) {
  return db
    .select(ITEM)
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .leftJoin(documentTypes, eq(documentTypes.id, documents.typeId))
    .leftJoin(organizations, eq(organizations.id, documents.organizationId));
}

export function selectThemes(db: Db) {
  return db
    .select({ id: themes.id, name: themes.name })
    .from(themes)
    .orderBy(asc(themes.position), asc(themes.id))
    .limit(1_000);
}

export function selectIndustries(db: Db) {
  return db
    .select({ id: industries.id, name: industries.name })
    .from(industries)
    .orderBy(asc(industries.position), asc(industries.id))
    .limit(1_000);
}

export function selectTypes(db: Db) {
  return db
    .select({ id: documentTypes.id, name: documentTypes.name })
    .from(documentTypes)
    .orderBy(asc(documentTypes.position), asc(documentTypes.id))
    .limit(1_000);
}

const FACTS: FactColumns = {
  fileKind: sql`(case when ${files.fileType} = 'pdf' then 2 else 1 end)`,
  themeIds: sql`${documents.themeIds}`,
  industryId: sql`${documents.industryId}`,
  createdAt: sql`${documents.createdAt}`,
  pageCount: sql`${files.pageCount}`,
  isFree: isFreeSql('documents', 'files'),
};

const onShelf = (filter: ShelfFilter) => and(isPublished, holdsAll(filter, FACTS));

/** Of equals always the newer id first. */
const FIRST: Record<Sort, SQL> = {
  relevance: desc(documents.recommendScore),
  newest: desc(documents.createdAt),
  hottest: desc(documents.popularity),
  pages: desc(files.pageCount),
};

/** Published documents under a filter; by `relevance` the recommended first. */
export function selectSorted(
  db: Db,
  filter: ShelfFilter,
  page: { sort: Sort; limit: number; offset: number },
): Promise<ItemRow[]> {
  return selectItems(db)
    .where(onShelf(filter))
    .orderBy(FIRST[page.sort], desc(documents.id))
    .limit(page.limit)
    .offset(page.offset);
}

/** How many `selectSorted` would list, counted no further than `cap`. */
export async function countSorted(db: Db, filter: ShelfFilter, cap: number): Promise<number> {
  const some = db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(onShelf(filter))
    .limit(cap);
  const [row] = await db.select({ total: sql<number>`count(*)` }).from(some.as('some'));
  return row?.total ?? 0;
}

/** What each choice would leave of the published documents under a filter. `now` in epoch ms. */
export async function selectShelfCounts(db: Db, filter: ShelfFilter, now: number): Promise<ShelfCounts> {
  const [row] = await rowsOf<{ counts: CountsJson }>(
    db,
    sql`with hits as materialized (
        select ${FACTS.fileKind} as file_kind, ${FACTS.themeIds} as theme_ids, coalesce(${FACTS.industryId}, 0) as industry_id,
          ${FACTS.createdAt} as created_at, ${FACTS.pageCount} as page_count, ${FACTS.isFree} as is_free,
          ${failedBits(filter, FACTS)} as fails
        from ${documents} join ${files} on ${files.id} = ${documents.fileId} where ${isPublished}
      ) select ${countsJson(now)} as counts`,
  );
  if (!row) throw new Error('a count returned no row');
  return toShelfCounts(row.counts);
}

type ByIds = { execute(values: { ids: number[] }): Promise<ItemRow[]> };
const byIds = new WeakMap<Db, ByIds>();

/** Published documents among `ids`, in no order. The statement of every list: built and planned once. */
export function selectByIds(db: Db, ids: number[]): Promise<ItemRow[]> {
  const known = byIds.get(db);
  const statement: ByIds =
    known ??
    selectItems(db)
      .where(and(isPublished, sql`${documents.id} = any(${sql.placeholder('ids')}::bigint[])`))
      .prepare('documents_by_ids');
  if (!known) byIds.set(db, statement);
  return statement.execute({ ids });
}

/**
 * Of the published documents among `ids`, what their list item was made from: it changes with every change of one of the
 * rows. As one text, which is read ten times faster than rows.
 */
export async function selectVersions(db: Db, ids: number[]): Promise<Map<number, string>> {
  const [row] = await namedRowsOf<{ versions: string | null }>(
    db,
    'versions_by_ids',
    sql`select string_agg(concat_ws(' ', d.id, d.xmin, f.xmin, o.xmin, i.xmin, t.xmin), ',') as versions
      from documents d join files f on f.id = d.file_id left join organizations o on o.id = d.organization_id
        left join industries i on i.id = d.industry_id left join document_types t on t.id = d.type_id
      where d.id = any(${sql.param(ids)}::bigint[]) and d.state = 'published'`,
  );
  const versions = row?.versions?.split(',') ?? [];
  return new Map(versions.map((version) => [Number(version.slice(0, version.indexOf(' '))), version]));
}

/** Whether a published document uses the file behind this media key. */
export async function hasPublished(db: Db, mediaKey: string): Promise<boolean> {
  const some = await db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(and(isPublished, eq(files.mediaKey, mediaKey)))
    .limit(1);
  return some.length > 0;
}

/** The oldest published document of a file, by the file's hash or media key; null without one. */
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

/** Name of a page's image, or of its large one, when a published document shows it; null otherwise. */
export async function selectShownPage(
  db: Db,
  mediaKey: string,
  page: number,
  isLarge: boolean,
): Promise<string | null> {
  const [row] = await db
    .select({ name: pages.imageName, large: pages.largeName })
    .from(pages)
    .innerJoin(files, eq(files.id, pages.fileId))
    .innerJoin(documents, eq(documents.fileId, files.id))
    .where(and(isPublished, eq(files.mediaKey, mediaKey), eq(pages.pageNumber, page), eq(pages.hasImage, true)))
    .limit(1);
  if (!row) return null;
  return isLarge ? row.large || null : row.name || `p${page}`;
}

/** The cover of a media folder when a published document shows it; null otherwise. */
export async function selectShownCover(db: Db, mediaKey: string): Promise<{ widths: number[]; color: string } | null> {
  const [row] = await db
    .select({ widths: files.coverWidths, color: files.coverColor })
    .from(files)
    .innerJoin(documents, eq(documents.fileId, files.id))
    .where(and(isPublished, eq(files.mediaKey, mediaKey), gt(files.coverWidth, 0)))
    .limit(1);
  return row ?? null;
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

export async function hasDocuments(db: Db): Promise<boolean> {
  const some = await db.select({ id: documents.id }).from(documents).limit(1);
  return some.length > 0;
}

const SITEMAP_PART = 50_000;

export async function selectPublishedIds(db: Db, range: { afterId: number; untilId: number }) {
  const rows = await rowsOf<{ id: number; day: string }>(
    db,
    sql`select id, to_char(updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from documents
      where state = 'published' and id > ${range.afterId} and id <= ${range.untilId} order by id limit ${SITEMAP_PART}`,
  );
  const [last] = await rowsOf<{ id: number }>(db, sql`select coalesce(max(id), 0) as id from documents`);
  return { rows, lastId: last?.id ?? 0 };
}

/** One document of any state with everything known of it; null when the id was never given out. */
export async function selectDocument(db: Db, id: number) {
  const [row] = await DOCUMENT(db).execute({ id });
  return row ?? null;
}

const DOCUMENT = preparedOnce((db) =>
  db
    .select({
      ...ITEM,
      state: documents.state,
      hiddenReason: documents.hiddenReason,
      keyword: documents.keyword,
      themeIds: documents.themeIds,
      fileId: documents.fileId,
      sha256: files.sha256,
      fileState: files.state,
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
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .leftJoin(documentTypes, eq(documentTypes.id, documents.typeId))
    .leftJoin(organizations, eq(organizations.id, documents.organizationId))
    .where(eq(documents.id, sql.placeholder('id')))
    .prepare('document_by_id'),
);

/** Pages with an image among the first `limit`: what stands beyond is never shown (C-76). */
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
