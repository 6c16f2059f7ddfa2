import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { rowsOf } from './platform/db/client.ts';
import { SLICES } from './slices.ts';

/**
 * Every table that names a user, and what erasing an account does to it (accounts/server/privacy/delete-account.test.ts). A new table fails here until
 * its slice has a part in PERSONAL_DATA, or keeps a bare number for a reason.
 */
const TABLES = {
  account_exports: 'erased',
  coin_accounts: 'the books',
  entitlements: 'erased but for those coins paid for: the books',
  favorites: 'erased',
  group_documents: 'kept on the shelf, without the member who added it',
  group_members: 'erased',
  group_upload_reports: 'erased',
  group_uploads: 'erased, with their files',
  invites: 'erased',
  ledger_entries: 'the books',
  login_scenes: 'erased',
  member_reads: 'erased',
  membership_grants: 'kept without their reason: a ref is granted once',
  memberships: 'erased',
  orders: 'the books; without the document that led to them',
  privacy_requests: 'answered ones are erased; the others stay without the user, whom an answer is owed',
  quota_uses: 'erased',
  reading_positions: 'erased',
  reads: 'erased',
  rewarded_phones: 'kept, a keyed hash without a person: a phone earns its inviter one reward',
  sessions: 'erased',
  shelf_folders: 'erased',
  shortlists: 'erased',
  sms_codes: 'erased',
  user_identities: 'erased',
};

/** Every line of the site's crontab, in UTC. */
const CRONTAB = [
  '23 21 * * * ingest-sweep-orphans',
  '*/10 * * * * ingest-describe-missing',
  '*/10 * * * * ingest-resume-files',
  '*/10 * * * * ingest-evict-pages',
  '*/2 * * * * ingest-retry-timed-out',
  '20 19 * * * verify-originals',
  '17 20 * * * accounts-sweep-sessions',
  '27 * * * * accounts-sweep-privacy',
  '*/5 * * * * payment-sweep',
  '30 2 * * * payment-bills',
  '41 * * * * groups-sweep-uploads',
  '47 20 * * * legal-sweep',
  '0 1 * * * legal-waiting',
  '7 * * * * ranking-update',
];

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

// A job that is missing in the crontab of its slice would never run, and nothing would say so.
it('runs each of these jobs by the clock, and each is a job of its slice', () => {
  const lines = SLICES.flatMap(({ cron = '', jobs = [] }) => {
    const names = new Set(jobs.map(({ name }) => name));
    return cron
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ line, isKnown: names.has(line.split(/\s+/)[5] ?? '') }));
  });
  expect(lines.filter(({ isKnown }) => !isKnown)).toEqual([]);
  expect(lines.map(({ line }) => line)).toEqual(CRONTAB);
});
