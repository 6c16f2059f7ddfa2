import { requireSession } from '../../../accounts/server/sessions.ts';
import type { Ctx } from '../../../context.ts';
import { readableKey, type ReadableFile } from '../../../ingest/server/pages/drawn-pages.ts';
import { findDocument, type DocumentFacts } from '../../../library/server/catalogue.ts';
import { readingRefused } from '../../../membership/server/refusals.ts';
import { hasEntitlement, isTakenDown } from '../../../membership/server/rights.ts';
import type { ReadingRight } from '../../../membership/rules.ts';
import { invalid, notFound, type Refusal } from '../../../protocol/envelope.ts';
import { PREVIEW_PAGES } from '../../../library/limits.ts';
import { recordRead } from '../../../shelf/server/reads.ts';
import { decideReading, isReadable } from '../../rules.ts';

type OpenDocument = {
  document: DocumentFacts;
  file: ReadableFile;
  sessionId: number;
  userId: number;
  right: ReadingRight;
  /** How many pages this member may read now, from the first. */
  readablePages: number;
  /** True when the member may read the whole deck, but its PDF has not been made yet. */
  isPending: boolean;
};

/**
 * Opens a document for a logged-in user and decides how much of it they may read (C-40, C-41). Counts the read
 * of a member who has not opened the document this month. `isShown` tells which documents may be opened, without it the published ones. Throws
 * notLoggedIn and notFound.
 */
export async function openForReading(
  ctx: Ctx,
  documentId: number,
  isShown: (ctx: Ctx, document: DocumentFacts) => Promise<boolean> = isPublished,
): Promise<OpenDocument> {
  const session = requireSession(ctx);
  const document = documentId > 0 ? await findDocument(ctx, documentId) : null;
  if (!document || !(await isShown(ctx, document))) throw notFound();
  // One look at the tier decides the count and the right: a membership that ends or begins in between gives no read away.
  const [isOwned, { tier, isLimited }] = await Promise.all([
    hasEntitlement(ctx, document.id),
    recordRead(ctx, document.id),
  ]);
  const right = decideReading({ isOwned, tier, isOverLimit: isLimited });
  const { fileId: id, sha256, mediaKey, fileType, hasPdf, pageCount } = document;
  const file = { id, sha256, mediaKey, fileType, hasPdf, pageCount };
  const isPending = isReadable(right) && readableKey(file) === null;
  return {
    document,
    file,
    sessionId: session.id,
    userId: session.userId,
    right,
    readablePages: isReadable(right) && !isPending ? pageCount : Math.min(pageCount, PREVIEW_PAGES),
    isPending,
  };
}

const isPublished = (_ctx: Ctx, { state }: DocumentFacts) => Promise.resolve(state === 'published');

/** Tells whether the caller may open a document as a whole: also one off the shelf that they own (C-41), unless it was taken down for rights (C-112). */
export async function isWholeShown(ctx: Ctx, document: DocumentFacts): Promise<boolean> {
  return document.state === 'published' || (!isTakenDown(document) && (await hasEntitlement(ctx, document.id)));
}

/** Throws `invalid` for a page that the document does not have. */
export function refusePageBeyond({ pageCount }: { pageCount: number }, page: number): void {
  if (page < 1 || page > pageCount) throw invalid(`没有这一页：方案共 ${pageCount} 页`, 'page');
}

/** Returns the refusal of pages after the preview: 34 over the reads of the month, 50 for ordinary users, with the ways out. */
export function refusalOf(ctx: Ctx, { right, document }: OpenDocument): Promise<Refusal> {
  return readingRefused(ctx, document.id, right === 'over-limit' ? right : 'ordinary');
}
