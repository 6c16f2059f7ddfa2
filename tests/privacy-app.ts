import { expect, vi } from 'vitest';
import { bindPhone, exportAccount, exportStatus, sendPhoneCode } from '../src/accounts/contract.ts';
import { getMiniLoginScene, miniLoginChecking, miniLoginConfirm } from '../src/accounts/contract-scans.ts';
import { accountsJobs } from '../src/accounts/server/jobs.ts';
import { downloadDocument, getMine } from '../src/membership/contract.ts';
import { grantCoins, grantMembership } from '../src/membership/server/grants.ts';
import { PERSONAL_DATA } from '../src/slices.ts';
import { openDatabase } from '../src/platform/db/client.ts';
import { startWorkers } from '../src/platform/jobs/jobs.ts';
import { expectOk } from '../src/protocol/call.ts';
import { getDetail } from '../src/reading/contract.ts';
import { addDocument } from './documents.ts';
import { addPublished } from './published-document.ts';
import { standInProviders } from './stand-in-providers.ts';
import { openTestApp } from './test-app.ts';
import { newAddress, newPhone, openVisitor, type Visitor } from './visitor.ts';

export type Known = Visitor & {
  id: number;
  ip: string;
  phone: string;
  openid: string;
  nickname: string;
  reason: string;
};

export type PrivacyApp = Awaited<ReturnType<typeof openPrivacyApp>>;

/** An app whose account jobs run, and people of whom it knows all that it keeps about anybody. */
export async function openPrivacyApp() {
  const outside = standInProviders();
  const app = await openTestApp({ providers: outside.providers });
  const database = openDatabase(app.databaseUrl, { max: 4, log: app.ctx.log });
  const workers = await startWorkers({
    url: app.databaseUrl,
    pool: database.pool,
    jobs: accountsJobs(PERSONAL_DATA),
    ctx: app.ctx,
    concurrency: 2,
    log: app.ctx.log,
  });
  let known = 0;

  /** Somebody who came by WeChat, bound a phone and a password, has coins, a membership and two downloads. */
  async function addKnown(): Promise<Known> {
    const ip = newAddress();
    const browser = openVisitor(app, ip);
    known += 1;
    const [openid, nickname, reason] = [`openid-${newPhone()}`, `独一无二的${known}`, `private reason ${known}.`];
    const phone = newPhone();
    const { scene } = expectOk(await browser.call(getMiniLoginScene, {}));
    await openVisitor(app).call(miniLoginConfirm, {
      scene,
      code: outside.wxCode(openid, `union-${openid}`),
      nickname,
    });
    expect(await browser.call(miniLoginChecking, { scene })).toMatchObject({ code: 0 });
    await browser.call(sendPhoneCode, { phone, scene: 'bind' });
    expectOk(await browser.call(bindPhone, { phone, pwd: 'known-1234', code: outside.codeTo(phone) }));
    const id = expectOk(await browser.call(getMine, {})).uid;
    await grantCoins(app.ctx, { userId: id, coins: 30, reason: 'welcome' });
    const document = await addDocument(app, { priceCoins: 12 });
    expectOk(await browser.call(downloadDocument, { fid: document.id }));
    const shelved = await addPublished(app, { name: '中秋方案' });
    expect(await browser.call(getDetail, { fid: shelved.id })).toMatchObject({ code: 0 });
    await grantMembership(app.ctx, { userId: id, tier: 1, days: 30, reason });
    const second = await addDocument(app, { priceCoins: 5 });
    expectOk(await browser.call(downloadDocument, { fid: second.id }));
    return { ...browser, id, ip, phone, openid, nickname, reason };
  }

  /** Asks for a copy of their data and waits until it is made. */
  async function exportOf(browser: Visitor) {
    expect(await browser.call(exportAccount, {})).toMatchObject({ code: 0 });
    return vi.waitFor(
      async () => {
        const status = expectOk(await browser.call(exportStatus, {}));
        expect(status.status).toBe('ready');
        return status;
      },
      { timeout: 15_000, interval: 100 },
    );
  }

  return {
    app,
    outside,
    addKnown,
    exportOf,
    async close() {
      await workers.stop();
      await database.close();
      await app.close();
    },
  };
}
