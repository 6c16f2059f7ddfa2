import { and, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { FRESHNESS_SECONDS } from '../rules.ts';
import type { LabelIds } from '../taxonomy.ts';
import { documents, type DocumentState, type HiddenReason } from './tables.ts';

/** Labels that are left out are none in a new document, and stay in an existing one. */
type NewDocument = Partial<LabelIds> & {
  fileId: number;
  name: string;
  isNameGuessed: boolean;
  keyword: string;
  priceCoins: number;
  researcher: string;
  themeIds: number[];
  recommendScore: number;
  createdAt: Date;
};

export async function insertDocument(db: Db, row: NewDocument): Promise<number> {
  const [made] = await db
    .insert(documents)
    .values({ ...row, updatedAt: row.createdAt })
    .returning({ id: documents.id });
  if (!made) throw new Error('an insert returned no row');
  return made.id;
}

/** Returns false when the document does not exist. */
export async function updateDocument(
  db: Db,
  id: number,
  patch: Partial<Omit<NewDocument, 'fileId' | 'createdAt' | 'recommendScore'>> & { updatedAt: Date },
): Promise<boolean> {
  const changed = await db.update(documents).set(patch).where(eq(documents.id, id)).returning({ id: documents.id });
  return changed.length > 0;
}

/** Changes the day of a document, and with it the score that follows from its day and heat. */
export async function updateCreatedAt(db: Db, id: number, createdAt: Date): Promise<void> {
  await db
    .update(documents)
    .set({ createdAt, recommendScore: scoreSql(sql`${documents.heat}`, sql`${createdAt}::timestamptz`) })
    .where(eq(documents.id, id));
}

/** recommendScore of rules.ts. */
const scoreSql = (heat: SQL, createdAt: SQL): SQL<number> =>
  sql<number>`ln(1 + ${heat}::float8) + extract(epoch from ${createdAt})::float8 / ${FRESHNESS_SECONDS}::float8`;

/** Publishes a document that is in one of the states `from` and has a file with something to show; returns false when nothing changed. */
export async function updateToPublished(db: Db, id: number, from: DocumentState[]): Promise<boolean> {
  // Locked: a file that is being destroyed is not shown again in the same moment.
  const hasSomethingToShow = sql`exists (select from files f
    where f.id = ${documents.fileId} and f.state in ('ready', 'pending-preview') for share)`;
  const changed = await db
    .update(documents)
    .set({ state: 'published', hiddenReason: null })
    .where(and(eq(documents.id, id), inArray(documents.state, from), isNull(documents.destroyedAt), hasSomethingToShow))
    .returning({ id: documents.id });
  return changed.length > 0;
}

/** Returns false when the document was already hidden for that reason, or does not exist. */
export async function updateToHidden(db: Db, id: number, reason: HiddenReason): Promise<boolean> {
  const changed = await db
    .update(documents)
    .set({ state: 'hidden', hiddenReason: reason })
    .where(and(eq(documents.id, id), or(ne(documents.state, 'hidden'), ne(documents.hiddenReason, reason))))
    .returning({ id: documents.id });
  return changed.length > 0;
}

/**
 * Takes from a hidden document every word that came with it. Its owners lose it, as one that was hidden as illegal, and its number, price
 * and closed labels stay.
 */
export async function updateToDestroyed(db: Db, id: number, name: string, at: Date): Promise<void> {
  await db
    .update(documents)
    .set({
      name,
      isNameGuessed: false,
      keyword: '',
      researcher: '',
      organizationId: null,
      hiddenReason: sql`case when hidden_reason = 'operator' then 'illegal' else hidden_reason end`,
      destroyedAt: at,
      updatedAt: at,
    })
    .where(and(eq(documents.id, id), eq(documents.state, 'hidden'), isNull(documents.destroyedAt)));
}

export async function selectState(db: Db, id: number): Promise<DocumentState | null> {
  const [row] = await db.select({ state: documents.state }).from(documents).where(eq(documents.id, id));
  return row?.state ?? null;
}

/** Fills the empty labels of a file's documents that are not published yet. */
export async function updateEmptyLabels(
  db: Db,
  fileId: number,
  labels: {
    name: { text: string; unless: string } | null;
    keyword: string;
    themeIds: number[];
    industryId: number | null;
    typeId: number | null;
  },
): Promise<void> {
  const { name, keyword, themeIds, industryId, typeId } = labels;
  await db.execute(sql`update documents set
      name = case when ${name !== null} and is_name_guessed and name = ${name?.unless ?? ''} then ${name?.text ?? ''} else name end,
      keyword = case when keyword = '' then ${keyword} else keyword end,
      theme_ids = case when theme_ids = '{}' then ${sql.param(themeIds)}::integer[] else theme_ids end,
      industry_id = coalesce(industry_id, ${industryId}::integer),
      type_id = coalesce(type_id, ${typeId}::integer)
    where file_id = ${fileId} and state in ('processing', 'failed')`);
}

/** Marks the processing documents of a file as failed. */
export async function updateToFailed(db: Db, fileId: number): Promise<void> {
  await db
    .update(documents)
    .set({ state: 'failed', updatedAt: sql`now()` })
    .where(and(eq(documents.fileId, fileId), eq(documents.state, 'processing')));
}

export type DocumentHeat = { id: number; heat: number };

/** Writes heats and the scores that follow from them. */
export async function updateHeats(db: Db, heats: readonly DocumentHeat[]): Promise<void> {
  await db.execute(sql`update documents d set heat = h.heat,
      recommend_score = ${scoreSql(sql`h.heat`, sql`d.created_at`)}
    from unnest(${sql.param(heats.map(({ id }) => id))}::bigint[], ${sql.param(heats.map(({ heat }) => heat))}::int[])
      as h (id, heat) where d.id = h.id`);
}
