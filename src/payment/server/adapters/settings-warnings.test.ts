import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCertified } from '../../../outside/wechat-pay/keys.ts';
import { paymentWarnings } from './settings-warnings.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 23);
const merchant = newCertified('1900000001', now);
const certified = { WECHAT_PAY_CERT: merchant.certificate };
const end = new Date(now + 5 * 365 * day).toISOString().slice(0, 10);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-warnings-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string, mode: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

test('nothing is given: nothing to say', () => expect(paymentWarnings({}, now)).toEqual([]));

test.each([
  [31, 0],
  [29, 1],
  [-1, 1],
])('a merchant certificate that ends in %i days: %i warnings', (days, count) => {
  const warnings = paymentWarnings(certified, now + (5 * 365 - days) * day);
  expect(warnings).toHaveLength(count);
  if (count > 0) expect(warnings[0]).toMatch(new RegExp(`^WECHAT_PAY_CERT: ends on ${end}, `));
});

test('the certificate in a file', async () => {
  const path = await file('cert.pem', merchant.certificate, 0o644);
  expect(paymentWarnings({ WECHAT_PAY_CERT_FILE: path }, now)).toEqual([]);
  expect(paymentWarnings({ WECHAT_PAY_CERT_FILE: path }, now + 5 * 365 * day)).toHaveLength(1);
});

test.each([
  ['WECHAT_PAY_PRIVATE_KEY_FILE', 0o600, 0],
  ['WECHAT_PAY_PRIVATE_KEY_FILE', 0o640, 0],
  ['WECHAT_PAY_PRIVATE_KEY_FILE', 0o644, 1],
  ['WECHAT_PAY_APIV3_KEY_FILE', 0o666, 1],
  ['ALIPAY_PRIVATE_KEY_FILE', 0o620, 1],
  ['ALIPAY_PUBLIC_KEY_FILE', 0o666, 0],
])('%s with mode %o: %i warnings', async (key, mode, count) => {
  const path = await file(`${key}-${mode}`, 'secret-value', mode);
  const warnings = paymentWarnings({ [key]: path }, now);
  expect(warnings).toHaveLength(count);
  expect(warnings.join('')).not.toContain('secret-value');
});

test('a file that is not there is told of elsewhere', () =>
  expect(paymentWarnings({ ALIPAY_PRIVATE_KEY_FILE: join(folder, 'none') }, now)).toEqual([]));
