import type { Endpoint } from '../../protocol/endpoint.ts';
import { buildOpenApi } from './openapi.ts';
import { referencePage } from './reference-page.ts';

/** `/api`: the API for people, a page that needs no script. `/api/openapi.json`: the same for programs (OpenAPI 3.1). */
export function serveReference(request: Request, endpoints: Endpoint[], siteName: string): Response {
  const url = new URL(request.url);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
  }
  const isSpec = url.pathname === '/api/openapi.json';
  const body = isSpec
    ? JSON.stringify(buildOpenApi(endpoints, siteName), null, 2)
    : referencePage(endpoints, siteName, url.origin);
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      'content-type': isSpec ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      ...(!isSpec && {
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      }),
    },
  });
}
