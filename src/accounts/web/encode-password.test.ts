import { expect, test } from 'vitest';
import { encodePassword } from './encode-password.ts';

test.each(['ceku2026', '密码🙂', ''])('%s survives as base64 of UTF-8', (password) => {
  expect(Buffer.from(encodePassword(password), 'base64').toString('utf8')).toBe(password);
});
