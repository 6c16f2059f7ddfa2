import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StepFailed, step } from './progress.mjs';
import { runQuietly } from './run-child.mjs';

/** The programs that tests need besides npm packages, with the names of their packages in Debian, Fedora and Homebrew. */
const TOOLS = [
  {
    name: 'Chromium',
    isThere: () => Boolean(findChromium()),
    apt: 'chromium',
    dnf: 'chromium',
    brew: '--cask chromium',
  },
  {
    name: 'LibreOffice Impress',
    isThere: () => hasProgram('soffice') && hasImpress(),
    apt: 'libreoffice-impress-nogui',
    dnf: 'libreoffice-impress',
    brew: '--cask libreoffice',
  },
  {
    name: 'Noto CJK fonts',
    isThere: () => hasFile('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc') || hasChineseFonts(),
    apt: 'fonts-noto-cjk',
    dnf: 'google-noto-sans-cjk-fonts',
    brew: '--cask font-noto-sans-cjk',
  },
  {
    name: 'Poppler',
    isThere: () => hasProgram('pdftoppm') && hasProgram('pdfinfo'),
    apt: 'poppler-utils',
    dnf: 'poppler-utils',
    brew: 'poppler',
  },
  {
    name: "Poppler's CJK tables",
    isThere: () => process.platform !== 'linux' || hasFile('/usr/share/poppler'),
    apt: 'poppler-data',
    dnf: 'poppler-data',
    brew: 'poppler',
  },
];

/**
 * Makes sure that the programs which tests need are installed. On Debian and Ubuntu as root it installs the missing ones.
 * @param {string} root
 * @throws {StepFailed} on other systems and for other users: the message names what to install
 */
export async function provideTools(root) {
  const missing = TOOLS.filter((tool) => !tool.isThere());
  if (missing.length > 0) await installTools(root, missing);
  await provideHeadlessShell(root);
}

const HEADLESS_SHELL = 'chromium-headless-shell';

/**
 * Installs Chromium without a user interface where Debian has it: a new browser context costs it a fifth of the processor
 * time, and journeys open a hundred. Without it journeys run in Chromium.
 */
async function provideHeadlessShell(root) {
  if (process.env.CHROMIUM || hasProgram(HEADLESS_SHELL) || !canInstall()) return;
  const { stdout } = spawnSync('apt-cache', ['policy', HEADLESS_SHELL], { encoding: 'utf8' });
  if (!/Candidate: \d/.test(stdout ?? '')) return;
  try {
    await step(`Installing ${HEADLESS_SHELL}`, (note) => apt(root, ['install', ...QUIETLY, HEADLESS_SHELL], note));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.log(`${HEADLESS_SHELL} could not be installed; journeys run in Chromium, which takes longer.`);
  }
}

const canInstall = () => hasProgram('apt-get') && process.getuid?.() === 0;

const QUIETLY = ['--yes', '--no-install-recommends'];

async function installTools(root, missing) {
  if (!canInstall()) throw new StepFailed(whatToInstall(missing));
  const packages = missing.map((tool) => tool.apt);
  await step(`Installing ${packages.join(', ')}`, async (note) => {
    await apt(root, ['update'], note);
    await apt(root, ['install', ...QUIETLY, ...packages], note);
  });
  const still = TOOLS.filter((tool) => !tool.isThere());
  if (still.length > 0) throw new StepFailed(`Installed, and still not found. ${whatToInstall(still)}`);
}

/** @returns {string | null} the browser that journeys run in; CHROMIUM names another */
export function findChromium() {
  const given = process.env.CHROMIUM;
  if (given) return existsSync(given) ? given : null;
  const mac = ['/Applications/Chromium.app/Contents/MacOS/Chromium'];
  return (
    [...[HEADLESS_SHELL, 'chromium', 'chromium-browser'].flatMap(pathsOf), ...mac].find((file) => existsSync(file)) ??
    null
  );
}

async function apt(root, args, note) {
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await runQuietly('apt-get', [...options, ...args], { cwd: root, env, onLine: note });
  if (code !== 0) {
    throw new StepFailed(`${output.trim().split('\n').slice(-12).join('\n')}\n\napt-get ${args.join(' ')} failed.`);
  }
}

function whatToInstall(missing) {
  const names = (manager) => [...new Set(missing.map((tool) => tool[manager]))];
  const how = isDebian()
    ? `sudo apt-get update && sudo apt-get install --no-install-recommends ${names('apt').join(' ')}`
    : process.platform === 'darwin'
      ? names('brew')
          .map((name) => `brew install ${name}`)
          .join(' && ')
      : `the packages that hold them (in Fedora: sudo dnf install ${names('dnf').join(' ')})`;
  return `The tests need ${missing.map((tool) => tool.name).join(', ')}, which this machine does not have. Install:\n  ${how}\nand run "npm test" again.`;
}

function isDebian() {
  return (
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

function hasImpress() {
  const known = ['lib', 'lib64'].map((lib) => `/usr/${lib}/libreoffice/program/pagein-impress`);
  // Where LibreOffice lives elsewhere (an own build, macOS), its parts come together.
  return !existsSync('/usr/lib/libreoffice') || known.some((file) => existsSync(file));
}

function hasChineseFonts() {
  const folders = [
    '/usr/share/fonts/google-noto-cjk',
    '/usr/share/fonts/google-noto-sans-cjk-fonts',
    '/System/Library/Fonts/PingFang.ttc',
  ];
  return folders.some(hasFile);
}

function hasProgram(name) {
  return (
    pathsOf(name).some((file) => existsSync(file)) || (name === 'soffice' && hasFile('/Applications/LibreOffice.app'))
  );
}

function pathsOf(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return [...folders, '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((folder) => path.join(folder, name));
}

function hasFile(file) {
  return existsSync(file);
}
