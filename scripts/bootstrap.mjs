import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build.mjs';
import { findNode, installPackages } from './install.mjs';
import { StepFailed } from './progress.mjs';
import { runInForeground } from './run-child.mjs';

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Makes a bare checkout ready: packages, Node 24 and, if asked, the pages. Does nothing that is done already.
 * Runs on any Node from 20 on, before anything is installed.
 * @param {{ pages: boolean }} wanted
 * @returns {Promise<{ root: string, node: string }>} the Node to run the site with
 */
export async function bootstrap(wanted) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new StepFailed(`Node 20 or newer is needed to start; this is ${process.version}.`, 69);
  }
  if (process.platform === 'win32') {
    throw new StepFailed('Windows is not supported. Use WSL (https://learn.microsoft.com/windows/wsl).', 69);
  }
  await installPackages(ROOT);
  const node = await findNode(ROOT);
  if (wanted.pages) await buildPages(ROOT, node);
  return { root: ROOT, node };
}

/**
 * Runs a program of ours with our arguments and ends as it ends. It stops when we are stopped, however that happens.
 * @param {string} node
 * @param {string[]} args Node's options, the program, its arguments
 * @param {Record<string, string>} [env]
 * @param {{ stopBy?: NodeJS.Signals }} [options] see run-child.mjs
 * @returns {Promise<never>}
 */
export async function handOver(node, args, env = {}, options = {}) {
  const preloaded = ['follow-parent.mjs', 'resolve-quickly.mjs'].flatMap((name) => [
    '--import',
    new URL(name, import.meta.url).href,
  ]);
  const { code } = await runInForeground(node, [...preloaded, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    ipc: true,
    ...options,
  });
  process.exit(code);
}
