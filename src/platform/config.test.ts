import { randomBytes } from 'node:crypto';
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

test.each([
  'http://ceku.example.com',
  'https://a b"><script>',
  'https://h?x#y',
  'https://user:pw@host',
  'https://host/',
  'https://host/path',
  'https://host:443',
  'https://HOST',
  'https://策库.cn',
  'https://',
  'ftp://host',
  'javascript:alert(1)',
  'null',
])('PUBLIC_URL=%s is refused', (url) => {
  expect(problemsOf({ PUBLIC_URL: url }).join()).toMatch(/^PUBLIC_URL: must b/);
  expect(problemsOf({ PUBLIC_URL: url })).toHaveLength(1);
});

test.each([
  'https://ceku.cn',
  'https://ceku.cn:8443',
  'https://xn--0ov19d.cn',
  'http://127.0.0.1:3000',
  'http://[::1]',
])('PUBLIC_URL=%s is usable', (url) => {
  expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(url);
});

test.each([
  'a'.repeat(32),
  'changeme-changeme-changeme-change',
  'please-change-this-secret-before-use',
  'your-secret-key-goes-here-1234567',
  'example-secret-of-the-manual-0042',
  '0123456789abcdef0123456789abcdef',
  'correct-horse-correct-horse-correct',
  'abcdefghijklmnopqrstuvwxyz012345',
  'your-256-bit-secret-of-the-manual-x',
  'ThisIsTheDefaultSecretKeyOfTheSite',
  'dev-secret-key-for-local-testing-only',
  'SuperSecretKeyOfAReadme1234567890',
  '<openssl rand -hex 32 output here>',
  '<32 random characters, made by you>',
  'correct horse battery staple in a row',
])('SECRET_KEY=%s is a sample', (secret) => {
  expect(problemsOf({ SECRET_KEY: secret }).join()).toMatch(/^SECRET_KEY: must be random/);
  expect(problemsOf({ SECRET_KEY: secret }).join()).not.toContain(secret);
});

test('no random secret is taken for a sample', () => {
  for (let round = 0; round < 2_000; round += 1) {
    const bytes = randomBytes(24);
    for (const secret of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('hex').slice(0, 32)])
      expect(problemsOf({ SECRET_KEY: secret }), secret).toEqual([]);
  }
});

test('contradictions are told together with what is wrong by itself', () => {
  const problems = problemsOf({ PORT: 'web', OUTSIDE: 'on', DEMO: 'on', WECHAT_MINI_APPID: 'wx1', SECRET_KEY: 'x' });
  const named = problems.map((problem) => problem.split(':')[0]);
  expect(new Set(named)).toEqual(new Set(['DEMO', 'OUTSIDE', 'PORT', 'SECRET_KEY', 'WECHAT_MINI_SECRET']));
  expect(named).toHaveLength(5);
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
