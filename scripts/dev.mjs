import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));

// Vite reloads pages in place inside the site; a change in the server's own files restarts the site.
try {
  const { node } = await bootstrap({ pages: false });
  // This condition makes Node load the same copy of React Router as Vite does: with two copies, no page finds its
  // context.
  const flags = [
    '--conditions=development',
    '--watch-preserve-output',
    ...serverPaths().map((path) => `--watch-path=${path}`),
  ];
  // `node --watch` exits on SIGTERM before the site has closed its database; on SIGINT it waits for the site.
  const words = [...flags, 'src/main.ts', ...process.argv.slice(2)];
  await handOver(node, words, { NODE_ENV: 'development' }, { stopBy: 'SIGINT' });
} catch (error) {
  endWith(error);
}

/**
 * Files that the server runs. They are listed, because plain `--watch` also follows the temporary copies that Vite
 * makes of its configuration, and would restart the site for ever.
 */
function serverPaths() {
  const entries = readdirSync(SOURCE, { withFileTypes: true });
  const slices = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const folders = slices.flatMap((slice) => ['server', 'engine'].map((part) => join(SOURCE, slice, part)));
  const shared = slices.flatMap((slice) => sourcesIn(join(SOURCE, slice)));
  const platform = ['platform', 'protocol'].map((name) => join(SOURCE, name));
  return [...folders.filter((path) => existsSync(path)), ...platform, ...shared, ...sourcesIn(SOURCE)];
}

/** rules.ts, contract.ts and similar files, which both server and pages import. */
function sourcesIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return names.map((name) => join(folder, name));
}
