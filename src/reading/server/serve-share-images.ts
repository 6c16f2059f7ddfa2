import type { Ctx } from '../../context.ts';
import { clientOf } from '../../accounts/server/recent-sessions.ts';
import { getLargestCover } from '../../ingest/server/pages/large-cover.ts';
import { findDocument, findShownFile, type DocumentFacts } from '../../library/server/catalogue.ts';
import { notFound, Refusal } from '../../protocol/envelope.ts';
import { detailPath } from '../../library/addresses.ts';
import { createGate } from '../../platform/http/limits/gate.ts';
import { drawQr } from '../../platform/draw-qr.ts';
import { createHash } from 'node:crypto';
import { detailFileType } from '../../library/file-types.ts';
import { readStored } from '../../platform/files/file-store.ts';
import { drawPoster } from './draw-poster.ts';

/**
 * Returns the document of a public image (poster, QR code). Throws a refusal with status 404 unless the document is published:
 * an `<img>` cannot read a code.
 */
async function getPublicDocument(ctx: Ctx, id: string | null): Promise<DocumentFacts> {
  const document = id && /^[1-9]\d{0,14}$/.test(id) ? await findDocument(ctx, Number(id)) : null;
  if (document?.state === 'published') return document;
  const { code, message } = notFound();
  throw new Refusal(code, message, null, 404);
}

/** Cache-Control of an image that shows this site's address: without PUBLIC_URL the address comes from the request's Host. */
export const cachingOf = (ctx: Ctx, seconds: number) =>
  `${ctx.config.publicUrl ? 'public' : 'private'}, max-age=${seconds}`;

/** Returns the public origin of this site. */
export const originOf = ({ config, request }: Ctx) => config.publicUrl ?? request.origin;

const QR_WIDTH = 430;

/**
 * Serves the QR code that opens a document on a phone (C-94), as PNG, cached for a day. `scene` is the document id; 404
 * for a document that is not published. `type` is a mini program's parameter; that program has no page for
 * documents, so every type gives the address of the detail page.
 */
export async function serveDocumentQr(ctx: Ctx, request: Request): Promise<Response> {
  const document = await getPublicDocument(ctx, new URL(request.url).searchParams.get('scene'));
  const image = await drawQr(originOf(ctx) + detailPath(document.id, {}), QR_WIDTH);
  return new Response(new Uint8Array(image), {
    headers: {
      'content-type': 'image/png',
      'cache-control': cachingOf(ctx, 86_400),
      'x-content-type-options': 'nosniff',
    },
  });
}

/**
 * Drawing a poster takes half a second of a core and its memory. A client rests after a poster as long as it took, so that
 * somebody who asks for many does not delay the poster of anybody else by more than one.
 */
const drawing = createGate({
  atOnce: 1,
  atOncePerClient: 1,
  maxWaiting: 12,
  maxWaitingPerClient: 4,
  maxWaitMs: 8_000,
  maxRestMs: 1_000,
});

/**
 * Serves the poster of a document as JPEG (C-115), public like the cover: it holds nothing that visitors do not see.
 * `fid` is the document, `p` the page its QR code leads to, `invite` the member who sends it. Drawn once for each
 * version of the document.
 */
export async function servePoster(ctx: Ctx, request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  const document = await getPublicDocument(ctx, asked.get('fid'));
  const page = idOf(asked.get('p'));
  const path = detailPath(document.id, {
    page: page && page <= document.pageCount ? page : undefined,
    inviter: idOf(asked.get('invite')),
  });
  const link = originOf(ctx) + path;
  const key = createHash('sha256').update(versionOf(document, link)).digest('base64url');
  const headers = {
    'content-type': 'image/jpeg',
    'cache-control': cachingOf(ctx, 3_600),
    'x-content-type-options': 'nosniff',
    etag: `"${key}"`,
  };
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
  const image = await ctx.caches.reading.posters(ctx, key, () =>
    drawInTurn(ctx, request, () => draw(ctx, document, link)),
  );
  return new Response(new Uint8Array(image), { headers });
}

/** The facts that a poster shows; a change of any of them gives another poster. */
function versionOf(document: DocumentFacts, link: string): string {
  const { id, name, mediaKey, coverWidth, coverColor, pageCount, outline, industryName, updatedAt } = document;
  return JSON.stringify([
    link,
    id,
    name,
    mediaKey,
    coverWidth,
    coverColor,
    pageCount,
    outline,
    industryName,
    updatedAt,
  ]);
}

async function draw(ctx: Ctx, document: DocumentFacts, link: string): Promise<Buffer> {
  const facts = [
    detailFileType(document.fileType).file_type_text,
    document.pageCount > 0 ? `${document.pageCount} 页` : '',
    document.industryName ?? '',
    document.organizationName ?? '',
  ];
  return drawPoster({
    title: document.name,
    facts: facts.filter(Boolean).join(' · '),
    cover: document.coverWidth > 0 ? await readCover(ctx, document.mediaKey) : null,
    color: document.coverColor,
    pages: document.outline,
    hint: '打开看封面、目录和内容摘录',
    link,
    siteName: ctx.config.site.name,
  });
}

async function readCover(ctx: Ctx, mediaKey: string): Promise<Buffer | null> {
  const file = await findShownFile(ctx, mediaKey);
  const key = file && (await getLargestCover(ctx, file));
  return key ? readStored(ctx.files, key) : null;
}

/** Returns an id of an address; undefined for anything else. */
export const idOf = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

/** Draws one poster at a time, in turns by client. Throws code 503 when too many wait. */
export function drawInTurn<T>(ctx: Ctx, request: Request, work: () => Promise<T>): Promise<T> {
  const { key } = clientOf(ctx.caches, ctx.request.ip, (name) => request.headers.get(name));
  return drawing.run(key, work);
}
