import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../../tests/people.ts';
import { uploading } from '../../../../tests/sent-upload.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { createLimiter } from '../../../platform/http/limits/limiter.ts';
import { openDatabase } from '../../../platform/db/client.ts';
import { leaveGroup } from '../../contract.ts';
import { uploadLimits } from '../../rules-uploads.ts';
import { findGroupList, parseGroupList, setGroupList } from '../group-list.ts';
import { groupUploads } from '../tables.ts';
import { selectOwnUpload, selectStates } from './store.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { originalKeyOf } from './upload-files.ts';

let app: TestApp;
let gid: number;
let member: Person;
beforeAll(async () => {
  app = await openTestApp();
  await setGroupList(app.ctx, parseGroupList('groups:\n  - name: 上传社群'));
  gid = (await findGroupList(app.ctx))[0]?.id ?? 0;
});
afterAll(() => app.close());
const { addMemberOf, begin, beginKey, check, listStored, send, sendPart, tus } = uploading(() => app);
beforeEach(async () => {
  member = await addMemberOf(gid);
});

const bytes = randomBytes(100_000);
const codeOf = async (response: Response) => ({ status: response.status, ...(await response.json()) });

describe('an upload', () => {
  it('that was interrupted goes on where it stopped', async () => {
    const key = await beginKey(member.token, bytes.length, '年会方案.pptx');
    expect((await sendPart(key, member.token, 0, bytes.subarray(0, 50_000))).status).toBe(204);
    // The connection broke; the client asks how much arrived.
    const head = await tus('HEAD', `/${key}`, member.token);
    expect(head.headers.get('upload-offset')).toBe('50000');
    expect(head.headers.get('upload-length')).toBe('100000');
    expect(head.headers.get('access-control-allow-origin')).toBeNull();
    // A part that does not begin there is refused, and changes nothing.
    expect((await codeOf(await sendPart(key, member.token, 0, bytes.subarray(0, 10)))).status).toBe(409);
    const last = await sendPart(key, member.token, 50_000, bytes.subarray(50_000));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '100000']);
    const received = await app.ctx.uploads.find(key);
    expect(received).toMatchObject({ size: 100_000, received: 100_000 });
    expect(await selectOwnUpload(app.ctx.db, key, member.id)).toMatchObject({ name: '年会方案', state: 'receiving' });
  });

  it('is nobody else’s: their requests are answered as for an unknown one', async () => {
    const key = await beginKey(member.token, 10);
    const other = await addMemberOf(gid);
    for (const method of ['HEAD', 'PATCH', 'DELETE'])
      expect((await tus(method, `/${key}`, other.token, { 'upload-offset': '0' })).status, method).toBe(404);
    expect((await tus('HEAD', `/${'0'.repeat(32)}`, other.token)).status).toBe(404);
    expect((await app.ctx.uploads.find(key))?.received).toBe(0);
    expect((await tus('HEAD', `/${key}`, undefined)).status).toBe(401);
    // The cookie of the pages is not enough: other sites could send it.
    expect((await tus('HEAD', `/${key}`, undefined, { cookie: `sess=${member.token}` })).status).toBe(401);
  });

  it('is given up by DELETE, with its row and its bytes', async () => {
    const key = await beginKey(member.token, 10);
    expect((await tus('DELETE', `/${key}`, member.token)).status).toBe(204);
    expect(await selectOwnUpload(app.ctx.db, key, member.id)).toBeNull();
    expect(await listStored()).not.toContain(key);
    expect((await tus('HEAD', `/${key}`, member.token)).status).toBe(404);
  });

  it('takes no byte more than was announced', async () => {
    const key = await beginKey(member.token, 10);
    expect((await sendPart(key, member.token, 0, bytes.subarray(0, 11))).status).toBe(413);
    expect((await app.ctx.uploads.find(key))?.received).toBe(0);
  });

  it('that is not finished within a day is removed, and so are bytes without a row', async () => {
    const key = await beginKey(member.token, 10);
    const orphan = await beginKey(member.token, 10);
    await app.ctx.db.delete(groupUploads).where(eq(groupUploads.key, orphan));
    await sweepUploads(app.ctx);
    expect(await listStored()).toEqual(expect.arrayContaining([key, orphan]));
    app.clock.offsetMs += 25 * 3_600_000;
    expect(await sweepUploads(app.ctx)).toMatchObject({ orphans: 1 });
    app.clock.offsetMs -= 25 * 3_600_000;
    expect(await selectOwnUpload(app.ctx.db, key, member.id)).toBeNull();
    expect(await listStored()).toEqual([]);
  });
});

it('that has passed the checks keeps nothing of what was received, also after a kill at that moment', async () => {
  const pdf = smallPdf(randomBytes(4).toString('hex'));
  const key = await send(member.token, pdf);
  const received = await readFile(join(app.dataDir, 'uploads', key));
  await check(member.token, key);
  await writeFile(join(app.dataDir, 'uploads', key), received);
  app.clock.offsetMs += 2 * 3_600_000;
  expect(await sweepUploads(app.ctx)).toEqual({ unfinished: 0, orphans: 0, checked: 1 });
  app.clock.offsetMs -= 2 * 3_600_000;
  expect((await app.ctx.uploads.list()).map((lying) => lying.key)).not.toContain(key);
  expect(await listStored()).toContain(originalKeyOf(key));
  expect(await selectOwnUpload(app.ctx.db, key, member.id)).toMatchObject({ state: 'queued' });
});

it('is found among more keys than a statement may have parameters', async () => {
  const key = await beginKey(member.token, 100);
  const keys = Array.from({ length: 66_000 }, (_, at) => at.toString(16).padStart(32, '0'));
  expect(await selectStates(app.ctx.db, [...keys, key])).toEqual(new Map([[key, 'receiving']]));
});

it('what an interrupted removal left of an upload is removed as well', async () => {
  const key = await send(member.token, bytes);
  await app.ctx.db.delete(groupUploads).where(eq(groupUploads.key, key));
  const folder = join(app.dataDir, 'uploads');
  await rm(join(folder, key));
  expect(await readdir(folder)).toContain(`${key}.json`);
  app.clock.offsetMs += 25 * 3_600_000;
  await sweepUploads(app.ctx);
  app.clock.offsetMs -= 25 * 3_600_000;
  expect((await readdir(folder)).filter((name) => name.includes(key))).toEqual([]);
});

describe('beginning an upload is refused', () => {
  it('to visitors, and to who is in no group', async () => {
    expect(await codeOf(await begin(undefined, 10))).toMatchObject({ status: 401, code: 10000 });
    expect(await codeOf(await begin('A'.repeat(43), 10))).toMatchObject({ status: 401, code: 10000 });
    expect(await codeOf(await begin((await addPerson(app)).token, 10))).toMatchObject({ status: 403, code: 50 });
    expect((await app.call(leaveGroup, { gid }, member.token)).code).toBe(0);
    expect(await codeOf(await begin(member.token, 10))).toMatchObject({ code: 50, message: '请先加入该社群' });
  });

  it('for sizes that are too large, empty or odd, without a trace', async () => {
    const before = await listStored();
    expect(await codeOf(await begin(member.token, 200 * 1024 * 1024 + 1))).toMatchObject({
      status: 413,
      message: '文件超过 200 MB，请压缩后上传',
    });
    expect(await codeOf(await begin(member.token, 0))).toMatchObject({
      status: 400,
      message: '文件是空的，请重新上传',
    });
    for (const odd of ['-1', '1e3', 'x', '9'.repeat(20), ''])
      expect((await begin(member.token, odd)).status, odd).toBe(400);
    expect((await tus('POST', '', member.token, { 'upload-defer-length': '1' })).status).toBe(400);
    const both = { 'upload-length': '10', 'upload-defer-length': '1' };
    expect((await tus('POST', '', member.token, both)).status).toBe(400);
    expect(
      (await tus('POST', '', member.token, { 'upload-length': '10', 'upload-metadata': 'filename %%%' })).status,
    ).toBe(400);
    expect((await tus('POST', '', member.token, { 'upload-length': '10', 'tus-resumable': '9' })).status).toBe(400);
    for (const part of ['partial', 'final;/api/upload/a /api/upload/b']) {
      const reply = await tus('POST', '', member.token, { 'upload-length': '10', 'upload-concat': part });
      expect(await codeOf(reply)).toMatchObject({ status: 400, message: '不支持分段合并上传，请整个上传文件' });
    }
    expect(await listStored()).toEqual(before);
    expect(await usageOf(member)).toBe(0);
  });

  it('with advice that helps: to go on only where going on is possible', async () => {
    const key = await beginKey(member.token, 10);
    expect(await codeOf(await sendPart(key, member.token, 0, bytes.subarray(0, 11)))).toMatchObject({
      status: 413,
      message: '文件与开始上传时不一致，请重新上传',
    });
    for (const type of ['', 'application/octet-stream']) {
      const headers = { 'upload-offset': '0', ...(type && { 'content-type': type }) };
      const untyped = await tus('PATCH', `/${key}`, member.token, headers, bytes.subarray(0, 10));
      const message = '请求体须为 application/offset+octet-stream';
      expect(await codeOf(untyped)).toMatchObject({ status: 415, code: 40, message });
    }
    expect(await codeOf(await sendPart(key, member.token, 5, bytes.subarray(0, 5)))).toMatchObject({
      status: 409,
      message: '上传中断，请继续上传',
    });
  });

  it('on other paths and by other methods, also in disguise', async () => {
    const key = await send(member.token, bytes);
    for (const path of [`/${key}/x`, '/../../etc/passwd', '/..%2f..%2fetc%2fpasswd', `/${key.toUpperCase()}`, '/x'])
      expect((await tus('HEAD', path, member.token)).status, path).toBe(404);
    for (const method of ['GET', 'PUT']) expect((await tus(method, `/${key}`, member.token)).status).toBe(405);
    const disguised = await tus('PATCH', `/${key}`, member.token, { 'x-http-method-override': 'GET' });
    expect(disguised.status).toBe(405);
    expect((await tus('OPTIONS', '', member.token)).headers.get('tus-version')).toBe('1.0.0');
  });

  it('beyond five files that are sent, wait or are converted, and beyond the quota, also when they begin at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => begin(member.token, 10)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(uploadLimits.unfinishedPerMember);
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(7);
    expect(await codeOf(await begin(member.token, 10))).toMatchObject({
      code: 50,
      message: '还有 5 个文件没有传完或转换完，请稍后再试，或先撤回',
    });
    const busy = await addMemberOf(gid);
    await addFiles(busy, 2, { state: 'queued' });
    await addFiles(busy, 2, { state: 'running' });
    const last = await Promise.all([begin(busy.token, 10), begin(busy.token, 10)]);
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([201, 403]));
    const rich = await addMemberOf(gid);
    await addFiles(rich, 49);
    const two = await Promise.all([begin(rich.token, 10), begin(rich.token, 10)]);
    expect(new Set(two.map(({ status }) => status))).toEqual(new Set([201, 403]));
    const full = await addMemberOf(gid);
    await addFiles(full, 1, { sizeBytes: uploadLimits.bytesPerMember - 100 });
    expect((await begin(full.token, 100)).status).toBe(201);
    expect((await codeOf(await begin(full.token, 1))).message).toBe('上传的文件合计最多 2 GB，请先撤回不需要的文件');
  });

  it('to a member who begins too often', async () => {
    const { pool, close } = openDatabase(app.databaseUrl, { max: 2, log: app.ctx.log });
    const unlimited = app.ctx.limiter;
    app.ctx.limiter = createLimiter(pool);
    try {
      const statuses: number[] = [];
      for (let count = 0; count <= uploadLimits.beginningsPerMinute; count++)
        statuses.push((await begin(member.token, 0)).status);
      expect(statuses.slice(0, -1)).not.toContain(429);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      app.ctx.limiter = unlimited;
      await close();
    }
  });
});

const usageOf = async ({ id }: Person) =>
  (await app.ctx.db.select().from(groupUploads).where(eq(groupUploads.userId, id))).length;

/** Files of a member, ready unless `facts` say otherwise. */
async function addFiles(
  { id }: Person,
  count: number,
  facts: Partial<typeof groupUploads.$inferInsert> = {},
): Promise<void> {
  await app.ctx.db.insert(groupUploads).values(
    Array.from({ length: count }, () => ({
      key: randomBytes(16).toString('hex'),
      userId: id,
      groupId: gid,
      name: '方案',
      sizeBytes: 1,
      state: 'ready' as const,
      fileType: 'pdf' as const,
      sha256: '0'.repeat(64),
      createdAt: new Date(app.ctx.clock.now()),
      ...facts,
    })),
  );
}
