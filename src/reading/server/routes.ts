import type { Routes } from '../../platform/http/api.ts';
import * as contract from '../contract.ts';
import { DOCUMENT_QR_PATH, POSTER_PATH } from '../share-paths.ts';
import { getDetail } from './get-detail.ts';
import { getGuestDetail } from './get-guest-detail.ts';
import { getPageText } from './get-page-text.ts';
import { checkPageTask, openPageTask } from './page-tasks.ts';
import { serveDocumentQr } from './serve-document-qr.ts';
import { servePoster } from './serve-poster.ts';

export function readingRoutes(routes: Routes): void {
  routes.on(contract.getDetail, (ctx, input) => getDetail(ctx, input.fid));
  routes.on(contract.getGuestDetail, (ctx, input) => getGuestDetail(ctx, input.fid));
  routes.on(contract.pageText, (ctx, input) => getPageText(ctx, input.fid));
  routes.on(contract.doc2png, (ctx, input) => openPageTask(ctx, input.oss_name));
  routes.on(contract.checkTask, (ctx, input) => checkPageTask(ctx, input.task_id));
  routes.raw(['GET'], DOCUMENT_QR_PATH, serveDocumentQr);
  routes.raw(['GET'], POSTER_PATH, servePoster);
}
