import { createServer } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { needsNavigation, saveFile } from './save-file.ts';

const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0';

it.each<[string, number, string, boolean]>([
  ['a usual file', 3_000_000, DESKTOP, false],
  ['exactly 80 MB', 80 * 1024 * 1024, DESKTOP, false],
  ['more than 80 MB', 80 * 1024 * 1024 + 1, DESKTOP, true],
  ['an iPhone', 10, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', true],
  ['WeChat', 10, 'Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0', true],
])('leaves the download to the browser: %s → %s', (_, size, agent, expected) => {
  expect(needsNavigation(size, agent)).toBe(expected);
});

let close = () => {};
afterEach(() => {
  close();
  vi.unstubAllGlobals();
});

/** A file server that tells `size` bytes and sends `sent` of them. */
function serve(status: number, sent: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(Buffer.alloc(sent)));
  close = () => server.close();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/dl/x`);
    });
  });
}

it('hands the whole file over under the name the server gave', async () => {
  const clicked: string[] = [];
  vi.stubGlobal('document', {
    createElement: () => ({
      download: '',
      click() {
        clicked.push(this.download);
      },
    }),
  });
  const shares: number[] = [];
  await saveFile({ url: await serve(200, 5000), name: '方案.pptx', size: 5000 }, (share) => shares.push(share));
  expect(clicked).toEqual(['方案.pptx']);
  expect(shares.at(-1)).toBe(1);
});

it.each([
  ['a refusal', 403, 5000],
  ['a file that ends short', 200, 4999],
])('saves nothing after %s', async (_, status, sent) => {
  const url = await serve(status, sent);
  await expect(saveFile({ url, name: 'x', size: 5000 }, () => {})).rejects.toThrow();
});
