import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAlipaySettings } from './alipay-settings.ts';

const pair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });
const app = pair();
const alipay = pair();
const pem = { publicKey: { type: 'spki', format: 'pem' }, privateKey: { type: 'pkcs8', format: 'pem' } } as const;
const privateText = (type: 'pkcs8' | 'pkcs1', of = app) =>
  of.privateKey.export({ type, format: 'der' }).toString('base64');
const publicText = (of = alipay) => of.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const publicPem = (of = alipay) => of.publicKey.export(pem.publicKey).toString();

const WHOLE = {
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY: privateText('pkcs8'),
  ALIPAY_PUBLIC_KEY: publicText(),
};
const problemsOf = (change: Record<string, string | undefined>) => readAlipaySettings({ ...WHOLE, ...change }).problems;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-alipay-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('nothing given: not configured, and no problem', () => {
  expect(readAlipaySettings({})).toEqual({ settings: null, problems: [] });
});

test('keys as the console and the key tool show them, and as PEM, in PKCS#8 and PKCS#1', () => {
  for (const key of [
    privateText('pkcs8'),
    privateText('pkcs1'),
    app.privateKey.export(pem.privateKey).toString(),
    app.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    privateText('pkcs8').replace(/(.{64})/g, '$1\n'),
  ])
    expect(problemsOf({ ALIPAY_PRIVATE_KEY: key })).toEqual([]);
  for (const key of [publicText(), publicPem()]) expect(problemsOf({ ALIPAY_PUBLIC_KEY: key })).toEqual([]);
});

test('PEM on one line, with \\n in place of the line breaks; a line break at the end of a variable', () => {
  const onOneLine = (text: string) => text.replaceAll('\n', '\\n');
  const given = {
    ALIPAY_APP_ID: `${WHOLE.ALIPAY_APP_ID}\n`,
    ALIPAY_PRIVATE_KEY: onOneLine(app.privateKey.export(pem.privateKey).toString()),
    ALIPAY_PUBLIC_KEY: `${onOneLine(publicPem())}\n`,
  };
  expect(readAlipaySettings({ ...WHOLE, ...given })).toMatchObject({
    problems: [],
    settings: { appId: WHOLE.ALIPAY_APP_ID, privateKey: expect.stringContaining('\n') },
  });
});

test('two keys of Alipay while it is replaced', () => {
  const next = pair();
  const keysOf = (text: string) => readAlipaySettings({ ...WHOLE, ALIPAY_PUBLIC_KEY: text }).settings?.alipayPublicKeys;
  expect(keysOf(`${publicText()}, ${publicText(next)}`)).toEqual([publicText(), publicText(next)]);
  expect(keysOf(`${publicPem()}${publicPem(next)}`)).toHaveLength(2);
});

test('from files: as a platform hands secrets over', async () => {
  const [key, publicKey] = [join(folder, 'app.pem'), join(folder, 'alipay.pem')];
  await writeFile(key, app.privateKey.export(pem.privateKey));
  await writeFile(publicKey, `${publicPem()}\n`);
  const given = { ALIPAY_PRIVATE_KEY: undefined, ALIPAY_PUBLIC_KEY: undefined };
  expect(problemsOf({ ...given, ALIPAY_PRIVATE_KEY_FILE: key, ALIPAY_PUBLIC_KEY_FILE: publicKey })).toEqual([]);
  const missing = problemsOf({
    ...given,
    ALIPAY_PRIVATE_KEY_FILE: join(folder, 'none'),
    ALIPAY_PUBLIC_KEY_FILE: publicKey,
  });
  expect(missing).toEqual([expect.stringContaining('ALIPAY_PRIVATE_KEY_FILE: must name a file')]);
  await writeFile(key, '\n');
  const empty = problemsOf({ ...given, ALIPAY_PRIVATE_KEY_FILE: key, ALIPAY_PUBLIC_KEY_FILE: publicKey });
  expect(empty).toEqual(['ALIPAY_PRIVATE_KEY_FILE: must name a file that holds something']);
});

test('the sandbox has an address of its own', () => {
  expect(readAlipaySettings(WHOLE).settings?.apiUrl).toBeNull();
  expect(readAlipaySettings({ ...WHOLE, ALIPAY_SANDBOX: 'on' }).settings?.apiUrl).toContain('sandbox');
});

test.each(Object.keys(WHOLE))('%s alone is missing: named', (key) => {
  const problems = problemsOf({ [key]: undefined });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${key}: is missing, while [A-Z_]+ is set$`));
});

test.each([
  ['a private key that is none', { ALIPAY_PRIVATE_KEY: 'canary-secret' }, 'ALIPAY_PRIVATE_KEY: must be'],
  ['a public key in its place', { ALIPAY_PRIVATE_KEY: publicText() }, 'ALIPAY_PRIVATE_KEY: must be'],
  ['a public key that is none', { ALIPAY_PUBLIC_KEY: 'canary-secret' }, 'ALIPAY_PUBLIC_KEY: must be'],
  ['a private key in its place', { ALIPAY_PUBLIC_KEY: privateText('pkcs8', alipay) }, 'ALIPAY_PUBLIC_KEY: must be'],
  ['one of two keys is none', { ALIPAY_PUBLIC_KEY: `${publicText()},canary-secret` }, 'ALIPAY_PUBLIC_KEY: must be'],
  ["the application's own public key", { ALIPAY_PUBLIC_KEY: publicText(app) }, '支付宝公钥'],
])('%s: refused, without the value', (_what, change, words) => {
  const { settings, problems } = readAlipaySettings({ ...WHOLE, ...change });
  expect(settings).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(words);
  for (const value of Object.values(change)) expect(problems.join()).not.toContain(value);
});

test('keys of 1024 bits are refused', () => {
  const short = pair(1024);
  expect(problemsOf({ ALIPAY_PRIVATE_KEY: privateText('pkcs8', short) }).join()).toContain('2048 bits');
  expect(problemsOf({ ALIPAY_PUBLIC_KEY: publicText(short) }).join()).toContain('2048 bits');
});
