import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { openDatabase } from '../../../platform/db/client.ts';
import { WrongKey, createVault } from '../../../platform/vault.ts';
import { sealPhones } from './phones.ts';
import { findUserBy } from '../users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** As the release before left them. */
const insertPlain = (from: number, count: number) =>
  app.ctx.db.execute(sql`insert into users (nickname, phone)
    select 'old', '1380000' || lpad(n::text, 4, '0') from generate_series(${from}::integer, ${from + count - 1}::integer) as n`);

it('seals every phone once, on two nodes at the same time, and finds their owners by them', async () => {
  await insertPlain(0, 1_203);
  const other = openDatabase(app.databaseUrl, { max: 2, log: app.ctx.log });
  const sealed = await Promise.all([sealPhones(app.ctx), sealPhones({ ...app.ctx, db: other.db })]);
  await other.close();
  expect(sealed[0] + sealed[1]).toBe(1_203);
  const { rows } = await app.ctx.db
    .execute(sql`select count(*) as all, count(phone) as plain, count(phone_sealed) as sealed,
    count(distinct phone_index) as indexed from users`);
  expect(rows).toEqual([{ all: 1_203, plain: 0, sealed: 1_203, indexed: 1_203 }]);
  expect(await findUserBy(app.ctx, { phone: '13800000777' })).toMatchObject({ nickname: 'old', phone: '138****0777' });
  expect(await findUserBy(app.ctx, { phone: '13800009999' })).toBeNull();
  expect(await sealPhones(app.ctx)).toBe(0);
});

it('stops where the phones were sealed with another secret', async () => {
  const stranger = { ...app.ctx, vault: createVault(randomBytes(32)) };
  await expect(sealPhones(stranger)).rejects.toThrow(WrongKey);
  await expect(findUserBy(stranger, { phone: '13800000777' })).resolves.toBeNull();
});
