import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { eraseUser } from '../src/accounts/server/privacy/delete-account.ts';
import { findUserBy } from '../src/accounts/server/users.ts';
import { PERSONAL_DATA } from '../src/slices.ts';
import { DEMO_USERS, listDemoUsers, isDemoUnfinished, seedDemoUsers } from './users.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

it('is unfinished from the first login to the last, and not again when one of them is erased', async () => {
  expect(await isDemoUnfinished(app.ctx)).toBe(false);
  await seedDemoUsers(app.ctx, DEMO_USERS.slice(0, 1));
  expect(await isDemoUnfinished(app.ctx)).toBe(true);
  await seedDemoUsers(app.ctx);
  expect(await isDemoUnfinished(app.ctx)).toBe(false);
  for (const username of ['pro', 'vip']) {
    const user = await findUserBy(app.ctx, { username });
    expect(await eraseUser(app.ctx, PERSONAL_DATA, user?.id ?? 0)).toBe(true);
    expect(await isDemoUnfinished(app.ctx)).toBe(false);
  }
  expect((await listDemoUsers(app.ctx)).map(({ username }) => username)).toEqual(['demo']);
});
