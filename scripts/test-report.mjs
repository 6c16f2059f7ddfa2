import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Counts a vitest run from its JSON report. A file that could not even be loaded counts as one failure, so does a run
 * that failed with nothing to show for it.
 * @param {string} file the report; it does not exist when vitest broke down
 * @param {number} exitCode
 * @returns {{ passed: number, failed: number, skipped: number, failures: string[] }}
 */
export function countTests(file, exitCode) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };
  const tests = report.testResults.flatMap((suite) => suite.assertionResults.map((test) => ({ suite, test })));
  const ofStatus = (status) => tests.filter(({ test }) => test.status === status);
  const failures = [
    ...ofStatus('failed').map(({ suite, test }) => `${path.relative(process.cwd(), suite.name)}: ${test.fullName}`),
    ...report.testResults
      .filter((suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'))
      .map(
        (suite) => `${path.relative(process.cwd(), suite.name)}: ${firstLine(suite.message) || 'the file did not run'}`,
      ),
  ];
  if (exitCode !== 0 && failures.length === 0)
    failures.push(`vitest ended with code ${exitCode}: see its output above`);
  const passed = ofStatus('passed').length;
  return { passed, failed: failures.length, skipped: tests.length - passed - ofStatus('failed').length, failures };
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] ?? '';
}
