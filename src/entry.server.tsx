import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { isRouteErrorResponse, RouterContextProvider, ServerRouter, type EntryContext } from 'react-router';
import type { ReactNode } from 'react';
import { pageFacts, type PageFacts } from './page-context.ts';
import { escapeScript } from './structured-data.tsx';

export function createPageContext(facts: PageFacts): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(pageFacts, facts);
  return context;
}

/** Logs why a page failed. Requests that the visitor cancelled, and answers below 500 such as 404, are not logged. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  context.get(pageFacts).reportFailure(error instanceof Error ? error.message.slice(0, 300) : 'not an error');
}

const RENDER_DEADLINE_MS = 10_000;
const DOCTYPE = '<!DOCTYPE html>';
/** React's mark of a Suspense boundary for which only the fallback was rendered. React escapes it in all texts. */
const FALLBACK_MARK = '<!--$!-->';

/**
 * Renders the page in one piece: loaders have awaited their data, so nothing is left to stream. The synchronous renderer does
 * without the streaming machinery; where a lazy component is not loaded yet, which happens once, the streaming renderer waits for
 * it.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { nonce } = context.get(pageFacts);
  const { serverHandoffStream, ...page } = routerContext;
  const renderMeta: NonNullable<EntryContext['renderMeta']> = {};
  const router = <ServerRouter context={{ ...page, renderMeta }} url={request.url} nonce={nonce} />;
  const quick = renderToString(router);
  const { html, hasFailed } = quick.includes(FALLBACK_MARK)
    ? await renderLazy(router, nonce)
    : { html: DOCTYPE + quick, hasFailed: false };
  // The scripts of the browser take up the loaders' data from it; a page without scripts has no use for them.
  const data = serverHandoffStream && renderMeta.didRenderScripts ? await text(serverHandoffStream) : '';
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(withLateScripts(withData(html, data, nonce)), { status: hasFailed ? 500 : status, headers });
}

/**
 * Renders a page and waits for its lazy components. `hasFailed`: a part of it is left to the browser. The streaming renderer writes what came late
 * behind the page, with a script that moves it to its place; so once all is loaded, the page is rendered in one piece after all.
 */
async function renderLazy(router: ReactNode, nonce: string): Promise<{ html: string; hasFailed: boolean }> {
  let hasFailed = false;
  const stream = await new Promise<PassThrough>((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(router, {
      nonce,
      onAllReady() {
        clearTimeout(late);
        resolve(pipe(new PassThrough()));
      },
      onShellError(error) {
        clearTimeout(late);
        reject(error);
      },
      onError() {
        hasFailed = true;
      },
    });
    // Cleared as soon as the page is there: until then the timer keeps the whole tree of the page in memory.
    const late = setTimeout(abort, RENDER_DEADLINE_MS).unref();
  });
  const streamed = await text(stream);
  const whole = hasFailed ? FALLBACK_MARK : renderToString(router);
  return { html: whole.includes(FALLBACK_MARK) ? streamed : DOCTYPE + whole, hasFailed };
}

/** Hands the loaders' data over as ServerRouter does where it streams: by scripts at the end of the body. */
function withData(html: string, data: string, nonce: string): string {
  if (data === '') return html;
  const controller = 'window.__reactRouterContext.streamController';
  const script = `<script nonce="${nonce}">${controller}.enqueue(${escapeScript(JSON.stringify(data))});${controller}.close();</script>`;
  const end = html.lastIndexOf('</body>');
  return `${html.slice(0, end)}${script}${html.slice(end)}`;
}

/**
 * Lets the browser fetch scripts behind styles and the images of the first view. React Router preloads them with the priority of styles, and a
 * slow line, shared by all of them, delivered the styles with the last scripts (decision 036).
 */
const withLateScripts = (html: string) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
