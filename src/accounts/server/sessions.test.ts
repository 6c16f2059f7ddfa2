import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { PASSWORD, addPerson, encoded, logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newAddress, openVisitor } from '../../../tests/visitor.ts';
import type { Ctx } from '../../context.ts';
import { NO_REQUEST } from '../../platform/http/api/request-context.ts';
import { getMine } from '../../membership/contract.ts';
import { listSessions, phoneCodeLogin, phoneLogin, returnPwd, usernameLogin, webLogout } from '../contract.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { MAX_LOGIN_FAILURES, MAX_LOGIN_FAILURES_EVERYWHERE } from '../rules.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { banUser, setPassword, unbanUser } from './account-admin.ts';
import { eraseUser } from './privacy/delete-account.ts';
import { checkPassword, unlockPassword } from './passwords.ts';
import {
  setLifetimeSessions,
  findBrowserSession,
  findCallerSession,
  findPageSession,
  findSession,
  openSession,
  sweepSessions,
} from './sessions.ts';
import { newToken } from './session-cookies.ts';
import { upsertLoginFailure } from './store-limits.ts';
import { endedTokens, loginFailures, sessions, vendorCalls } from './tables.ts';
import { createUser } from './users.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const WRONG = { code: 1, message: '账号或密码错误', data: null };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const login = (username: string, password: string) =>
  app.call(usernameLogin, { username, password: encoded(password) });

async function loginCookies(username: string, origin = 'http://ceku.test'): Promise<Map<string, string>> {
  const response = await app.fetch(`${origin}/api/v2/user/usernameLogin`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ username, password: encoded(PASSWORD) }),
  });
  return new Map(response.headers.getSetCookie().map((line) => [line.split('=')[0] ?? '', line]));
}

describe('login by user name', () => {
  it('answers a token that works as a header, as a bearer, and not as a cookie', async () => {
    const person = await addPerson(app);
    expect(person.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const mine = (headers: Record<string, string>) =>
      app.fetch('/api/user/mine', { method: 'POST', headers }).then((response) => response.json());
    expect(await mine({ token: person.token })).toMatchObject({ code: 0, data: { uid: person.id, sid: person.sid } });
    expect(await mine({ authorization: `Bearer ${person.token}` })).toMatchObject({ code: 0 });
    expect(await mine({ token: '', authorization: `Bearer ${person.token}` })).toMatchObject({ code: 0 });
    expect(await mine({ cookie: `token=${person.token}` })).toMatchObject({ code: 10000 });
  });

  it('is found for a file or a stream by the token, by the cookie of the browser, and by the token where both are sent', async () => {
    const [person, other] = [await addPerson(app), await addPerson(app)];
    const sess = (await loginCookies(other.username)).get('sess')?.split(';')[0] ?? '';
    const userOf = async (headers: Record<string, string>) => {
      const found = await findCallerSession(app.ctx, new Request('http://ceku.test/media/x', { headers }));
      return typeof found === 'string' ? found : found.userId;
    };
    expect(await userOf({ token: person.token })).toBe(person.id);
    expect(await userOf({ authorization: `Bearer ${person.token}` })).toBe(person.id);
    expect(await userOf({ cookie: sess })).toBe(other.id);
    expect(await userOf({ token: person.token, cookie: sess })).toBe(person.id);
    expect(await userOf({ token: newToken(), cookie: sess })).toBe('none');
    // The password of a proxy in front, which the browser sends with every request.
    expect(await userOf({ authorization: 'Basic dXNlcjpwYXNz', cookie: sess })).toBe(other.id);
    expect(await userOf({ cookie: `token=${person.token}` })).toBe('none');
  });

  it('ignores the case of the name, and takes a password in Chinese', async () => {
    await createUser(app.ctx, { username: 'zhang.san', password: '天干物燥小心火烛', phone: null, nickname: '张三' });
    expect(await login(' Zhang.San ', '天干物燥小心火烛')).toMatchObject({ code: 0 });
  });

  it('has one answer for everything that is wrong', async () => {
    const { username } = await addPerson(app);
    const banned = await addPerson(app);
    await banUser(app.ctx, banned.id);
    await createUser(app.ctx, { username: 'no-password', password: null, phone: null, nickname: '无密码' });
    expect(await login(username, 'wrong-password')).toEqual(WRONG);
    expect(await login('nobody-here', PASSWORD)).toEqual(WRONG);
    expect(await login('no-password', '')).toEqual(WRONG);
    expect(await login(banned.username, PASSWORD)).toEqual(WRONG);
    expect(await login(`${username}\0`, PASSWORD)).toEqual(WRONG);
    for (const password of ['%%%', PASSWORD, '', null, ['x'], { $ne: '' }, 'A'.repeat(100_000)]) {
      expect(await app.call(usernameLogin, { username: `v${Math.random()}`, password })).toEqual(WRONG);
    }
    expect(await app.call(usernameLogin, {})).toEqual(WRONG);
  });

  it('takes as long for a name that does not exist', { retry: 2 }, async () => {
    const { username } = await addPerson(app);
    const time = async (name: string) => {
      const start = performance.now();
      await login(name, 'wrong-password');
      return performance.now() - start;
    };
    const best = { known: Infinity, unknown: Infinity };
    for (const round of [1, 2, 3, 4]) {
      best.known = Math.min(best.known, await time(username));
      best.unknown = Math.min(best.unknown, await time(`ghost-${round}`));
    }
    expect(best.unknown / best.known).toBeGreaterThan(0.5);
    expect(best.unknown / best.known).toBeLessThan(2);
  });

  it('locks an account for 15 minutes after five wrong passwords, whether it exists or not', async () => {
    const moving = await openTestApp();
    try {
      const { username } = await addPerson(moving);
      const attempt = (name: string, password: string) =>
        moving.call(usernameLogin, { username: name, password: encoded(password) });
      for (const name of [username, 'nobody-here']) {
        for (let round = 0; round < 5; round += 1) expect(await attempt(name, 'wrong-password')).toEqual(WRONG);
        expect(await attempt(name, PASSWORD)).toMatchObject({ code: 41 });
      }
      moving.clock.offsetMs += 14 * 60_000;
      expect(await attempt(username, PASSWORD)).toMatchObject({ code: 41 });
      moving.clock.offsetMs += 61_000;
      for (let round = 0; round < 4; round += 1) expect(await attempt(username, 'wrong-password')).toEqual(WRONG);
      expect(await attempt(username, PASSWORD)).toMatchObject({ code: 0 });
      for (let round = 0; round < 4; round += 1) expect(await attempt(username, 'wrong-password')).toEqual(WRONG);
      expect(await attempt(username, PASSWORD)).toMatchObject({ code: 0 });
    } finally {
      await moving.close();
    }
  });

  it('is answered ten times a minute for one address', async () => {
    const limited = await openTestApp({ isRateLimited: true });
    try {
      const attempt = (ip: string) => limited.fetch('/api/v2/user/usernameLogin', { method: 'POST' }, ip);
      // No account can have an empty name, so there is none to lock.
      for (let count = 0; count < 10; count += 1) expect(await (await attempt('10.0.0.1')).json()).toEqual(WRONG);
      // Whatever the call: its password or code is the eleventh.
      for (const { path } of [phoneLogin, phoneCodeLogin, returnPwd]) {
        const other = await limited.fetch(path, { method: 'POST' }, '10.0.0.1');
        expect(await other.json()).toMatchObject({ code: 41 });
      }
      const refused = await attempt('10.0.0.1');
      expect(await refused.json()).toMatchObject({ code: 41, data: { retry_after: expect.any(Number) } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  it('lets parallel guesses try five passwords, however many come at once and on however many nodes', async () => {
    const { username, id } = await addPerson(app);
    const who = { id };
    // Each node has hashing places of its own; what they share is the database.
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        upsertLoginFailure(app.ctx.db, {
          accountKey: `guess-${id}`,
          now: new Date(),
          max: MAX_LOGIN_FAILURES,
          lockedUntil: new Date(Date.now() + 60_000),
          forgetBefore: new Date(0),
        }),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(MAX_LOGIN_FAILURES);
    const logins = await Promise.all(Array.from({ length: 20 }, () => login(username, 'wrong-password')));
    expect(logins.filter((answer) => answer.code === 1)).toHaveLength(MAX_LOGIN_FAILURES);
    expect(logins.filter((answer) => answer.code === 41)).toHaveLength(20 - MAX_LOGIN_FAILURES);
    const there: Ctx = { ...app.ctx, request: { ...NO_REQUEST, ip: '127.0.0.1' } };
    await expect(checkPassword(there, who, '', PASSWORD)).rejects.toMatchObject({ code: 41 });
  });

  it('spares the owner elsewhere: five wrong passwords lock the address they came from', async () => {
    const { username } = await addPerson(app);
    const attempt = (ip: string, password: string) =>
      openVisitor(app, ip).call(usernameLogin, { username, password: encoded(password) });
    const stranger = newAddress();
    for (let round = 0; round < 5; round += 1) expect(await attempt(stranger, 'wrong-password')).toEqual(WRONG);
    expect(await attempt(stranger, PASSWORD)).toMatchObject({ code: 41 });
    expect(await attempt(newAddress(), PASSWORD)).toMatchObject({ code: 0 });
    expect(await attempt(stranger, PASSWORD)).toMatchObject({ code: 41 });
  });

  it('tries fifty passwords from many addresses together, and lets the owner in from where they were before', async () => {
    const { username, id } = await addPerson(app);
    const home = newAddress();
    const from = (ip: string): Ctx => ({ ...app.ctx, request: { ...NO_REQUEST, ip } });
    const attempt = (ip: string, password: string) => checkPassword(from(ip), { id }, '', password);
    expect(await openVisitor(app, home).call(usernameLogin, { username, password: encoded(PASSWORD) })).toMatchObject({
      code: 0,
    });
    // No more at once than there are places for hashing.
    const guesses: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 6; round += 1) {
      const some = Array.from({ length: 10 }, () => attempt(newAddress(), 'wrong-password'));
      guesses.push(...(await Promise.allSettled(some)));
    }
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_LOGIN_FAILURES_EVERYWHERE);
    await expect(attempt(newAddress(), PASSWORD)).rejects.toMatchObject({ code: 41 });
    expect(await attempt(home, PASSWORD)).toMatchObject({ userId: id });
    // The owner's success does not give the guessers fifty more.
    await expect(attempt(newAddress(), PASSWORD)).rejects.toMatchObject({ code: 41 });
    await unlockPassword(app.ctx, id);
    expect(await attempt(newAddress(), PASSWORD)).toMatchObject({ userId: id });
  });

  it('does not outlive a password that was changed while it was being checked', async () => {
    const { username, id } = await addPerson(app);
    const proven = await checkPassword(app.ctx, { username }, '', PASSWORD);
    expect(proven).toMatchObject({ userId: id });
    await setPassword(app.ctx, id, 'another-1234');
    expect(proven && (await openSession(app.ctx, [], proven.userId, proven))).toBeNull();
    expect(await openSession(app.ctx, [], id)).not.toBeNull();
  });

  it('buys no more tries with logins of one’s own', async () => {
    const limited = await openTestApp({ isRateLimited: true });
    try {
      const people = await Promise.all([addPerson(limited), addPerson(limited), addPerson(limited)]);
      const attempt = (count: number) => {
        const token = people[count % people.length]?.token ?? '';
        return limited.fetch('/api/v2/user/usernameLogin', { method: 'POST', headers: { token } }, '10.0.0.9');
      };
      for (let count = 0; count < 10; count += 1) expect(await (await attempt(count)).json()).toEqual(WRONG);
      expect(await (await attempt(10)).json()).toMatchObject({ code: 41 });
      // Calls of a member are counted for the member, not for the address.
      expect(await limited.call(listSessions, {}, people[0]?.token)).toMatchObject({ code: 0 });
    } finally {
      await limited.close();
    }
  });

  it('counts one address of an IPv6 household like all others of it', async () => {
    const limited = await openTestApp({ isRateLimited: true });
    try {
      const attempt = (host: number) =>
        limited.fetch('/api/v2/user/usernameLogin', { method: 'POST' }, `2001:db8:7:7::${host.toString(16)}`);
      for (let host = 1; host <= 10; host += 1) expect(await (await attempt(host)).json()).toEqual(WRONG);
      expect(await (await attempt(11)).json()).toMatchObject({ code: 41 });
    } finally {
      await limited.close();
    }
  });
});

describe('the cookies of a login', () => {
  it('are four, of 30 days, and only sess is hidden from scripts; a fifth marks the browser as known (C-90)', async () => {
    const { username } = await addPerson(app);
    const cookies = await loginCookies(username);
    expect([...cookies.keys()].sort()).toEqual(['known', 'openid', 'sess', 'sid', 'token']);
    for (const [name, line] of cookies) {
      expect(line).toContain(`Max-Age=${name === 'known' ? 400 * 86_400 : 2_592_000}; Path=/`);
      expect(line).toContain('SameSite=Lax');
      expect(line.includes('HttpOnly')).toBe(name === 'sess' || name === 'known');
      expect(line.includes('Secure')).toBe(false);
    }
    const secure = await loginCookies(username, 'https://ceku.test');
    expect([...secure.values()].every((line) => line.includes('Secure'))).toBe(true);
  });

  it('hold a second secret that finds the same session', async () => {
    const { username, id } = await addPerson(app);
    const cookies = await loginCookies(username);
    const valueOf = (name: string) => cookies.get(name)?.match(/=([^;]*)/)?.[1] ?? '';
    expect(await findBrowserSession(app.ctx, valueOf('sess'))).toMatchObject({ userId: id, sid: valueOf('sid') });
    expect(await findBrowserSession(app.ctx, valueOf('token'))).toBe('none');
    expect(await findSession(app.ctx, valueOf('sess'))).toBe('none');
  });

  it('make a page a member’s only while both are there, of one and the same login', async () => {
    const { username, id } = await addPerson(app);
    const [one, other] = [await loginCookies(username), await loginCookies(username)];
    const valueOf = (cookies: Map<string, string>, name: string) => cookies.get(name)?.match(/=([^;]*)/)?.[1] ?? '';
    const [sess, token] = [valueOf(one, 'sess'), valueOf(one, 'token')];
    expect(await findPageSession(app.ctx, { sess, token })).toMatchObject({ userId: id });
    for (const cookies of [
      { sess, token: '' },
      { sess: '', token },
      { sess, token: valueOf(other, 'token') },
      { sess: valueOf(other, 'sess'), token },
      { sess, token: sess },
      { sess, token: 'x' },
    ]) {
      expect(await findPageSession(app.ctx, cookies)).toBe('none');
    }
    expect(
      await findPageSession(app.ctx, { sess: valueOf(other, 'sess'), token: valueOf(other, 'token') }),
    ).toMatchObject({ userId: id });
  });

  it('are not set by a failed login', async () => {
    const response = await app.fetch('/api/v2/user/usernameLogin', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{}',
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe('a session', () => {
  const codeOf = async (token: string) => (await app.call(getMine, {}, token)).code;

  it('shows its token in getMine', async () => {
    const person = await addPerson(app);
    expect(await app.call(getMine, {}, person.token)).toMatchObject({ code: 0, data: { token: person.token } });
  });

  it('of an erased account answers 2 until it would have expired, and 10000 from then on', async () => {
    const moving = await openTestApp();
    try {
      const person = await addPerson(moving);
      const answer = async () => (await moving.call(getMine, {}, person.token)).code;
      expect(await answer()).toBe(0);
      expect(await eraseUser(moving.ctx, PERSONAL_DATA, person.id)).toBe(true);
      expect(await answer()).toBe(2);
      const { rows } = await moving.ctx.db.execute('select * from ended_tokens');
      expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['expires_at', 'token_hash']);
      moving.clock.offsetMs = 31 * DAY_MS;
      expect(await answer()).toBe(10000);
    } finally {
      await moving.close();
    }
  });

  it('ends by logout at once, and no other with it', async () => {
    const person = await addPerson(app);
    const other = await logIn(app, person.username);
    const logout = () => app.fetch('/api/user/webLogout', { method: 'POST', headers: { token: person.token } });
    const response = await logout();
    expect(await response.json()).toMatchObject({ code: 0 });
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expect(response.headers.getSetCookie()).toHaveLength(4);
    expect(response.headers.getSetCookie().every((line) => line.includes('=; Max-Age=0; Path=/'))).toBe(true);
    expect(await codeOf(person.token)).toBe(2);
    expect(await codeOf(other.token)).toBe(0);
    expect(await (await logout()).json()).toMatchObject({ code: 0 });
  });

  it('does not end by a logout without its token', async () => {
    const person = await addPerson(app);
    const response = await app.fetch('/api/user/webLogout', {
      method: 'POST',
      headers: { cookie: `token=${person.token}` },
    });
    expect(await response.json()).toMatchObject({ code: 0 });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await codeOf(person.token)).toBe(0);
    expect(await app.call(webLogout, {})).toMatchObject({ code: 0 });
  });

  it('lasts 30 days from login, not a second longer', async () => {
    const moving = await openTestApp();
    try {
      const person = await addPerson(moving);
      moving.clock.offsetMs = 30 * DAY_MS - 5_000;
      expect(await moving.call(getMine, {}, person.token)).toMatchObject({ code: 0 });
      moving.clock.offsetMs = 30 * DAY_MS;
      expect(await moving.call(getMine, {}, person.token)).toMatchObject({ code: 10000, message: '请先登录' });
    } finally {
      await moving.close();
    }
  });

  it('gives way, oldest first, when a sixth is opened', async () => {
    const person = await addPerson(app);
    const others = [];
    for (let count = 0; count < 5; count += 1) others.push(await logIn(app, person.username));
    expect(await codeOf(person.token)).toBe(2);
    expect(await Promise.all(others.map((other) => codeOf(other.token)))).toEqual([0, 0, 0, 0, 0]);
  });

  it('gives way by the limits of the site’s configuration, which the list and the log tell', async () => {
    const lines: string[] = [];
    const own = await openTestApp({ logTo: { write: (line) => void lines.push(line) } });
    own.ctx.config.sessionLimits = { standard: 2, lifetime: 3 };
    try {
      const { id } = await addPerson(own);
      const open = async () => (await openSession(own.ctx, [], id))?.authToken ?? '';
      const answer = async (token: string) => own.call(listSessions, {}, token);
      const [second, third] = [await open(), await open()];
      expect((await answer(second)).data).toMatchObject({ count: 2, limit: 2 });
      await setLifetimeSessions(own.ctx, id, true);
      const fourth = await open();
      expect((await answer(second)).data).toMatchObject({ count: 3, limit: 3 });
      const fifth = await open();
      const codes = await Promise.all([second, third, fourth, fifth].map(async (token) => (await answer(token)).code));
      expect(codes).toEqual([2, 0, 0, 0]);
      const told = lines.filter((line) => line.includes('oldest sessions ended')).map((line) => JSON.parse(line));
      expect(told).toMatchObject([
        { userId: id, dropped: 1, limit: 2 },
        { userId: id, dropped: 1, limit: 3 },
      ]);
    } finally {
      await own.close();
    }
  });

  it('is one of five even when twelve are opened at once', async () => {
    const { username } = await addPerson(app);
    const opened = await Promise.all(Array.from({ length: 12 }, () => logIn(app, username)));
    const codes = await Promise.all(opened.map(({ token }) => codeOf(token)));
    expect(codes.filter((code) => code === 0)).toHaveLength(5);
    expect(codes.filter((code) => code === 2)).toHaveLength(7);
  });

  it('ends when its user is banned or gets another password', async () => {
    const person = await addPerson(app);
    await banUser(app.ctx, person.id);
    expect(await codeOf(person.token)).toBe(2);
    await unbanUser(app.ctx, person.id);
    expect(await codeOf(person.token)).toBe(2);
    const { token } = await logIn(app, person.username);
    expect(await codeOf(token)).toBe(0);
    expect(await setPassword(app.ctx, person.id, 'another-1234')).toBe(1);
    expect(await codeOf(token)).toBe(2);
  });

  it('is not found by anything odd', async () => {
    for (const token of ['x', 'A'.repeat(43), '../../etc/passwd', "' or 1=1 --", '令牌'.repeat(9), 'A'.repeat(5000)]) {
      expect(await findSession(app.ctx, token)).toBe('none');
    }
  });

  it('keeps no secret in the database', async () => {
    const { token, username } = await addPerson(app);
    const { rows } = await app.ctx.db.execute('select s.*, u.* from sessions s join users u on u.id = s.user_id');
    expect(JSON.stringify(rows)).toContain(username);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });
});

test('a live session stays; one that ended a month ago goes', async () => {
  const person = await addPerson(app);
  expect(await sweepSessions(app.ctx)).toBe(0);
  expect((await app.call(getMine, {}, person.token)).code).toBe(0);
  app.clock.offsetMs = 61 * 86_400_000;
  expect(await sweepSessions(app.ctx)).toBeGreaterThan(0);
  app.clock.offsetMs = 0;
  expect((await app.call(getMine, {}, person.token)).code).toBe(10000);
});

test('an ended session is kept for thirty days, in which calls and pages are told that it was ended', async () => {
  const { username } = await addPerson(app);
  const cookies = await loginCookies(username);
  const valueOf = (name: string) => cookies.get(name)?.match(/=([^;]*)/)?.[1] ?? '';
  const [sess, token] = [valueOf('sess'), valueOf('token')];
  await app.fetch('/api/user/webLogout', { method: 'POST', headers: { token } });
  const kept = async () =>
    (
      await app.ctx.db
        .select()
        .from(sessions)
        .where(eq(sessions.sid, valueOf('sid')))
    ).length;
  try {
    app.clock.offsetMs = 30 * DAY_MS - 60_000;
    await sweepSessions(app.ctx);
    expect(await kept()).toBe(1);
    expect(await findSession(app.ctx, token)).toBe('revoked');
    expect(await findBrowserSession(app.ctx, sess)).toBe('revoked');
    expect(await findPageSession(app.ctx, { sess, token })).toBe('revoked');
    app.clock.offsetMs = 30 * DAY_MS + 60_000;
    await sweepSessions(app.ctx);
    expect(await kept()).toBe(0);
  } finally {
    app.clock.offsetMs = 0;
  }
});

test('counts of wrong passwords go after a day, calls to vendors after thirty, ended tokens when they expire', async () => {
  const { db, clock } = app.ctx;
  const ago = (ms: number) => new Date(clock.now() - ms);
  const tries = { failures: 1 };
  await db.insert(loginFailures).values([
    { ...tries, accountKey: 'of-today', updatedAt: ago(DAY_MS - 60_000) },
    { ...tries, accountKey: 'of-yesterday', updatedAt: ago(DAY_MS + 60_000) },
  ]);
  const calls = { vendor: 'swept', calls: 1 };
  await db.insert(vendorCalls).values([
    { ...calls, minute: ago(30 * DAY_MS - 60_000) },
    { ...calls, minute: ago(30 * DAY_MS + 60_000) },
  ]);
  const [live, over] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  await db.insert(endedTokens).values([
    { tokenHash: live, expiresAt: ago(-60_000) },
    { tokenHash: over, expiresAt: ago(60_000) },
  ]);
  await sweepSessions(app.ctx);
  const keys = inArray(loginFailures.accountKey, ['of-today', 'of-yesterday']);
  expect((await db.select().from(loginFailures).where(keys)).map(({ accountKey }) => accountKey)).toEqual(['of-today']);
  expect(await db.select().from(vendorCalls).where(eq(vendorCalls.vendor, 'swept'))).toHaveLength(1);
  const tokens = await db
    .select()
    .from(endedTokens)
    .where(inArray(endedTokens.tokenHash, [live, over]));
  expect(tokens.map(({ tokenHash }) => tokenHash)).toEqual([live]);
});
