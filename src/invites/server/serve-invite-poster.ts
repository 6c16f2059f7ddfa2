import sharp from 'sharp';
import type { Ctx } from '../../context.ts';
import { countLibrary } from '../../library/server/catalogue.ts';
import { listRecommended } from '../../library/server/list-documents.ts';
import { readStored } from '../../platform/files/file-store.ts';
import { drawPoster } from '../../reading/server/draw-poster.ts';
import { cachingOf, drawInTurn, idOf, originOf } from '../../reading/server/serve-share-images.ts';
import { invitePath } from '../addresses.ts';
import { formatNumber } from '../../protocol/format-number.ts';

/** Covers on the poster: three in each of two rows, in pixels. */
const TILE = { width: 480, height: 270 };
const GAP = 6;
const COLUMNS = 3;
const COVERS = 6;
const PAPER = '#faf8f4';

/**
 * Serves the poster by which a member (`uid`) invites friends, as JPEG: covers of the library, what the site is for, and the QR code of the
 * member's link. It holds nothing of the member but the id, so it is public like the link. Browsers keep it for as long as a cover.
 */
export async function serveInvitePoster(ctx: Ctx, request: Request): Promise<Response> {
  const uid = idOf(new URL(request.url).searchParams.get('uid'));
  const link = originOf(ctx) + (uid ? invitePath(uid) : '/index');
  const covers = await listCovers(ctx);
  const image = await ctx.caches.reading.posters(ctx, `invite ${link} ${covers.join(' ')}`, () =>
    drawInTurn(ctx, request, () => draw(ctx, link, covers)),
  );
  return new Response(new Uint8Array(image), {
    headers: {
      'content-type': 'image/jpeg',
      'cache-control': cachingOf(ctx, 600),
      'x-content-type-options': 'nosniff',
    },
  });
}

async function draw(ctx: Ctx, link: string, covers: readonly string[]): Promise<Buffer> {
  const [{ documents, industries }, cover] = await Promise.all([countLibrary(ctx), drawCovers(ctx, covers)]);
  return drawPoster({
    title: '下一场活动，从一份好方案开始',
    facts: `收录 ${formatNumber(documents)} 份方案 · 覆盖 ${industries} 个行业`,
    cover,
    color: PAPER,
    pages: [],
    hint: '免费注册，预览每份方案的前 10 页',
    link,
    siteName: ctx.config.site.name,
  });
}

/** Returns the keys of the covers of the most recommended documents, the best first. */
async function listCovers(ctx: Ctx): Promise<string[]> {
  const { items } = await listRecommended(ctx, { page: 1, pageSize: 3 * COVERS });
  return items.flatMap(({ share_url: path }) => (path === '' ? [] : [path.slice(1)]));
}

/** Returns the first covers as one picture; null when fewer are there. */
async function drawCovers(ctx: Ctx, covers: readonly string[]): Promise<Buffer | null> {
  const tiles: Buffer[] = [];
  for (const key of covers) {
    if (tiles.length === COVERS) break;
    const tile = await readTile(ctx, key);
    if (tile) tiles.push(tile);
  }
  if (tiles.length < COVERS) return null;
  const rows = COVERS / COLUMNS;
  const width = COLUMNS * TILE.width + (COLUMNS - 1) * GAP;
  const height = rows * TILE.height + (rows - 1) * GAP;
  return sharp({ create: { width, height, channels: 3, background: PAPER } })
    .composite(
      tiles.map((input, at) => ({
        input,
        left: (at % COLUMNS) * (TILE.width + GAP),
        top: Math.floor(at / COLUMNS) * (TILE.height + GAP),
      })),
    )
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Returns a stored cover in the size of a tile; null when its file is missing. */
async function readTile(ctx: Ctx, key: string): Promise<Buffer | null> {
  const picture = await readStored(ctx.files, key);
  return (
    picture &&
    sharp(picture)
      .resize({ ...TILE, fit: 'cover' })
      .toBuffer()
  );
}
