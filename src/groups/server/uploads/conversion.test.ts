import { randomBytes } from 'node:crypto';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person } from '../../../../tests/people.ts';
import { listWorkFolders } from '../../../../tests/prepared-file.ts';
import { deckEntries, deckOf, zipOf } from '../../../../tests/samples/deck.ts';
import { filler, oleOf } from '../../../../tests/samples/ole.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { uploading } from '../../../../tests/sent-upload.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { RefusedError } from '../../../ingest/refusals.ts';
import { convertToPdf, findConverter } from '../../../ingest/server/convert/convert-to-pdf.ts';
import { createIngestPool, type IngestPool } from '../../../ingest/server/convert/converter-pool.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { expectOk } from '../../../protocol/call.ts';
import { checkTask, doc2png } from '../../../reading/contract.ts';
import { addGroupFile } from '../../contract.ts';
import { listUploads, withdrawUpload } from '../../contract-uploads.ts';
import { readUploadTaskId, uploadTaskId } from '../../rules-uploads.ts';
import { findGroupList, parseGroupList, setGroupList } from '../group-list.ts';
import { prepareUpload } from './prepare-upload.ts';
import { selectOwnUpload, selectUpload } from './store.ts';
import { sweepUploads } from './sweep-uploads.ts';

let app: TestApp;
let gid: number;
let member: Person;
beforeAll(async () => {
  app = await openTestApp();
  await setGroupList(app.ctx, parseGroupList('groups:\n  - name: 转换社群'));
  gid = (await findGroupList(app.ctx))[0]?.id ?? 0;
});
afterAll(() => app.close());
beforeEach(async () => {
  member = await addMemberOf(gid);
});
const { addMemberOf, beginKey, check, getFile, listStored, send, sendPart, shelve } = uploading(() => app);

const start = (oss_name: unknown, token: string | undefined = member.token) =>
  // Safe: the schema takes every value, and only texts as names.
  app.call(doc2png, { oss_name, page_dir: '/tmp' } as { oss_name: string }, token);
const stateOf = (id: number, token: string = member.token) => app.call(checkTask, { task_id: uploadTaskId(id) }, token);
/** Sends a whole file and has it checked. */
async function sendChecked(bytes: Uint8Array, name: string): Promise<{ key: string; id: number }> {
  const key = await send(member.token, bytes, name);
  return { key, id: await check(member.token, key) };
}
const LAST = { number: 3, isLast: true, signal: undefined };
const FIRST = { number: 1, isLast: false, signal: undefined };

/** Converts with another program in the place of LibreOffice; null: there is none. */
const poolWith = (converter: string | null): IngestPool => ({
  ...createIngestPool(1),
  toPdf: async ({ signal: _signal, bytes: _bytes, ...order }) => ({
    pdf: await convertToPdf({ ...order, converter }),
    batch: 1,
  }),
});

/** A converter that is killed while it works. */
async function killedConverter(): Promise<string> {
  await chmod(app.folder, 0o755);
  const path = join(app.folder, 'soffice');
  await writeFile(path, '#!/bin/sh\nkill -9 $$\n');
  await chmod(path, 0o755);
  return path;
}

describe('doc2png', () => {
  it('takes keys of the caller’s uploads and nothing else: no path, no address, no key of somebody else', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('%PDF-1.4');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Safe: the server listens on TCP, so its address is an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const other = await addMemberOf(gid);
    const theirs = await send(other.token, smallPdf('theirs'));
    const odd = [
      '../../etc/passwd',
      '/etc/passwd',
      `uploads/${theirs}`,
      `${theirs}/../${theirs}`,
      `http://127.0.0.1:${port}/deck.pdf`,
      `file:///etc/passwd`,
      theirs,
      '0'.repeat(32),
      '',
      null,
      7,
      [theirs],
      { key: theirs },
    ];
    for (const name of odd) expect(await start(name), JSON.stringify(name)).toMatchObject({ code: 4, data: null });
    expect((await app.call(doc2png, { oss_name: theirs })).code).toBe(10000);
    expect(asked).toEqual([]);
    expect(await selectOwnUpload(app.ctx.db, theirs, other.id)).toMatchObject({ state: 'receiving' });
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses a file that is not whole yet, which can be finished then', async () => {
    const pdf = smallPdf('half');
    const key = await beginKey(member.token, pdf.length);
    await sendPart(key, member.token, 0, pdf.subarray(0, 100));
    expect(await start(key)).toMatchObject({ code: 1, message: '文件还没有传完，请继续上传' });
    expect(await app.call(addGroupFile, { gid, oss_name: key }, member.token)).toMatchObject({ code: 1 });
    expect((await sendPart(key, member.token, 100, pdf.subarray(100))).status).toBe(204);
    expect((await start(key)).code).toBe(0);
  });

  it('keeps a file that this machine cannot check now, and takes it later', async () => {
    const key = await send(member.token, pdfOf({ pages: [{}], userPassword: '' }), '只读.pdf');
    vi.stubEnv('TMPDIR', join(app.folder, 'missing'));
    try {
      await expect(start(key)).rejects.toMatchObject({ status: 503 });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await selectOwnUpload(app.ctx.db, key, member.id)).toMatchObject({ state: 'receiving' });
    expect((await start(key)).code).toBe(0);
  });

  it('keeps a file that cannot be read now, and takes it later', async () => {
    const key = await send(member.token, smallPdf('unread'));
    const { uploads } = app.ctx;
    const { find } = uploads;
    uploads.find = async (wanted) => {
      const found = await find(wanted);
      return found && { ...found, path: `${found.path}-away` };
    };
    try {
      await expect(start(key)).rejects.toMatchObject({ status: 503 });
    } finally {
      Object.assign(uploads, { find });
    }
    expect((await start(key)).code).toBe(0);
  });

  const withEntry = (entry: Parameters<typeof zipOf>[0][number]) =>
    zipOf([...deckEntries({ slides: [{ title: '年会' }] }), entry]);
  it.for<[what: string, message: string, bytes: () => Uint8Array]>([
    [
      'an encrypted deck',
      '文件已加密，请移除密码后上传',
      () => oleOf({ EncryptedPackage: filler, EncryptionInfo: filler }),
    ],
    ['a PDF with a password', '文件已加密，请移除密码后上传', () => pdfOf({ pages: [{}], userPassword: 'geheim' })],
    [
      'a program named .pdf',
      '无法识别的文件类型，请上传 PPT、PPTX 或 PDF',
      () => Buffer.from('MZ\x90\x00%PDF-1.4 1 0 obj'),
    ],
    ['a page of HTML', '无法识别的文件类型，请上传 PPT、PPTX 或 PDF', () => Buffer.from('<html><script>1</script>')],
    [
      'a zip bomb',
      '文件内容异常，解压后过大',
      () => withEntry({ name: 'ppt/media/a.bin', data: Buffer.alloc(24 << 20) }),
    ],
    ['macros', '文件含有宏，请移除宏后上传', () => withEntry({ name: 'ppt/vbaProject.bin', data: 'a' })],
    ['half a deck', '文件已损坏，请重新导出后上传', () => deckOf({ slides: [{ title: '年会' }] }).subarray(0, 900)],
  ])('refuses %s with a clear text and leaves nothing behind', async ([, message, bytes]) => {
    const key = await send(member.token, bytes(), '报价.pptx');
    expect(await start(key)).toMatchObject({ code: 1, message, data: null });
    expect(await selectOwnUpload(app.ctx.db, key, member.id)).toBeNull();
    expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([]);
    expect((await start(key)).code).toBe(4);
  });

  it.each(['read', 'copied'])(
    'answers a file that is taken back before it is %s as one that does not exist',
    async (step) => {
      const key = await send(member.token, smallPdf('gone'));
      const { uploads, files } = app.ctx;
      const { find } = uploads;
      const { put } = files;
      if (step === 'read')
        uploads.find = async (wanted) => {
          const found = await find(wanted);
          await takeBack(wanted);
          return found;
        };
      else
        files.put = async (...object) => {
          await takeBack(key);
          return put(...object);
        };
      try {
        expect(await start(key)).toMatchObject({ code: 4, data: null });
      } finally {
        Object.assign(uploads, { find });
        Object.assign(files, { put });
      }
      expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([]);
    },
  );

  it('starts one task, however often and however much at once it is called', async () => {
    const key = await send(member.token, smallPdf('often'));
    const replies = await Promise.all(Array.from({ length: 4 }, () => start(key)));
    const ids = new Set(replies.map((reply) => readUploadTaskId(expectOk(reply).task_id)));
    expect(ids.size).toBe(1);
    const jobs = await rowsOf<{ count: number }>(
      app.ctx.db,
      sql`select count(*) from graphile_worker.jobs where key = ${`upload-${[...ids][0]}`}`,
    );
    expect(jobs).toEqual([{ count: 1 }]);
    // The received bytes have moved to the file store.
    expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([`uploads/${key}/original`]);
  });
});

/** Takes a file back by its key. */
async function takeBack(key: string): Promise<void> {
  const upload = await selectOwnUpload(app.ctx.db, key, member.id);
  expectOk(await app.call(withdrawUpload, { id: upload?.id }, member.token));
}

describe('checkTask', () => {
  it('tells the owner alone how far the conversion is', async () => {
    const { id } = await sendChecked(smallPdf('Plan', 3), '发布会.pdf');
    expect((await stateOf(id)).data).toMatchObject({
      status: 'pending',
      progress: 0,
      page_urls: [],
      page_count: 0,
    });
    const other = await addMemberOf(gid);
    expect((await stateOf(id, other.token)).code).toBe(4);
    for (const odd of ['', 'x', 'upload-', 'upload-0', 'upload-999999', `upload-${id}x`, `${id}`])
      expect((await app.call(checkTask, { task_id: odd }, member.token)).code, odd).toBe(4);
    expect((await app.call(checkTask, { task_id: uploadTaskId(id) })).code).toBe(10000);
    await prepareUpload(app.ctx, id, LAST);
    const { data } = await stateOf(id);
    expect(data).toMatchObject({ status: 'done', progress: 100, page_count: 3, message: '' });
    expect(data?.page_urls).toHaveLength(3);
    const page = await getFile(data?.page_urls[0] ?? '', member.token);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });
});

const deck = () => deckOf({ slides: [{ title: `年会 ${randomBytes(4).toString('hex')}` }, { title: '预算' }] });

describe('the conversion', () => {
  it.skipIf(findConverter() === null)('makes pages of a PPTX by LibreOffice', async () => {
    const { id } = await shelve(member, gid, deck(), { name: '年会.pptx' });
    expect((await stateOf(id)).data).toMatchObject({ status: 'done', page_count: 2 });
  });

  it('of a file that cannot be drawn in time is not tried again', async () => {
    const { id } = await sendChecked(smallPdf('slow'), '慢.pdf');
    const pool: IngestPool = {
      ...createIngestPool(1),
      render: () => Promise.reject(new RefusedError('render-timeout')),
    };
    await prepareUpload(app.ctx, id, FIRST, { pool });
    expect((await stateOf(id)).data).toMatchObject({ status: 'failed' });
  });

  it('that has begun eight times and never ended, because the process was killed, is not begun again', async () => {
    const { key, id } = await sendChecked(smallPdf('poison'), '毒.pdf');
    const held = Promise.withResolvers<never>();
    const pool: IngestPool = {
      ...createIngestPool(1),
      async render({ hooks }) {
        await hooks?.onBegun();
        return held.promise;
      },
    };
    const running = Array.from({ length: 8 }, () => prepareUpload(app.ctx, id, FIRST, { pool }).catch(() => {}));
    await expect.poll(async () => (await selectUpload(app.ctx.db, id))?.brokenRuns).toBe(8);
    await prepareUpload(app.ctx, id, FIRST);
    expect((await stateOf(id)).data).toMatchObject({
      status: 'failed',
      message: '文件转换失败，请重新导出后上传',
    });
    expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([]);
    held.reject(new Error('killed'));
    await Promise.all(running);
  });

  it.each([
    ['pdf', smallPdf('innocent')],
    ['pptx', deckOf({ slides: [{ title: '年会' }] })],
  ])('of a %s that waits for its turn has not begun, and is not broken off by a kill', async (type, bytes) => {
    const { id } = await sendChecked(bytes, `等.${type}`);
    const [held, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = createIngestPool(1);
    const busy = one.run(() => held.promise);
    const pool: IngestPool = {
      ...one,
      run: (...work) => {
        waits.resolve();
        return one.run(...work);
      },
      render: (order) => {
        waits.resolve();
        return one.render(order);
      },
    };
    const running = prepareUpload(app.ctx, id, FIRST, { pool });
    await waits.promise;
    expect(await selectUpload(app.ctx.db, id)).toMatchObject({ state: 'queued', brokenRuns: 0 });
    held.resolve();
    await Promise.all([busy, running]);
    expect(await selectUpload(app.ctx.db, id)).toMatchObject({ brokenRuns: 0 });
  });

  it('that ended with an error does not count as broken off', async () => {
    const { id } = await sendChecked(smallPdf('patient'), '慢.pdf');
    const one = createIngestPool(1);
    const pool: IngestPool = {
      ...one,
      render: ({ hooks }) => one.run(() => Promise.reject(new Error('no memory')), undefined, hooks),
    };
    for (let run = 0; run < 9; run++) await expect(prepareUpload(app.ctx, id, FIRST, { pool })).rejects.toThrow();
    await prepareUpload(app.ctx, id, FIRST);
    expect((await stateOf(id)).data).toMatchObject({ status: 'done' });
  });

  it('of one member takes one file after the other', async () => {
    const other = await addMemberOf(gid);
    const ids = [
      (await sendChecked(smallPdf('first'), '一.pdf')).id,
      (await sendChecked(smallPdf('second'), '二.pdf')).id,
      await check(other.token, await send(other.token, smallPdf('third'), '三.pdf')),
    ];
    const queues = await rowsOf<{ queue: string }>(
      app.ctx.db,
      sql`select queue_name as queue from graphile_worker.jobs where key in ${ids.map(uploadTaskId)} order by id`,
    );
    expect(queues.map(({ queue }) => queue)).toEqual([member, member, other].map(({ id }) => `uploads of user ${id}`));
  });

  it('that was killed is tried again, and succeeds or ends with a clear text and without files', async () => {
    const { key, id } = await sendChecked(deck(), '年会.pptx');
    expectOk(await app.call(addGroupFile, { gid, oss_name: key }, member.token));
    const pool = poolWith(await killedConverter());
    await expect(prepareUpload(app.ctx, id, FIRST, { pool })).rejects.toThrow();
    expect((await stateOf(id)).data).toMatchObject({ status: 'running' });
    expect(await listStored()).toContain(`uploads/${key}/original`);
    await prepareUpload(app.ctx, id, LAST, { pool });
    expect((await stateOf(id)).data).toMatchObject({
      status: 'failed',
      page_urls: [],
      message: '文件转换失败，请另存为 PDF 后重新上传',
    });
    expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([]);
    expect(await listWorkFolders()).toEqual([]);
    // A failed file counts against no quota, is shown to its owner alone, and is gone after a day.
    const other = await addMemberOf(gid);
    const seenBy = async (token: string) =>
      expectOk(await app.call(listUploads, { gid, pageSize: 50 }, token)).uploads.some((upload) => upload.id === id);
    expect([await seenBy(member.token), await seenBy(other.token)]).toEqual([true, false]);
    app.clock.offsetMs += 25 * 3_600_000;
    await sweepUploads(app.ctx);
    app.clock.offsetMs -= 25 * 3_600_000;
    expect(await selectUpload(app.ctx.db, id)).toBeNull();
  });

  it('waits while the disk of the stored files is away, also in its last attempt', async () => {
    const { key, id } = await sendChecked(smallPdf('away'), '方案.pdf');
    const folder = join(app.dataDir, 'files');
    await rename(folder, `${folder}-away`);
    try {
      await expect(prepareUpload(app.ctx, id, LAST)).rejects.toThrow(JobPostponed);
    } finally {
      await rename(`${folder}-away`, folder);
    }
    expect(await listStored()).toContain(`uploads/${key}/original`);
    await prepareUpload(app.ctx, id, LAST);
    expect((await stateOf(id)).data).toMatchObject({ status: 'done' });
  });

  it('says that a PDF is needed where LibreOffice is missing', async () => {
    const { id } = await shelve(member, gid, deck(), { name: '年会.pptx', pool: poolWith(null) });
    expect((await stateOf(id)).data?.message).toBe('本站暂时无法转换演示文稿，请另存为 PDF 后上传');
  });

  it('goes on after the process was stopped in the middle, and twice changes nothing', async () => {
    const { id } = await sendChecked(smallPdf('stopped', 2), '方案.pdf');
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(prepareUpload(app.ctx, id, { ...LAST, signal: stop })).rejects.toThrow();
    await prepareUpload(app.ctx, id, FIRST);
    await prepareUpload(app.ctx, id, FIRST);
    expect((await stateOf(id)).data).toMatchObject({ status: 'done', page_count: 2 });
  });

  it('that two workers do at once keeps the files of the one that is ready first', async () => {
    const { key, id } = await sendChecked(smallPdf('twice', 2), '方案.pdf');
    await Promise.all([1, 2].map(() => prepareUpload(app.ctx, id, LAST)));
    expect(await selectUpload(app.ctx.db, id)).toMatchObject({ state: 'ready', pageCount: 2 });
    expect((await listStored()).filter((stored) => stored.includes(key))).toHaveLength(3);
  });

  it('of a file that its owner takes back meanwhile leaves nothing', async () => {
    const { key, id } = await sendChecked(smallPdf('taken back', 2), '方案.pdf');
    const running = prepareUpload(app.ctx, id, FIRST);
    await expect.poll(async () => (await selectUpload(app.ctx.db, id))?.state).toBe('running');
    expect((await app.call(withdrawUpload, { id }, member.token)).code).toBe(0);
    // The original may be gone before the child has opened it.
    await running.catch(() => {});
    await prepareUpload(app.ctx, id, LAST);
    expect((await listStored()).filter((stored) => stored.includes(key))).toEqual([]);
    expect((await stateOf(id)).code).toBe(4);
  });
});
