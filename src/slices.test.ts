import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { rowsOf } from './platform/db/client.ts';

/**
 * Every table that names a user, and what erasing an account does to it (privacy.test.ts). A new table fails here until
 * its slice has a part in PERSONAL_DATA, or keeps a bare number for a reason.
 */
const TABLES = {
  account_exports: 'erased',
  coin_accounts: 'the books',
  entitlements: 'erased but for those coins paid for: the books',
  ledger_entries: 'the books',
  login_scenes: 'erased',
  membership_grants: 'kept without their reason: a ref is granted once',
  memberships: 'erased',
  quota_uses: 'erased',
  reads: 'erased',
  sessions: 'erased',
  sms_codes: 'erased',
  user_identities: 'erased',
};

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('knows every table that names a user', async () => {
  const tables = await rowsOf<{ name: string }>(
    app.ctx.db,
    sql`select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ '(^|_)(user|openid|phone|inviter|invitee|member)(_id|_index)?$'
        and table_name <> 'users' order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES));
});
