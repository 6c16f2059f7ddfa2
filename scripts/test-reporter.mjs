import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conditionOf } from './test-report.mjs';

/**
 * The vitest reporter of scripts/test.mjs. It writes the report that test-report.mjs reads to the file in TEST_REPORT.
 */
export default class TestReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message?: string, VITEST_TEST_PATH?: string }[]} errors errors outside of any test
   */
  onTestRunEnd(modules, errors) {
    const file = process.env.TEST_REPORT;
    if (file) writeFileSync(file, JSON.stringify(countModules(modules, errors)));
  }
}

/** @returns {import('./test-report.mjs').Count} */
function countModules(modules, errors) {
  const count = { passed: 0, failed: 0, skipped: [], failures: [], files: [] };
  for (const testModule of modules) {
    const name = path.relative(process.cwd(), testModule.moduleId);
    // Without the set-up: journeys of the second worker wait in it (tests/journeys/second-worker.ts).
    const { collectDuration, duration } = testModule.diagnostic();
    count.files.push({ name, ms: Math.round(collectDuration + duration) });
    let failedTests = 0;
    for (const test of testModule.children.allTests()) {
      const { state, note } = test.result();
      if (state === 'passed') count.passed++;
      else if (state === 'failed') failedTests++;
      else
        count.skipped.push({
          name: `${name}: ${test.fullName}`,
          why: note || conditionOf(readFileSync(testModule.moduleId, 'utf8'), namesOf(test)),
        });
      if (state === 'failed') count.failures.push(`${name}: ${test.fullName}`);
    }
    // The file could not be loaded, or did not finish.
    if (failedTests === 0 && !testModule.ok())
      count.failures.push(`${name}: ${firstLine(testModule.errors()[0]?.message) || 'the file did not run'}`);
  }
  // Vitest writes on the error which file ran at that time.
  for (const error of errors) {
    const file = error.VITEST_TEST_PATH ? ` (${path.relative(process.cwd(), error.VITEST_TEST_PATH)})` : '';
    count.failures.push(`outside of tests${file}: ${firstLine(error.message)}`);
  }
  return { ...count, failed: count.failures.length };
}

/** Returns the names of the test and of the groups around it, innermost first. */
function namesOf(test) {
  const names = [];
  for (let task = test; task && task.type !== 'module'; task = task.parent) names.push(task.name);
  return names;
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] ?? '';
}
