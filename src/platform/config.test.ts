import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { ConfigError, environment, readConfig } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('every problem is said at once, each key by its name, in words', () => {
  const problems = problemsOf({ PORT: 'web', WORKERS: '99', WECHAT_MINI_APPID: 'wx1', SMS_CARRIER: 'pigeon' });
  expect(problems).toContain('PORT: must be a whole number');
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(
    expect.arrayContaining(['PORT', 'WORKERS', 'SMS_CARRIER', 'WECHAT_MINI_SECRET', 'SMS_KEY_ID']),
  );
  expect(problems.filter((problem) => problem.startsWith('SMS_CARRIER'))).toHaveLength(1);
  expect(problems.join()).not.toContain('pigeon');
});

test.each([
  ['PORT', '-1', 'must be 0 or more'],
  ['PORT', '65536', 'must be 65535 or less'],
  ['DATABASE_POOL', '0', 'must be 1 or more'],
  ['TRUST_PROXY', '6', 'must be 5 or less'],
  ['WORKERS', '1.5', 'must be a whole number'],
  ['RATE_LIMITS', 'no', 'must be on or off'],
  ['SMS_CARRIER', 'pigeon', 'must be aliyun or tencent'],
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent'],
  ['SECRET_KEY', 'short', 'must be at least 32 characters'],
])('%s=%s: %s', (key, value, words) => {
  expect(problemsOf({ [key]: value })).toContain(`${key}: ${words}`);
});

test("no text is the validator's own, whatever key is wrong", () => {
  const keys = Object.keys({ ...environment.shape });
  const said = keys.flatMap((key) =>
    ['x', '-1', '1.5', '1e999', '99999999', '/'].map((value) => problemsOf({ [key]: value })),
  );
  for (const problem of said.flat()) expect(problem).toMatch(/^[A-Z_]+: (must|is missing)/);
  expect(said.flat().length).toBeGreaterThan(100);
});

test('an empty value is none', () => {
  expect(problemsOf({ PORT: '', SMS_CARRIER: ' ' })).toEqual([]);
});

test('a relative folder is one of the project, wherever the command is typed', () => {
  const elsewhere = vi.spyOn(process, 'cwd').mockReturnValue('/');
  try {
    expect(readConfig({}).dataDir).toBe(fileURLToPath(new URL('../../data', import.meta.url)));
    expect(readConfig({ DATA_DIR: '/srv/data' }).dataDir).toBe('/srv/data');
  } finally {
    elsewhere.mockRestore();
  }
});
