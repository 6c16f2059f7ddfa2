import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addDocument, type StoredDocument } from '../../../tests/documents.ts';
import { addPerson } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { verifyOriginals } from '../../library/server/originals.ts';
import { documents, files } from '../../library/server/tables.ts';
import { listen } from '../../platform/http/listen.ts';
import { createSigner } from '../../platform/signer.ts';
import { expectOk } from '../../protocol/call.ts';
import { downloadDocument, getMine } from '../contract.ts';
import { makeDownloadLink, readDownloadLink, serveDownload } from './serve-download.ts';
import { grantCoins } from './grants.ts';

const SIZE = 300_000;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

describe('a download link', () => {
  const signer = createSigner(Buffer.alloc(32, 1));
  const now = Date.UTC(2026, 10, 20);
  const target = { documentId: 9, fileId: 12 };
  const text = makeDownloadLink(signer, target, now).slice('/dl/'.length);

  it('leads to its file for ten minutes', () => {
    expect(text).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{24}$/);
    expect(readDownloadLink(signer, text, now)).toEqual(target);
    expect(readDownloadLink(signer, text, now + 599_999)).toEqual(target);
    expect(readDownloadLink(signer, text, now + 600_000)).toBeNull();
  });

  it('leads nowhere when any of its characters is another', () => {
    const changed = [...text].flatMap((_, at) =>
      ['A', 'B', '_', '.', '%'].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
    );
    const working = changed.filter((link) => readDownloadLink(signer, link, now) !== null);
    expect(working.every((link) => link === text)).toBe(true);
  });

  it.each(['', '.', 'x.y', `${text}x`, `${text}=`, `/${text}`, `${text}/..`, '9.12.9999999999', 'A'.repeat(100_000)])(
    'is not %.20s',
    (odd) => {
      expect(readDownloadLink(signer, odd, now)).toBeNull();
    },
  );

  it('of another site leads nowhere', () => {
    expect(readDownloadLink(createSigner(Buffer.alloc(32, 2)), text, now)).toBeNull();
  });
});

describe('/dl/…', () => {
  let document: StoredDocument;
  let url: string;
  beforeEach(async () => {
    document = await addDocument(app, { name: '音乐节方案', size: SIZE });
    const { token } = await addPerson(app);
    url = (await app.call(downloadDocument, { fid: document.id }, token)).data?.url ?? '';
  });

  const send = (headers: Record<string, string> = {}, method = 'GET', path = url) =>
    serveDownload(app.ctx, new Request(new URL(path, 'http://ceku.test'), { method, headers }));
  /** For answers whose body is not read. */
  const statusOf = async (sent: Promise<Response>) => {
    const response = await sent;
    await response.body?.cancel();
    return response.status;
  };
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('gives the bytes that were ingested, under the name of the document', async () => {
    const response = await send();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      connection: 'close',
      'content-disposition': `attachment; filename="plan_${document.id}.pptx"; filename*=UTF-8''${encodeURIComponent('音乐节方案')}.pptx`,
      'content-length': String(SIZE),
      'content-type': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      etag: `"${document.sha256}"`,
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
    });
    expect(
      createHash('sha256')
        .update(await bytesOf(response))
        .digest('hex'),
    ).toBe(document.sha256);
    expect(url).not.toContain(document.sha256.slice(0, 8));
  });

  it('closes the file of an answer that is not read', async () => {
    const opened: Readable[] = [];
    const read: typeof app.ctx.files.read = async (...args) => {
      const bytes = await app.ctx.files.read(...args);
      opened.push(bytes);
      return bytes;
    };
    const watched = { ...app.ctx, files: { ...app.ctx.files, read } };
    for (const headers of [new Headers(), new Headers({ range: 'bytes=0-99' })]) {
      const response = await serveDownload(watched, new Request(new URL(url, 'http://ceku.test'), { headers }));
      await response.body?.cancel();
    }
    await expect.poll(() => opened.every((bytes) => bytes.closed), { timeout: 5_000 }).toBe(true);
    expect(opened.length).toBeGreaterThan(1);
  });

  it('answers HEAD without a body', async () => {
    const response = await send({ range: 'bytes=0-1' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(SIZE));
    expect(response.body).toBeNull();
  });

  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=-100', SIZE - 100, SIZE],
    ['bytes=299900-', 299_900, SIZE],
    ['bytes=299900-999999999', 299_900, SIZE],
  ])('gives a part: %s', async (range, from, to) => {
    const response = await send({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${SIZE}`);
    expect(response.headers.get('content-length')).toBe(String(to - from));
    expect((await bytesOf(response)).equals(document.bytes.subarray(from, to))).toBe(true);
  });

  it('gives the whole for many parts, and for a part of another version', async () => {
    const many = `bytes=${Array.from({ length: 1000 }, (_, part) => `${part}-${part}`).join(',')}`;
    const other = { range: 'bytes=0-9', 'if-range': '"other"' };
    for (const headers of [{ range: many }, { range: 'bytes=0-1,5-9' }, { range: 'nonsense' }, other]) {
      const response = await send(headers);
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, SIZE]);
    }
    expect(await statusOf(send({ range: 'bytes=0-9', 'if-range': `"${document.sha256}"` }))).toBe(206);
  });

  it('answers 416 for a range past the end and 304 for a current copy', async () => {
    const past = await send({ range: `bytes=${SIZE}-` });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${SIZE}`]);
    const known = await send({ 'if-none-match': `"${document.sha256}"` });
    expect([known.status, known.body]).toEqual([304, null]);
    expect(await statusOf(send({ 'if-none-match': '"other"' }))).toBe(200);
  });

  it('works again within ten minutes, and answers 403 after', async () => {
    expect(await statusOf(send())).toBe(200);
    app.clock.offsetMs = 600_001;
    try {
      const late = await send();
      expect(late.status).toBe(403);
      expect(late.headers.get('content-type')).toContain('text/html');
      expect(await late.text()).toContain('不会重复扣费');
    } finally {
      app.clock.offsetMs = 0;
    }
  });

  it('answers 403 for a link that this site did not sign, 405 for other methods', async () => {
    const { fileId } = readDownloadLink(app.ctx.signer, url.slice(4), app.ctx.clock.now()) ?? { fileId: 0 };
    const forged = Buffer.from(`${document.id}.${fileId}.9999999999`).toString('base64url');
    for (const path of ['/dl/', '/dl/x', `/dl/${forged}.${'A'.repeat(24)}`, `${url}A`, '/dl/%00', '/dl/../../etc']) {
      expect((await send({}, 'GET', path)).status, path).toBe(403);
    }
    expect((await send({}, 'POST')).status).toBe(405);
  });

  it('answers 410 once the document was taken down for rights reasons', async () => {
    await hideDocument(app.ctx, document.id, 'operator');
    expect(await statusOf(send())).toBe(200);
    await hideDocument(app.ctx, document.id, 'copyright');
    expect(await statusOf(send())).toBe(410);
  });

  it('leads to no other document of the same file', async () => {
    const [row] = await app.ctx.db.select().from(documents).where(eq(documents.id, document.id));
    const link = makeDownloadLink(
      app.ctx.signer,
      { documentId: document.id + 1000, fileId: row?.fileId ?? 0 },
      Date.now(),
    );
    expect((await send({}, 'GET', link)).status).toBe(410);
  });

  it('answers 503 without a file, or with one that was cut short', async () => {
    const short = join(app.dataDir, 'short');
    await writeFile(short, 'short');
    await app.ctx.files.put(`originals/${document.sha256}`, short);
    const logged = vi.spyOn(app.ctx.log, 'error');
    onTestFinished(() => logged.mockRestore());
    const cut = await send();
    expect(cut.status).toBe(503);
    expect(await cut.text()).toContain('文件已损坏');
    expect(await statusOf(send())).toBe(503);
    // One line for the operator, without an error and its stack.
    const facts = { fileId: expect.any(Number), original: `originals/${document.sha256}`, state: 'damaged' };
    expect(logged.mock.calls).toEqual([[facts, expect.stringContaining('put it back from a backup')]]);
    const [row] = await app.ctx.db.select().from(files).where(eq(files.sha256, document.sha256));
    expect(row?.damagedAt).not.toBeNull();
    await app.ctx.files.remove(`originals/${document.sha256}`);
    expect(await statusOf(send())).toBe(503);
  });

  it('charges nobody for a file that was cut short, says so, and goes on when it is put back', async () => {
    const priced = await addDocument(app, { priceCoins: 5, size: 1_000 });
    const buyer = await addPerson(app);
    await grantCoins(app.ctx, { userId: buyer.id, coins: 5, reason: 'test' });
    const path = join(app.dataDir, 'files/originals', priced.sha256.slice(0, 2), priced.sha256);
    await writeFile(path, priced.bytes.subarray(0, 999));
    const buy = () => app.call(downloadDocument, { fid: priced.id }, buyer.token);
    expect(await buy()).toMatchObject({ code: 1, message: '文件已损坏，正在修复，暂时无法下载；没有扣除任何费用' });
    expect(expectOk(await app.call(getMine, {}, buyer.token)).balance).toBe(5);
    await setTimeout(20);
    await writeFile(path, priced.bytes);
    expect(expectOk(await buy()).balance).toBe(0);
  });

  describe('with one bit of the original flipped', () => {
    const pathOf = () => join(app.dataDir, 'files/originals', document.sha256.slice(0, 2), document.sha256);
    const flip = async (at: number) => {
      const bytes = Buffer.from(document.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(pathOf(), bytes);
    };
    const find = async () => {
      const [row] = await app.ctx.db.select().from(files).where(eq(files.sha256, document.sha256));
      return row ?? expect.unreachable('the file has no row');
    };
    /** Downloads over a socket. Returns the bytes, and whether the connection ended in order. */
    const receive = async (headers: Record<string, string> = {}) => {
      const config = { ...app.ctx.config, host: '127.0.0.1', port: 0 };
      const server = await listen({ config, handler: (request) => serveDownload(app.ctx, request), middleware: null });
      let received = 0;
      try {
        const response = await fetch(`http://127.0.0.1:${server.port}${url}`, { headers });
        for await (const part of response.body ?? []) received += part.length;
        return { status: response.status, received, isWhole: true };
      } catch {
        return { status: 200, received, isWhole: false };
      } finally {
        await server.close(1_000);
      }
    };

    it.each([0, 1, 65_535, 65_536, 150_000, SIZE - 1])(
      'at byte %i: cut before the end, and 503 from then on',
      async (at) => {
        await flip(at);
        const printed = vi.spyOn(console, 'error');
        const logged = vi.spyOn(app.ctx.log, 'error');
        const cut = await receive();
        expect(cut.isWhole).toBe(false);
        expect(cut.received).toBeLessThan(SIZE);
        // It is logged once, and nothing is printed beside the log.
        expect(printed).not.toHaveBeenCalled();
        expect(logged.mock.calls.map(([, words]) => words)).toContain('a download was broken off');
        vi.restoreAllMocks();
        expect((await find()).damagedAt).not.toBeNull();
        const after = await send();
        expect(after.status).toBe(503);
        expect(await after.text()).toContain('文件已损坏');
      },
    );

    it('sends no part of a damaged original, not even an intact part', async () => {
      await flip(SIZE - 1);
      expect(await statusOf(send({ range: 'bytes=0-9' }))).toBe(503);
      expect((await find()).damagedAt).not.toBeNull();
    });

    it('gives parts of what was whole a moment ago no longer', async () => {
      expect(await statusOf(send({ range: 'bytes=0-9' }))).toBe(206);
      await flip(100);
      expect(await statusOf(send({ range: 'bytes=0-9' }))).toBe(503);
    });

    it('charges no one once the loss is known, says so, and works again when the file is restored', async () => {
      const priced = await addDocument(app, { priceCoins: 5, size: 1000 });
      document = priced;
      const buyer = await addPerson(app);
      await grantCoins(app.ctx, { userId: buyer.id, coins: 10, reason: 'test' });
      await flip(500);
      const { lost } = await verifyOriginals(app.ctx, { documentIds: [priced.id] });
      expect(lost).toMatchObject([{ state: 'damaged', documentIds: [priced.id] }]);
      const refused = await app.call(downloadDocument, { fid: priced.id }, buyer.token);
      expect(refused).toMatchObject({ code: 1, message: '文件已损坏，正在修复，暂时无法下载；没有扣除任何费用' });
      expect(expectOk(await app.call(getMine, {}, buyer.token)).balance).toBe(10);
      await setTimeout(20);
      await writeFile(pathOf(), priced.bytes);
      const paid = expectOk(await app.call(downloadDocument, { fid: priced.id }, buyer.token));
      expect([paid.cost, paid.balance]).toEqual([5, 5]);
      url = paid.url;
      expect((await bytesOf(await send())).equals(priced.bytes)).toBe(true);
      expect((await find()).damagedAt).toBeNull();
    });
  });

  it('a store that fails answers 503, and is logged', async () => {
    const logged = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
    vi.spyOn(app.ctx.files, 'stat').mockRejectedValueOnce(new Error('EIO'));
    expect(await statusOf(send())).toBe(503);
    expect(logged.mock.calls.map(([, words]) => words)).toEqual(['an original could not be read']);
  });

  it('lets go of the file when the client had gone before it was opened', async () => {
    const gone = new AbortController();
    const read = app.ctx.files.read.bind(app.ctx.files);
    const opened: Readable[] = [];
    vi.spyOn(app.ctx.files, 'read').mockImplementationOnce(async (...args) => {
      const bytes = await read(...args);
      opened.push(bytes);
      gone.abort();
      return bytes;
    });
    await serveDownload(app.ctx, new Request(new URL(url, 'http://ceku.test'), { signal: gone.signal }));
    await expect.poll(() => opened.map((bytes) => bytes.closed)).toEqual([true]);
  });

  it('lets go of the file when clients go away in the middle', async () => {
    const large = await addDocument(app, { size: 10_000_000 });
    const { token } = await addPerson(app);
    const path = (await app.call(downloadDocument, { fid: large.id }, token)).data?.url ?? '';
    const opened: Readable[] = [];
    const watched = {
      ...app.ctx.files,
      read: async (...args: Parameters<typeof app.ctx.files.read>) => {
        const bytes = await app.ctx.files.read(...args);
        opened.push(bytes);
        return bytes;
      },
    };
    const config = { ...app.ctx.config, host: '127.0.0.1', port: 0 };
    const handler = (request: Request) => serveDownload({ ...app.ctx, files: watched }, request);
    const server = await listen({ config, handler, middleware: null });
    try {
      const address = `http://127.0.0.1:${server.port}${path}`;
      await Promise.all(Array.from({ length: 10 }, () => leaveEarly(address)));
      await expect.poll(() => opened.filter((bytes) => bytes.closed).length, { timeout: 30_000 }).toBe(10);
      const whole = await fetch(address);
      expect(
        createHash('sha256')
          .update(await bytesOf(whole))
          .digest('hex'),
      ).toBe(large.sha256);
    } finally {
      await server.close(1_000);
    }
  });

  async function leaveEarly(address: string): Promise<void> {
    const leaving = new AbortController();
    const response = await fetch(address, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
  }
});
