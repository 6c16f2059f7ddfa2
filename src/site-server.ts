import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { clientOf } from './accounts/server/recent-sessions.ts';
import { buildApi } from './app.ts';
import type { OutsideProcess } from './accounts/server/adapters/outside-process.ts';
import type { Ctx } from './context.ts';
import { isPagePath } from './kept-pages.ts';
import { UPLOAD_PATH } from './groups/rules-uploads.ts';
import { serveUpload } from './groups/server/uploads/receive-upload.ts';
import { serveUploadFile } from './groups/server/uploads/serve-upload-file.ts';
import { serveDownload } from './membership/server/serve-download.ts';
import type { AnswerCache } from './platform/http/answers/answer-cache.ts';
import { toResponse, type RawCall } from './platform/http/api/api.ts';
import { compressed } from './platform/http/answers/compress.ts';
import { isFromThisMachine } from './platform/http/client-address.ts';
import { readCookie } from './platform/http/cookies.ts';
import { isDatabaseAway } from './platform/db/client.ts';
import { serveErrorPage, serveRefusalPage } from './platform/http/answers/error-page.ts';
import { readAhead } from './platform/http/api/read-body.ts';
import { createGate, within } from './platform/http/limits/gate.ts';
import type { AnswerAtSocket, Arrival } from './platform/http/listen.ts';
import { createMinuteLimit, type MinuteLimit } from './platform/http/limits/minute-limit.ts';
import { writePublicAnswer } from './platform/http/answers/public-answer.ts';
import { createFloodRefusal } from './platform/http/limits/refuse-flood.ts';
import { StoreAway } from './platform/files/file-store.ts';
import { httpsHeaders } from './platform/http/answers/security-headers.ts';
import { createStatic } from './platform/http/answers/static-files.ts';
import { Refusal } from './protocol/envelope.ts';
import { serveMedia } from './reading/server/serve-media.ts';
import type { HasPage, Render } from './render.ts';
import { createPages, loggedPath } from './serve-pages.ts';
import { serveHealth, type Health } from './site/server/health.ts';
import { createReferenceHandler } from './site/server/reference.ts';
import { isSitemapPart, isSitemapPath, serveSitemap } from './site/server/sitemap.ts';

type SiteHandler = {
  handler: (request: Request, arrival: Arrival) => Promise<Response>;
  /** Sends what is kept for everybody, and refuses clients whose minute is used up. */
  answerAtSocket: AnswerAtSocket;
};

/** Names the request in its answer, as its lines of the log and the error page do. Kept answers have none: nothing was done for them. */
const REQUEST_ID = 'x-request-id';
const REFERENCE_PATHS = ['/api', '/api/openapi.json'];
const SITEMAP_PATHS = [
  '/robots.txt',
  '/.well-known/security.txt',
  '/sitemap.xml',
  '/:part{sitemap-(?:pages|\\d{1,4})\\.xml}',
];

const isReferencePath = (pathname: string) => REFERENCE_PATHS.includes(pathname);
const isApiCall = (pathname: string) => pathname.startsWith('/api/') && !isReferencePath(pathname);
const isText = (pathname: string) => isReferencePath(pathname) || isSitemapPath(pathname);
const isKeptText = (pathname: string) => isText(pathname) && !isSitemapPart(pathname);

/**
 * Limits of a minute (docs/decisions/018). An office of fifty behind one address stays far below them. Pages that are
 * kept, static files, images and downloads do not count.
 */
const PAGES_PER_ADDRESS = 600;
const PAGES_PER_MEMBER = 300;
/** API calls, and pages asked for with a session's cookie, which has to be looked up. Requests with and without a session are counted separately. */
const REQUESTS_PER_ADDRESS = 3_000;

/** A call that takes longer than `maxWorkMs` waits for a database that hangs; its stream or file, if any, may take longer. */
const API_CALLS = {
  atOnce: 200,
  atOncePerClient: 8,
  maxWaiting: 1_000,
  maxWaitingPerClient: 300,
  maxWaitMs: 5_000,
  maxWorkMs: 15_000,
};

/** Maximum time until the first byte of an image or a file, for a page that is drawn on demand or a database that hangs. */
const MAX_FILE_MS = 15_000;

/** Parts of uploads that are received at once: each may take the minute that a request may take (decision 032). */
const UPLOAD_PARTS = { atOnce: 60, atOncePerClient: 6, maxWaiting: 200, maxWaitingPerClient: 20, maxWaitMs: 5_000 };

/** For the API reference: the API does not register this path. */
const UPLOAD_CALL: RawCall = {
  methods: ['POST', 'PATCH', 'HEAD', 'DELETE'],
  path: UPLOAD_PATH,
  perIp: REQUESTS_PER_ADDRESS,
  summary: '以 tus 协议分段上传文件到社群，续传与删除的地址为 /api/upload/{key}；需登录。',
};

/** Every path of the site. */
export function createSiteHandler(options: {
  ctx: Ctx;
  health: Health;
  clientDir: string | null;
  render: Render;
  hasPage: HasPage;
  /** Null: nothing is kept (development, where pages change by the minute). */
  cache: AnswerCache | null;
  outside: OutsideProcess | null;
}): SiteHandler {
  const { cache, clientDir, health } = options;
  const { config } = options.ctx;
  const { api, endpoints, rawCalls, callDirectly } = buildApi(options.ctx, cache?.calls);
  const reference = createReferenceHandler(endpoints, config.site.name, [...rawCalls, UPLOAD_CALL]);
  const limitOf = (perMinute: number) => createMinuteLimit(perMinute, config.isRateLimited);
  const pagesPerAddress = limitOf(PAGES_PER_ADDRESS);
  const pagesPerMember = limitOf(PAGES_PER_MEMBER);
  const requestsPerAddress = limitOf(REQUESTS_PER_ADDRESS);
  const apiCalls = createGate(API_CALLS);
  const uploadParts = createGate(UPLOAD_PARTS);
  const refuseFlood = createFloodRefusal();
  const limits = { pagesPerAddress, pagesPerMember, requestsPerAddress };
  const pages = createPages({ ...options, config, callDirectly, isText: isKeptText, limits });

  // A path is compared as it was sent: Hono's own reading would decode "/%61pi" to another path than the limits see.
  const site = new Hono<{ Bindings: { ctx: Ctx } }>({ getPath: ({ url }) => new URL(url).pathname });
  site.get('/livez', () => serveHealth(health, '/livez'));
  site.get('/readyz', () => serveHealth(health, '/readyz'));
  site.all('/media/upload/:rest{.*}', ({ env, req }) => within(MAX_FILE_MS, serveUploadFile(env.ctx, req.raw)));
  site.all('/media/:rest{.*}', ({ env, req }) => within(MAX_FILE_MS, serveMedia(env.ctx, req.raw)));
  site.all('/api/upload/:rest{.*}?', ({ env, req }) => serveUploadPart(env.ctx, req.raw));
  site.on('ALL', REFERENCE_PATHS, ({ env, req }) => serveReference(env.ctx, req.raw));
  site.all('/api/:rest{.*}', ({ env, req }) => serveApi(env.ctx, req.raw));
  site.all('/dl/:rest{.*}', ({ env, req }) => within(MAX_FILE_MS, serveDownload(env.ctx, req.raw)));
  if (clientDir) site.get('*', createStatic(clientDir));
  site.on('GET', SITEMAP_PATHS, ({ env, req }) => serveSitemapFile(env.ctx, req.raw));
  site.on('ALL', ['/livez', '/readyz', ...SITEMAP_PATHS], ({ env }) => serveErrorPage(405, env.ctx.request.id));
  site.all('*', ({ env, req }) => pages.servePage(env.ctx, req.raw));
  site.onError((error, { env, req }) => serveFailure(env.ctx, req.path, error));

  return {
    async handler(request, arrival) {
      const ctx = contextOf(options.ctx, request, arrival);
      const response = await compressed(request, await site.fetch(request, { ctx }));
      response.headers.set(REQUEST_ID, ctx.request.id);
      return response;
    },
    answerAtSocket(request, response, { client, isHttps }) {
      const { url: path, headers, method = '' } = request;
      if (!path || !headers.host) return false;
      // A target in absolute form counts instead of the Host header (RFC 9112, 3.2.2).
      const url = URL.parse(path.startsWith('/') ? `http://${headers.host}${path}` : path);
      if (!url) return false;
      const mayBeMember = readCookie(headers.cookie ?? null, 'sess') !== '';
      const kept = pages.findKept({ method, url, mayBeMember, isHttps });
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

  /** Returns the rate limit that requests of this path count for; null (no limit) for files, images, downloads and health. */
  function limitOfPath(pathname: string, mayBeMember: boolean): MinuteLimit | null {
    if (isApiCall(pathname)) return requestsPerAddress;
    if (isText(pathname)) return pagesPerAddress;
    // React Router's own requests render a page's data.
    if (!isPagePath(pathname) && !pathname.endsWith('.data')) return null;
    return mayBeMember ? requestsPerAddress : pagesPerAddress;
  }

  async function serveApi(ctx: Ctx, request: Request): Promise<Response> {
    const { ip, id: requestId, isSecure: isHttps } = ctx.request;
    const { key: client } = clientOf(ctx.caches, ip, (name) => request.headers.get(name));
    try {
      requestsPerAddress.take(client);
      const body = await readAhead(request);
      return await apiCalls.run(client, async () =>
        api.fetch(request, { ip, requestId, isHttps, browserSession: null, body }),
      );
    } catch (error) {
      if (error instanceof Refusal) return toResponse(error);
      throw error;
    }
  }

  /** A part of an upload is not read ahead: it goes to the disk as it arrives. */
  async function serveUploadPart(ctx: Ctx, request: Request): Promise<Response> {
    const { key: client } = clientOf(ctx.caches, ctx.request.ip, (name) => request.headers.get(name));
    try {
      requestsPerAddress.take(client);
      return await uploadParts.run(client, () => serveUpload(ctx, request));
    } catch (error) {
      if (error instanceof Refusal) return toResponse(error);
      throw error;
    }
  }

  function serveReference(ctx: Ctx, request: Request): Promise<Response> {
    return pages.serveText(ctx, request, async () =>
      reference(request, pages.originOf(new URL(request.url), ctx.request.isSecure)),
    );
  }

  function serveSitemapFile(ctx: Ctx, request: Request): Promise<Response> {
    return pages.serveText(ctx, request, async () => {
      return (await serveSitemap(ctx, request)) ?? serveErrorPage(404, ctx.request.id);
    });
  }
}

function contextOf(ctx: Ctx, request: Request, { ip, isHttps }: Arrival): Ctx {
  const userAgent = request.headers.get('user-agent') ?? '';
  const facts = {
    id: randomUUID(),
    ip,
    userAgent,
    isSecure: isHttps,
    isFromThisMachine: isFromThisMachine(request, ip),
  };
  return { ...ctx, request: { ...ctx.request, ...facts } };
}

function serveFailure({ log, request }: Ctx, pathname: string, error: Error): Response {
  if (error instanceof Refusal) return serveRefusalPage(error, request.id);
  log.error({ error, requestId: request.id, path: loggedPath(pathname) }, 'request failed');
  return serveErrorPage(isDatabaseAway(error) || error instanceof StoreAway ? 503 : 500, request.id);
}
