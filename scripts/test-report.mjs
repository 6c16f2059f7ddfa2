import { existsSync, readFileSync } from 'node:fs';

/**
 * The result of a run, as test-reporter.mjs writes it. A test file that could not be loaded counts as one failure.
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures
 * @property {string[]} [unstable] tests that failed beside others and passed alone
 * @property {{ name: string, why: string }[]} [skipped]
 * @property {{ name: string, ms: number }[]} [files] the test files and the time that each took
 */

/**
 * Reads the report of a run. A run that failed without naming a failure counts as one failure.
 * @param {string} file missing when vitest crashed
 * @param {number} exitCode
 * @returns {Count}
 */
export function readReport(file, exitCode) {
  /** @type {Count} */
  const count = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, failures: [] };
  if (exitCode === 0 || count.failures.length > 0) return count;
  return { ...count, failed: 1, failures: [`vitest ended with code ${exitCode}: see its output above`] };
}

/**
 * Returns the test files that failures name, each once; none when a failure names no file.
 * @param {string[]} failures
 * @returns {string[]}
 */
export function filesOf(failures) {
  const files = failures.map(fileOf);
  return files.every((file) => file !== undefined) ? [...new Set(files)] : [];
}

function fileOf(failure) {
  return /^(?:outside of tests \()?([^\s:()]+\.test\.tsx?)[:)]/.exec(failure)?.[1];
}

/**
 * Returns the count of a run after the files with failures were run once more alone. The failures of a file in which
 * nothing failed the second time are unstable; when the second run broke down, every failure stays.
 * @param {Count} count
 * @param {Count} again
 * @returns {Count}
 */
export function afterSecondTry(count, again) {
  const broken = again.failures.map(fileOf);
  const isUnstable = (failure) => !broken.includes(undefined) && !broken.includes(fileOf(failure));
  const failures = count.failures.filter((failure) => !isUnstable(failure));
  const unstable = count.failures.filter(isUnstable);
  return { ...count, passed: count.passed + unstable.length, failed: failures.length, failures, unstable };
}

/**
 * Returns the closing lines of a run.
 * @param {Count[]} counts
 * @param {string} took the duration of the run, for the reader
 * @returns {string[]}
 */
export function summary(counts, took) {
  const all = (pick) => counts.flatMap((count) => pick(count) ?? []);
  const sum = (pick) => counts.reduce((total, count) => total + pick(count), 0);
  const failures = all((count) => count.failures);
  const skipped = all((count) => count.skipped);
  const unstable = all((count) => count.unstable);
  const slowest = all((count) => count.files).sort((one, two) => two.ms - one.ms);
  return [
    ...listed(
      'Slowest files:',
      slowest.slice(0, 10).map(({ name, ms }) => `${Math.round(ms / 1000)} s ${name}`),
    ),
    ...listed(
      `${skipped.length} skipped:`,
      skipped.map(({ name, why }) => `${name} (${why})`),
    ),
    ...listed('Unstable (failed beside other tests, passed alone: find out why):', unstable),
    ...listed('Failed:', failures),
    '',
    `Took ${took}; ${skipped.length} skipped, ${unstable.length} unstable.`,
    `${sum((count) => count.passed)} passed, ${sum((count) => count.failed)} failed`,
  ];
}

/**
 * Returns the condition under which a test is skipped, as written at the test or at a group around it.
 * @param {string} source the text of the test file
 * @param {string[]} names the names of the test and of the groups around it, innermost first
 * @returns {string}
 */
export function conditionOf(source, names) {
  for (const name of names) {
    const at = ["'", '"', '`'].map((quote) => source.indexOf(quote + name + quote)).find((index) => index >= 0);
    const before = source.slice(0, at ?? 0);
    const start = Math.max(before.lastIndexOf('.skipIf('), before.lastIndexOf('.runIf('));
    const [, way, condition] =
      /^\.(skipIf|runIf)\((.*?)\)(?:\.(?:for|each)\(.*)?\(\s*$/s.exec(before.slice(start)) ?? [];
    if (condition) return way === 'skipIf' ? `where ${condition}` : `unless ${condition}`;
  }
  return 'its file says when';
}

function listed(title, lines) {
  return lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : [];
}
