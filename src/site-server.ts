import { randomBytes, randomUUID } from 'node:crypto';
import { buildApi } from './app.ts';
import { findPageSession } from './accounts/server/sessions.ts';
import type { Ctx } from './context.ts';
import type { Session } from './platform/http/request-context.ts';
import { isPagePath, keptPageOf, type KeptPage } from './kept-pages.ts';
import { serveDownload } from './membership/server/serve-download.ts';
import { isDatabaseAway } from './platform/db/client.ts';
import { toResponse } from './platform/http/api.ts';
import type { AnswerCache, Made } from './platform/http/answer-cache.ts';
import { compressed } from './platform/http/compress.ts';
import { readCookie } from './platform/http/cookies.ts';
import { createGate } from './platform/http/gate.ts';
import { createFloodRefusal } from './platform/http/refuse-flood.ts';
import { limitedClient } from './platform/http/client-address.ts';
import type { AnswerAtSocket, Arrival } from './platform/http/listen.ts';
import { createMinuteLimit, type MinuteLimit } from './platform/http/minute-limit.ts';
import {
  sendPublicAnswer,
  toPublicAnswer,
  writePublicAnswer,
  type PublicAnswer,
} from './platform/http/public-answer.ts';
import { hashScripts } from './platform/http/script-hashes.ts';
import { pageHeaders, developmentHeaders, httpsHeaders } from './platform/http/security-headers.ts';
import { createStatic } from './platform/http/static-files.ts';
import { addressGroup } from './protocol/address-group.ts';
import { Refusal } from './protocol/envelope.ts';
import { serveMedia } from './reading/server/serve-media.ts';
import type { Outside } from './accounts/server/adapters/outside-process.ts';
import type { HasPage, Render } from './render.ts';
import { serveErrorPage } from './platform/http/error-page.ts';
import { serveHealth, type Health } from './site/server/health.ts';
import { createReference } from './site/server/reference.ts';
import { isSitemapPath, serveSitemap } from './site/server/sitemap.ts';

export type SiteHandler = {
  handler: (request: Request, arrival: Arrival) => Promise<Response>;
  /** Sends what is kept for everybody, and refuses clients whose minute is used up. */
  answerAtSocket: AnswerAtSocket;
};

const HEALTH_PATHS = new Set(['/livez', '/readyz']);
const REFERENCE_PATHS = new Set(['/api', '/api/openapi.json']);

/**
 * Limits of a minute (docs/decisions/018). An office of fifty behind one address stays far below them. Pages that are
 * kept, static files, images and downloads do not count.
 */
const PAGES_PER_ADDRESS = 600;
const PAGES_PER_MEMBER = 300;
/** API calls, and pages asked for with a session's cookie, which has to be looked up. With a session and without apart. */
const REQUESTS_PER_ADDRESS = 3_000;

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
};
/** With RATE_LIMITS=off one client, a load test for example, may use the whole processor. */
const UNLIMITED_CLIENT = { atOncePerClient: RENDERING.atOnce, maxRestMs: 0 };
const API_CALLS = { atOnce: 200, atOncePerClient: 8, maxWaiting: 1_000, maxWaitingPerClient: 300, maxWaitMs: 5_000 };

/** Every path of the site. In the order of traffic: kept answers, static files, images, API, downloads, pages. */
export function createSiteHandler(options: {
  ctx: Ctx;
  health: Health;
  clientDir: string | null;
  render: Render;
  hasPage: HasPage;
  /** Null: nothing is kept (development, where pages change by the minute). */
  cache: AnswerCache | null;
  outside: Outside | null;
}): SiteHandler {
  const { cache } = options;
  const { config } = options.ctx;
  const { api, endpoints, callDirectly } = buildApi(options.ctx, cache?.calls);
  const reference = createReference(endpoints, config.site.name);
  const serveStatic = options.clientDir ? createStatic(options.clientDir) : () => Promise.resolve(null);
  const limitOf = (perMinute: number) => createMinuteLimit(perMinute, config.isRateLimited);
  const pagesPerAddress = limitOf(PAGES_PER_ADDRESS);
  const pagesPerMember = limitOf(PAGES_PER_MEMBER);
  const requestsPerAddress = limitOf(REQUESTS_PER_ADDRESS);
  const rendering = createGate(config.isRateLimited ? RENDERING : { ...RENDERING, ...UNLIMITED_CLIENT });
  const apiCalls = createGate(API_CALLS);
  const refuseFlood = createFloodRefusal();

  return {
    handler: async (request, arrival) => compressed(request, await serve(request, arrival)),
    answerAtSocket(request, response, { client, isHttps }) {
      const { url: path, headers, method = '' } = request;
      if (!path || !headers.host) return false;
      // A target in absolute form counts instead of the Host header (RFC 9112, 3.2.2).
      const url = URL.parse(path.startsWith('/') ? `http://${headers.host}${path}` : path);
      if (!url) return false;
      const mayBeMember = readCookie(headers.cookie ?? null, 'sess') !== '';
      const key = keyOf(method, url, mayBeMember);
      const kept = key && cache?.find(key);
      if (kept) {
        writePublicAnswer(request, response, kept, isHttps ? httpsHeaders() : {});
        return true;
      }
      const waitSeconds = limitOfPath(url.pathname, mayBeMember)?.findWaitSeconds(client) ?? 0;
      if (waitSeconds === 0) return false;
      refuseFlood(request, response, { isApi: isApiCall(url.pathname), waitSeconds });
      return true;
    },
  };

  /** Which limit of an address a path counts for; null for files, images, downloads and health. */
  function limitOfPath(pathname: string, mayBeMember: boolean): MinuteLimit | null {
    if (isApiCall(pathname)) return requestsPerAddress;
    if (REFERENCE_PATHS.has(pathname) || isSitemapPath(pathname)) return pagesPerAddress;
    // React Router's own requests render a page's data.
    if (!isPagePath(pathname) && !pathname.endsWith('.data')) return null;
    return mayBeMember ? requestsPerAddress : pagesPerAddress;
  }

  async function serve(request: Request, arrival: Arrival): Promise<Response> {
    const url = new URL(request.url);
    const sess = readCookie(request.headers.get('cookie'), 'sess');
    const requestId = randomUUID();
    const ctx: Ctx = {
      ...options.ctx,
      request: {
        ...options.ctx.request,
        id: requestId,
        ip: arrival.ip,
        userAgent: request.headers.get('user-agent') ?? '',
      },
    };
    try {
      if (HEALTH_PATHS.has(url.pathname)) return await serveHealth(options.health, url.pathname);
      if (url.pathname.startsWith('/media/')) return await serveMedia(ctx, request);
      if (REFERENCE_PATHS.has(url.pathname)) {
        return await serveText(ctx, request, arrival, () => Promise.resolve(reference(request, originOf(url))));
      }
      if (isApiCall(url.pathname)) return await serveApi(ctx, request, arrival);
      if (url.pathname.startsWith('/dl/')) return await serveDownload(ctx, request);
      const file = await serveStatic(request);
      if (file) return file;
      if (isSitemapPath(url.pathname)) {
        return await serveText(ctx, request, arrival, async () => {
          return (await serveSitemap(ctx, request)) ?? serveErrorPage(404, requestId);
        });
      }
      return await servePage(ctx, request, arrival, sess);
    } catch (error) {
      if (error instanceof Refusal) return refusePage(error, requestId);
      // The rest of such a path is a key to a file.
      const path = url.pathname.replace(/^\/dl\/.*/, '/dl/…');
      ctx.log.error({ error, requestId, path }, 'request failed');
      return serveErrorPage(isDatabaseAway(error) ? 503 : 500, requestId);
    }
  }

  /** Returns the key under which the answer to this request may be kept for everybody, null for any other request. */
  function keyOf(method: string, url: URL, mayBeMember: boolean): string | null {
    if (!cache || (method !== 'GET' && method !== 'HEAD')) return null;
    if (REFERENCE_PATHS.has(url.pathname) || isSitemapPath(url.pathname))
      return `text ${originOf(url).text}${url.pathname}`;
    if (mayBeMember || !isPagePath(url.pathname) || !isDecodable(url.pathname)) return null;
    const page = keptPageOf(url, options.hasPage);
    return page && pageKeyOf(page);
  }

  /** The page shows links with its origin. Where PUBLIC_URL is not set, another Host is therefore another page. */
  function pageKeyOf({ url }: KeptPage): string {
    return `page ${originOf(url).text}${url.pathname}${url.search}`;
  }

  function originOf(url: URL): { text: string; isConfigured: boolean } {
    return { text: config.publicUrl ?? url.origin, isConfigured: config.publicUrl !== null };
  }

  async function serveApi(ctx: Ctx, request: Request, arrival: Arrival): Promise<Response> {
    const client = clientOf(request, arrival);
    try {
      await requestsPerAddress.take(client);
      return await apiCalls.run(client, async () =>
        api.fetch(request, {
          ip: arrival.ip,
          requestId: ctx.request.id,
          isHttps: arrival.isHttps,
          browserSession: null,
        }),
      );
    } catch (error) {
      if (error instanceof Refusal) return toResponse(error);
      throw error;
    }
  }

  /** A text that is the same for everybody, members included. */
  function serveText(ctx: Ctx, request: Request, arrival: Arrival, make: () => Promise<Response>): Promise<Response> {
    const key = keyOf(request.method, new URL(request.url), false);
    if (!key || request.method === 'HEAD') return renderFor(ctx, null, make);
    return serveShared(ctx, request, arrival, key, make);
  }

  async function servePage(ctx: Ctx, request: Request, arrival: Arrival, sess: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return serveErrorPage(405, ctx.request.id);
    const url = new URL(request.url);
    if (url.pathname === '/') return redirect(`/index${url.search}`);
    // The router would say so on stderr, in the midst of the log, once for each of its looks.
    if (!isDecodable(url.pathname)) return serveErrorPage(404, ctx.request.id);
    if (sess) await requestsPerAddress.take(clientOf(request, arrival));
    const token = readCookie(request.headers.get('cookie'), 'token');
    const lookup = await findPageSession(ctx, { sess, token });
    const browserSession = typeof lookup === 'string' ? null : lookup;
    const page = browserSession || !cache ? null : keptPageOf(url, options.hasPage);
    if (!page) return renderFor(ctx, browserSession, () => renderOwn(ctx, request, arrival, browserSession));
    const key = pageKeyOf(page);
    const kept = cache?.find(key);
    if (kept) return send(request, arrival, kept);
    return serveShared(ctx, request, arrival, key, () => renderPublic(ctx, new Request(page.url), arrival));
  }

  /** Does `work` when it is this client's turn. Throws 429 and 503. */
  async function renderFor<T>(ctx: Ctx, member: Session | null, work: () => Promise<T>): Promise<T> {
    const client = member ? `u${member.userId}` : addressGroup(ctx.request.ip);
    await (member ? pagesPerMember : pagesPerAddress).take(client);
    return rendering.run(client, work);
  }

  /** An answer for everybody: made once for all who ask for it now, and kept when it is one that may be kept. */
  async function serveShared(
    ctx: Ctx,
    request: Request,
    arrival: Arrival,
    key: string,
    make: () => Promise<Response>,
  ): Promise<Response> {
    if (!cache) return renderFor(ctx, null, make);
    const made = await cache.share(key, async (): Promise<Made> => {
      try {
        return await renderFor(ctx, null, async () => toMade(await make()));
      } catch (error) {
        if (error instanceof Refusal) return { scope: 'own', response: refusePage(error, ctx.request.id) };
        throw error;
      }
    });
    const { status } = made.scope === 'own' ? made.response : made.answer;
    const stale = status === 503 ? cache.findStale(key) : null;
    if (stale) return sendStale(stale);
    return made.scope === 'own' ? made.response : send(request, arrival, made.answer);
  }

  /** A visitor's page without anything of one request: see docs/decisions/018. */
  async function renderPublic(ctx: Ctx, request: Request, arrival: Arrival): Promise<Response> {
    const nonce = randomBytes(18).toString('base64url');
    const response = await render(ctx, request, arrival, null, nonce);
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response;
    const { html, hashes } = hashScripts(await response.text(), nonce);
    return withPageHeaders(new Response(html, response), pageHeaders(hashes, false), 'private, no-cache');
  }

  async function renderOwn(
    ctx: Ctx,
    request: Request,
    arrival: Arrival,
    browserSession: Session | null,
  ): Promise<Response> {
    const nonce = randomBytes(18).toString('base64url');
    const response = await render(ctx, request, arrival, browserSession, nonce);
    const policy = config.isDevelopment ? developmentHeaders() : pageHeaders([`'nonce-${nonce}'`], arrival.isHttps);
    // A member's page is kept nowhere, so that the back button shows nobody else's after a logout.
    return withPageHeaders(response, policy, browserSession ? 'private, no-store' : 'private, no-cache');
  }

  async function render(
    ctx: Ctx,
    request: Request,
    arrival: Arrival,
    browserSession: Session | null,
    nonce: string,
  ): Promise<Response> {
    const url = new URL(request.url);
    let isAway = false;
    const response = await options.render(request, {
      api: async (path, input) => {
        const facts = { ip: arrival.ip, requestId: ctx.request.id, isHttps: arrival.isHttps, browserSession };
        const answer = await callDirectly(path, input, facts);
        isAway ||= answer.status === 503;
        return answer;
      },
      nonce,
      origin: originOf(url).text,
      site: { ...config.site, outsidePhoneUrl: options.outside?.phoneUrl(url.hostname) ?? null },
    });
    // The router answers 500 to whatever a loader throws: that the database is away is known here alone.
    if (!isAway || response.status < 500) return response;
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (response.status === 500 && isPage) return serveErrorPage(503, ctx.request.id, '请稍后再试。');
    const headers = new Headers(response.headers);
    headers.set('retry-after', '5');
    return new Response(response.body, { status: 503, headers });
  }
}

const isApiCall = (pathname: string) => pathname.startsWith('/api/') && !REFERENCE_PATHS.has(pathname);

const clientOf = (request: Request, { ip }: Arrival) => limitedClient(ip, (name) => request.headers.get(name));

function withPageHeaders(response: Response, policy: Record<string, string>, caching: string): Response {
  // Set in place: another Response around this one would read its body through a stream.
  const { headers } = response;
  // The bare error page brings a stricter policy of its own.
  for (const [name, value] of Object.entries(policy)) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', caching);
  headers.set('vary', 'cookie');
  return response;
}

/** Statuses of answers that are the same for everybody and stay so for a while. */
const KEPT_STATUSES = new Set([200, 404, 410]);

async function toMade(response: Response): Promise<Made> {
  if (response.headers.has('set-cookie') || (response.status < 500 && !KEPT_STATUSES.has(response.status)))
    return { scope: 'own', response };
  return { scope: response.status < 500 ? 'kept' : 'shared', answer: await toPublicAnswer(response) };
}

function send(request: Request, arrival: Arrival, answer: PublicAnswer): Response {
  return sendPublicAnswer(request, answer, arrival.isHttps ? httpsHeaders() : {});
}

/** Sends the page as it was, with a banner (src/ui/global.css) that says so, while it cannot be rendered again. */
function sendStale(answer: PublicAnswer): Response {
  const { 'content-length': _length, etag: _etag, ...headers } = answer.plain.headers;
  const html = answer.plain.body.toString('utf8').replace(/<html\b/, '<html data-stale=""');
  return new Response(html, { status: answer.status, headers: { ...headers, 'cache-control': 'no-store' } });
}

function refusePage(refusal: Refusal, requestId: string): Response {
  const wait = refusal.data?.['retry_after'];
  return serveErrorPage(
    refusal.status,
    requestId,
    refusal.status === 503 ? '访问的人太多，请稍后再试。' : undefined,
    typeof wait === 'number' ? wait : undefined,
  );
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
