import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressAssets } from './compress-assets.mjs';
import { endWith, StepFailed, step } from './progress.mjs';
import { runQuietly } from './run-child.mjs';

const SOURCES =
  'src public react-router.config.ts vite.config.ts scripts/vite-plugins tsconfig.json package-lock.json scripts/compress-assets.mjs'.split(
    ' ',
  );

/**
 * Builds the pages into build/ unless they are those of the sources as they are now.
 * @param {string} root
 * @param {string} node
 */
export async function buildPages(root, node) {
  const stampFile = path.join(root, 'build/.ceku-build');
  const stamp = hashSources(root);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  rmSync(stampFile, { force: true });
  await step('Building the pages', async () => {
    const { code, output } = await runQuietly(node, ['node_modules/@react-router/dev/bin.cjs', 'build'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (code !== 0) throw new StepFailed(`${output.trim()}\n\nBuilding the pages failed.`, 70);
    await compressAssets(path.join(root, 'build/client'));
  });
  writeFileSync(stampFile, stamp);
}

/** @param {string} root @returns {string} a hash of every file that the pages are made from */
function hashSources(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => listFiles(path.join(root, name)))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(`${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function listFiles(where) {
  if (!existsSync(where)) return [];
  try {
    return readdirSync(where, { withFileTypes: true })
      .sort((one, two) => (one.name < two.name ? -1 : 1))
      .flatMap((entry) =>
        entry.isDirectory() ? listFiles(path.join(where, entry.name)) : [path.join(where, entry.name)],
      );
  } catch (error) {
    if (error.code === 'ENOTDIR') return [where];
    throw error;
  }
}

// npm run build: npm has put the project's own Node first in PATH.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPages(path.dirname(path.dirname(fileURLToPath(import.meta.url))), process.execPath).catch(endWith);
}
