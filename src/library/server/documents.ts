import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import { conflict, invalid, notFound } from '../../protocol/envelope.ts';
import { documentsChanged } from '../jobs.ts';
import { cleanKeywords, cleanLine, recommendScore } from '../rules.ts';
import type { SingleLabels } from '../taxonomy.ts';
import { cleanResearcher, labelIdOf, labelIdsIn, themeIdsOf } from './labels.ts';
import {
  insertDocument,
  selectState,
  updateCreatedAt,
  updateDocument,
  updateEmptyLabels,
  updateHeats,
  updateToDestroyed,
  updateToFailed,
  updateToHidden,
  updateToPublished,
  type DocumentHeat,
} from './store-changes.ts';
import type { DocumentState, HiddenReason } from './tables.ts';

/** The single labels and the themes are names: new names are created, "" means none. */
export type CreateDocumentInput = SingleLabels & {
  fileId: number;
  name: string;
  /** The name was derived from the file: a better title may replace it while the document waits for its file. */
  isNameGuessed?: boolean;
  /** Separated by commas of any kind. */
  keyword: string;
  /** 0 to 99,999. */
  priceCoins: number;
  themes: string[];
  researcher: string;
  createdAt: Date;
};

/** Creates a document in the state `processing`; publishDocument makes it visible. Throws invalid for an empty name. */
export async function createDocument(ctx: TransactionCtx, input: CreateDocumentInput): Promise<number> {
  const name = cleanLine(input.name);
  if (!name) throw invalid('请输入方案名称', 'name');
  return transact(ctx, async ({ db }) =>
    insertDocument(db, {
      fileId: input.fileId,
      name,
      isNameGuessed: input.isNameGuessed ?? false,
      keyword: cleanKeywords(input.keyword),
      priceCoins: input.priceCoins,
      ...(await labelIdsIn(db, input)),
      themeIds: await themeIdsOf(db, input.themes),
      researcher: cleanResearcher(input.researcher),
      recommendScore: recommendScore(input.createdAt, 0),
      createdAt: input.createdAt,
    }),
  );
}

/** Fields that are left out stay unchanged; "" removes a single label. */
type EditDocumentInput = Partial<Omit<CreateDocumentInput, 'fileId' | 'isNameGuessed'>>;

/** Changes fields of a document and tells search. Throws notFound, and invalid for an empty name. */
export async function editDocument(ctx: Ctx, id: number, input: EditDocumentInput): Promise<void> {
  const name = input.name === undefined ? undefined : cleanLine(input.name);
  if (name === '') throw invalid('请输入方案名称', 'name');
  await transact(ctx, async ({ db, jobs }) => {
    const isFound = await updateDocument(db, id, {
      ...(name !== undefined && { name, isNameGuessed: false }),
      ...(input.keyword !== undefined && { keyword: cleanKeywords(input.keyword) }),
      ...(input.priceCoins !== undefined && { priceCoins: input.priceCoins }),
      ...(input.researcher !== undefined && { researcher: cleanResearcher(input.researcher) }),
      ...(await labelIdsIn(db, input)),
      ...(input.themes !== undefined && { themeIds: await themeIdsOf(db, input.themes) }),
      updatedAt: new Date(ctx.clock.now()),
    });
    if (!isFound) throw notFound();
    if (input.createdAt) await updateCreatedAt(db, id, input.createdAt);
    await jobs.add(documentsChanged, { ids: [id] });
  });
}

/** Labels that were derived from a document's content. */
type ProposedLabels = {
  /** Replaces a guessed name that still equals `unless`. */
  name: { text: string; unless: string } | null;
  keywords: string[];
  /** Names of existing themes. */
  themes: string[];
  /** Name of an existing industry. */
  industry: string | null;
  /** Name of an existing kind of document. */
  type: string | null;
};

/**
 * Fills the empty labels of the documents that wait for this file. Labels from a manifest or an operator stay, and documents that were
 * published before stay unchanged. Call it inside `transact`. Safe to repeat.
 */
export async function fillLabels(tx: TransactionCtx, fileId: number, labels: ProposedLabels): Promise<void> {
  const name = cleanLine(labels.name?.text ?? '');
  await updateEmptyLabels(tx.db, fileId, {
    name: labels.name && name ? { text: name, unless: labels.name.unless } : null,
    keyword: cleanKeywords(labels.keywords.join(',')),
    themeIds: await themeIdsOf(tx.db, labels.themes),
    industryId: labels.industry === null ? null : await labelIdOf(tx.db, 'industry', labels.industry),
    typeId: labels.type === null ? null : await labelIdOf(tx.db, 'type', labels.type),
  });
}

/**
 * Publishes a document that is processing or failed. Safe to repeat. Throws notFound for a missing document, conflict while its file
 * has nothing to show and for a hidden document (only restoreDocument publishes that again).
 */
export function publishDocument(ctx: TransactionCtx, id: number): Promise<void> {
  return moveToPublished(ctx, id, ['processing', 'failed']);
}

/** Publishes a hidden document again. Throws like publishDocument. */
export function restoreDocument(ctx: TransactionCtx, id: number): Promise<void> {
  return moveToPublished(ctx, id, ['hidden']);
}

function moveToPublished(ctx: TransactionCtx, id: number, from: DocumentState[]): Promise<void> {
  return transact(ctx, async ({ db, jobs }) => {
    if (await updateToPublished(db, id, from)) return jobs.add(documentsChanged, { ids: [id] });
    const state = await selectState(db, id);
    if (state === null) throw notFound();
    if (state !== 'published') throw conflict('方案还不能上架');
  });
}

/**
 * Hides a document: it leaves every list with this transaction (search by the trigger search_follows_documents). Repeating the call changes
 * the reason alone. Throws notFound for a missing document.
 */
export function hideDocument(ctx: TransactionCtx, id: number, reason: HiddenReason): Promise<void> {
  return transact(ctx, async ({ db, jobs }) => {
    if (await updateToHidden(db, id, reason)) return jobs.add(documentsChanged, { ids: [id] });
    if ((await selectState(db, id)) === null) throw notFound();
  });
}

/** The name of a document of which nothing is left but its row. */
const DESTROYED_NAME = '已销毁的方案';

/**
 * Records that a hidden document is destroyed: its words go, its row stays. Call it inside `transact`. Does nothing for a document that is
 * not hidden, or destroyed already. The caller destroys the file.
 */
export async function markDestroyed(tx: TransactionCtx, id: number): Promise<void> {
  await updateToDestroyed(tx.db, id, DESTROYED_NAME, new Date(tx.clock.now()));
  await tx.jobs.add(documentsChanged, { ids: [id] });
}

/** Marks the documents that wait for this file as failed; published and hidden documents stay. Call it inside `transact`. */
export function failDocuments(tx: TransactionCtx, fileId: number): Promise<void> {
  return updateToFailed(tx.db, fileId);
}

/** Stores new heats of documents together with the recommend scores that follow from them. A trigger tells search. */
export function recordHeats(ctx: Ctx, heats: readonly DocumentHeat[]): Promise<void> {
  return updateHeats(ctx.db, heats);
}
