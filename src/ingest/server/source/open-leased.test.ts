import { open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSource } from './open-source.ts';
import { sniffFile } from '../sniff/sniff-file.ts';

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  return { ...real, open: vi.fn<typeof real.open>(real.open) };
});

const deck = join(tmpdir(), `ceku-leased-${process.pid}.pdf`);
const kept = () =>
  Promise.reject(Object.assign(new Error('EAGAIN: resource temporarily unavailable'), { code: 'EAGAIN' }));

beforeAll(() => writeFile(deck, 'no deck'));
afterAll(() => rm(deck, { force: true }));

test('openSource waits for a file that a file server has leased to a client', async () => {
  vi.mocked(open).mockImplementationOnce(kept).mockImplementationOnce(kept);
  const { handle } = await openSource(deck, null);
  await handle.close();
  expect(open).toHaveBeenCalledTimes(3);
});

test('openSource gives up on a leased file after some time', async () => {
  vi.mocked(open).mockImplementation(kept);
  expect(await sniffFile(deck)).toMatchObject({ ok: false, code: 'unreadable' });
});
