import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { needsNavigation, saveFile, TransferBroken, type Received } from './save-file.ts';

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

const FILE = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
const facts = { name: '方案.pptx', size: FILE.length, sha256: 'a1' };

let close = () => {};
let saved: { name: string; bytes: Buffer }[] = [];
const asked: { range?: string | undefined; ifRange?: string | undefined }[] = [];
beforeEach(() => {
  saved = [];
  asked.length = 0;
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.set('blob:1', blob);
    return 'blob:1';
  });
  vi.stubGlobal('document', {
    createElement: () => ({
      download: '',
      href: '',
      click() {
        const { download: name, href } = this;
        void blobs
          .get(href)
          ?.arrayBuffer()
          .then((bytes) => saved.push({ name, bytes: Buffer.from(bytes) }));
      },
    }),
  });
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A file server whose answers are those of `answer`, for the n-th request. */
function serve(answer: (count: number) => { status: number; body: Buffer }): Promise<string> {
  const server = createServer((request, response) => {
    asked.push({ range: request.headers.range, ifRange: request.headers['if-range']?.toString() });
    const { status, body } = answer(asked.length);
    response.writeHead(status).end(body);
  });
  close = () => server.close();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/dl/x`);
    });
  });
}

const whole = () => ({ status: 200, body: FILE });
/** Saves the file and returns what had arrived when the transfer broke off. */
const breakOff = async (url: string, before?: Received): Promise<Received> => {
  const error: unknown = await saveFile({ ...facts, url }, () => {}, before).catch((thrown: unknown) => thrown);
  if (!(error instanceof TransferBroken)) throw new Error('The transfer did not break off.');
  return error.received;
};

it('hands the whole file over under the name the server gave', async () => {
  const shares: number[] = [];
  await saveFile({ ...facts, url: await serve(whole) }, (share) => shares.push(share));
  await expect.poll(() => saved).toEqual([{ name: '方案.pptx', bytes: FILE }]);
  expect(asked).toEqual([{ range: undefined, ifRange: undefined }]);
  expect(shares.at(-1)).toBe(1);
});

it.each([
  ['a refusal', 403, 5000, 0],
  ['a file that ends short', 200, 4999, 4999],
  ['a file that is too long', 200, 5001, 0],
])('saves nothing after %s', async (_, status, sent, kept) => {
  const url = await serve(() => ({ status, body: Buffer.alloc(sent) }));
  expect((await breakOff(url)).bytes).toBe(kept);
  expect(saved).toEqual([]);
});

it('goes on behind what had arrived, and saves the whole file', async () => {
  const url = await serve((count) =>
    count === 1 ? { status: 200, body: FILE.subarray(0, 3000) } : { status: 206, body: FILE.subarray(3000) },
  );
  const received = await breakOff(url);
  const shares: number[] = [];
  await saveFile({ ...facts, url }, (share) => shares.push(share), received);
  await expect.poll(() => saved.map(({ bytes }) => bytes.equals(FILE))).toEqual([true]);
  expect(asked[1]).toEqual({ range: 'bytes=3000-', ifRange: '"a1"' });
  expect(Math.min(...shares)).toBeGreaterThan(0.6);
});

it('begins again when the server sends the whole file, and when the file has other bytes by now', async () => {
  const url = await serve((count) => (count % 2 ? { status: 200, body: FILE.subarray(0, 3000) } : whole()));
  await saveFile({ ...facts, url }, () => {}, await breakOff(url));
  await saveFile({ ...facts, url, sha256: 'b2' }, () => {}, await breakOff(url));
  await expect.poll(() => saved.map(({ bytes }) => bytes.equals(FILE))).toEqual([true, true]);
  expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=3000-', undefined, undefined]);
});

it('keeps what had arrived when the retry brings nothing', async () => {
  const url = await serve((count) =>
    count === 1 ? { status: 200, body: FILE.subarray(0, 3000) } : { status: 503, body: Buffer.alloc(0) },
  );
  const received = await breakOff(url, await breakOff(url));
  expect(received.bytes).toBe(3000);
});
