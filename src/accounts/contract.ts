import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';

/** 30 days, fixed from login (C-02). */
export const SESSION_SECONDS = 2_592_000;

/** Anything that is not a string counts as wrong, never as an error of its own: no oracle. */
const credential = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : ''));

/** The HttpOnly cookie of the same login is set by the answer itself (Set-Cookie), as are token, sid and openid. */
export const usernameLogin = endpoint({
  method: 'POST',
  path: '/api/v2/user/usernameLogin',
  summary: '账号登录：用户名与密码（UTF-8 字节的 base64）。',
  auth: 'none',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({ username: credential, password: credential }),
  output: z.object({ authToken: z.string(), openid: z.string(), sid: z.string() }),
});

/** Ends this token only; answers 0 in any case (C-72). */
export const webLogout = endpoint({
  method: 'POST',
  path: '/api/user/webLogout',
  summary: '退出登录。',
  auth: 'none',
  input: z.object({}),
  output: z.object({}),
});
