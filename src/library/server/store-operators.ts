import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { documents, documentTypes, files, industries, type DocumentState, type FileType } from './tables.ts';

/** Selects documents in any state by the conditions of an operator, the newest id first, with ids below `after`. */
export function selectAnyDocuments(
  db: Db,
  search: { state?: DocumentState; fileType?: FileType; type?: string; industry?: string; text?: string; since?: Date },
  page: { limit: number; after: number | null },
) {
  const { state, fileType, type, industry, text, since } = search;
  return db
    .select({
      id: documents.id,
      name: documents.name,
      state: documents.state,
      fileType: files.fileType,
      type: sql<string>`coalesce(${documentTypes.name}, '')`,
      industry: sql<string>`coalesce(${industries.name}, '')`,
      priceCoins: documents.priceCoins,
      pageCount: files.pageCount,
      failureCode: files.failureCode,
      createdAt: documents.createdAt,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .leftJoin(documentTypes, eq(documentTypes.id, documents.typeId))
    .where(
      and(
        page.after === null ? undefined : lt(documents.id, page.after),
        state && eq(documents.state, state),
        fileType && eq(files.fileType, fileType),
        type === undefined ? undefined : eq(documentTypes.name, type),
        industry === undefined ? undefined : eq(industries.name, industry),
        text === undefined ? undefined : sql`strpos(lower(${documents.name}), lower(${text})) > 0`,
        since && gte(documents.createdAt, since),
      ),
    )
    .orderBy(desc(documents.id))
    .limit(page.limit);
}
