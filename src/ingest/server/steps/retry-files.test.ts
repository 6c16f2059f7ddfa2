import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { files } from '../../../library/server/tables.ts';
import { resumeFiles, resumeIngest, retryFiles } from './retry-files.ts';
import { upsertStepStarted, upsertStepEnded } from '../store/steps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.ctx.db.delete(files);
  await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
});

async function addFiles(count: number, file: { type?: string; state: string; code?: string }): Promise<number[]> {
  const { type = 'pdf', state, code = null } = file;
  const rows = await rowsOf<{ id: number }>(
    app.ctx.db,
    sql`insert into files (sha256, media_key, file_type, size_bytes, original_name, state, failure_code)
      select encode(sha256(convert_to(random()::text || n, 'utf8')), 'hex'), substr(md5(random()::text || n), 1, 22), ${type}, 1,
        n || '.pdf', ${state}, ${code} from generate_series(1, ${count}::int) n returning id`,
  );
  return rows.map((row) => row.id).toSorted((one, other) => one - other);
}

const openJobs = () => app.ctx.jobs.countOpen(['ingest-prepare-file']);

test('every file that may come out better is queued, however many hopeless ones stand before it', async () => {
  await addFiles(10_001, { state: 'failed', code: 'corrupt' });
  const hopeful = await addFiles(1_001, { state: 'failed', code: 'convert-failed' });
  const odd = await addFiles(1, { state: 'failed', code: 'unexpected' });
  expect(await retryFiles(app.ctx, ['failed'])).toEqual([...hopeful, ...odd]);
  expect(await openJobs()).toBe(1_002);
  expect(await retryFiles(app.ctx, ['failed', 'waiting'])).toEqual([]);
});

test('files that lost their job continue without LibreOffice, except files that need it', async () => {
  const pdf = await addFiles(2, { state: 'waiting' });
  const pptx = await addFiles(1, { type: 'pptx', state: 'waiting' });
  const ppt = await addFiles(1, { type: 'ppt', state: 'waiting' });
  const pending = await addFiles(1, { type: 'pptx', state: 'pending-preview' });
  await addFiles(1, { state: 'ready' });
  expect(await resumeFiles(app.ctx, { hasConverter: false })).toEqual([...pdf, ...pptx]);
  expect(await resumeFiles(app.ctx, { hasConverter: true })).toEqual([...ppt, ...pending]);
  expect(await resumeFiles(app.ctx, { hasConverter: true })).toEqual([]);
});

test('a preview that LibreOffice has failed on is not made again and again, but when asked for', async () => {
  const [id = 0] = await addFiles(1, { type: 'pptx', state: 'pending-preview' });
  await upsertStepStarted(app.ctx.db, id, 'convert');
  await upsertStepEnded(app.ctx.db, id, 'convert', { state: 'waiting' });
  await upsertStepEnded(app.ctx.db, id, 'charts', { state: 'failed' });
  expect(await resumeFiles(app.ctx, { hasConverter: true })).toEqual([id]);
  await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
  await upsertStepEnded(app.ctx.db, id, 'convert', { state: 'failed', error: 'convert-failed' });
  expect(await resumeFiles(app.ctx, { hasConverter: true })).toEqual([]);
  expect(await retryFiles(app.ctx, ['pending-preview'])).toEqual([id]);
});

test('a start does not wait for unfinished files: a job finds them, once', async () => {
  await addFiles(3, { state: 'waiting' });
  await resumeIngest(app.ctx);
  await resumeIngest(app.ctx);
  expect(await openJobs()).toBe(0);
  expect(await app.ctx.jobs.countOpen(['ingest-resume-files'])).toBe(1);
});
