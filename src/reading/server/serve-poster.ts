import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Ctx } from '../../context.ts';
import { detailFileType } from '../../library/file-types.ts';
import type { DocumentFacts } from '../../library/server/catalogue.ts';
import { StoreMissing } from '../../platform/files/file-store.ts';
import { createMemo } from '../../platform/memo.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { detailPath } from '../share-links.ts';
import { drawPoster } from './draw-poster.ts';
import { cachingOf, getPublicDocument, originOf } from './public-document.ts';

/** Maximum number of posters kept in memory, some 200 KB each. */
const MAX_KEPT = 60;
const posters = createMemo<Buffer>(60 * 60 * 1_000, MAX_KEPT);
/** Maximum number of posters that wait while one is drawn, which takes about half a second. */
const MAX_WAITING = 12;
/** The covers of a document, the largest first. */
const COVERS = ['cover-1600', 'cover-960', 'cover'];

/**
 * Serves the poster of a document as JPEG (C-115), public like the cover: it holds nothing that visitors do not see.
 * `fid` is the document, `p` the page its QR code leads to, `invite` the member who sends it. Drawn once for each
 * version of the document.
 */
export async function servePoster(ctx: Ctx, request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  const document = await getPublicDocument(ctx, asked.get('fid'));
  const page = numberOf(asked.get('p'));
  const path = detailPath(document.id, {
    page: page && page <= document.pageCount ? page : undefined,
    inviter: numberOf(asked.get('invite')),
  });
  const link = originOf(ctx, request) + path;
  const key = createHash('sha256').update(versionOf(document, link)).digest('base64url');
  const headers = {
    'content-type': 'image/jpeg',
    'cache-control': cachingOf(ctx, 3_600),
    'x-content-type-options': 'nosniff',
    etag: `"${key}"`,
  };
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
  const image = await posters(ctx, key, () => oneAtATime(() => draw(ctx, document, link)));
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
    link,
    siteName: ctx.config.site.name,
  });
}

async function readCover(ctx: Ctx, mediaKey: string): Promise<Buffer | null> {
  for (const name of COVERS) {
    try {
      return await buffer(await ctx.files.read(`media/${mediaKey}/${name}.webp`));
    } catch (error) {
      if (!(error instanceof StoreMissing)) throw error;
    }
  }
  return null;
}

const numberOf = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Draws one poster at a time, because drawing takes memory and a core. Throws code 503 when too many wait. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MAX_WAITING) throw unavailable();
  waiting++;
  const done = last.then(work, work);
  last = done.catch(() => undefined);
  try {
    return await done;
  } finally {
    waiting--;
  }
}
