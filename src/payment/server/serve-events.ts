import { findCallerSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { isFromOtherSite } from '../../platform/http/cookies.ts';
import type { Session } from '../../platform/http/api/request-context.ts';
import { CODE } from '../../protocol/codes.ts';
import { notLoggedIn, Refusal, sessionInvalid, unavailable } from '../../protocol/envelope.ts';
import { STATUS_TEXT } from '../rules.ts';
import { selectToldSince } from './store/orders.ts';

/** Shorter than the minute after which a silent connection is closed, here and by most proxies. */
const HEARTBEAT_MS = 20_000;
/** A new or interrupted stream also gets the orders that were fulfilled, or whose money went back, within this time. */
const LOOK_BACK_MS = 120_000;
/** No time says when money was put aside. A payment without a notification is found within six minutes of the payer's. */
const ASIDE_LOOK_BACK_MS = 420_000;
/** A dialog waits for minutes; a client that still waits connects again by itself. */
const MAX_STREAM_MS = 900_000;

/**
 * Serves the stream of the caller's payments: an event `paid` with number and status of each order that is fulfilled, put
 * aside, or paid back, on any node. EventSource sends no header, so the session is that of the browser's HttpOnly cookie, or of
 * a token; the stream ends at most 20 s after the session. A client compares the number with its own order: at the
 * beginning it also hears of what was fulfilled or went back in the last two minutes, and was put aside in the last seven.
 */
export async function serveEvents(ctx: Ctx, request: Request): Promise<Response> {
  if (isFromOtherSite(request)) throw new Refusal(CODE.notPermitted, '请在本站打开', null, 403);
  const findOwn = () => findCallerSession(ctx, request);
  const session = await findOwn();
  if (session === 'none') throw notLoggedIn();
  if (session === 'revoked') throw sessionInvalid();
  return openStream(ctx, session, async () => typeof (await findOwn()) !== 'string');
}

function openStream(ctx: Ctx, { userId }: Session, isSessionOpen: () => Promise<boolean>): Response {
  const encoder = new TextEncoder();
  const told = new Set<string>();
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let isEnded = false;
      const send = (text: string) => {
        // A client that does not read is left behind rather than stored for.
        if (!isEnded && (controller.desiredSize ?? 0) > -MAX_UNREAD) controller.enqueue(encoder.encode(text));
      };
      const tellPaid = async () => {
        const orders = await selectToldSince(ctx.db, userId, {
          since: new Date(ctx.clock.now() - LOOK_BACK_MS),
          asideSince: new Date(ctx.clock.now() - ASIDE_LOOK_BACK_MS),
        });
        for (const { outTradeNo, status } of orders) {
          const word = `${outTradeNo} ${status}`;
          if (told.has(word)) continue;
          told.add(word);
          const data = { out_trade_no: outTradeNo, status, status_text: STATUS_TEXT[status] };
          send(`event: paid\ndata: ${JSON.stringify(data)}\n\n`);
        }
      };
      // A database that is away is no reason to end: the next notification or heartbeat looks again.
      const lookAgain = () =>
        void tellPaid().catch((error: unknown) => ctx.log.warn({ error }, 'an event stream could not read orders'));
      const sendHeartbeat = async () => {
        send(': still here\n\n');
        if (!(await isSessionOpen().catch(() => true))) end();
      };
      const heartbeat = setInterval(() => void sendHeartbeat(), HEARTBEAT_MS);
      const last = setTimeout(() => end(), MAX_STREAM_MS);
      const leave = ctx.orderEvents.join(userId, { onChange: lookAgain, end: () => end() });
      end = () => {
        if (isEnded) return;
        isEnded = true;
        clearInterval(heartbeat);
        clearTimeout(last);
        leave?.();
        try {
          controller.close();
        } catch {
          // The client has gone, which closed it already.
        }
      };
      if (!leave) {
        end();
        throw unavailable();
      }
      send('retry: 3000\n\n');
      lookAgain();
    },
    cancel: () => end(),
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would hold the events back until a buffer is full.
      'x-accel-buffering': 'no',
    },
  });
}

/** Pieces that may wait for a client that reads slowly. */
const MAX_UNREAD = 64;
