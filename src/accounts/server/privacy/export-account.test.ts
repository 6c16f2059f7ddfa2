import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDocument } from '../../../../tests/documents.ts';
import { addPerson } from '../../../../tests/people.ts';
import { openPrivacyApp, type PrivacyApp } from '../../../../tests/privacy-app.ts';
import type { TestApp } from '../../../../tests/test-app.ts';
import { PERSONAL_DATA } from '../../../slices.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { exportAccount, exportStatus, webLogout } from '../../contract.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { sweepPrivacy } from './sweep-privacy.ts';

let privacy: PrivacyApp;
let app: TestApp;
beforeAll(async () => {
  privacy = await openPrivacyApp();
  app = privacy.app;
});
afterAll(() => privacy.close());
beforeEach(() => {
  app.clock.offsetMs = 0;
});

describe('the copy of one’s data', () => {
  it('contains everything about the user and no one else, behind a link of 24 hours', async () => {
    const person = await privacy.addKnown();
    const other = await privacy.addKnown();
    expect(await person.call(exportStatus, {})).toMatchObject({ data: { status: 'none', url: '' } });
    const { url, size, expire_at } = await privacy.exportOf(person);
    expect(expire_at).toBeGreaterThan(Date.now() / 1000 + 86_000);
    const response = await person.fetch(url);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="ceku-data-${person.id}.zip"`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBe(size);
    const files = Object.entries(unzipSync(bytes));
    const json = Object.fromEntries(
      files.filter(([name]) => name.endsWith('.json')).map(([name, data]) => [name, JSON.parse(strFromU8(data))]),
    );
    expect(json).toMatchObject({
      'account.json': { id: person.id, nickname: person.nickname, phone: person.phone },
      'wechat.json': [{ provider: 'mini', openid: person.openid }],
      'sessions.json': [{ ip: person.ip }],
      'messages.json': [{ sentAt: expect.any(String) }],
      'coins.json': {
        balance: 18,
        ledger: [
          { coins: 30, note: 'welcome' },
          { coins: -12, kind: 'download' },
        ],
      },
      'reads.json': [{ lastReadAt: expect.any(String) }],
      'membership.json': { grants: [{ tier: 1, days: 30 }] },
      'downloads.json': [{ method: 'coin', coins: 12 }, { method: 'coupon' }],
      'quotas.json': expect.arrayContaining([expect.objectContaining({ kind: 'coupon-day', used: 1 })]),
    });
    const text = files.map(([, data]) => strFromU8(data)).join('');
    for (const secret of [other.phone, other.openid, person.cookies.get('token') ?? '', 'argon2']) {
      expect(text).not.toContain(secret);
    }
  });

  it('contains every row, however many there are', async () => {
    const person = await privacy.addKnown();
    const { id } = await addDocument(app);
    await app.ctx.db.execute(sql`insert into reads (user_id, document_id, month, first_read_at, last_read_at)
      select ${person.id}, ${id}, to_char(n / 100, 'FM0000') || '-' || to_char(n % 100, 'FM00'), now(), now()
      from generate_series(1, 10001) as n`);
    await app.ctx.db.execute(sql`insert into sessions (user_id, token_hash, browser_hash, sid, expires_at)
      select ${person.id}, hash, hash, n::text, now()
      from generate_series(1, 10001) as n, lateral (select decode(md5(n::text), 'hex')) as made(hash)`);
    const { url } = await privacy.exportOf(person);
    const files = unzipSync(new Uint8Array(await (await person.fetch(url)).arrayBuffer()));
    const rowsIn = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())).length;
    // Beside those of this test: the deck that the person was shown, and their login.
    expect([rowsIn('reads.json'), rowsIn('sessions.json')]).toEqual([10_002, 10_002]);
  });

  it('is made once, however often it is asked for', async () => {
    const person = await addPerson(app);
    const asked = await Promise.all(Array.from({ length: 8 }, () => app.call(exportAccount, {}, person.token)));
    expect(asked.every(({ code }) => code === 0)).toBe(true);
    const { rows } = await app.ctx.db.execute(sql`select id from account_exports where user_id = ${person.id}`);
    // The job may be quicker than the last click, which then asks for a new one.
    expect(rows.length).toBeLessThan(8);
    expect(await app.call(exportAccount, {})).toMatchObject({ code: 10000 });
    expect(await app.call(exportStatus, {})).toMatchObject({ code: 10000 });
  });

  it('is given to its owner alone, logged in: the link by itself opens nothing', async () => {
    const [person, other] = [await privacy.addKnown(), await privacy.addKnown()];
    const { url } = await privacy.exportOf(person);
    const refused = await app.fetch(url);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('用户中心');
    expect((await other.fetch(url)).status).toBe(403);
    expect((await app.fetch(url, { headers: { token: other.cookies.get('token') ?? '' } })).status).toBe(403);
    expect((await person.fetch(url)).status).toBe(200);
    await person.call(webLogout, {});
    expect((await person.fetch(url)).status).toBe(403);
  });

  it('leaves no file behind that no row names, and touches no other', async () => {
    const person = await privacy.addKnown();
    await privacy.exportOf(person);
    const [row] = await rowsOf<{ file_key: string }>(
      app.ctx.db,
      sql`select file_key from account_exports where user_id = ${person.id}`,
    );
    const source = join(app.dataDir, 'lost.zip');
    await writeFile(source, 'somebody’s data');
    const lost = `exports/${'0'.repeat(32)}.zip`;
    await app.ctx.files.put(lost, source);
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(lost)).not.toBeNull();
    app.clock.offsetMs += 2 * 3_600_000;
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(lost)).toBeNull();
    expect(await app.ctx.files.stat(row?.file_key ?? 'exports/none')).not.toBeNull();
  });

  it('can be asked for again a day after its job was lost, and a failure is forgotten in a week', async () => {
    const { id, token } = await addPerson(app);
    const statusNow = async () => (await app.call(exportStatus, {}, token)).data?.status;
    await app.ctx.db.execute(sql`insert into account_exports (user_id, created_at) values (${id}, now())`);
    app.clock.offsetMs = DAY_MS - 60_000;
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await statusNow()).toBe('pending');
    app.clock.offsetMs = DAY_MS + 60_000;
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await statusNow()).toBe('failed');
    app.clock.offsetMs = 7 * DAY_MS + 60_000;
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await statusNow()).toBe('none');
  });

  it('is not sent for another link, nor after a day', async () => {
    const person = await privacy.addKnown();
    const { url, expire_at } = await privacy.exportOf(person);
    const link = new URL(url, 'http://ceku.test');
    const changed = (name: string, value: string) => {
      const other = new URL(link);
      other.searchParams.set(name, value);
      return person.fetch(other.pathname + other.search);
    };
    expect((await changed('id', '1')).status).toBe(403);
    expect((await changed('until', String(expire_at + 1))).status).toBe(403);
    expect((await changed('sign', 'A'.repeat(24))).status).toBe(403);
    expect((await app.fetch('/api/user/exportFile')).status).toBe(403);
    expect((await person.fetch(url)).status).toBe(200);
    expect((await app.fetch(url, { headers: { token: person.cookies.get('token') ?? '' } })).status).toBe(200);
    app.clock.offsetMs = DAY_MS + 1_000;
    expect((await person.fetch(url)).status).toBe(403);
    expect(await person.call(exportStatus, {})).toMatchObject({ data: { status: 'none' } });
    const key = (
      await rowsOf<{ file_key: string }>(
        app.ctx.db,
        sql`select file_key from account_exports where user_id = ${person.id}`,
      )
    )[0];
    await sweepPrivacy(app.ctx, PERSONAL_DATA);
    expect(await app.ctx.files.stat(key?.file_key ?? 'exports/none')).toBeNull();
  });
});
