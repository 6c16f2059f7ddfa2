import { randomBytes } from 'node:crypto';
import type { OutsideProcess } from './accounts/server/adapters/outside-process.ts';
import { clientOf } from './accounts/server/recent-sessions.ts';
import { clearedHiddenCookie } from './accounts/server/session-cookies.ts';
import { findPageSession } from './accounts/server/sessions.ts';
import type { Ctx } from './context.ts';
import { isPagePath, keptPageOf, type KeptPage } from './kept-pages.ts';
import { CHANNELS } from './payment/ports.ts';
import type { AnswerCache, Made } from './platform/http/answers/answer-cache.ts';
import type { CallDirectly } from './platform/http/api/api.ts';
import { readCookie } from './platform/http/cookies.ts';
import { serveErrorPage, serveRefusalPage } from './platform/http/answers/error-page.ts';
import { createGate, within } from './platform/http/limits/gate.ts';
import type { MinuteLimit } from './platform/http/limits/minute-limit.ts';
import { sendPublicAnswer, toPublicAnswer, type PublicAnswer } from './platform/http/answers/public-answer.ts';
import { visitorOrigin, type Session } from './platform/http/api/request-context.ts';
import {
  hashScripts,
  developmentHeaders,
  httpsHeaders,
  pageHeaders,
} from './platform/http/answers/security-headers.ts';
import { addressGroup } from './protocol/address-group.ts';
import { Refusal } from './protocol/envelope.ts';
import type { HasPage, Render } from './render.ts';

export type Pages = {
  /** The origin that links on a page begin with. `isConfigured`: by PUBLIC_URL, not taken from the Host header. */
  originOf(url: URL, isHttps: boolean): { text: string; isConfigured: boolean };
  /** Answers the request for a page, kept or rendered. Throws refusals: 429, 503. */
  servePage(ctx: Ctx, request: Request): Promise<Response>;
  /** Answers with a text that is the same for everybody, members included. Throws refusals: 429, 503. */
  serveText(ctx: Ctx, request: Request, make: () => Promise<Response>): Promise<Response>;
  /** Finds the answer that is kept for everybody who sends such a request. */
  findKept(request: KeptRequest): PublicAnswer | null;
};

type KeptRequest = { method: string; url: URL; mayBeMember: boolean; isHttps: boolean };

/**
 * More renderings at once make all of them slower: they share one processor. The rest between two renderings of one client
 * is processor time for everybody else.
 */
const RENDERING = {
  atOnce: 4,
  atOncePerClient: 1,
  maxRestMs: 100,
  maxWaiting: 300,
  maxWaitingPerClient: 100,
  maxWaitMs: 5_000,
  // A database that hangs answers nothing at all; visitors then get the page as it was, and members a 503.
  maxWorkMs: 8_000,
};
/** With RATE_LIMITS=off one client, a load test for example, may use the whole processor. */
const UNLIMITED_CLIENT = { atOncePerClient: RENDERING.atOnce, maxRestMs: 0 };

/** The pages of the site and its texts: what may be kept is rendered once for everybody (docs/decisions/018). */
export function createPages(options: {
  config: Ctx['config'];
  render: Render;
  hasPage: HasPage;
  /** Null: nothing is kept (development, where pages change by the minute). */
  cache: AnswerCache | null;
  callDirectly: CallDirectly;
  outside: OutsideProcess | null;
  /** Paths of texts that are the same for everybody. */
  isText: (pathname: string) => boolean;
  limits: { pagesPerAddress: MinuteLimit; pagesPerMember: MinuteLimit; requestsPerAddress: MinuteLimit };
}): Pages {
  const { cache, callDirectly, config } = options;
  const { pagesPerAddress, pagesPerMember, requestsPerAddress } = options.limits;
  const rendering = createGate(config.isRateLimited ? RENDERING : { ...RENDERING, ...UNLIMITED_CLIENT });

  return {
    originOf,
    servePage,
    serveText,
    findKept(request) {
      const key = keyOf(request);
      return key === null ? null : (cache?.find(key) ?? null);
    },
  };

  /** Returns the key under which the answer to this request may be kept for everybody, null for any other request. */
  function keyOf({ method, url, mayBeMember, isHttps }: KeptRequest): string | null {
    if (!cache || (method !== 'GET' && method !== 'HEAD')) return null;
    if (options.isText(url.pathname)) return `text ${originOf(url, isHttps).text}${url.pathname}`;
    if (mayBeMember || !isPagePath(url.pathname) || !isDecodable(url.pathname)) return null;
    const page = keptPageOf(url, options.hasPage);
    return page && pageKeyOf(page, isHttps);
  }

  /** The page shows links with its origin. Where PUBLIC_URL is not set, another Host is therefore another page. */
  function pageKeyOf({ url }: KeptPage, isHttps: boolean): string {
    return `page ${originOf(url, isHttps).text}${url.pathname}${url.search}`;
  }

  function originOf(url: URL, isHttps: boolean): ReturnType<Pages['originOf']> {
    return { text: config.publicUrl ?? visitorOrigin(url, isHttps), isConfigured: config.publicUrl !== null };
  }

  function serveText(ctx: Ctx, request: Request, make: () => Promise<Response>): Promise<Response> {
    const { method } = request;
    const key = keyOf({ method, url: new URL(request.url), mayBeMember: false, isHttps: ctx.request.isSecure });
    if (!key || method === 'HEAD') return renderFor(ctx, null, make);
    return serveShared(ctx, request, key, make);
  }

  async function servePage(ctx: Ctx, request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return serveErrorPage(405, ctx.request.id);
    const url = new URL(request.url);
    if (url.pathname === '/') return redirect(`/index${url.search}`);
    // The router would say so on stderr, in the midst of the log, once for each of its looks.
    if (!isDecodable(url.pathname)) return serveErrorPage(404, ctx.request.id);
    const sess = readCookie(request.headers.get('cookie'), 'sess');
    if (sess) requestsPerAddress.take(clientKeyOf(ctx, request));
    const token = readCookie(request.headers.get('cookie'), 'token');
    const lookup = await within(RENDERING.maxWorkMs, findPageSession(ctx, { sess, token }));
    const browserSession = typeof lookup === 'string' ? null : lookup;
    if (browserSession) return renderFor(ctx, browserSession, () => renderOwn(ctx, request, browserSession));
    const response = await serveVisitor(ctx, request, url);
    if (sess) response.headers.append('set-cookie', clearedHiddenCookie(ctx));
    return response;
  }

  async function serveVisitor(ctx: Ctx, request: Request, url: URL): Promise<Response> {
    const page = cache ? keptPageOf(url, options.hasPage) : null;
    if (!page) return renderFor(ctx, null, () => renderOwn(ctx, request, null));
    const key = pageKeyOf(page, ctx.request.isSecure);
    const kept = cache?.find(key);
    if (kept) return send(ctx, request, kept);
    return serveShared(ctx, request, key, () => renderPublic(ctx, new Request(page.url)));
  }

  /** Does `work` when it is this client's turn. Throws 429 and 503. */
  async function renderFor<T>(ctx: Ctx, member: Session | null, work: () => Promise<T>): Promise<T> {
    const client = member ? `u${member.userId}` : addressGroup(ctx.request.ip);
    (member ? pagesPerMember : pagesPerAddress).take(client);
    return rendering.run(client, work);
  }

  /** An answer for everybody: made once for all who ask for it now, and kept when it is one that may be kept. */
  async function serveShared(
    ctx: Ctx,
    request: Request,
    key: string,
    make: () => Promise<Response>,
  ): Promise<Response> {
    if (!cache) return renderFor(ctx, null, make);
    const made = await cache.share(key, async (): Promise<Made> => {
      try {
        return await renderFor(ctx, null, async () => toMade(await make()));
      } catch (error) {
        if (error instanceof Refusal) return { scope: 'own', response: serveRefusalPage(error, ctx.request.id) };
        throw error;
      }
    });
    const { status } = made.scope === 'own' ? made.response : made.answer;
    const stale = status === 503 ? cache.findStale(key) : null;
    if (stale) return sendStale(stale);
    return made.scope === 'own' ? made.response : send(ctx, request, made.answer);
  }

  /** A visitor's page without anything of one request: see docs/decisions/018. */
  async function renderPublic(ctx: Ctx, request: Request): Promise<Response> {
    const nonce = randomBytes(18).toString('base64url');
    const response = await render(ctx, request, null, nonce);
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response;
    const { html, hashes } = hashScripts(await response.text(), nonce);
    return withPageHeaders(new Response(html, response), pageHeaders(hashes, false), 'private, no-cache');
  }

  async function renderOwn(ctx: Ctx, request: Request, browserSession: Session | null): Promise<Response> {
    const nonce = randomBytes(18).toString('base64url');
    const response = await render(ctx, request, browserSession, nonce);
    const policy = config.isDevelopment
      ? developmentHeaders()
      : pageHeaders([`'nonce-${nonce}'`], ctx.request.isSecure);
    // A member's page is kept nowhere, so that the back button shows nobody else's after a logout.
    return withPageHeaders(response, policy, browserSession ? 'private, no-store' : 'private, no-cache');
  }

  async function render(ctx: Ctx, request: Request, browserSession: Session | null, nonce: string): Promise<Response> {
    const url = new URL(request.url);
    let isAway = false;
    let isCacheable = true;
    const { ip, id: requestId, isSecure: isHttps, isFromThisMachine } = ctx.request;
    const facts = { ip, requestId, isHttps, isFromThisMachine, browserSession };
    const response = await options.render(request, {
      api: async (path, input) => {
        const answer = await callDirectly(path, input, facts);
        isAway ||= answer.status === 503;
        isCacheable &&= answer.isCacheable;
        return answer;
      },
      nonce,
      reportFailure: (message) =>
        ctx.log.warn({ requestId: ctx.request.id, path: loggedPath(url.pathname), message }, 'page failed'),
      origin: originOf(url, ctx.request.isSecure).text,
      site: {
        ...config.site,
        outsidePhoneUrl: options.outside?.phoneUrl(url.hostname) ?? null,
        payChannels: CHANNELS.filter((channel) => ctx.gateways[channel] !== null),
      },
    });
    if (!isCacheable) response.headers.set('cache-control', NOT_CACHEABLE);
    // The router answers 500 to whatever a loader throws: that the database is away is known here alone.
    if (response.status < 500) return response;
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (!isAway) return isPage ? withRequestId(response, ctx.request.id) : response;
    if (response.status === 500 && isPage) return serveErrorPage(503, ctx.request.id, '请稍后再试。');
    const headers = new Headers(response.headers);
    headers.set('retry-after', '5');
    return new Response(response.body, { status: 503, headers });
  }
}

/** Returns a path as the log may hold it: the rest of a download link or a shared list is a key. Pages are found in any case. */
export const loggedPath = (pathname: string): string => pathname.replace(/^\/(dl|s)\/.*/i, '/$1/…');

/** Writes the id of the request into the place that the error page leaves for it (src/site/web/errors/error-view.tsx). */
async function withRequestId(page: Response, requestId: string): Promise<Response> {
  const html = await page.text();
  return new Response(html.replace(/data-request-id="[^"]*">/, `$&请求编号 ${requestId}`), page);
}

const clientKeyOf = ({ caches, request: { ip } }: Ctx, request: Request) =>
  clientOf(caches, ip, (name) => request.headers.get(name)).key;

function withPageHeaders(response: Response, policy: Record<string, string>, caching: string): Response {
  // Set in place: another Response around this one would read its body through a stream.
  const { headers } = response;
  // The bare error page brings a stricter policy of its own.
  for (const [name, value] of Object.entries(policy)) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', caching);
  headers.set('vary', 'cookie');
  return response;
}

/** Said of a page that lacks what could not be read just now. */
const NOT_CACHEABLE = 'private, no-store';

/** Statuses of answers that are the same for everybody and stay so for a while. */
const KEPT_STATUSES = new Set([200, 404, 410]);

async function toMade(response: Response): Promise<Made> {
  if (response.headers.has('set-cookie') || (response.status < 500 && !KEPT_STATUSES.has(response.status)))
    return { scope: 'own', response };
  const isKept = response.status < 500 && response.headers.get('cache-control') !== NOT_CACHEABLE;
  return { scope: isKept ? 'kept' : 'shared', answer: await toPublicAnswer(response) };
}

function send(ctx: Ctx, request: Request, answer: PublicAnswer): Response {
  return sendPublicAnswer(request, answer, ctx.request.isSecure ? httpsHeaders() : {});
}

/** Sends the page as it was, with a banner (src/ui/theme/global.css) that says so, while it cannot be rendered again. */
function sendStale(answer: PublicAnswer): Response {
  const { 'content-length': _length, etag: _etag, ...headers } = answer.plain.headers;
  const html = answer.plain.body.toString('utf8').replace(/<html\b/, '<html data-stale=""');
  return new Response(html, { status: answer.status, headers: { ...headers, 'cache-control': 'no-store' } });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-cache' } });
}
