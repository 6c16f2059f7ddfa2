import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { addPerson, encoded, PASSWORD, type Person } from '../../../tests/people.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { standInProviders, type StandIns } from '../../../tests/stand-in-providers.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newAddress, newPhone, openVisitor, type Visitor } from '../../../tests/visitor.ts';
import { bindPhone, phoneCodeLogin, sendPhoneCode, usernameLogin } from '../../accounts/contract.ts';
import {
  getMiniLoginScene,
  miniLoginChecking,
  miniLoginConfirm,
  offiaccountLogin,
} from '../../accounts/contract-scans.ts';
import { banUser } from '../../accounts/server/account-admin.ts';
import { eraseUser } from '../../accounts/server/privacy/delete-account.ts';
import { handleScan } from '../../accounts/server/scans/offiaccount-login.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { getMine } from '../../membership/contract.ts';
import { verifyLedger } from '../../membership/server/verify-ledger.ts';
import { openDatabase } from '../../platform/db/client.ts';
import { startWorkers } from '../../platform/jobs/jobs.ts';
import { expectOk } from '../../protocol/call.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { INVITE_POSTER_PATH } from '../addresses.ts';
import { listInvites } from '../contract.ts';
import { MAX_REWARDS, MAX_REWARDS_FROM_ADDRESS, rewardOf } from '../rules.ts';
import { bindInvite, invitesPersonalData, rewardInviter } from './invites.ts';
import { inviteJobs } from './jobs.ts';

let app: TestApp;
let outside: StandIns;
let closeWorkers: () => Promise<void>;
beforeAll(async () => {
  outside = standInProviders();
  app = await openTestApp({ providers: outside.providers });
  const database = openDatabase(app.databaseUrl, { max: 4, log: app.ctx.log });
  const workers = await startWorkers({
    url: app.databaseUrl,
    pool: database.pool,
    jobs: inviteJobs,
    ctx: app.ctx,
    concurrency: 2,
    log: app.ctx.log,
  });
  closeWorkers = async () => {
    await workers.stop();
    await database.close();
  };
});
afterAll(async () => {
  await closeWorkers();
  await app.close();
});
afterEach(() => {
  app.ctx.config.inviteRewardCoins = 0;
});

/** A browser that came by the link of a member. */
function openInvited(inviterId: number | string, ip = newAddress()): Visitor {
  const browser = openVisitor(app, ip);
  browser.cookies.set('invite', String(inviterId));
  return browser;
}

async function comeByPhone(browser: Visitor, phone = newPhone()): Promise<number> {
  expectOk(await browser.call(sendPhoneCode, { phone }));
  expectOk(await browser.call(phoneCodeLogin, { phone, code: outside.codeTo(phone) }));
  return expectOk(await browser.call(getMine, {})).uid;
}

async function comeByMiniProgram(browser: Visitor): Promise<number> {
  const { scene } = expectOk(await browser.call(getMiniLoginScene, {}));
  const openid = `openid-${newPhone()}`;
  expectOk(
    await openVisitor(app).call(miniLoginConfirm, { scene, code: outside.wxCode(openid), nickname: '扫码的人' }),
  );
  expect(await browser.call(miniLoginChecking, { scene })).toMatchObject({ code: 0 });
  return expectOk(await browser.call(getMine, {})).uid;
}

async function comeByOfficialAccount(browser: Visitor): Promise<number> {
  const { scene } = expectOk(await browser.call(offiaccountLogin, {}));
  await handleScan(app.ctx, { scene, openid: `openid-${newPhone()}` });
  expect(await browser.call(miniLoginChecking, { scene })).toMatchObject({ code: 0 });
  return expectOk(await browser.call(getMine, {})).uid;
}

const invitesOf = async (person: Person, page = 1) => expectOk(await app.call(listInvites, { page }, person.token));
const idsOf = async (person: Person) => (await invitesOf(person)).invite_users.map(({ id }) => id);
const coinsOf = async (person: Person) => expectOk(await app.call(getMine, {}, person.token)).balance;

/** Waits until every job that binds and rewards has run. */
const whenQuiet = () =>
  expect.poll(() => app.ctx.jobs.countOpen(inviteJobs.map(({ name }) => name)), { timeout: 30_000 }).toBe(0);

describe('a person who comes by the link of a member', () => {
  it.each([
    ['by phone', comeByPhone],
    ['by the mini program', comeByMiniProgram],
    ['by the official account', comeByOfficialAccount],
  ])('%s is bound to the member when the account is created', async (_way, come) => {
    const inviter = await addPerson(app);
    const invitee = await come(openInvited(inviter.id));
    await expect.poll(() => idsOf(inviter), { timeout: 30_000 }).toEqual([invitee]);
  });

  it('stands in the list once, by both names of the answer, with every field of both variants', async () => {
    const inviter = await addPerson(app);
    const invitee = await comeByMiniProgram(openInvited(inviter.id));
    await expect.poll(() => idsOf(inviter), { timeout: 30_000 }).toEqual([invitee]);
    const headers = { token: inviter.token, 'content-type': 'application/json' };
    const body = JSON.stringify({ sid: inviter.sid, time: 9, theme_id: 'x', rank_type: {} });
    const { data, infor } = await (
      await app.fetch('/api/invite/myInviteList', { method: 'POST', headers, body })
    ).json();
    expect(infor).toEqual(data);
    expect(data).toMatchObject({ total: 1, page: 1, page_size: 10, reward_coins: 0, earned_coins: 0 });
    expect(data.invite_users).toEqual([
      {
        id: invitee,
        nickname: '扫码的人',
        avatar: '',
        headimgurl: '',
        invite_text: expect.stringMatching(/^\d{4}-\d\d-\d\d 注册$/),
        create_time: expect.any(Number),
        coins: 0,
        is_unrewarded: 0,
      },
    ]);
  });

  it('and has an account already is not bound, nor is a second account in the same browser', async () => {
    const [inviter, member] = [await addPerson(app), await addPerson(app)];
    const known = openInvited(inviter.id);
    expectOk(await known.call(usernameLogin, { username: member.username, password: encoded(PASSWORD) }));
    // The login takes the invite away; a page of another link would set it again.
    expect(known.cookies.has('invite')).toBe(false);
    known.cookies.set('invite', String(inviter.id));
    await comeByPhone(known);
    await comeByMiniProgram(known);
    await comeByOfficialAccount(known);
    await whenQuiet();
    expect(await idsOf(inviter)).toEqual([]);
  });

  it.each(['0', '-1', 'x', '1e3', '9'.repeat(30), '999999999', "1' or 1=1"])(
    'whose link names %j gets an account like everybody else',
    async (inviter) => {
      expect(await comeByPhone(openInvited(inviter))).toBeGreaterThan(0);
      await whenQuiet();
    },
  );

  it('of a banned member is not bound', async () => {
    const inviter = await addPerson(app);
    await banUser(app.ctx, inviter.id);
    const invitee = await comeByPhone(openInvited(inviter.id));
    await whenQuiet();
    const { invites } = await invitesPersonalData.collect(app.ctx, invitee);
    expect(invites).toMatchObject({ invitedBy: null });
  });

  it('is bound for good: a second inviter and the account itself change nothing', async () => {
    const [first, second] = [await addPerson(app), await addPerson(app)];
    const invitee = await comeByPhone(openInvited(first.id));
    await whenQuiet();
    const again = { userId: invitee, addressIndex: 'AAAA', at: app.ctx.clock.now() };
    await Promise.all([second.id, second.id, invitee].map((inviterId) => bindInvite(app.ctx, { ...again, inviterId })));
    expect(await idsOf(first)).toEqual([invitee]);
    expect(await idsOf(second)).toEqual([]);
    expect(await invitesPersonalData.collect(app.ctx, first.id)).toMatchObject({ invites: { invitedBy: null } });
  });
});

describe('the list of invitees', () => {
  it('is empty for who invited nobody, paged by 10, and only the caller’s own', async () => {
    const [inviter, other] = [await addPerson(app), await addPerson(app)];
    expect(await invitesOf(inviter)).toMatchObject({ invite_users: [], total: 0 });
    const people = await Promise.all(Array.from({ length: 12 }, () => addPerson(app)));
    for (const [index, { id }] of people.entries())
      await bindInvite(app.ctx, { userId: id, inviterId: inviter.id, addressIndex: 'AAAA', at: 1_000 * index });
    expect((await invitesOf(inviter)).invite_users.map(({ id }) => id)).toEqual(
      people
        .slice(2)
        .toReversed()
        .map(({ id }) => id),
    );
    expect((await invitesOf(inviter, 2)).invite_users.map(({ id }) => id)).toEqual([people[1]?.id, people[0]?.id]);
    expect((await invitesOf(inviter, 3)).invite_users).toEqual([]);
    expect(await invitesOf(other)).toMatchObject({ total: 0 });
    expect((await app.call(listInvites, {})).code).toBe(10000);
  });
});

describe('the reward', () => {
  it('is paid once, when the invitee has a phone, by one pair of ledger entries', async () => {
    app.ctx.config.inviteRewardCoins = 30;
    const inviter = await addPerson(app);
    const browser = openInvited(inviter.id);
    const invitee = await comeByMiniProgram(browser);
    await expect.poll(() => idsOf(inviter), { timeout: 30_000 }).toEqual([invitee]);
    expect(await coinsOf(inviter)).toBe(0);
    const phone = newPhone();
    expectOk(await browser.call(sendPhoneCode, { phone, scene: 'bind' }));
    expectOk(await browser.call(bindPhone, { phone, pwd: 'invited-1234', code: outside.codeTo(phone) }));
    await expect.poll(() => coinsOf(inviter), { timeout: 30_000 }).toBe(30);
    await Promise.all(Array.from({ length: 10 }, () => rewardInviter(app.ctx, invitee)));
    expect(await coinsOf(inviter)).toBe(30);
    expect(await invitesOf(inviter)).toMatchObject({
      earned_coins: 30,
      reward_coins: 30,
      invite_users: [{ coins: 30, is_unrewarded: 0 }],
    });
    expect((await verifyLedger(app.ctx)).violations).toEqual([]);
  });

  it('is paid at once for who comes by phone, and not without INVITE_REWARD_COINS', async () => {
    const inviter = await addPerson(app);
    await comeByPhone(openInvited(inviter.id));
    await whenQuiet();
    expect(await coinsOf(inviter)).toBe(0);
    app.ctx.config.inviteRewardCoins = 5;
    await comeByPhone(openInvited(inviter.id));
    await expect.poll(() => coinsOf(inviter), { timeout: 30_000 }).toBe(5);
  });

  it('ends at a number a day from one address, also when all come at once', async () => {
    const inviter = await addPerson(app);
    const ip = newAddress();
    const browsers = Array.from({ length: MAX_REWARDS_FROM_ADDRESS + 2 }, () => openInvited(inviter.id, ip));
    const invitees: number[] = [];
    for (const browser of browsers) {
      // A message a minute to an address.
      app.clock.offsetMs += 3_600_000;
      invitees.push(await comeByPhone(browser));
    }
    await whenQuiet();
    app.ctx.config.inviteRewardCoins = 7;
    await Promise.all(invitees.map((id) => rewardInviter(app.ctx, id)));
    expect(await coinsOf(inviter)).toBe(7 * MAX_REWARDS_FROM_ADDRESS);
    expect((await verifyLedger(app.ctx)).violations).toEqual([]);
  });

  const facts = {
    inviterState: 'active',
    rewards: 0,
    rewardsFromAddress: 0,
    isPhoneUsed: false,
  } as const;
  it.each([
    [{}, 9],
    [{ rewards: MAX_REWARDS - 1 }, 9],
    [{ rewards: MAX_REWARDS }, 0],
    [{ rewardsFromAddress: MAX_REWARDS_FROM_ADDRESS - 1 }, 9],
    [{ rewardsFromAddress: MAX_REWARDS_FROM_ADDRESS }, 0],
    [{ isPhoneUsed: true }, 0],
    [{ inviterState: 'banned' as const }, 0],
  ])('by %j is %i coins of 9', (change, coins) => {
    expect(rewardOf(9, { ...facts, ...change })).toBe(coins);
  });
});

it('a copy of one’s data names both sides; an erasure deletes them, and the coins stay in the books', async () => {
  app.ctx.config.inviteRewardCoins = 4;
  const inviter = await addPerson(app);
  const invitee = await comeByPhone(openInvited(inviter.id));
  await expect.poll(() => coinsOf(inviter), { timeout: 30_000 }).toBe(4);
  expect(await invitesPersonalData.collect(app.ctx, inviter.id)).toMatchObject({
    invites: { invitedBy: null, invited: [{ userId: invitee, coins: 4 }] },
  });
  expect(await invitesPersonalData.collect(app.ctx, invitee)).toMatchObject({
    invites: { invitedBy: { userId: inviter.id }, invited: [] },
  });
  await eraseUser(app.ctx, PERSONAL_DATA, invitee);
  expect(await invitesOf(inviter)).toMatchObject({ invite_users: [], total: 0, earned_coins: 4 });
  expect(await coinsOf(inviter)).toBe(4);
  expect((await verifyLedger(app.ctx)).violations).toEqual([]);
});

it('a phone earns one reward, also after its account was erased and made again', async () => {
  app.ctx.config.inviteRewardCoins = 10;
  const inviter = await addPerson(app);
  const phone = newPhone();
  const first = await comeByPhone(openInvited(inviter.id), phone);
  await expect.poll(() => coinsOf(inviter), { timeout: 30_000 }).toBe(10);
  await eraseUser(app.ctx, PERSONAL_DATA, first);
  app.clock.offsetMs += 3_600_000;
  const again = await comeByPhone(openInvited(inviter.id), phone);
  expect(again).not.toBe(first);
  await whenQuiet();
  await rewardInviter(app.ctx, again);
  expect(await coinsOf(inviter)).toBe(10);
  expect(await invitesOf(inviter)).toMatchObject({ invite_users: [{ coins: 0, is_unrewarded: 1 }] });
});

describe('the poster', () => {
  it('is a JPEG for any member’s link, with and without covers', async () => {
    await addPublished(app);
    for (const uid of ['7', '', 'x', '9'.repeat(20)]) {
      const answer = await app.fetch(`${INVITE_POSTER_PATH}?uid=${uid}`);
      expect([answer.status, answer.headers.get('content-type')], uid).toEqual([200, 'image/jpeg']);
      const { width, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([width, format]).toEqual([1080, 'jpeg']);
    }
  });

  it('shows the cover of no document that was taken down', async () => {
    const picture = join(app.folder, 'cover.webp');
    const poster = async () => {
      const answer = await app.fetch(`${INVITE_POSTER_PATH}?uid=7`);
      expect(answer.headers.get('cache-control')).toMatch(/max-age=600$/);
      return createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex');
    };
    const added = [];
    for (const shade of [0, 40, 80, 120, 160, 200, 240]) {
      const document = await addPublished(app, { createdAt: new Date(app.ctx.clock.now() + shade * 60_000) });
      const background = { r: shade, g: 255 - shade, b: 0 };
      await sharp({ create: { width: 480, height: 270, channels: 3, background } })
        .webp()
        .toFile(picture);
      await app.ctx.files.put(`media/${document.mediaKey}/cover.webp`, picture);
      added.push(document);
    }
    const before = await poster();
    expect(await poster()).toBe(before);
    await hideDocument(app.ctx, added.at(-1)?.id ?? 0, 'copyright');
    expect(await poster()).not.toBe(before);
  });
});
