import { listCharts, toDetailCharts } from '../../charts/server/list-charts.ts';
import type { Ctx } from '../../context.ts';
import { readableKey } from '../../ingest/server/pages/drawn-pages.ts';
import { detailFileType } from '../../library/file-types.ts';
import { toDocumentItem } from '../../library/server/document-item.ts';
import { findDocument, listPreviewPages, type DocumentFacts } from '../../library/server/catalogue.ts';
import { listLabels } from '../../library/server/labels.ts';
import type { Tier } from '../../membership/rules.ts';
import { hasEntitlement, tierOf } from '../../membership/server/rights.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, notFound, Refusal } from '../../protocol/envelope.ts';
import { isFavorite } from '../../shelf/server/favorites.ts';
import { findLastPage, recordRead } from '../../shelf/server/reads.ts';
import type { DocumentDetail } from '../contract.ts';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { signPageLink, signStripLink } from './page-links.ts';

type Detail = { detail: DocumentDetail };

/**
 * Returns one document. Existence is checked first even for visitors, whose pages answer 404 and 410 by it; a visitor
 * then gets code 10000 with everything but the pages (C-21). Throws code 4, with `gone: 1` for a document that was published before.
 */
export async function getDetail(ctx: Ctx, documentId: number): Promise<Detail | CodedAnswer<Detail>> {
  const [facts, isOwner, tier, isKept, lastPage] = await Promise.all([
    ctx.request.share(`document facts ${documentId}`, () => getFacts(ctx, documentId)),
    hasEntitlement(ctx, documentId),
    tierOf(ctx),
    isFavorite(ctx, documentId),
    findLastPage(ctx, documentId),
  ]);
  const detail = {
    ...toDetail(ctx, facts, { isOwner, tier }),
    is_favorite: isKept ? (1 as const) : (0 as const),
    last_page: lastPage,
  };
  if (detail.page_urls.length > 0) {
    const { isLimited } = await recordRead(ctx, documentId);
    // Owned documents may always be read (C-41).
    if (isLimited && !isOwner) detail.read_limited = 1;
  }
  return ctx.session ? { detail } : new CodedAnswer(CODE.notLoggedIn, '请先登录', { detail });
}

/** Returns the refusal for a hidden document: the page answers 410 (C-75). */
function gone(): Refusal {
  const { code, message } = notFound();
  return new Refusal(code, message, { gone: 1 });
}

type Facts = Awaited<ReturnType<typeof getFacts>>;

/** Returns what the detail of a published document is made from: the same for every reader. Throws code 4 as getDetail does. */
async function getFacts(ctx: Ctx, documentId: number) {
  const document = documentId > 0 ? await findDocument(ctx, documentId) : null;
  if (document?.state === 'hidden') throw gone();
  if (document?.state !== 'published') throw notFound();
  const [pages, charts, themes] = await Promise.all([
    listPreviewPages(ctx, document.fileId, PREVIEW_PAGES),
    listCharts(ctx, document.fileId),
    listLabels(ctx, 'theme'),
  ]);
  return {
    document,
    pages,
    charts,
    themes: document.themeIds.flatMap((id) => themes.find((theme) => theme.id === id) ?? []),
  };
}

function toDetail(
  ctx: Ctx,
  { document, charts, themes, ...facts }: Facts,
  reader: { isOwner: boolean; tier: Tier },
): DocumentDetail {
  const { session } = ctx;
  const pages = session ? facts.pages : [];
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
            ? signPageLink(ctx, { mediaKey: document.mediaKey, page, sessionId: session.id, image: 'large' })
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
    chart_list: toDetailCharts(ctx, document, charts, { ...reader, pages: PREVIEW_PAGES }),
    themes,
    owned: reader.isOwner ? 1 : 0,
    text_excerpt: document.textExcerpt,
    outline: document.outline,
    preview_pending: document.fileState === 'waiting' || document.fileState === 'pending-preview' ? 1 : 0,
    // The answer for visitors is kept by caches, which do not hear of the finished PDF.
    whole_pending: session && isWholePending(document) ? 1 : 0,
    read_limited: 0,
    last_page: 0,
    cover_width: document.coverWidth,
    cover_height: document.coverHeight,
  };
}

const isWholePending = (document: DocumentFacts) =>
  document.pageCount > PREVIEW_PAGES && readableKey({ ...document, id: document.fileId }) === null;

/** Returns the visitor's view of the detail for every caller, with code 0 (C-21). Throws code 4 as getDetail does. */
export async function getGuestDetail(ctx: Ctx, documentId: number): Promise<{ detail: DocumentDetail }> {
  const answer = await getDetail({ ...ctx, session: null }, documentId);
  return answer instanceof CodedAnswer ? answer.data : answer;
}
