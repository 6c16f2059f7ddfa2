import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { hashPassword } from '../src/accounts/server/passwords.ts';
import { openSession } from '../src/accounts/server/sessions.ts';
import { createUser, findUserBy } from '../src/accounts/server/users.ts';
import type { TestApp } from './test-app.ts';

export const PASSWORD = 'demo-1234';

/** One hash for everybody whom the tests of a worker add: each takes 20 ms of a core. */
let hashOfPassword: Promise<string> | undefined;

export const encoded = (password: string) => Buffer.from(password).toString('base64');

export type Person = { id: number; username: string; token: string; sid: string };

/** Adds a user with a random name and PASSWORD, and opens a session. */
export async function addPerson(app: TestApp): Promise<Person> {
  const username = `u${randomBytes(6).toString('hex')}`;
  const id = await createUser(app.ctx, { username, password: null, phone: null, nickname: '小策' });
  if (id === null) throw new Error('the user name is taken');
  hashOfPassword ??= hashPassword(PASSWORD);
  await app.ctx.db.execute(sql`update users set password_hash = ${await hashOfPassword} where id = ${id}`);
  return { id, username, ...(await logIn(app, username)) };
}

/** Opens one more session of that user, without asking for the password: logins have tests of their own. */
export async function logIn(app: TestApp, username: string): Promise<{ token: string; sid: string }> {
  const user = await findUserBy(app.ctx, { username });
  const session = await openSession(
    { ...app.ctx, request: { ...app.ctx.request, ip: '127.0.0.1' } },
    [],
    user?.id ?? 0,
  );
  if (session === null) throw new Error(`no session was opened for ${username}`);
  return { token: session.authToken, sid: session.sid };
}
