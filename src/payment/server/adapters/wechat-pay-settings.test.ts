import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// Certificates like those of the vendor: Node reads them, and makes none.
import { newCertified } from '../../../outside/wechat-pay/keys.ts';
import { readWechatPaySettings } from './wechat-pay-settings.ts';

const day = 86_400_000;
const [merchant, other] = [newCertified('1900000001', Date.now()), newCertified('1900000002', Date.now())];
const [platform, nextPlatform] = [newCertified('Tenpay', Date.now()), newCertified('Tenpay', Date.now())];
const expired = newCertified('Tenpay', Date.now() - 6 * 365 * day);
const privatePem = (pair: typeof merchant) => pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const publicPem = (pair: typeof merchant) => pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });

const WHOLE = {
  WECHAT_PAY_MCHID: '1900000001',
  WECHAT_PAY_APPID: 'wx0123456789abcdef',
  WECHAT_PAY_CERT_SERIAL: merchant.serial,
  WECHAT_PAY_PRIVATE_KEY: privatePem(merchant),
  WECHAT_PAY_APIV3_KEY: 'canary-of-the-apiv3-key-32-chars',
  WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_0119000000012026112200',
  WECHAT_PAY_PUBLIC_KEY: publicPem(platform),
};
const { WECHAT_PAY_PUBLIC_KEY: _key, WECHAT_PAY_PUBLIC_KEY_ID: _id, ...UNNAMED } = WHOLE;
const keysOf = (problems: string[]) => problems.map((problem) => problem.split(':')[0]);

test('nothing is given: no account, no problem', () => {
  expect(readWechatPaySettings({})).toEqual({ settings: null, problems: [] });
});

test('a merchant with a public key', () => {
  const { settings, problems } = readWechatPaySettings(WHOLE);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    mchId: '1900000001',
    certSerial: merchant.serial,
    verifyKeys: { PUB_KEY_ID_0119000000012026112200: publicPem(platform).trim() },
    apiUrl: null,
  });
});

test('a variable that cannot be a file is missing when it is given as a file', () => {
  const { WECHAT_PAY_MCHID: number, ...others } = WHOLE;
  const { settings, problems } = readWechatPaySettings({ ...others, WECHAT_PAY_MCHID_FILE: number });
  expect([settings, keysOf(problems)]).toEqual([null, ['WECHAT_PAY_MCHID']]);
});

test.each([
  ['WECHAT_PAY_CERT_FILE', 'WECHAT_PAY_CERT_SERIAL', WHOLE],
  ['WECHAT_PAY_PLATFORM_CERTS_FILE', 'WECHAT_PAY_PUBLIC_KEY', UNNAMED],
])('%s that cannot be read is the one problem', (file, other, given) => {
  const { settings, problems } = readWechatPaySettings({ ...given, [other]: '', [file]: '/no/such/file' });
  expect([settings, keysOf(problems)]).toEqual([null, [file]]);
});

test('a line break at the end of a variable is not part of it', () => {
  const given = Object.fromEntries(Object.entries(WHOLE).map(([key, value]) => [key, `${value}\n`]));
  const { settings, problems } = readWechatPaySettings(given);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({ mchId: '1900000001', apiV3Key: WHOLE.WECHAT_PAY_APIV3_KEY });
});

test('a merchant with platform certificates, two while they rotate; an expired one is left out', () => {
  const certs = [expired, platform, nextPlatform].map(({ certificate }) => certificate).join('\n');
  const { settings, problems } = readWechatPaySettings({ ...UNNAMED, WECHAT_PAY_PLATFORM_CERTS: certs });
  expect(problems).toEqual([]);
  expect(Object.keys(settings?.verifyKeys ?? {})).toEqual([platform.serial, nextPlatform.serial]);
});

test('a merchant who switches from certificates to a public key holds both', () => {
  const { settings } = readWechatPaySettings({ ...WHOLE, WECHAT_PAY_PLATFORM_CERTS: platform.certificate });
  expect(Object.keys(settings?.verifyKeys ?? {})).toEqual([WHOLE.WECHAT_PAY_PUBLIC_KEY_ID, platform.serial]);
});

test('the certificate states its serial number; a serial number in small letters is the same', () => {
  const { WECHAT_PAY_CERT_SERIAL: serial, ...rest } = WHOLE;
  for (const given of [{ WECHAT_PAY_CERT: merchant.certificate }, { WECHAT_PAY_CERT_SERIAL: serial.toLowerCase() }])
    expect(readWechatPaySettings({ ...rest, ...given })).toMatchObject({
      settings: { certSerial: serial },
      problems: [],
    });
});

test('line breaks written as \\n are line breaks', () => {
  const key = WHOLE.WECHAT_PAY_PRIVATE_KEY.trim().replaceAll('\n', '\\n');
  expect(readWechatPaySettings({ ...WHOLE, WECHAT_PAY_PRIVATE_KEY: key }).problems).toEqual([]);
});

test('each variable of the set that is missing is named', () => {
  for (const key of Object.keys(WHOLE)) {
    const { settings, problems } = readWechatPaySettings({ ...WHOLE, [key]: undefined });
    expect(settings).toBeNull();
    expect(keysOf(problems)).toEqual([key]);
  }
  expect(keysOf(readWechatPaySettings({ WECHAT_PAY_MCHID: '1900000001' }).problems)).toEqual(
    Object.keys(WHOLE).slice(1),
  );
  expect(readWechatPaySettings({ ...WHOLE, WECHAT_PAY_PUBLIC_KEY: undefined }).problems[0]).toContain(
    'is missing (or WECHAT_PAY_PLATFORM_CERTS of an older merchant), while',
  );
});

describe('keys that are tried out', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['the private key is a certificate', { WECHAT_PAY_PRIVATE_KEY: merchant.certificate }, ['WECHAT_PAY_PRIVATE_KEY']],
    ['the private key is a public key', { WECHAT_PAY_PRIVATE_KEY: publicPem(merchant) }, ['WECHAT_PAY_PRIVATE_KEY']],
    [
      'the private key is not RSA',
      { WECHAT_PAY_PRIVATE_KEY: ec.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() },
      ['WECHAT_PAY_PRIVATE_KEY'],
    ],
    [
      'the private key is too short',
      { WECHAT_PAY_PRIVATE_KEY: small.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() },
      ['WECHAT_PAY_PRIVATE_KEY'],
    ],
    [
      'the private key is of another certificate',
      { WECHAT_PAY_CERT: other.certificate },
      ['WECHAT_PAY_PRIVATE_KEY', 'WECHAT_PAY_CERT_SERIAL'],
    ],
    ['the certificate is no certificate', { WECHAT_PAY_CERT: publicPem(merchant) }, ['WECHAT_PAY_CERT']],
    ['the APIv3 key has 31 characters', { WECHAT_PAY_APIV3_KEY: 'canary'.padEnd(31, 'x') }, ['WECHAT_PAY_APIV3_KEY']],
    [
      'the APIv3 key has 32 characters of three bytes',
      { WECHAT_PAY_APIV3_KEY: '钥'.repeat(32) },
      ['WECHAT_PAY_APIV3_KEY'],
    ],
    ['the public key is the merchant’s own', { WECHAT_PAY_PUBLIC_KEY: publicPem(merchant) }, ['WECHAT_PAY_PUBLIC_KEY']],
    ['the public key is a private key', { WECHAT_PAY_PUBLIC_KEY: privatePem(platform) }, ['WECHAT_PAY_PUBLIC_KEY']],
    ['the public key is a certificate', { WECHAT_PAY_PUBLIC_KEY: platform.certificate }, ['WECHAT_PAY_PUBLIC_KEY']],
    ['the platform certificates are a text', { WECHAT_PAY_PLATFORM_CERTS: 'canary' }, ['WECHAT_PAY_PLATFORM_CERTS']],
    [
      'all platform certificates have expired',
      { WECHAT_PAY_PLATFORM_CERTS: expired.certificate },
      ['WECHAT_PAY_PLATFORM_CERTS'],
    ],
  ])('%s', (_what, change, keys) => {
    const { settings, problems } = readWechatPaySettings({ ...WHOLE, ...change });
    expect(settings).toBeNull();
    expect(keysOf(problems)).toEqual(keys);
    for (const problem of problems) expect(problem).toMatch(/^[A-Z0-9_]+: must /);
    expect(problems.join()).not.toMatch(/canary|BEGIN|MII/);
  });

  test('the merchant’s own certificate stands among the platform certificates', () => {
    for (const certs of [merchant.certificate, `${platform.certificate}\n${merchant.certificate}`])
      expect(readWechatPaySettings({ ...UNNAMED, WECHAT_PAY_PLATFORM_CERTS: certs })).toEqual({
        settings: null,
        problems: ["WECHAT_PAY_PLATFORM_CERTS: must hold WeChat Pay's platform certificates, not the merchant's own"],
      });
  });

  test('the merchant’s certificate is not valid yet', () => {
    const early = newCertified('1900000001', Date.now() + 3 * day);
    const { problems } = readWechatPaySettings({
      ...WHOLE,
      WECHAT_PAY_CERT_SERIAL: early.serial,
      WECHAT_PAY_CERT: early.certificate,
      WECHAT_PAY_PRIVATE_KEY: privatePem(early),
    });
    expect(problems).toEqual([expect.stringMatching(/^WECHAT_PAY_CERT: must be a certificate that is valid already/)]);
  });

  test('the merchant’s certificate has expired', () => {
    const { problems } = readWechatPaySettings({
      ...WHOLE,
      WECHAT_PAY_CERT_SERIAL: undefined,
      WECHAT_PAY_CERT: expired.certificate,
      WECHAT_PAY_PRIVATE_KEY: privatePem(expired),
    });
    const words = /^WECHAT_PAY_CERT: must be a certificate that has not expired: it ended on \d{4}-\d\d-\d\d$/;
    expect(problems).toEqual([expect.stringMatching(words)]);
  });
});

describe('secrets in files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ceku-pay-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are read, and a file that is not there is named once', async () => {
    const given: Record<string, string> = {
      WECHAT_PAY_MCHID: WHOLE.WECHAT_PAY_MCHID,
      WECHAT_PAY_APPID: WHOLE.WECHAT_PAY_APPID,
      WECHAT_PAY_PUBLIC_KEY_ID: WHOLE.WECHAT_PAY_PUBLIC_KEY_ID,
    };
    for (const [key, text] of [
      ['WECHAT_PAY_CERT', merchant.certificate],
      ['WECHAT_PAY_PRIVATE_KEY', WHOLE.WECHAT_PAY_PRIVATE_KEY],
      ['WECHAT_PAY_APIV3_KEY', `${WHOLE.WECHAT_PAY_APIV3_KEY}\n`],
      ['WECHAT_PAY_PUBLIC_KEY', WHOLE.WECHAT_PAY_PUBLIC_KEY],
    ] as const) {
      given[`${key}_FILE`] = join(folder, key);
      await writeFile(join(folder, key), text);
    }
    expect(readWechatPaySettings(given)).toMatchObject({
      settings: { certSerial: merchant.serial, apiV3Key: WHOLE.WECHAT_PAY_APIV3_KEY },
      problems: [],
    });
    const broken = readWechatPaySettings({ ...given, WECHAT_PAY_APIV3_KEY_FILE: join(folder, 'nowhere') });
    expect(keysOf(broken.problems)).toEqual(['WECHAT_PAY_APIV3_KEY_FILE']);
  });
});
