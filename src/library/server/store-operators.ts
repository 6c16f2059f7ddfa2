import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import type { FileType } from '../file-types.ts';
import { byKind, CLOSED_KINDS, LABELS, SINGLE_KINDS, type SingleLabels } from '../taxonomy.ts';
import { labelNameSql } from './document-sql.ts';
import { documents, files, type DocumentState } from './tables.ts';

const LISTED_KINDS = SINGLE_KINDS.filter((kind) => CLOSED_KINDS.some((closed) => closed === kind));

/** Selects documents in any state by the conditions of an operator, the newest id first, with ids below `after`. */
export function selectAnyDocuments(
  db: Db,
  search: Partial<SingleLabels> & {
    state?: DocumentState;
    fileType?: FileType;
    text?: string;
    since?: Date;
    isDoubtful?: boolean;
  },
  page: { limit: number; after: number | null },
) {
  const { state, fileType, text, since, isDoubtful } = search;
  return db
    .select({
      id: documents.id,
      name: documents.name,
      state: documents.state,
      fileType: files.fileType,
      ...byKind(LISTED_KINDS, (kind) => labelNameSql(kind, 'documents')),
      priceCoins: documents.priceCoins,
      pageCount: files.pageCount,
      failureCode: files.failureCode,
      doubts: files.doubts,
      createdAt: documents.createdAt,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(
      and(
        page.after === null ? undefined : lt(documents.id, page.after),
        state && eq(documents.state, state),
        fileType && eq(files.fileType, fileType),
        ...LISTED_KINDS.flatMap((kind) => {
          const named = sql`(select id from ${sql.identifier(LABELS[kind].table)} where name = ${search[kind]})`;
          return search[kind] === undefined ? [] : [eq(documents[`${kind}Id`], named)];
        }),
        text === undefined ? undefined : sql`strpos(lower(${documents.name}), lower(${text})) > 0`,
        since && gte(documents.createdAt, since),
        isDoubtful
          ? sql`${files.doubts} <> '{}' and (${documents.isNameGuessed} or ${documents.state} <> 'published')`
          : undefined,
      ),
    )
    .orderBy(desc(documents.id))
    .limit(page.limit);
}
