import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ASSETS = fileURLToPath(new URL('../../build/client/assets/', import.meta.url));

/** The fields of a route that React Router reads in a browser of this site (router-parts.ts). */
const READ = new Set(['id', 'parentId', 'path', 'index', 'hasLoader', 'hasErrorBoundary', 'module', 'css']);

/**
 * Leaves of the table of routes that every page loads what the browser reads. React Router writes it for sites whose routes
 * have actions and loaders in the browser, and with the imports of each script, which only prefetching reads.
 */
export function shortenRouteTable(): void {
  const files = globSync('manifest-*.js', { cwd: ASSETS });
  if (files.length !== 1) throw new Error(`The build has ${files.length} tables of routes.`);
  for (const file of files) writeFileSync(ASSETS + file, shortened(readFileSync(ASSETS + file, 'utf8')));
}

/** Returns the script with a shorter table. Throws when React Router writes another kind of script. */
export function shortened(script: string): string {
  const [, json] = /^window\.__reactRouterManifest=(\{.+\});$/s.exec(script) ?? [];
  if (json === undefined) throw new Error(`This is no table of routes: ${script.slice(0, 80)}`);
  // Safe: React Router writes the table, and the pages of this build read it.
  const table = JSON.parse(json) as { entry: { module: string }; routes: Record<string, object> };
  const routes = Object.entries(table.routes).map(([id, route]) => {
    return [id, Object.fromEntries(Object.entries(route).filter(([name, value]) => READ.has(name) && value !== false))];
  });
  const short = { ...table, entry: { module: table.entry.module }, routes: Object.fromEntries(routes) };
  return `window.__reactRouterManifest=${JSON.stringify(short)};`;
}
