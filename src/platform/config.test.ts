import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

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
