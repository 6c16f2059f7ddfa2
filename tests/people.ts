import { randomBytes } from 'node:crypto';
import { usernameLogin } from '../src/accounts/contract.ts';
import { createUser } from '../src/accounts/server/users.ts';
import { expectOk } from '../src/protocol/call.ts';
import type { TestApp } from './test-app.ts';

export const PASSWORD = 'demo-1234';

export const encoded = (password: string) => Buffer.from(password).toString('base64');

export type Person = { id: number; username: string; token: string; sid: string };

/** A new user who has just logged in by name and password. */
export async function addPerson(app: TestApp): Promise<Person> {
  const username = `u${randomBytes(6).toString('hex')}`;
  const id = await createUser(app.ctx, { username, password: PASSWORD, phone: null, nickname: '小策' });
  if (id === null) throw new Error('the user name is taken');
  return { id, username, ...(await logIn(app, username)) };
}

/** One more session of that user. */
export async function logIn(app: TestApp, username: string): Promise<{ token: string; sid: string }> {
  const { authToken, sid } = expectOk(await app.call(usernameLogin, { username, password: encoded(PASSWORD) }));
  return { token: authToken, sid };
}
