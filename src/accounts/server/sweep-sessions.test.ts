import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { getMine } from '../../membership/contract.ts';
import { sweepSessions } from './sweep-sessions.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a live session stays; one that ended a month ago goes', async () => {
  const person = await addPerson(app);
  expect(await sweepSessions(app.ctx)).toBe(0);
  expect((await app.call(getMine, {}, person.token)).code).toBe(0);
  app.clock.offsetMs = 61 * 86_400_000;
  expect(await sweepSessions(app.ctx)).toBeGreaterThan(0);
  app.clock.offsetMs = 0;
  expect((await app.call(getMine, {}, person.token)).code).toBe(10000);
});
