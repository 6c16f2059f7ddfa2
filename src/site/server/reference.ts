import type { Endpoint } from '../../protocol/endpoint.ts';
import type { RawCall } from '../../platform/http/api/api.ts';
import { buildOpenApi } from './openapi.ts';
import { escape, referencePage } from './reference-page.ts';

type Reference = (request: Request, origin: { text: string; isConfigured: boolean }) => Response;

/** Placeholder for the site's own address in the cached page. */
const ORIGIN = 'https://origin.invalid';

/**
 * Serves `/api`, the reference for people, which needs no script, and `/api/openapi.json`, the same for programs
 * (OpenAPI 3.1). `rawCalls`, which answer pictures, files and streams, are listed in the description of the latter. Both texts are made once, on the first request. The page shows `origin`; no shared cache may keep a
 * page whose origin came from the request's Host.
 */
export function createReferenceHandler(
  endpoints: Endpoint[],
  siteName: string,
  rawCalls: readonly RawCall[],
): Reference {
  let spec: string | null = null;
  let page: string | null = null;
  return (request, origin) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    }
    const isSpec = new URL(request.url).pathname === '/api/openapi.json';
    if (isSpec) spec ??= JSON.stringify(buildOpenApi(endpoints, siteName, rawCalls), null, 2);
    else page ??= referencePage(endpoints, siteName, ORIGIN, rawCalls);
    // A function as replacement: in a string, `$'` would insert the rest of the page, and a Host may consist of nothing
    // else.
    const body = isSpec ? spec : page?.replaceAll(ORIGIN, () => escape(origin.text));
    return new Response(request.method === 'HEAD' ? null : body, {
      headers: {
        'content-type': isSpec ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
        'cache-control': isSpec || origin.isConfigured ? 'public, max-age=300' : 'private, no-cache',
        'x-content-type-options': 'nosniff',
        ...(!isSpec && {
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        }),
      },
    });
  };
}
