import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable, type AccountProviders } from '../../src/accounts/ports.ts';
import { openProviders } from '../../src/accounts/server/adapters/open-providers.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase, type Database } from '../../src/platform/db/client.ts';
import { createLog } from '../../src/platform/log.ts';
import type { ProviderSettings } from '../../src/accounts/server/adapters/provider-settings.ts';
import { openOutside, type OutsideServer } from '../../src/outside/server.ts';
import { control, settingsOf } from '../outside.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

let outside: OutsideServer;
let database: TestDatabase;
let nodes: Database[];
let lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
  database = await createTestDatabase();
  nodes = [0, 1].map(() => openDatabase(database.url, { max: 5, log: createLog('silent') }));
});
beforeEach(async () => {
  await control(outside, 'DELETE', 'faults');
  await nodes[0]?.db.execute(sql`truncate access_tokens`);
});
afterEach(() => void (lines = []));
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await outside.close();
  await database.drop();
});

const settings = (): ProviderSettings => settingsOf(outside);
/** The adapters as node `which` of the site has them. */
function onNode(which: 0 | 1, of = settings(), timeoutMs = 5_000) {
  const node = nodes[which];
  if (!node) throw new Error('no such node');
  return openProviders(of, { db: node.db, clock: systemClock, log, timeoutMs });
}
const calls = async (target: string) => Number((await control(outside, 'GET', 'calls'))[target] ?? 0);
const fails = (target: string, fault: string, times = 1) =>
  control(outside, 'POST', 'faults', { target, fault, times });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it worked'),
    (error: unknown) => error,
  );
const withSecret = (appSecret: string): ProviderSettings => {
  const { officialAccount, miniProgram, sms } = settings();
  return {
    officialAccount: officialAccount && { ...officialAccount, appSecret },
    miniProgram: miniProgram && { ...miniProgram, appSecret },
    sms,
  };
};

let serial = 0;
const newScene = () => `scene-${(serial += 1)}`;
/** How each kind of account asks for a code to scan. */
const kinds: [kind: string, target: string, ask: (of: AccountProviders, scene?: string) => Promise<unknown>][] = [
  [
    'official account',
    'qrcode',
    async (of, scene = newScene()) => of.officialAccount?.createQr({ scene, ttlSeconds: 120 }),
  ],
  ['mini program', 'getwxacodeunlimit', async (of, scene = newScene()) => of.miniProgram?.codeImage({ scene })],
];

describe.each(kinds)('%s: a code to scan', (_kind, target, ask) => {
  test('is made, and scanning it names its scene', async () => {
    const scene = newScene();
    expect(await ask(onNode(0), scene)).toBeTruthy();
    expect(outside.world.scenes.get(scene)).toMatchObject({ scene, state: 'waiting' });
  });

  test('ten at once on two nodes ask for one access token', async () => {
    const before = await calls('stable_token');
    const [first, second] = [onNode(0), onNode(1)];
    await Promise.all(Array.from({ length: 10 }, (_, at) => ask(at % 2 === 0 ? first : second)));
    expect(await calls('stable_token')).toBe(before + 1);
    // A node that starts later finds the access token of the others.
    await ask(onNode(1));
    expect(await calls('stable_token')).toBe(before + 1);
  });

  test('an access token that is over: one renewal, one more try', async () => {
    const node = onNode(0);
    await ask(node);
    const before = [await calls('stable_token'), await calls(target)];
    await fails(target, 'expired-token');
    expect(await ask(node)).toBeTruthy();
    expect([await calls('stable_token'), await calls(target)]).toEqual([Number(before[0]) + 1, Number(before[1]) + 2]);
  });

  test('ten at once with a token that is over: one renewal', async () => {
    const [first, second] = [onNode(0), onNode(1)];
    await ask(first);
    const before = await calls('stable_token');
    await nodes[0]?.db.execute(sql`update access_tokens set token = 'made-up'`);
    await Promise.all(Array.from({ length: 10 }, (_, at) => ask(at % 2 === 0 ? first : second)));
    expect(await calls('stable_token')).toBe(before + 1);
  });

  test('a token that is over again after the renewal: refused, not asked a third time', async () => {
    const before = await calls(target);
    await fails(target, 'expired-token', 3);
    expect(await failureOf(ask(onNode(0)))).toMatchObject({ reason: 'not-authorised', vendorCode: '42001' });
    expect(await calls(target)).toBe(before + 2);
  });

  test('a token about to end is renewed before it does', async () => {
    await ask(onNode(0));
    const before = await calls('stable_token');
    await nodes[0]?.db.execute(sql`update access_tokens set expires_at = now() + interval '3 minutes'`);
    await ask(onNode(0));
    expect(await calls('stable_token')).toBe(before + 1);
  });

  test('a wrong secret: refused as not-authorised', async () => {
    const error = await failureOf(ask(onNode(0, withSecret('0'.repeat(32)))));
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(error).toMatchObject({ reason: 'not-authorised', vendorCode: '40125' });
  });

  test('an error in JSON with HTTP 200 is an error', async () => {
    await fails(target, 'error-json');
    expect(await failureOf(ask(onNode(0)))).toMatchObject({ reason: 'too-many', vendorCode: '45009' });
  });

  test.each(['500', 'html', 'reset'])('%s: unavailable', async (fault) => {
    await fails(target, fault);
    expect(await failureOf(ask(onNode(0)))).toBeInstanceOf(ProviderUnavailable);
  });

  test.each([target, 'stable_token'])('%s hangs: unavailable, and the next one works', async (hanging) => {
    await fails(hanging, 'hang');
    expect(await failureOf(ask(onNode(0, settings(), 300)))).toBeInstanceOf(ProviderUnavailable);
    expect(await ask(onNode(1))).toBeTruthy();
  });

  test.each(['error-json', '500', 'html', 'reset'])('no access token (%s): unavailable', async (fault) => {
    await fails('stable_token', fault);
    expect(await failureOf(ask(onNode(0)))).toBeInstanceOf(ProviderUnavailable);
    expect(await ask(onNode(0))).toBeTruthy();
  });

  test('a node that died while renewing holds the others up for ten seconds at most', async () => {
    await nodes[0]?.db.execute(sql`
      insert into access_tokens (account, renewing_until) values
        (${`wechat/${outside.world.accounts.official.appId}`}, now() + interval '1 second'),
        (${`wechat/${outside.world.accounts.mini.appId}`}, now() + interval '1 second')`);
    expect(await ask(onNode(1))).toBeTruthy();
  });

  test('the log names the call and neither token nor secret', async () => {
    await ask(onNode(0));
    const { rows } = (await nodes[0]?.db.execute(sql`select token from access_tokens`)) ?? { rows: [] };
    const token = String(rows[0]?.['token']);
    expect(token.length).toBeGreaterThan(500);
    const written = lines.join('\n');
    expect(written).toContain('"to":"127.0.0.1:');
    for (const secret of [token, settings().miniProgram?.appSecret, settings().officialAccount?.appSecret]) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('official account', () => {
  const account = (timeoutMs?: number) => {
    const { officialAccount } = onNode(0, settings(), timeoutMs);
    if (!officialAccount) throw new Error('not configured');
    return officialAccount;
  };

  test('a code has an address to draw, and lasts as long as it was asked for', async () => {
    const { ttlSeconds, qrUrl } = await account().createQr({ scene: newScene(), ttlSeconds: 90 });
    expect(ttlSeconds).toBe(90);
    expect(qrUrl).toMatch(/^http/);
  });

  test('a scene that is too long is refused', async () => {
    expect(await failureOf(account().createQr({ scene: 'x'.repeat(65), ttlSeconds: 60 }))).toBeInstanceOf(
      ProviderRefused,
    );
  });

  test('the unionid of a follower; of somebody unknown, or who left, none', async () => {
    const person = await control(outside, 'POST', 'person', { openid: 'lili' });
    const openid = String(person['officialOpenid']);
    expect(await account().unionidOf(openid)).toBeNull();
    outside.world.followers.add('lili');
    expect(await account().unionidOf(openid)).toBe(person['unionid']);
    expect(await account().unionidOf('o'.repeat(28))).toBeNull();
    await fails('userinfo', 'error-json');
    expect(await failureOf(account().unionidOf(openid))).toMatchObject({ reason: 'not-authorised' });
    await fails('userinfo', 'hang');
    expect(await failureOf(account(300).unionidOf(openid))).toBeInstanceOf(ProviderUnavailable);
  });
});

describe('mini program', () => {
  const program = (of = settings(), timeoutMs?: number) => {
    const { miniProgram } = onNode(0, of, timeoutMs);
    if (!miniProgram) throw new Error('not configured');
    return miniProgram;
  };
  const newCode = async (openid = 'lili') => control(outside, 'POST', 'person', { openid });

  test.each([
    ['too long', 'x'.repeat(33)],
    ['with characters that are not allowed', '二维码'],
    ['empty', ''],
  ])('a scene %s is refused', async (_what, scene) => {
    expect(await failureOf(program().codeImage({ scene }))).toMatchObject({ vendorCode: '40169' });
  });

  test('a page that begins with a slash is refused', async () => {
    expect(await failureOf(program().codeImage({ scene: 'x', page: '/pages/x' }))).toMatchObject({
      vendorCode: '41030',
    });
  });

  test('a code without a page opens the program, and no scene waits for it', async () => {
    const before = outside.world.scenes.size;
    const image = await program().codeImage({ scene: 'web', page: null });
    expect(Buffer.from(image).subarray(1, 4).toString()).toBe('PNG');
    expect(outside.world.scenes.size).toBe(before);
  });

  test('the picture is a picture', async () => {
    const image = await program().codeImage({ scene: newScene() });
    expect(Buffer.from(image).subarray(1, 4).toString()).toBe('PNG');
  });

  test('a js code says who, once', async () => {
    const person = await newCode();
    const code = String(person['jsCode']);
    expect(await program().openidOf(code)).toEqual({ openid: person['miniOpenid'], unionid: person['unionid'] });
    expect(await failureOf(program().openidOf(code))).toMatchObject({ reason: 'bad-code', vendorCode: '40029' });
  });

  test('both kinds name one person by one unionid and two openids', async () => {
    const person = await newCode('wangqiang');
    expect(person['miniOpenid']).not.toBe(person['officialOpenid']);
  });

  test('a made-up js code, a wrong secret, a hang, an error: each by its name', async () => {
    expect(await failureOf(program().openidOf('made-up'))).toMatchObject({ reason: 'bad-code' });
    const { jsCode } = await newCode();
    expect(await failureOf(program(withSecret('0'.repeat(32))).openidOf(String(jsCode)))).toMatchObject({
      reason: 'not-authorised',
    });
    for (const fault of ['500', 'html', 'reset', 'error-json']) {
      await fails('jscode2session', fault);
      expect(await failureOf(program().openidOf(String(jsCode)))).toBeInstanceOf(ProviderUnavailable);
    }
    await fails('jscode2session', 'hang');
    expect(await failureOf(program(settings(), 300).openidOf(String(jsCode)))).toBeInstanceOf(ProviderUnavailable);
  });
});
