import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { openBox } from '../sandbox/sandbox.ts';
import { buildOf, findConverter, runSoffice } from './soffice.ts';
import { officeSocket, officeSockets } from '../sandbox/work-folders.ts';

test('the socket is named as LibreOffice names it', () => {
  expect(officeSocket('file:///tmp/deck/profile', 0)).toBe(
    '/tmp/OSL_PIPE_0_SingleOfficeIPC_c21eec38ec8ef9ca5797839e551385',
  );
});

const converter = findConverter();

test.skipIf(converter === null)('a LibreOffice that was killed leaves no socket', { timeout: 30_000 }, async () => {
  const box = await openBox();
  const source = join(box.in, 'a.pptx');
  await writeFile(
    source,
    deckOf({ slides: Array.from({ length: 300 }, () => ({ title: '慢', lines: ['一', '二', '三'] })) }),
  );
  const profile = join(box.out, 'home', 'profile');
  const sockets = officeSockets(pathToFileURL(profile).href);
  const stop = new AbortController();
  const running = runSoffice({
    converter: converter ?? '',
    box,
    sources: [source],
    wallMs: 25_000,
    cpuSeconds: 30,
    signal: stop.signal,
  });
  // It has its socket before it locks its profile; in a sandbox with files of its own the socket lies in a `/tmp` that we do not see.
  await expect.poll(() => existsSync(join(profile, '.lock')), { timeout: 20_000, interval: 20 }).toBe(true);
  stop.abort();
  expect((await running).ended).toBe('aborted');
  expect(sockets.some((path) => existsSync(path))).toBe(false);
  await rm(box.folder, { recursive: true });
});

test.skipIf(converter === null)(
  'LibreOffice runs no graphics tests and starts once',
  { timeout: 60_000 },
  async ({ skip, onTestFinished }) => {
    const box = await openBox();
    onTestFinished(() => rm(box.folder, { recursive: true }));
    const source = join(box.in, 'a.pptx');
    await writeFile(source, deckOf({ slides: [{ title: '一页' }] }));
    const user = join(box.out, 'home', 'profile', 'user');
    await runSoffice({ converter: converter ?? '', box, sources: [source], wallMs: 50_000, cpuSeconds: 30 });
    expect(existsSync(join(box.out, 'a.pdf'))).toBe(true);
    // The graphics tests write this log; an update of the profile writes the build without a line end, and is followed by another start.
    expect(existsSync(join(user, 'GraphicsRenderTests.log'))).toBe(false);
    const build = await buildOf(converter ?? '');
    if (build === '') skip('this LibreOffice has no versionrc, so it starts twice');
    expect(await readFile(join(user, 'extensions', 'buildid'), 'utf8')).toBe(`${build}\n`);
  },
);
