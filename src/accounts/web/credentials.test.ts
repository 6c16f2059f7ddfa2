import { afterEach, expect, it, vi } from 'vitest';
import { readCredential, takeWithdrawn } from './credentials.ts';

afterEach(() => vi.unstubAllGlobals());
const setCookies = (cookie: string) => vi.stubGlobal('document', { cookie });

it('reads the cookies of a login', () => {
  setCookies('openid=o-1; token=aB_-9; sid=x1; withdrawn=1');
  expect([readCredential('token'), readCredential('sid'), takeWithdrawn()]).toEqual(['aB_-9', 'x1', true]);
  setCookies('mytoken=aB');
  expect([readCredential('token'), takeWithdrawn()]).toEqual(['', false]);
});

it.each(['%E0%A4%A', '%', '%E4%BD%A0', '你', 'a=b', ''])('takes a token "%s" for none', (token) => {
  setCookies(`token=${token}; sid=x1`);
  expect([readCredential('token'), readCredential('sid')]).toEqual(['', 'x1']);
});
