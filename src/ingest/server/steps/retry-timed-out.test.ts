import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { files } from '../../../library/server/tables.ts';
import { isQuiet, retryTimedOut } from './retry-timed-out.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

async function timedOut(failureCode: string): Promise<number> {
  const { id } = await addPublished(app, { isPublished: false, fileState: 'failed' });
  const fileId = (await findDocument(app.ctx, id))?.fileId ?? 0;
  await app.ctx.db.update(files).set({ failureCode }).where(eq(files.id, fileId));
  return fileId;
}

test.each([
  [0.2, 2, true],
  [1, 2, true],
  [1.4, 2, false],
  [3, 8, true],
])('a load of %d on %d processors is quiet: %s', (load, processors, quiet) =>
  expect(isQuiet(load, processors)).toBe(quiet),
);

test('a file that ran out of time is tried again once, alone, on a quiet machine', async () => {
  const first = await timedOut('convert-timeout');
  const second = await timedOut('render-timeout');
  await timedOut('corrupt');
  expect(await retryTimedOut(app.ctx, false)).toBeNull();
  const queued = await Promise.all([retryTimedOut(app.ctx, true), retryTimedOut(app.ctx, true)]);
  expect(queued.filter((id) => id !== null)).toEqual([first]);
  expect(await app.ctx.jobs.countOpen(['ingest-prepare-file'])).toBe(1);
  // Another file is not begun beside the first.
  expect(await retryTimedOut(app.ctx, true)).toBeNull();
  await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
  await app.ctx.db.update(files).set({ failureCode: 'convert-timeout' }).where(eq(files.id, first));
  expect(await retryTimedOut(app.ctx, true)).toBe(second);
});
