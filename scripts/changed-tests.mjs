import { readdirSync } from 'node:fs';
import path from 'node:path';
import { StepFailed } from './progress.mjs';
import { runQuietly } from './run-child.mjs';

/**
 * Dependencies by a path, a process or a socket, which no import shows: when a changed file matches `changed`, the
 * test files that match `tests` are run.
 * @type {readonly { changed: RegExp, tests: RegExp }[]}
 */
const REACHED = [
  // Journeys start the site and read its pages.
  {
    changed: /^(src|public|bin|demo|scripts)\/|^(react-router|vite)\.config\.ts$|^package-lock\.json$/,
    tests: /^tests\/journeys\//,
  },
  // Render children and LibreOffice are processes; fonts.conf and samples are read from the disk.
  { changed: /^src\/ingest\/|^tests\/samples\//, tests: /^src\/ingest\/|^demo\/complete-pack/ },
  // The pretend outside world is a process.
  { changed: /^src\/outside\//, tests: /^src\/(outside|accounts|payment)\/|^tests\/providers\// },
  // Threads of search and the outside world load it first.
  { changed: /^scripts\/resolve-quickly/, tests: /^src\/(search|accounts|payment)\// },
  // Tests that start `ceku` as an operator does.
  { changed: /^(src|bin|scripts)\//, tests: /^src\/cli\.test\.ts$|^src\/ingest\/server\/source\/disk-space/ },
  // The demo library is read from demo/pack.
  { changed: /^demo\//, tests: /^demo\/|^tests\/relevance\/|^src\/ingest\/server\/about\// },
  // Word lists, and the kernel of the search engine.
  { changed: /\.(txt|csv|json|wasm|as)$/, tests: /^(src\/(search|library|ingest)|tests\/relevance)\// },
  // This test reads all of src.
  { changed: /^src\//, tests: /^tests\/table-owners/ },
];

const IS_TEST = /\.test\.tsx?$/;

/**
 * Returns the test files that changed files reach without being imported.
 * @param {readonly string[]} changed paths from the root
 * @param {readonly string[]} testFiles paths from the root
 * @returns {string[]}
 */
export function testsReachedBy(changed, testFiles) {
  const sources = changed.filter((file) => !IS_TEST.test(file));
  const rules = REACHED.filter((rule) => sources.some((file) => rule.changed.test(file)));
  return testFiles.filter((file) => rules.some((rule) => rule.tests.test(file)));
}

/**
 * Returns the test files that a change can reach: those that import a changed file, directly or not, and those that
 * REACHED names.
 * @param {{ root: string, node: string }} house
 * @param {string} base the commit that the files on the disk are compared with
 * @returns {Promise<string[]>} paths from the root
 */
export async function findChangedTests({ root, node }, base) {
  const git = async (...words) => lines(await run('git', words, root));
  const changed = [
    ...(await git('diff', '--name-only', '--no-renames', base)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const listed = await run(node, [vitest, 'list', '--filesOnly', '--json', `--changed=${base}`], root);
  /** @type {{ file: string }[]} */
  const importing = JSON.parse(listed.slice(listed.indexOf('[')));
  const imported = importing.map(({ file }) => path.relative(root, file));
  return [...new Set([...imported, ...testsReachedBy(changed, listTests(root))])].sort();
}

/** @param {string} root @returns {string[]} the paths of all test files from the root */
export function listTests(root) {
  return ['src', 'demo', 'bin', 'bench', 'scripts', 'tools', 'tests'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => IS_TEST.test(file) && !file.includes('node_modules')),
  );
}

/** @param {string} command @param {string[]} args @param {string} cwd @returns {Promise<string>} what it prints */
async function run(command, args, cwd) {
  const { code, output } = await runQuietly(command, args, { cwd });
  if (code !== 0) throw new StepFailed(output.trim());
  return output;
}

const lines = (text) => text.split('\n').filter(Boolean);
