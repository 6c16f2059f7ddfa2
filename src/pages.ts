import { join } from 'node:path';
import type { ServerBuild } from 'react-router';
import type { Middleware } from './platform/http/listen.ts';
import { loadRender, renderInDevelopment, type HasPage, type Render } from './render.ts';

export type Pages = {
  render: Render;
  hasPage: HasPage;
  /** Where the built client files are; null in development, where Vite serves them. */
  clientDir: string | null;
  middleware: Middleware | null;
  close(): Promise<void>;
};

/** The built pages, or in development Vite with hot reload in this very process. */
export async function loadPages(root: string, isDevelopment: boolean): Promise<Pages> {
  if (isDevelopment) return loadDevelopmentPages(root);
  const buildDir = join(root, 'build');
  return {
    ...(await loadRender(buildDir)),
    clientDir: join(buildDir, 'client'),
    middleware: null,
    close: async () => {},
  };
}

async function loadDevelopmentPages(root: string): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({ root, configLoader: 'native', server: { middlewareMode: true } });
  // Safe: the React Router plugin defines this module as its server build.
  const load = async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as unknown as ServerBuild;
  return {
    render: renderInDevelopment(load),
    hasPage: () => true,
    clientDir: null,
    middleware: vite.middlewares,
    close: () => vite.close(),
  };
}
