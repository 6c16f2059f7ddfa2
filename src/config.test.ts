import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { environment, readConfig, unknownPaymentKeys } from './config.ts';
import { gatewayKeys } from './payment/server/adapters/gateways.ts';
import { ConfigError } from './platform/environment.ts';

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
  ['DATABASE_URL', 'mysql://ceku@db/ceku', 'must start with postgres://'],
  [
    'DATABASE_URL',
    'postgres://ceku:pa#ss@db/ceku',
    'must be like postgres://user:password@host:5432/database, with / as %2F, # as %23, ? as %3F and @ as %40 in the password',
  ],
  [
    'DATABASE_URL',
    'postgres://ceku:1/2@db/ceku',
    'must be like postgres://user:password@host:5432/database, with / as %2F, # as %23, ? as %3F and @ as %40 in the password',
  ],
  [
    'DATABASE_URL',
    'postgres://ceku:pass@db/ceku?sslrootcert=/nowhere/ca.pem',
    'names a certificate or key file that cannot be read (ENOENT)',
  ],
  ['TRUST_PROXY', '6', 'must be 5 or less'],
  ['WORKERS', '1.5', 'must be a whole number'],
  ['RATE_LIMITS', 'no', 'must be on or off'],
  ['SMS_CARRIER', 'pigeon', 'must be aliyun or tencent'],
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent'],
  ['SECRET_KEY', 'short', 'must be at least 32 characters'],
])('%s=%s: %s', (key, value, words) => {
  expect(problemsOf({ [key]: value })).toContain(`${key}: ${words}`);
});

test('two parts of the site on one port are named before anything starts', () => {
  expect(problemsOf({ PORT: '4000', OUTSIDE_PORT: '4000' })).toEqual(['OUTSIDE_PORT: must be another port than PORT']);
  expect(problemsOf({ PORT: '4000', METRICS_PORT: '4001' })).toEqual([
    'METRICS_PORT: must be another port than 4001, PORT + 1, where the pretend phone is unless OUTSIDE_PORT is set',
  ]);
  expect(problemsOf({ PORT: '4000', METRICS_PORT: '4001', OUTSIDE: 'off' })).toEqual([]);
  expect(problemsOf({ PORT: '4000', METRICS_PORT: '4001', OUTSIDE_PORT: '4002' })).toEqual([]);
  expect(problemsOf({ PORT: '0', OUTSIDE_PORT: '0' })).toEqual([]);
});

test('the tests of a developer run without any setting of their site', async () => {
  const source = await readFile(new URL('../scripts/test.mjs', import.meta.url), 'utf8');
  const [, pattern = ''] = /^ +\/(\^\(PORT\|.*\)\$)\/;$/m.exec(source) ?? [];
  const ours = new RegExp(pattern);
  expect(Object.keys(environment.shape).filter((key) => !ours.test(key))).toEqual([]);
});

test('blanks and line ends around a value, as a copied secret brings them, are no part of it', () => {
  const env = { DATABASE_URL: ' postgres://x/y ', WECHAT_MINI_APPID: 'wx1 ', WECHAT_MINI_SECRET: '\tsecret\r\n' };
  expect(readConfig(env)).toMatchObject({
    databaseUrl: 'postgres://x/y',
    providers: { miniProgram: { appId: 'wx1', appSecret: 'secret' } },
  });
});

test('modes of TLS that the driver warns of are given their meaning here', () => {
  const url = (search: string) => readConfig({ DATABASE_URL: `postgres://x/y?${search}` }).databaseUrl;
  expect(url('sslmode=require')).toBe('postgres://x/y?sslmode=verify-full');
  expect(url('a=b&sslmode=verify-ca&c=d')).toBe('postgres://x/y?a=b&sslmode=verify-full&c=d');
  for (const own of ['sslmode=no-verify', 'sslmode=disable', 'uselibpqcompat=true&sslmode=require'])
    expect(url(own)).toBe(`postgres://x/y?${own}`);
});

test('settings of Tencent’s messages are refused beside Aliyun, which would ignore them', () => {
  const env = {
    SMS_CARRIER: 'aliyun',
    SMS_KEY_ID: 'id',
    SMS_KEY_SECRET: 's',
    SMS_SIGN_NAME: '策库',
    SMS_TEMPLATE: 't',
  };
  expect(problemsOf(env)).toEqual([]);
  expect(problemsOf({ ...env, SMS_APP_ID: '1400', SMS_REGION: 'ap-beijing' })).toEqual([
    'SMS_APP_ID: must not be set, while SMS_CARRIER is aliyun: Tencent alone has it',
    'SMS_REGION: must not be set, while SMS_CARRIER is aliyun: Tencent alone has it',
  ]);
});

test('a public site never runs in development, which serves nobody but this machine', () => {
  const problem =
    'NODE_ENV: must be production, or not set, on a public site, which PUBLIC_URL says this is: development answers this machine alone';
  expect(problemsOf({ NODE_ENV: 'development', PUBLIC_URL: 'https://ceku.cn' })).toEqual([problem]);
  expect(problemsOf({ NODE_ENV: 'development', PUBLIC_URL: 'http://localhost:3000' })).toEqual([]);
  expect(problemsOf({ NODE_ENV: 'development' })).toEqual([]);
  expect(problemsOf({ NODE_ENV: 'production', PUBLIC_URL: 'https://ceku.cn' })).toEqual([]);
});

test('keys of payment demand a public address and a database of the operator’s own; the sandbox does not', () => {
  const said = problemsOf({ WECHAT_PAY_MCHID: '1900000001', PUBLIC_URL: 'http://localhost:3000', DEMO: 'on' });
  expect(said).toEqual(
    expect.arrayContaining([
      'PUBLIC_URL: must be the public https address, while WECHAT_PAY_MCHID is set: payments are notified there',
      'DATABASE_URL: is missing, while WECHAT_PAY_MCHID is set: the embedded database is for trials without real money',
      'DEMO: must be off, or not set: demo logins never stand beside real keys',
    ]),
  );
  const whole = { PUBLIC_URL: 'https://ceku.cn', DATABASE_URL: 'postgres://x/y' };
  const aboutSite = (problems: string[]) => problems.filter((problem) => /^(PUBLIC|DATABASE)_URL/.test(problem));
  expect(aboutSite(problemsOf({ ALIPAY_APP_ID: '2021000000000001', ...whole }))).toEqual([]);
  expect(aboutSite(problemsOf({ ALIPAY_APP_ID: '2021000000000001' }))).toHaveLength(2);
  expect(aboutSite(problemsOf({ ALIPAY_APP_ID: '2021000000000001', ALIPAY_SANDBOX: 'on' }))).toEqual([]);
});

test.each([
  'https://192.168.1.20',
  'https://10.0.0.5:8443',
  'https://172.20.0.1',
  'https://100.64.3.2',
  'https://169.254.1.1',
  'https://0.0.0.0',
  'https://[fd12::1]',
  'https://[fe80::1]',
  'https://[::ffff:a00:5]',
  'https://127.0.0.1',
  'https://[::1]',
  'https://server',
  'https://nas.local',
  'https://ceku.home.arpa',
  'https://localhost',
  'https://localhost.',
  'https://nas.local.',
  'https://192.0.0.8',
  'https://192.0.2.1',
  'https://198.19.255.1',
  'https://198.51.100.7',
  'https://203.0.113.9',
  'https://224.0.0.1',
  'https://255.255.255.255',
  'https://[fec0::1]',
  'https://[ff02::1]',
  'https://[2001:db8::1]',
  'https://[64:ff9b::a00:5]',
  'https://ceku.test',
  'https://ceku.example',
  'https://ceku.invalid',
  'https://nas.localdomain',
  'https://nas.home',
  'https://ceku.corp',
  'https://ceku.onion',
])('no provider can notify %s of a payment', (url) => {
  const said = 'PUBLIC_URL: must be the public https address, while ALIPAY_APP_ID is set: payments are notified there';
  expect(problemsOf({ ALIPAY_APP_ID: '2021000000000001', PUBLIC_URL: url })).toContain(said);
  expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(url);
});

test.each(['https://172.32.0.1', 'https://100.128.0.1', 'https://[2400:3200::1]', 'https://local.ceku.cn'])(
  '%s is an address that a provider can notify',
  (url) => {
    const problems = problemsOf({ ALIPAY_APP_ID: '2021000000000001', PUBLIC_URL: url });
    expect(problems.filter((problem) => problem.startsWith('PUBLIC_URL'))).toEqual([]);
  },
);

test('a misspelt variable of a payment provider is named, without its value; all others are left alone', () => {
  const env = {
    WECHAT_PAY_MCH_ID: 'secret-value',
    ALIPAY_PRIVATEKEY_FILE: '/secret',
    WECHAT_PAY_MCHID: '1900000001',
    ALIPAY_PUBLIC_KEY_FILE: '/x',
    PATH: '/bin',
  };
  const lines = unknownPaymentKeys(env);
  expect(lines.map((line) => line.split(':')[0])).toEqual(['WECHAT_PAY_MCH_ID', 'ALIPAY_PRIVATEKEY_FILE']);
  expect(lines.join()).not.toContain('secret');
  for (const key of Object.keys(gatewayKeys)) expect(unknownPaymentKeys({ [key]: 'x' })).toEqual([]);
  expect(problemsOf(env)).toEqual(expect.arrayContaining(lines));
  expect(problemsOf({ WECHAT_PAY_MCH_ID: '1900000001' })).toEqual([]);
});

test('the sandbox of Alipay sells for play money: never on a public site, never beside live keys', () => {
  const sandbox = { ALIPAY_APP_ID: '2021000000000001', ALIPAY_SANDBOX: 'on' };
  const said = expect.stringContaining('ALIPAY_SANDBOX: must be off');
  const own = { DATABASE_URL: 'postgres://x/y' };
  expect(problemsOf({ ...sandbox, ...own, PUBLIC_URL: 'https://ceku.example' })).toContainEqual(said);
  expect(problemsOf({ ...sandbox, ...own, WECHAT_PAY_MCHID: '1900000001' })).toContainEqual(said);
  expect(problemsOf(sandbox)).not.toContainEqual(said);
});

test('NOTIFY_URL is https, or http to this machine; nothing of it is in a message', () => {
  const read = (text: string) => readConfig({ NOTIFY_URL: text }).alertUrl;
  expect(readConfig({}).alertUrl).toBeNull();
  expect(read(' https://bot.example/send?key=abc ')).toBe('https://bot.example/send?key=abc');
  expect(read('http://127.0.0.1:9000/hook')).toBe('http://127.0.0.1:9000/hook');
  const must = 'NOTIFY_URL: must be an https address without user name and #; http only for this machine';
  for (const text of [
    'http://bot.example/k',
    'bot.example',
    'https://u:p@bot.example',
    'https://b.example/#x',
    'ftp://b',
  ])
    expect(problemsOf({ NOTIFY_URL: text })).toEqual([must]);
  expect(problemsOf({ NOTIFY_URL_FILE: '/nowhere' })).toEqual([
    'NOTIFY_URL_FILE: must name a file that can be read (ENOENT)',
  ]);
});

test('the limits of sessions are 5 and 20, each can be set, and that of a member for life is never the lower one', () => {
  expect(readConfig({}).sessionLimits).toEqual({ standard: 5, lifetime: 20 });
  const set = { SESSION_LIMIT: '3', SESSION_LIMIT_LIFETIME: '8' };
  expect(readConfig(set).sessionLimits).toEqual({ standard: 3, lifetime: 8 });
  const lower = 'SESSION_LIMIT_LIFETIME: must be 30 or more, like SESSION_LIMIT of all other users';
  expect(problemsOf({ SESSION_LIMIT: '30' })).toEqual([lower]);
  expect(problemsOf({ SESSION_LIMIT: '0' })).toEqual(['SESSION_LIMIT: must be 1 or more']);
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

test('the port of the metrics is another than those of the site and the pretend world', () => {
  expect(problemsOf({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT: must be another port than PORT']);
  expect(problemsOf({ METRICS_PORT: '4000', PORT: '4000' })).toEqual(['METRICS_PORT: must be another port than PORT']);
  expect(problemsOf({ METRICS_PORT: '4001', OUTSIDE_PORT: '4001' })).toEqual([
    'METRICS_PORT: must be another port than OUTSIDE_PORT',
  ]);
  expect(problemsOf({ METRICS_PORT: '9464' })).toEqual([]);
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
  for (const problem of said.flat()) expect(problem).toMatch(/^[A-Z0-9_]+: (must|is missing)/);
  expect(said.flat().length).toBeGreaterThan(100);
});

test('an empty value is none', () => {
  expect(problemsOf({ PORT: '', SMS_CARRIER: ' ' })).toEqual([]);
});

test('a relative folder is one of the project, wherever the command is typed', () => {
  const elsewhere = vi.spyOn(process, 'cwd').mockReturnValue('/');
  try {
    expect(readConfig({}).dataDir).toBe(fileURLToPath(new URL('../data', import.meta.url)));
    expect(readConfig({ DATA_DIR: '/srv/data' }).dataDir).toBe('/srv/data');
  } finally {
    elsewhere.mockRestore();
  }
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
])('OUTSIDE_HOST=%s listens on %s', (given, host) => {
  expect(readConfig({ OUTSIDE_HOST: given }).outside?.host).toBe(host);
});

test('the pretend outside world does not run by default on a site that the public can reach', () => {
  expect(readConfig({}).outside).not.toBeNull();
  expect(readConfig({ TRUST_PROXY: '1' }).outside).toBeNull();
  expect(readConfig({ PUBLIC_URL: 'https://ceku.example.cn' }).outside).toBeNull();
});
