import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));

// Pages are reloaded in place by Vite inside the site; a change in the server's own files starts the site again.
try {
  const { node } = await bootstrap({ pages: false });
  // The condition makes Node take the same copy of React Router as Vite does: with two, no page finds its context.
  const flags = [
    '--conditions=development',
    '--watch-preserve-output',
    ...serverPaths().map((path) => `--watch-path=${path}`),
  ];
  // A watching Node that gets SIGTERM is gone before the site has closed its database; with SIGINT it waits for the site.
  const words = [...flags, 'src/main.ts', ...process.argv.slice(2)];
  await handOver(node, words, { NODE_ENV: 'development' }, { stopBy: 'SIGINT' });
} catch (error) {
  endWith(error);
}

/**
 * What the server runs: named, because plain `--watch` also follows the temporary copies that Vite makes of its own
 * configuration, and would start the site again for ever.
 */
function serverPaths() {
  const entries = readdirSync(SOURCE, { withFileTypes: true });
  const slices = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const folders = slices.flatMap((slice) => ['server', 'engine'].map((part) => join(SOURCE, slice, part)));
  const shared = slices.flatMap((slice) => sourcesIn(join(SOURCE, slice)));
  const platform = ['platform', 'protocol'].map((name) => join(SOURCE, name));
  return [...folders.filter((path) => existsSync(path)), ...platform, ...shared, ...sourcesIn(SOURCE)];
}

/** rules.ts, contract.ts and their like: server and pages both read them. */
function sourcesIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return names.map((name) => join(folder, name));
}
