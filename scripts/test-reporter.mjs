import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conditionOf } from './test-report.mjs';

/**
 * Vitest's reporter of a run for scripts/test.mjs: writes to the file that TEST_REPORT names what test-report.mjs reads.
 */
export default class TestReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message?: string }[]} errors of the run outside of any test
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
    const { collectDuration, setupDuration, duration } = testModule.diagnostic();
    count.files.push({ name, ms: Math.round(collectDuration + setupDuration + duration) });
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
    // One that could not even be loaded, or did not come to its end.
    if (failedTests === 0 && !testModule.ok())
      count.failures.push(`${name}: ${firstLine(testModule.errors()[0]?.message) || 'the file did not run'}`);
  }
  for (const error of errors) count.failures.push(`outside of tests: ${firstLine(error.message)}`);
  return { ...count, failed: count.failures.length };
}

/** Names of the test and of the groups around it, from the inside out. */
function namesOf(test) {
  const names = [];
  for (let task = test; task && task.type !== 'module'; task = task.parent) names.push(task.name);
  return names;
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] ?? '';
}
