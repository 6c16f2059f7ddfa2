import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { deckOf } from './make-sample-deck.ts';
import { findConverter, officeSocket, runSoffice } from './soffice.ts';

test('the socket is named as LibreOffice names it', () => {
  expect(officeSocket('file:///tmp/deck/profile', 0)).toBe(
    '/tmp/OSL_PIPE_0_SingleOfficeIPC_c21eec38ec8ef9ca5797839e551385',
  );
});

const converter = findConverter();

test.skipIf(converter === null)('a LibreOffice that was killed leaves no socket', { timeout: 30_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-soffice-'));
  const source = join(folder, 'a.pptx');
  await writeFile(
    source,
    deckOf({ slides: Array.from({ length: 300 }, () => ({ title: '慢', lines: ['一', '二', '三'] })) }),
  );
  // An ordinary user's LibreOffice is cut off from the network as user 0 of a namespace of its own.
  const sockets = [0, process.getuid?.() ?? 0].map((user) =>
    officeSocket(pathToFileURL(join(folder, 'profile')).href, user),
  );
  const stop = new AbortController();
  const running = runSoffice({
    converter: converter ?? '',
    folder,
    sources: [source],
    wallMs: 25_000,
    cpuSeconds: 30,
    signal: stop.signal,
  });
  await expect.poll(() => sockets.some((path) => existsSync(path)), { timeout: 20_000, interval: 20 }).toBe(true);
  stop.abort();
  expect((await running).ended).toBe('aborted');
  expect(sockets.some((path) => existsSync(path))).toBe(false);
  await rm(folder, { recursive: true });
});
