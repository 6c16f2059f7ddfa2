import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { buildPages } from './build.mjs';
import { elapsed, endWith, StepFailed, step } from './progress.mjs';
import { runInForeground, runQuietly } from './run-child.mjs';
import { countTests } from './test-report.mjs';
import { findChromium, provideTools } from './test-tools.mjs';

const INTERRUPTED = 130;

/** @typedef {{ passed: number, failed: number, skipped?: number, failures: string[] }} Count */

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  endWith(error);
}

/**
 * `npm test` checks everything; `npm test -- <pattern>` runs the test files whose path contains the pattern.
 * @param {string[]} patterns
 * @returns {Promise<number>} the exit code
 */
async function main(patterns) {
  const { root, node } = await bootstrap({ pages: false });
  await provideTools(root);
  const house = { root, node };
  const startedAt = Date.now();
  const counts = patterns.length > 0 ? await runSome(house, patterns) : await runAll(house);

  const failures = counts.flatMap((count) => count.failures);
  const sum = (pick) => counts.reduce((total, count) => total + (pick(count) ?? 0), 0);
  const [passed, failed, skipped] = [
    sum((count) => count.passed),
    sum((count) => count.failed),
    sum((count) => count.skipped),
  ];
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(`\nTook ${elapsed(Date.now() - startedAt)}${skipped ? `; ${skipped} skipped` : ''}.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runAll(house) {
  const bin = (name) => path.join(house.root, 'node_modules', name);
  return [
    await check(house, 'Format', [[bin('oxfmt/bin/oxfmt'), '--check']]),
    await check(house, 'Lint', [[bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']]),
    await check(house, 'Types', [
      [bin('@react-router/dev/bin.cjs'), 'typegen'],
      [bin('typescript/bin/tsc'), '--noEmit'],
    ]),
    await vitest(house, 'Unit, API and provider tests', ['--project', 'app', '--passWithNoTests']),
    await journeys(house),
  ];
}

/** Journeys need the pages; without them each would fail in its own, longer words. */
async function journeys(house) {
  try {
    await buildPages(house.root, house.node);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.log(error.message);
    return { passed: 0, failed: 1, failures: ['Pages: they do not build, so no journey was run'] };
  }
  return vitest(house, 'Journeys', ['--project', 'journeys', '--passWithNoTests']);
}

async function runSome(house, patterns) {
  const journeyFiles = readdirSync(path.join(house.root, 'tests/journeys')).map((name) => `tests/journeys/${name}`);
  const isJourney = patterns.some((pattern) => journeyFiles.some((file) => file.includes(pattern)));
  if (isJourney) await buildPages(house.root, house.node);
  return [await vitest(house, `Tests of ${patterns.join(', ')}`, patterns)];
}

/** Runs programs in order until one fails; shows what they print only then. @returns {Promise<Count>} */
async function check(house, title, commands) {
  try {
    await step(title, async () => {
      for (const args of commands) {
        const { code, output } = await runQuietly(house.node, args, { cwd: house.root, env: testEnvironment() });
        if (code !== 0) throw new StepFailed(output.trim());
      }
    });
    return { passed: 1, failed: 0, failures: [] };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.log(error.message);
    return { passed: 0, failed: 1, failures: [`${title}: see its output above`] };
  }
}

/** @returns {Promise<Count>} */
async function vitest(house, title, args) {
  const startedAt = Date.now();
  console.log(`\n${title}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'ceku-report-'));
  try {
    const report = path.join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const program = path.join(house.root, 'node_modules/vitest/vitest.mjs');
    const { code, interrupted } = await runInForeground(house.node, [program, 'run', ...args, ...reporters], {
      cwd: house.root,
      env: testEnvironment(),
    });
    if (interrupted) throw new StepFailed('Interrupted.', INTERRUPTED);
    const count = countTests(report, code);
    console.log(`${count.failed === 0 ? '✓' : '✗'} ${title} (${elapsed(Date.now() - startedAt)})`);
    return count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The developer's own settings do not leak into tests. */
function testEnvironment() {
  const ours =
    /^(PORT|HOST|DATA_DIR|DATABASE_URL|DATABASE_POOL|PUBLIC_URL|TRUST_PROXY|SECRET_KEY|SITE_NAME|ICP_NUMBER|LOG_LEVEL|NODE_ENV|DEMO|WORKERS|RATE_LIMITS|SEARCH_THREADS|SYNONYMS_FILE|PREVIEW_MARK|MACROS|COMPANY_\w+|OUTSIDE\w*|WECHAT_\w+|SMS_\w+)$/;
  const kept = Object.entries(process.env).filter(([key]) => !ours.test(key));
  const chromium = findChromium();
  return { ...Object.fromEntries(kept), ...(chromium ? { CHROMIUM: chromium } : {}) };
}
