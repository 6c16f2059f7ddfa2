import * as contract from '../contract.ts';
import type { Routes } from '../../context.ts';
import { DOCUMENT_QR_PATH, POSTER_PATH } from '../../library/addresses.ts';
import { getDetail, getGuestDetail } from './get-detail.ts';
import { getPageText } from './get-page-text.ts';
import { findInDocument } from './whole/find-in-document.ts';
import { listReadPages } from './whole/list-read-pages.ts';
import { openOriginal } from './whole/open-original.ts';
import { savePage } from './whole/save-page.ts';
import { checkPageTask, openPageTask } from './page-tasks.ts';
import { serveDocumentQr, servePoster } from './serve-share-images.ts';

/** Per minute and address. Drawing a poster costs half a second of processor time. */
const POSTERS_PER_MINUTE = 20;
const QR_CODES_PER_MINUTE = 60;

export function readingRoutes(routes: Routes): void {
  routes.on(contract.getDetail, (ctx, input) => getDetail(ctx, input.fid));
  routes.on(contract.getGuestDetail, (ctx, input) => getGuestDetail(ctx, input.fid));
  routes.on(contract.pageText, (ctx, input) => getPageText(ctx, input.fid, input.page));
  routes.on(contract.readPages, listReadPages);
  routes.on(contract.findInDocument, findInDocument);
  routes.on(contract.openOriginal, openOriginal);
  routes.on(contract.savePage, savePage);
  routes.on(contract.doc2png, (ctx, input) => openPageTask(ctx, input.oss_name));
  routes.on(contract.checkTask, (ctx, input) => checkPageTask(ctx, input.task_id));
  routes.raw(
    ['GET'],
    DOCUMENT_QR_PATH,
    { perIp: QR_CODES_PER_MINUTE, summary: '方案详情页的二维码（PNG），scene 为方案 id。' },
    serveDocumentQr,
  );
  routes.raw(
    ['GET'],
    POSTER_PATH,
    {
      perIp: POSTERS_PER_MINUTE,
      summary: '方案的分享海报（JPEG），fid 为方案 id，p 为页码（可省略），invite 为分享者的用户 id（可省略）。',
    },
    servePoster,
  );
}
