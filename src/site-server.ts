import { randomBytes, randomUUID } from 'node:crypto';
import { buildApi } from './app.ts';
import { findPageSession } from './accounts/server/find-session.ts';
import type { Ctx } from './context.ts';
import { serveDownload } from './membership/server/serve-download.ts';
import { isDatabaseAway } from './platform/db/client.ts';
import { compressed } from './platform/http/compress.ts';
import { readCookie } from './platform/http/cookies.ts';
import { pageHeaders, developmentHeaders } from './platform/http/security-headers.ts';
import { serveStatic } from './platform/http/static-files.ts';
import { serveMedia } from './reading/server/serve-media.ts';
import type { Outside } from './platform/outside-process.ts';
import type { Render } from './render.ts';
import { serveErrorPage } from './platform/http/error-page.ts';
import { serveHealth, type Health } from './site/server/health.ts';
import { serveReference } from './site/server/reference.ts';
import { serveSitemap } from './site/server/sitemap.ts';

/** What the socket knows of a request and the request itself does not. */
export type Arrival = { ip: string; isHttps: boolean };

export type SiteHandler = (request: Request, arrival: Arrival) => Promise<Response>;

const HEALTH_PATHS = new Set(['/livez', '/readyz']);
const REFERENCE_PATHS = new Set(['/api', '/api/openapi.json']);

/** Every path of the site. In the order of traffic: static files, images, API, downloads, pages. */
export function createSiteHandler(options: {
  ctx: Ctx;
  health: Health;
  clientDir: string | null;
  render: Render;
  outside: Outside | null;
}): SiteHandler {
  const { api, endpoints } = buildApi(options.ctx);

  return async (request, arrival) => compressed(request, await serve(request, arrival));

  async function serve(request: Request, arrival: Arrival): Promise<Response> {
    const requestId = randomUUID();
    const url = new URL(request.url);
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
      if (REFERENCE_PATHS.has(url.pathname)) return serveReference(request, endpoints, ctx.config.site.name);
      if (url.pathname.startsWith('/api/')) {
        return await api.fetch(request, { ip: arrival.ip, requestId, isHttps: arrival.isHttps, browserSession: null });
      }
      if (url.pathname.startsWith('/dl/')) return await serveDownload(ctx, request);
      const file = options.clientDir ? await serveStatic(options.clientDir, request) : null;
      if (file) return file;
      const map = await serveSitemap(ctx, request);
      if (map) return map;
      return await servePage(ctx, request, arrival);
    } catch (error) {
      // The rest of such a path is a key to a file.
      const path = url.pathname.replace(/^\/dl\/.*/, '/dl/…');
      ctx.log.error({ error, requestId, path }, 'request failed');
      return serveErrorPage(isDatabaseAway(error) ? 503 : 500, requestId);
    }
  }

  async function servePage(ctx: Ctx, request: Request, arrival: Arrival): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return serveErrorPage(405, ctx.request.id);
    const url = new URL(request.url);
    if (url.pathname === '/') return redirect(`/index${url.search}`);
    // The router would say so on stderr, in the midst of the log, once for each of its looks.
    if (!isDecodable(url.pathname)) return serveErrorPage(404, ctx.request.id);
    const cookies = request.headers.get('cookie');
    const lookup = await findPageSession(ctx, {
      sess: readCookie(cookies, 'sess'),
      token: readCookie(cookies, 'token'),
    });
    const browserSession = typeof lookup === 'string' ? null : lookup;
    const nonce = randomBytes(16).toString('base64');
    const response = await options.render(request, {
      api: async (call) =>
        api.fetch(call, { ip: arrival.ip, requestId: ctx.request.id, isHttps: arrival.isHttps, browserSession }),
      nonce,
      origin: ctx.config.publicUrl ?? url.origin,
      site: { ...ctx.config.site, outsidePhoneUrl: options.outside?.phoneUrl(url.hostname) ?? null },
    });
    const headers = new Headers(response.headers);
    const policy = ctx.config.isDevelopment ? developmentHeaders() : pageHeaders(nonce, arrival.isHttps);
    for (const [name, value] of Object.entries(policy)) headers.set(name, value);
    // A member's page is kept nowhere, so that the back button shows nobody else's after a logout.
    const caching = browserSession ? 'private, no-store' : 'private, no-cache';
    if (!headers.has('cache-control')) headers.set('cache-control', caching);
    headers.set('vary', 'cookie');
    return new Response(response.body, { status: response.status, headers });
  }
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
