import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { afterSecondTry, conditionOf, filesOf, readReport, summary } from './test-report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ceku-report-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const count = { passed: 3, failed: 0, failures: [] };

test('a run that broke down with nothing to show for it is one failure', () => {
  expect(readReport(join(folder, 'missing'), 1)).toMatchObject({ passed: 0, failed: 1 });
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(count));
  expect(readReport(file, 0)).toEqual(count);
  expect(readReport(file, 137)).toMatchObject({ passed: 3, failed: 1 });
  const failed = { ...count, failed: 1, failures: ['a.test.ts: breaks'] };
  writeFileSync(file, JSON.stringify(failed));
  expect(readReport(file, 1)).toEqual(failed);
});

test('the last line counts; skipped tests are named with their reasons, and no more than ten slow files', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ name: `f${at}.test.ts`, ms: at * 1_000 }));
  const skipped = [{ name: 'a.test.ts: needs a mount', why: 'where !canMount' }];
  const lines = summary(
    [
      { ...count, files, skipped },
      { ...count, failed: 1, failures: ['Lint: see above'] },
    ],
    '9 s',
  );
  expect(lines.at(-1)).toBe('6 passed, 1 failed');
  expect(lines.at(-2)).toBe('Took 9 s; 1 skipped, 0 unstable.');
  expect(lines).toContain('  a.test.ts: needs a mount (where !canMount)');
  expect(lines).toContain('  Lint: see above');
  expect(lines.filter((line) => /^ {2}\d+ s /.test(line))).toHaveLength(10);
  expect(lines).toContain('  11 s f11.test.ts');
  expect(lines).not.toContain('  1 s f1.test.ts');
});

test('a failure that the second try does not repeat is unstable and named; one that it repeats is a failure', () => {
  const late = 'src/a.test.ts: waits';
  const wrong = 'src/b.test.ts: adds > wrongly';
  const outside = 'outside of tests (src/c.test.ts): lost';
  const first = { ...count, failed: 3, failures: [late, wrong, outside] };
  expect(filesOf(first.failures)).toEqual(['src/a.test.ts', 'src/b.test.ts', 'src/c.test.ts']);
  const after = afterSecondTry(first, { ...count, failed: 1, failures: [wrong] });
  expect(after).toMatchObject({ passed: 5, failed: 1, failures: [wrong], unstable: [late, outside] });
  const lines = summary([after], '9 s');
  expect(lines.at(-1)).toBe('5 passed, 1 failed');
  expect(lines.at(-2)).toBe('Took 9 s; 0 skipped, 2 unstable.');
  expect(lines).toContain(`  ${late}`);
});

test('a failure without a file is not tried again, nor is what fails beside it', () => {
  expect(filesOf(['vitest ended with code 137: see its output above', 'src/a.test.ts: waits'])).toEqual([]);
});

test('a file that the second try could not run stays a failure', () => {
  const late = 'src/a.test.ts: waits';
  const first = { ...count, failed: 1, failures: [late] };
  const crashed = { passed: 0, failed: 1, failures: ['vitest ended with code 137: see its output above'] };
  expect(afterSecondTry(first, crashed)).toMatchObject({ failed: 1, failures: [late] });
});

test.each([
  [`test.skipIf(!isLinux)('it (really) runs', async () => {`, ['it (really) runs'], 'where !isLinux'],
  [`test.skipIf(findProgram('nice') === null)(\n  'gives way',`, ['gives way'], `where findProgram('nice') === null`],
  [`describe.runIf(canConvert)('pictures', () => { it('are drawn', `, ['are drawn', 'pictures'], 'unless canConvert'],
  [`test.skipIf(!isLinux).for(all.map((one) => [nameOf(one), one]))('%s', `, ['%s'], 'where !isLinux'],
  [`test.skipIf(!isLinux)('another', () => {}); test('this', `, ['this'], 'its file says when'],
  [`test('a test', `, ['of another name'], 'its file says when'],
])('the condition of a skipped test: %s', (source, names, expected) => {
  expect(conditionOf(source, names)).toBe(expected);
});
