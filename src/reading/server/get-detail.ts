import { listDetailCharts } from '../../charts/server/list-charts.ts';
import type { Ctx } from '../../context.ts';
import { detailFileType } from '../../library/file-types.ts';
import { toDocumentItem } from '../../library/server/document-item.ts';
import { type DocumentFacts, findDocument, listPreviewPages } from '../../library/server/catalogue.ts';
import { listThemes } from '../../library/server/labels.ts';
import { hasEntitlement } from '../../membership/server/rights.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, notFound, Refusal } from '../../protocol/envelope.ts';
import type { DocumentDetail } from '../contract.ts';
import { PREVIEW_PAGES } from '../preview-pages.ts';
import { signPageLink, signStripLink } from './page-links.ts';
import { recordRead } from './record-read.ts';

type Detail = { detail: DocumentDetail };

/**
 * Returns one document. Existence is checked first even for visitors, whose pages answer 404 and 410 by it; a visitor
 * then gets code 10000 with everything but the pages (C-21). Throws code 4, with `gone: 1` for a document that was on
 * the shelf before.
 */
export async function getDetail(ctx: Ctx, documentId: number): Promise<Detail | CodedAnswer<Detail>> {
  const document = documentId > 0 ? await findDocument(ctx, documentId) : null;
  if (document?.state === 'hidden') throw gone();
  if (document?.state !== 'published') throw notFound();
  const detail = await toDetail(ctx, document);
  if (detail.page_urls.length > 0) {
    const { isLimited } = await recordRead(ctx, document.id);
    // Owned documents may always be read (C-41).
    if (isLimited && detail.owned === 0) detail.read_limited = 1;
  }
  return ctx.session ? { detail } : new CodedAnswer(CODE.notLoggedIn, '请先登录', { detail });
}

/** Thrown for a document that is off the shelf: the page answers 410 (C-75). */
function gone(): Refusal {
  const { code, message } = notFound();
  return new Refusal(code, message, { gone: 1 });
}

async function toDetail(ctx: Ctx, document: DocumentFacts): Promise<DocumentDetail> {
  const { session } = ctx;
  const [pages, themes, isOwner] = await Promise.all([
    session ? listPreviewPages(ctx, document.fileId, PREVIEW_PAGES) : [],
    listThemes(ctx),
    hasEntitlement(ctx, document.id),
  ]);
  return {
    ...toDocumentItem(document, ctx.clock.now()),
    ...detailFileType(document.fileType),
    keyword: document.keyword,
    page_urls: session
      ? pages.map(({ page }) => signPageLink(ctx, { mediaKey: document.mediaKey, page, sessionId: session.id }))
      : [],
    page_urls_2x: session
      ? pages.map(({ page, largeWidth }) =>
          largeWidth > 0
            ? signPageLink(ctx, { mediaKey: document.mediaKey, page, sessionId: session.id, isLarge: true })
            : '',
        )
      : [],
    page_sizes_2x: pages.map(({ width, height, largeWidth }) => ({
      width: largeWidth,
      height: Math.round((height * largeWidth) / width),
    })),
    strip_url:
      session && document.hasStrip ? signStripLink(ctx, { mediaKey: document.mediaKey, sessionId: session.id }) : '',
    has_words: session && document.hasWords ? 1 : 0,
    page_sizes: pages.map(({ width, height }) => ({ width, height })),
    chart_list: await listDetailCharts(ctx, document, { isOwner, previewPages: PREVIEW_PAGES }),
    themes: document.themeIds.flatMap((id) => themes.find((theme) => theme.id === id) ?? []),
    owned: isOwner ? 1 : 0,
    text_excerpt: document.textExcerpt,
    outline: document.outline,
    preview_pending: document.fileState === 'waiting' || document.fileState === 'pending-preview' ? 1 : 0,
    read_limited: 0,
    cover_width: document.coverWidth,
    cover_height: document.coverHeight,
  };
}

/** Returns the visitor's view of the detail for every caller, with code 0 (C-21). Throws code 4 as getDetail does. */
export async function getGuestDetail(ctx: Ctx, documentId: number): Promise<{ detail: DocumentDetail }> {
  const answer = await getDetail({ ...ctx, session: null }, documentId);
  return answer instanceof CodedAnswer ? answer.data : answer;
}
