import { expect, it } from 'vitest';
import { createCaches } from '../../caches.ts';
import { clientOf, forgetSession, rememberSession } from './recent-sessions.ts';
import { hashToken, newToken } from './session-cookies.ts';

const IP = '203.0.113.7';
const withHeaders = (headers: Record<string, string>) => (name: string) => headers[name] ?? null;

it('counts a request with a session found valid lately under its member, by header or by cookie', () => {
  const caches = createCaches();
  const token = newToken();
  rememberSession(caches, hashToken(token) ?? Buffer.alloc(0), 42);
  const member = { key: `${IP} user 42`, isMember: true };
  expect(clientOf(caches, IP, withHeaders({ token }))).toEqual(member);
  expect(clientOf(caches, IP, withHeaders({ authorization: `Bearer ${token}` }))).toEqual(member);
  expect(clientOf(caches, IP, withHeaders({ cookie: `sess=${token}` }))).toEqual(member);
});

it('counts made-up, ended and missing sessions under their address', () => {
  const caches = createCaches();
  const token = newToken();
  const hash = hashToken(token) ?? Buffer.alloc(0);
  rememberSession(caches, hash, 42);
  forgetSession(caches, hash);
  const unknown = { key: `${IP} session`, isMember: false };
  for (const secret of [token, newToken(), 'no token at all', 'x'.repeat(5_000)]) {
    expect(clientOf(caches, IP, withHeaders({ token: secret }))).toEqual(unknown);
  }
  expect(clientOf(caches, IP, withHeaders({}))).toEqual({ key: IP, isMember: false });
});
