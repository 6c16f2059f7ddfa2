import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { isMemberPassword } from './rules.ts';

test.each([
  'password1',
  'abc12345',
  'Password1',
  'PASSWORD123',
  'Passw0rd1',
  'P@ssw0rd1',
  'password1!',
  'a1234567',
  'aa123456',
  'abcd1234',
  'aaaaaaa1',
  'test1234',
  'qwerty123',
  'qwer1234',
  '123456789a',
  '12345678q',
  '123qwe123',
  '1qaz2wsx',
  '1q2w3e4r',
  'q1w2e3r4',
  'admin123',
  'admin888',
  'woaini520',
  'woaini1314',
  'iloveyou1',
  'asdf1234',
  'zxcvbnm1',
  'qq123456',
  'wang1234',
  'ceku2026',
  'Ceku@2026',
  'abc-12345',
  'welcome2024',
  'letmein123',
])('%s is common', (password) => {
  expect(isMemberPassword(password)).toBe(true);
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  '12345678',
  '87654321',
  '11111111',
  '19900101',
  '13800001234',
  '12345678!',
  'aaaaaaaa',
  'abcdefgh',
  'HGFEDCBA',
  '........',
  '春春春春春春春春',
])('%s, which only an operator can set, is common', (password) => {
  expect(isMemberPassword(password)).toBe(false);
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  '天干物燥小心火烛',
  'correct horse battery',
  'journey2026',
  'attacker99',
  'tulip7harbor',
  'k4Wq9zLp',
  'abc12345xyz',
  'password-of-mine-7',
  'wx8Hd02kq',
  'chaxun3366',
  '春天花会开2026',
  'mountain4821',
])('%s is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('a long text costs nothing', () => {
  expect(isCommonPassword('1a'.repeat(50_000))).toBe(false);
});
