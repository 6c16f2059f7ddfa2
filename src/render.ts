import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import type { PageFacts } from './page-context.ts';

/** Renders one page request. The only door from server to pages: just `Request` and `Response` cross it. */
export type Render = (request: Request, facts: PageFacts) => Promise<Response>;

/** What src/entry.server.tsx exports beside the renderer: it makes the context with the bundle's own copy of the key. */
type PageEntry = { createPageContext(facts: PageFacts): RouterContextProvider };

/** The pages as `react-router build` left them. Throws when they are not built. */
export async function loadRender(buildDir: string): Promise<Render> {
  const built: ServerBuild = await import(pathToFileURL(resolve(buildDir, 'server/index.js')).href);
  return renderWith(() => Promise.resolve(built), 'production');
}

/** `load` is asked at every request: in development the pages change under us. */
export function renderWith(load: () => Promise<ServerBuild>, mode: 'production' | 'development'): Render {
  const handler = createRequestHandler(load, mode);
  return async (request, facts) => {
    const built = await load();
    // Safe: src/entry.server.tsx is ours and exports it; the type cannot cross the bundle.
    const entry = built.entry.module as unknown as PageEntry;
    return handler(request, entry.createPageContext(facts));
  };
}
