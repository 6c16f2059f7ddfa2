import type { Ctx } from '../../context.ts';
import { isUploadKey, readUploadTaskId } from '../../groups/rules-uploads.ts';
import { checkConversion, startConversion } from '../../groups/server/uploads/conversion.ts';
import {
  type DocumentFacts,
  findByStorageKey,
  findDocument,
  listPreviewPages,
} from '../../library/server/catalogue.ts';
import { notFound, notLoggedIn } from '../../protocol/envelope.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import type { checkTask } from '../contract.ts';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { signPageLink } from './page-links.ts';

const PURPOSE = 'page-task';
const TASK = /^(\d{1,15})-([\w-]{16,64})$/;

type TaskState = Answer<typeof checkTask>;

/**
 * Returns a task that shows the pages of a document, or of a file that the caller uploaded, as they are made (C-87). Documents
 * are prepared during ingest, so nothing is started for them: the task is a signed name for "this document's pages, for this
 * user". An upload is checked and its conversion started (`startConversion`, which says what is refused). Throws code 4 for a
 * key that belongs to no published document and to no upload of the caller.
 */
export async function openPageTask(ctx: Ctx, storageKey: string): Promise<{ task_id: string }> {
  const userId = userOf(ctx);
  if (isUploadKey(storageKey)) return startConversion(ctx, storageKey);
  const documentId = await findByStorageKey(ctx, storageKey);
  if (documentId === null) throw notFound();
  return { task_id: `${documentId}-${ctx.signer.sign(PURPOSE, documentId, userId)}` };
}

/** Returns the progress of the pages, and their links once they exist. Throws code 4 for another user's task. */
export async function checkPageTask(ctx: Ctx, taskId: string): Promise<TaskState> {
  const userId = userOf(ctx);
  const uploadId = readUploadTaskId(taskId);
  if (uploadId !== null) return { task_id: taskId, ...(await checkConversion(ctx, uploadId)) };
  const [, id = '', signature = ''] = TASK.exec(taskId) ?? [];
  if (!id || !ctx.signer.verify(signature, PURPOSE, Number(id), userId)) throw notFound();
  const document = await findDocument(ctx, Number(id));
  if (document?.state !== 'published') throw notFound();
  return {
    task_id: taskId,
    ...stateOf(document),
    page_urls: await linksOf(ctx, document),
    page_count: document.pageCount,
  };
}

function stateOf({ fileState, progress }: DocumentFacts): Pick<TaskState, 'status' | 'progress' | 'message'> {
  if (fileState === 'ready') return { status: 'done', progress: 100, message: '页面已生成' };
  if (fileState === 'failed') return { status: 'failed', progress, message: '页面生成失败，请稍后再试' };
  return progress > 20
    ? { status: 'running', progress, message: '正在生成页面' }
    : { status: 'pending', progress, message: '排队等待生成' };
}

async function linksOf(ctx: Ctx, document: DocumentFacts): Promise<string[]> {
  const { session } = ctx;
  if (!session || document.fileState !== 'ready') return [];
  const pages = await listPreviewPages(ctx, document.fileId, PREVIEW_PAGES);
  return pages.map(({ page }) => signPageLink(ctx, { mediaKey: document.mediaKey, page, sessionId: session.id }));
}

function userOf({ session }: Ctx): number {
  if (!session) throw notLoggedIn();
  return session.userId;
}
