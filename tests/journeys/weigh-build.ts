import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('../../build/client', import.meta.url));
const ASSETS = path.join(CLIENT, 'assets');

/** The part of React Router's manifest that is read here: the script and styles of each route. */
type Manifest = {
  entry: { module: string };
  url: string;
  routes: Record<string, { module: string; parentId?: string; css?: string[] }>;
};

/** Bytes of scripts and styles over the wire, gzip. */
export type Weight = { scripts: number; styles: number };

/**
 * Returns what the browser loads for a page before anybody touches it: the script that starts it, those of the route and
 * of the routes around it with all that they import, the table of routes, and `dialogs` (names of files without hash)
 * that open by themselves.
 */
export function weighPage(routeId: string, dialogs: readonly string[] = []): Weight {
  const manifest = readManifest();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const follow = (file: string) => {
    if (scripts.has(file)) return;
    scripts.add(file);
    const code = readFileSync(path.join(ASSETS, file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) follow(imported);
  };
  scripts.add(path.basename(manifest.url));
  follow(path.basename(manifest.entry.module));
  for (let id: string | undefined = routeId; id !== undefined; id = manifest.routes[id]?.parentId) {
    const route = manifest.routes[id];
    if (!route) throw new Error(`no route ${id} in the build`);
    follow(path.basename(route.module));
    for (const file of route.css ?? []) styles.add(path.basename(file).replace(/#.*$/, ''));
  }
  for (const dialog of dialogs) for (const file of assetsNamed(dialog)) follow(file);
  return { scripts: sum(scripts), styles: sum(styles) };
}

/** Returns the ids of all routes that show a page: those without routes inside. */
export function pageIds(): string[] {
  const { routes } = readManifest();
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.keys(routes).filter((id) => !parents.has(id));
}

const sum = (files: ReadonlySet<string>) => [...files].reduce((bytes, file) => bytes + sizeOf(file), 0);

function sizeOf(file: string): number {
  const compressed = path.join(ASSETS, `${file}.gz`);
  return statSync(existsSync(compressed) ? compressed : path.join(ASSETS, file)).size;
}

function assetsNamed(name: string): string[] {
  const found = readdirSync(ASSETS).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
  if (found.length === 0) throw new Error(`no script ${name} in the build`);
  return found;
}

function readManifest(): Manifest {
  const [file = ''] = assetsNamed('manifest');
  const code = readFileSync(path.join(ASSETS, file), 'utf8');
  // Safe: React Router writes the file, which the pages of this same build read.
  return JSON.parse(code.slice(code.indexOf('{'), code.lastIndexOf('}') + 1)) as Manifest;
}
