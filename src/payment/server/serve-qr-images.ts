import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { findBrowserSession } from '../../accounts/server/sessions.ts';
import { getProfile } from '../../accounts/server/users.ts';
import type { Ctx } from '../../context.ts';
import { drawQr } from '../../platform/draw-qr.ts';
import { retryAfter } from '../../platform/http/api/api.ts';
import { isFromOtherSite } from '../../platform/http/cookies.ts';
import { CHINESE_FONTS, escapeXml, wrapText } from '../../platform/draw-text.ts';
import { CODE, type Code } from '../../protocol/codes.ts';
import { notLoggedIn, Refusal, sessionInvalid } from '../../protocol/envelope.ts';
import { rowId } from '../../protocol/fields.ts';
import type { Channel } from '../ports.ts';
import { getOrderWithCode, siteUrlOf } from './create-order.ts';

const WIDTH = 360;
const FONT_SIZE = 24;
const LINES = 4;
/** C-46: pictures that one user may have drawn in a minute. */
const PICTURES_PER_USER = 30;

/** HTTP status of a refusal: an <img> sees no code but the status. */
const STATUS = new Map<Code, number>([
  [CODE.notLoggedIn, 401],
  [CODE.sessionInvalid, 401],
  [CODE.notPermitted, 403],
  [CODE.conflict, 409],
  [CODE.tooFrequent, 429],
]);

/**
 * Serves the payment QR code as a picture (C-54). The request makes an order, and a browser makes such a request by itself,
 * so the order is always that of the session's own user: a query that names somebody else gets 403. Throws refusals, for drawRefusal.
 */
export const serveQrImage = (channel: Channel) => async (ctx: Ctx, request: Request) => {
  // A link of another site must not order anything in the name of the member who follows it.
  if (isFromOtherSite(request)) throw new Refusal(CODE.notPermitted, '请在本站打开付款码');
  const query = new URL(request.url).searchParams;
  const session = await findBrowserSession(ctx, ctx.request.cookie('sess'));
  if (session === 'none') throw notLoggedIn();
  if (session === 'revoked') throw sessionInvalid();
  await ctx.limiter.take('pay-pictures', `u${session.userId}`, PICTURES_PER_USER, { isInMemory: true });
  const own: Ctx = { ...ctx, session };
  if (!(await isOwn(own, session.userId, query))) throw new Refusal(CODE.notPermitted, '无权使用该付款码');
  const order = await getOrderWithCode(own, {
    itemId: rowId.parse(query.get('itemId')),
    documentId: rowId.parse(query.get('fileId')) || null,
    channel,
    siteUrl: siteUrlOf(ctx),
  });
  return pictureOf(await drawQr(order.codeContent, WIDTH), 200, { 'x-out-trade-no': order.outTradeNo });
};

/** Pictures of texts, by the text. An address beyond its limit may ask three thousand times a minute, and must not have each refusal drawn. */
const notes = new LRUCache<string, Buffer>({ max: 100 });

/** Answers with a picture of the refusal's text, whose code is in a header (C-54). */
export async function drawRefusal(refusal: Refusal): Promise<Response> {
  const { code, message } = refusal;
  const status = STATUS.get(code) ?? (refusal.status === 200 ? 400 : refusal.status);
  let png = notes.get(message);
  if (!png) notes.set(message, (png = await drawNote(message)));
  return pictureOf(png, status, { ...retryAfter(refusal), 'x-error-code': String(code) });
}

/** Returns whether every identity given in the query is the session's own. */
async function isOwn(ctx: Ctx, userId: number, query: URLSearchParams): Promise<boolean> {
  const [named, openids] = [query.getAll('userId'), query.getAll('offiaccountOpenid').filter(Boolean)];
  if (named.some((each) => each !== '' && each !== String(userId))) return false;
  if (openids.length === 0) return true;
  const { openid } = await getProfile(ctx, userId);
  return openids.every((each) => each === openid);
}

async function drawNote(text: string): Promise<Buffer> {
  const lines = wrapText(text, WIDTH / FONT_SIZE - 2, LINES);
  const top = WIDTH / 2 - ((lines.length - 1) * FONT_SIZE * 1.5) / 2;
  const spans = lines.map(
    (line, index) => `<text x="${WIDTH / 2}" y="${top + index * FONT_SIZE * 1.5}">${escapeXml(line)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${WIDTH}">
    <rect width="100%" height="100%" fill="#fff"/>
    <g font-family="${CHINESE_FONTS}" font-size="${FONT_SIZE}" fill="#1c1c1c" text-anchor="middle">${spans.join('')}</g>
  </svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}

const pictureOf = (png: Buffer, status: number, more: Record<string, string>) =>
  new Response(new Uint8Array(png), {
    status,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...more,
    },
  });
