import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../config.ts';
import { ConfigError } from '../../../platform/environment.ts';

const OFFICIAL = {
  WECHAT_OFFICIAL_APPID: 'wx1',
  WECHAT_OFFICIAL_SECRET: 'secret-one',
  WECHAT_OFFICIAL_TOKEN: 'token',
  WECHAT_OFFICIAL_AES_KEY: 'a'.repeat(43),
};
const MINI = { WECHAT_MINI_APPID: 'wx2', WECHAT_MINI_SECRET: 'secret-two' };
const SMS = {
  SMS_CARRIER: 'aliyun',
  SMS_KEY_ID: 'id',
  SMS_KEY_SECRET: 'secret-three',
  SMS_SIGN_NAME: '策库',
  SMS_TEMPLATE: 'SMS_1',
};

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return expect.unreachable('it is a usable configuration');
}

describe('keys of other companies', () => {
  test('none: the pretend outside world plays them; switched off, nobody does', () => {
    expect(readConfig({}).outside).toEqual({ host: '127.0.0.1', port: null });
    expect(readConfig({ OUTSIDE_PORT: '4000' }).outside?.port).toBe(4000);
    expect(readConfig({ OUTSIDE: 'off' }).outside).toBeNull();
    expect(readConfig({ PUBLIC_URL: 'https://ceku.example' }).outside).toBeNull();
    expect(readConfig({ PUBLIC_URL: 'http://127.0.0.1:3000' }).outside).not.toBeNull();
    expect(readConfig({ DATABASE_URL: 'postgres://x/y' }).outside).toBeNull();
    expect(readConfig({ DATABASE_URL: 'postgres://x/y', OUTSIDE: 'on' }).outside).not.toBeNull();
    expect(readConfig({}).providers).toEqual({ officialAccount: null, miniProgram: null, sms: null });
  });

  test.each([
    ['officialAccount', OFFICIAL],
    ['miniProgram', MINI],
    ['sms', SMS],
    ['sms', { ...SMS, SMS_CARRIER: 'tencent', SMS_APP_ID: '1400' }],
  ] as const)('%s alone is configured, and nothing pretends beside it', (name, env) => {
    const config = readConfig(env);
    expect(config.providers[name]).not.toBeNull();
    expect(Object.values(config.providers).filter((settings) => settings !== null)).toHaveLength(1);
    expect(config.outside).toBeNull();
  });

  test('each key of a set that is begun is named when it is missing, and no value is', () => {
    for (const [required, whole] of [
      [Object.keys(OFFICIAL), OFFICIAL],
      [Object.keys(MINI), MINI],
      [Object.keys(SMS), SMS],
    ] as const) {
      for (const key of required) {
        const problems = problemsOf({ ...whole, [key]: '' });
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^${key}: is missing, while [A-Z_]+ is set$`));
        expect(problems.join()).not.toContain('secret-');
      }
    }
  });

  test('a lonely optional key is half a set too', () => {
    expect(problemsOf({ WECHAT_MINI_LOGIN_PAGE: 'pages/a' })).toHaveLength(2);
    expect(problemsOf({ SMS_REGION: 'ap-beijing' })).toHaveLength(5);
  });

  test('all problems of all sets at once', () => {
    const problems = problemsOf({ WECHAT_MINI_APPID: 'wx2', SMS_CARRIER: 'tencent' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'WECHAT_MINI_SECRET',
      'SMS_KEY_ID',
      'SMS_KEY_SECRET',
      'SMS_SIGN_NAME',
      'SMS_TEMPLATE',
      'SMS_APP_ID',
    ]);
  });

  test('wrong in themselves: named', () => {
    expect(problemsOf({ ...OFFICIAL, WECHAT_OFFICIAL_AES_KEY: 'short' }).join()).toContain('WECHAT_OFFICIAL_AES_KEY');
    expect(problemsOf({ ...OFFICIAL, WECHAT_OFFICIAL_TOKEN: 'with space' }).join()).toContain('WECHAT_OFFICIAL_TOKEN');
    expect(problemsOf({ ...SMS, SMS_CARRIER: 'pigeon' }).join()).toContain('SMS_CARRIER');
    expect(problemsOf({ ...MINI, WECHAT_MINI_LOGIN_PAGE: '/pages/a' }).join()).toContain('WECHAT_MINI_LOGIN_PAGE');
  });

  test('the demo and its logins are for our own database, and for no public site unless it is told to', () => {
    const demoOf = (env: NodeJS.ProcessEnv) => {
      const { isDemo, demoLogins } = readConfig(env);
      return [isDemo, demoLogins];
    };
    expect(demoOf({})).toEqual([true, 'this-machine']);
    expect(demoOf({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' })).toEqual([true, 'this-machine']);
    expect(demoOf({ DATABASE_URL: 'postgres://x/y' })).toEqual([false, 'this-machine']);
    expect(demoOf({ DEMO: 'off' })).toEqual([false, 'refused']);
    for (const env of [MINI, SMS, OFFICIAL, { TRUST_PROXY: '1' }, { PUBLIC_URL: 'https://ceku.test' }])
      expect(demoOf(env)).toEqual([false, 'refused']);
    expect(demoOf({ PUBLIC_URL: 'https://ceku.test', DEMO: 'on' })).toEqual([true, 'everywhere']);
  });

  test('neither the demo logins nor the pretend outside world stand beside real keys, whatever is asked for', () => {
    for (const env of [MINI, SMS, OFFICIAL, { WECHAT_MINI_APPID: 'wx2' }]) {
      expect(problemsOf({ ...env, DEMO: 'on' }).join('\n')).toMatch(/^DEMO: must be off/m);
      expect(problemsOf({ ...env, OUTSIDE: 'on' }).join('\n')).toMatch(/^OUTSIDE: must be off/m);
    }
  });

  test('the pretend outside world is refused on a public site, and everywhere but on this machine', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://ceku.example', OUTSIDE: 'on' })).toHaveLength(1);
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'ceku.example', '127.0.0.1.example.com', '']) {
      const env = { OUTSIDE_HOST: host };
      if (host === '') expect(readConfig(env).outside?.host).toBe('127.0.0.1');
      else expect(problemsOf(env).join()).toMatch(/^OUTSIDE_HOST: must be an address of this machine/);
    }
    for (const host of ['127.0.0.2', '::1', 'localhost'])
      expect(readConfig({ OUTSIDE_HOST: host }).outside?.host).toBe(host);
  });
});
