import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNewFile } from './new-file.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-new-file-'))));
afterAll(() => rm(folder, { recursive: true }));

test('writes a file for its owner alone, never over another', async () => {
  const path = join(folder, 'new');
  await writeNewFile(path, Buffer.from('first'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(writeNewFile(path, Buffer.from('second'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path, 'utf8')).toBe('first');
  await rm(path);
});

test('a file that cannot be written whole is removed again', async () => {
  const program = `
    import { writeNewFile } from ${JSON.stringify(new URL('new-file.ts', import.meta.url).href)};
    await writeNewFile(${JSON.stringify(join(folder, 'large'))}, Buffer.alloc(1_000_000)).catch(({ code }) => console.log(code));
  `;
  // No file may grow beyond 4 KB, where a full disk could not be had.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module --eval "$1"`;
  const child = spawn('sh', ['-c', limited, process.execPath, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe('EFBIG\n');
  expect(await readdir(folder)).toEqual([]);
});
