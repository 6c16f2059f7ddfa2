import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { buildPages } from './build.mjs';
import { findChangedTests, listTests } from './changed-tests.mjs';
import { elapsed, endWith, StepFailed, step } from './progress.mjs';
import { runInForeground, runQuietly } from './run-child.mjs';
import { afterSecondTry, filesOf, readReport, summary } from './test-report.mjs';
import { findChromium, provideTools } from './test-tools.mjs';

const INTERRUPTED = 130;
/** With more failed files than this something is broken, and a second try only delays the answer. */
const MAX_SECOND_TRIES = 5;
/** The checkers of types are programs in Go: a fourth of their processor time is the collection of a heap that fits in memory anyway. */
const RARELY_COLLECTED = { GOGC: '400' };

/** @typedef {import('./test-report.mjs').Count} Count */
/** @typedef {{ root: string, node: string }} House */

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  endWith(error);
}

/**
 * `npm test` checks everything; `npm test -- <pattern>` runs the test files whose path contains the pattern,
 * `npm test -- --changed` those that the changes since the branch left main can reach (changed-tests.mjs).
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const { root, node } = await bootstrap({ pages: false });
  await provideTools(root);
  const house = { root, node };
  const startedAt = Date.now();
  const counts = words.length > 0 ? await runSome(house, words) : await runAll(house);
  console.log(summary(counts, elapsed(Date.now() - startedAt)).join('\n'));
  return counts.every((count) => count.failed === 0) ? 0 : 1;
}

/** @param {House} house @returns {Promise<Count[]>} */
async function runAll(house) {
  const checks = await runChecks(house);
  const problems = checks.pages;
  // Both runs wait for LibreOffice, PostgreSQL, timers and a browser, so they run at the same time.
  const journeysOutput = holdOutput();
  const folder = mkdtempSync(path.join(tmpdir(), 'ceku-journeys-'));
  // A second journey runs from then on (tests/journeys/second-worker.ts).
  const unitTestsEnded = path.join(folder, 'unit-tests-ended');
  const endOfUnitTests = () => {
    journeysOutput.release();
    writeFileSync(unitTestsEnded, '');
  };
  const unit = vitest(house, 'Unit, API and provider tests', ['--project', 'app*']).finally(endOfUnitTests);
  const journeys =
    problems.length > 0
      ? Promise.resolve(null)
      : vitest(house, 'Journeys', ['--project', 'journeys'], {
          write: journeysOutput.write,
          env: { UNIT_TESTS_ENDED: unitTestsEnded },
        });
  // An interrupt reaches both runs, and each cleans up before this process ends.
  const ends = await Promise.allSettled([unit, journeys]);
  rmSync(folder, { recursive: true, force: true });
  const counts = ends.flatMap((end) => valueOf(end) ?? []);
  return [...checks.counts, ...problems, ...(await tryFailedFilesAlone(house, counts))];
}

/**
 * Checks the sources and builds the pages. Lint and types read the generated types of routes, so these are made first; the
 * types are checked on one thread beside the others, because threads check what they share twice.
 * @param {House} house
 * @returns {Promise<{ counts: Count[], pages: Count[] }>} `pages` is empty when the pages are built
 */
async function runChecks(house) {
  const bin = (name) => path.join(house.root, 'node_modules', name);
  const format = await check(house, 'Format', [bin('oxfmt/bin/oxfmt'), '--check']);
  const routes = await check(house, 'Types of routes', [bin('@react-router/dev/bin.cjs'), 'typegen']);
  const checkTypes = () =>
    check(house, 'Types', [bin('typescript/bin/tsc'), '--noEmit', '--singleThreaded'], RARELY_COLLECTED);
  const [lint, types, pages] = await Promise.all([
    check(house, 'Lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'], RARELY_COLLECTED),
    routes.failed > 0 ? routes : checkTypes(),
    tryToBuildPages(house),
  ]);
  return { counts: [format, lint, types], pages };
}

/**
 * Runs the files of failed tests once more, one at a time, with nothing beside them. A test that passes then is reported
 * as unstable: it depends on how busy the machine is, which is a fault to find, but not one of the change that is tested.
 * @param {House} house
 * @param {Count[]} counts
 * @returns {Promise<Count[]>}
 */
async function tryFailedFilesAlone(house, counts) {
  const files = filesOf(counts.flatMap((count) => count.failures));
  if (files.length === 0 || files.length > MAX_SECOND_TRIES) return counts;
  const args = ['--maxWorkers=1', '--no-file-parallelism', ...files];
  const again = await vitest(house, 'Second try of the files with failures, one at a time', args);
  return counts.map((count) => afterSecondTry(count, again));
}

/**
 * Builds the pages. When the build fails no journey is run: each would fail without the pages, and not name the cause.
 * @param {House} house
 * @returns {Promise<Count[]>} empty when the pages are built
 */
async function tryToBuildPages(house) {
  try {
    await buildPages(house.root, house.node);
    return [];
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.log(error.message);
    return [{ passed: 0, failed: 1, failures: ['Pages: they do not build, so no journey was run'] }];
  }
}

/** @param {House} house @param {string[]} words @returns {Promise<Count[]>} */
async function runSome(house, words) {
  const patterns = words.filter((word) => word !== '--changed');
  const base = words.includes('--changed') ? await findBase(house) : null;
  const files = (base === null ? listTests(house.root) : await findChangedTests(house, base)).filter(
    (file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)),
  );
  const title = [base === null ? '' : `what has changed since ${base.slice(0, 8)}`, ...patterns].filter(Boolean);
  if (base !== null && files.length === 0) {
    console.log(`No test reaches ${title.join(', ')}.`);
    return [];
  }
  if (files.some((file) => file.startsWith('tests/journeys/'))) await buildPages(house.root, house.node);
  return [await vitest(house, `Tests of ${title.join(', ')}`, base === null ? patterns : files)];
}

/** @param {House} house @returns {Promise<string>} the commit where this branch left main; on main the last commit */
async function findBase(house) {
  for (const main of ['main', 'origin/main']) {
    const { code, output } = await runQuietly('git', ['merge-base', 'HEAD', main], { cwd: house.root });
    if (code === 0) return output.trim();
  }
  return 'HEAD';
}

/** Keeps output back until `release` is called, so that the lines of two programs do not mix. */
function holdOutput() {
  /** @type {(string | Buffer)[] | null} */
  let held = [];
  return {
    /** @param {string | Buffer} text */
    write: (text) => void (held ? held.push(text) : process.stdout.write(text)),
    release: () => {
      for (const text of held ?? []) process.stdout.write(text);
      held = null;
    },
  };
}

/** @template T @param {PromiseSettledResult<T>} end @returns {T} */
function valueOf(end) {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

/**
 * Runs a program and prints its output when it fails.
 * @param {House} house
 * @param {string} title
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to the environment
 * @returns {Promise<Count>}
 */
async function check(house, title, args, env) {
  try {
    await step(title, async () => {
      const options = { cwd: house.root, env: { ...testEnvironment(house), ...env } };
      const { code, output } = await runQuietly(house.node, args, options);
      if (code !== 0) throw new StepFailed(output.trim());
    });
    return { passed: 1, failed: 0, failures: [] };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.log(error.message);
    return { passed: 0, failed: 1, failures: [`${title}: see its output above`] };
  }
}

/**
 * @param {House} house
 * @param {string} title
 * @param {string[]} args
 * @param {{ write?: (text: string | Buffer) => void, env?: Record<string, string> }} [options] `write` receives the output
 *   of vitest, which otherwise goes to the terminal; `env` is added to its environment
 * @returns {Promise<Count>}
 */
async function vitest(house, title, args, { write, env } = {}) {
  const say = write ?? ((text) => process.stdout.write(text));
  const startedAt = Date.now();
  say(`\n${title}\n`);
  const folder = mkdtempSync(path.join(tmpdir(), 'ceku-report-'));
  try {
    const report = path.join(folder, 'report.json');
    const reporters = ['--reporter=default', `--reporter=${path.join(house.root, 'scripts/test-reporter.mjs')}`];
    const program = path.join(house.root, 'node_modules/vitest/vitest.mjs');
    const { code, interrupted } = await runInForeground(house.node, [program, 'run', ...args, ...reporters], {
      cwd: house.root,
      env: { ...testEnvironment(house), ...env, TEST_REPORT: report },
      ...(write && { onOutput: write }),
    });
    if (interrupted) throw new StepFailed('Interrupted.', INTERRUPTED);
    const count = readReport(report, code);
    say(`${count.failed === 0 ? '✓' : '✗'} ${title} (${elapsed(Date.now() - startedAt)})\n`);
    return count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the environment of the tests: this environment without the developer's settings of the site. A compile cache
 * saves a third of each of the many starts of the site and of `ceku`.
 * @param {House} house
 */
function testEnvironment(house) {
  const ours =
    /^(PORT|HOST|METRICS_PORT|DATA_DIR|DATABASE_URL|DATABASE_POOL|PUBLIC_URL|TRUST_PROXY|SECRET_KEY|SITE_NAME|ICP_NUMBER|PUBLIC_SECURITY_NUMBER|LOG_LEVEL|NODE_ENV|DEMO|WORKERS|RATE_LIMITS|SEARCH_THREADS|SYNONYMS_FILE|PREVIEW_MARK|PAGE_CACHE_MB|MACROS|COMPANY_\w+|OUTSIDE\w*|WECHAT_\w+|SMS_\w+|ALIPAY_\w+|NOTIFY_URL\w*|SESSION_LIMIT\w*|INVITE_REWARD_COINS)$/;
  const kept = Object.entries(process.env).filter(([key]) => !ours.test(key));
  const chromium = findChromium();
  return {
    ...Object.fromEntries(kept),
    NODE_COMPILE_CACHE: path.join(house.root, 'node_modules/.cache/ceku-test'),
    ...(chromium ? { CHROMIUM: chromium } : {}),
  };
}
