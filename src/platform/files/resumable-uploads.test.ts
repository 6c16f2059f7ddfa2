import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createResumableUploads } from './resumable-uploads.ts';

it('receives uploads as soon as its folder can be created', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'ceku-uploads-'));
  const mount = join(parent, 'mount');
  await writeFile(mount, '');
  const uploads = createResumableUploads({
    folder: join(mount, 'uploads'),
    path: '/api/upload',
    maxBytes: 100,
    expireMs: 60_000,
  });
  const key = '0'.repeat(32);
  const create = () =>
    uploads.serve(
      new Request(`http://ceku.test/api/upload/${key}`, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
      }),
      key,
    );
  await expect(create()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await rm(mount);
  expect((await create()).status).toBe(201);
  expect(await uploads.find(key)).toMatchObject({ size: 10, received: 0 });
  await rm(parent, { recursive: true });
});
