import { createRequestHandler, matchRoutes, type RouterContextProvider, type ServerBuild } from 'react-router';
import * as React from 'react';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { ConfigError } from './platform/environment.ts';
import type { PageFacts } from './page-context.ts';

/** Renders one page request. The only door from server to pages: just `Request`, `Response` and plain values cross it. */
export type Render = (request: Request, facts: PageFacts) => Promise<Response>;

/** Export of src/entry.server.tsx beside the renderer. It makes the context with the bundle's own copy of the context key. */
type PageEntry = { createPageContext(facts: PageFacts): RouterContextProvider };

/** Whether a path is one of the site map's; any other path gets the 404 page. */
export type HasPage = (pathname: string) => boolean;

/** The pages as `react-router build` left them. Throws when they are not built, or when React is the development build. */
export async function loadRender(buildDir: string): Promise<{ render: Render; hasPage: HasPage }> {
  // Only React's development build has this function; in that build a page takes twice as long.
  if (typeof React.captureOwnerStack === 'function')
    throw new ConfigError(['NODE_ENV: must be production when the built pages are served; "npm start" sets it']);
  const built: ServerBuild = await import(pathToFileURL(resolve(buildDir, 'server/index.js')).href);
  return { render: createRender(built), hasPage: createHasPage(built) };
}

function createHasPage(built: ServerBuild): HasPage {
  const routes = treeOf(built);
  const heads = new Set(Object.values(built.routes).flatMap((route) => (route ? headOf(built, route.id) : [])));
  return (pathname) => {
    // The router compares every path with every route: what begins like none of them need not be compared.
    if (!heads.has(pathname.split('/')[1]?.toLowerCase() ?? '')) return false;
    const last = matchRoutes(routes, pathname)?.at(-1);
    return last !== undefined && last.route.path !== '*';
  };
}

/** The first part of a route's whole path, in small letters, as the router compares them. */
function headOf(built: ServerBuild, id: string): string {
  const route = built.routes[id];
  const above = route?.parentId === undefined ? '' : headOf(built, route.parentId);
  return above || (route?.path?.split('/')[0]?.toLowerCase() ?? '');
}

type RouteNode = { id: string; path?: string; index?: false; children: RouteNode[] } | IndexNode;
type IndexNode = { id: string; path?: string; index: true };

/** The site map as matchRoutes takes it: the build lists the routes flat, each with its parent's id. */
function treeOf(built: ServerBuild, parentId?: string): RouteNode[] {
  return Object.values(built.routes).flatMap((route): RouteNode[] => {
    if (!route || route.parentId !== parentId) return [];
    const path = route.path === undefined ? {} : { path: route.path };
    if (route.index) return [{ id: route.id, ...path, index: true }];
    return [{ id: route.id, ...path, children: treeOf(built, route.id) }];
  });
}

function createRender(built: ServerBuild): Render {
  // Given the build itself, the router prepares its table of routes once; given a function, at each request.
  const handler = createRequestHandler(built, 'production');
  return (request, facts) => handler(request, entryOf(built).createPageContext(facts));
}

/** Renders what `load` returns, which is asked at every request: in development the pages change under us. */
export function renderInDevelopment(load: () => Promise<ServerBuild>): Render {
  const handler = createRequestHandler(load, 'development');
  return async (request, facts) => handler(request, entryOf(await load()).createPageContext(facts));
}

// Safe: src/entry.server.tsx exports createPageContext; the type cannot cross the bundle.
const entryOf = (built: ServerBuild) => built.entry.module as unknown as PageEntry;
