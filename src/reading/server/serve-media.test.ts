import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/hide-document.ts';
import { files } from '../../library/server/tables.ts';
import { serveMedia } from './serve-media.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('a cover is asked for again after ten minutes, and is gone from caches once its document is taken down', async () => {
  const document = await addDocument(app);
  const [file] = await app.ctx.db.select().from(files).where(eq(files.sha256, document.sha256));
  const path = join(app.dataDir, 'cover');
  await writeFile(path, 'cover');
  await app.ctx.files.put(`media/${file?.mediaKey}/cover.webp`, path);
  const ask = (headers: Record<string, string> = {}) =>
    serveMedia(app.ctx, new Request(`http://ceku.test/media/${file?.mediaKey}/cover.webp`, { headers }));

  const cover = await ask();
  expect(cover.headers.get('cache-control')).toBe('public, max-age=600, must-revalidate');
  expect(await cover.text()).toBe('cover');
  const etag = cover.headers.get('etag') ?? '';
  const known = await ask({ 'if-none-match': etag });
  expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, null, etag]);
  await hideDocument(app.ctx, document.id, 'copyright');
  expect((await ask({ 'if-none-match': etag })).status).toBe(404);
});
