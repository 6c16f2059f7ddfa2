import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../../tests/people.ts';
import { uploading } from '../../../../tests/sent-upload.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { eraseUser } from '../../../accounts/server/privacy/delete-account.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { PERSONAL_DATA } from '../../../slices.ts';
import { addGroupFile, leaveGroup } from '../../contract.ts';
import { getUpload, listUploads, reportUpload, withdrawUpload } from '../../contract-uploads.ts';
import { uploadOriginalPath, uploadPagePath } from '../../rules-uploads.ts';
import { findGroupList, parseGroupList, setGroupList } from '../group-list.ts';
import { groupCommands } from '../commands.ts';
import { groupsPersonalData } from '../groups.ts';
import { groupUploadReports } from '../tables.ts';
import { removeUploadFilesJob } from './jobs.ts';
import { listReports } from './reports.ts';
import { selectUpload } from './store.ts';
import { removeUploadFiles } from './upload-files.ts';

let app: TestApp;
let [gid, otherGid]: [number, number] = [0, 0];
let owner: Person;
let reader: Person;
let stranger: Person;
const pdf = smallPdf(randomBytes(4).toString('hex'), 2);
let shelved: { id: number; key: string };

beforeAll(async () => {
  app = await openTestApp();
  await setGroupList(app.ctx, parseGroupList('groups:\n  - name: 甲社群\n  - name: 乙社群'));
  [gid = 0, otherGid = 0] = (await findGroupList(app.ctx)).map(({ id }) => id ?? 0);
  owner = await addMemberOf(gid, otherGid);
  reader = await addMemberOf(gid);
  stranger = await addMemberOf(otherGid);
  shelved = await shelve(owner, gid, pdf, { name: '内部提案.pdf' });
});
afterAll(() => app.close());
const { addMemberOf, beginKey, check, getFile, listStored, send, shelve } = uploading(() => app);

const ceku = (...words: string[]) =>
  typeCommand((program) => groupCommands(program, (work) => work(app.ctx)), ['group', ...words]);

const listOf = async (group: number, { token }: Person) =>
  (await app.call(listUploads, { gid: group, pageSize: 50 }, token)).data?.uploads ?? [];
const detailOf = ({ id }: { id: number }, token?: string) => app.call(getUpload, { id }, token);

describe('a file on the shelf of a group', () => {
  it('is listed, previewed and downloaded by the members', async () => {
    const [item] = await listOf(gid, reader);
    expect(item).toMatchObject({
      id: shelved.id,
      oss_name: '',
      name: '内部提案',
      state: 'ready',
      file_type_text: 'PDF',
      bytes: pdf.length,
      page_count: 2,
      is_own: 0,
      is_shelved: 1,
    });
    expect((await listOf(gid, owner))[0]).toMatchObject({ oss_name: shelved.key, is_own: 1 });
    const detail = expectOk(await detailOf(shelved, reader.token));
    expect(detail.pages).toHaveLength(2);
    const page = await getFile(detail.pages[1]?.url ?? '', reader.token);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const etag = { 'if-none-match': page.headers.get('etag') ?? '' };
    expect((await getFile(detail.pages[1]?.url ?? '', reader.token, etag)).status).toBe(304);
    const original = await getFile(detail.download_url, reader.token);
    expect(original.headers.get('content-disposition')).toContain(encodeURIComponent('内部提案.pdf'));
    expect(Buffer.from(await original.arrayBuffer())).toEqual(pdf);
    const part = await getFile(detail.download_url, reader.token, { range: 'bytes=0-4' });
    expect([part.status, await part.text()]).toEqual([206, '%PDF-']);
    expect((await getFile(detail.download_url, reader.token, { range: 'bytes=9999999-' })).status).toBe(416);
  });

  it('does not exist for anybody else: not in the list, not by its addresses', async () => {
    const left = await addMemberOf(gid);
    expectOk(await app.call(leaveGroup, { gid }, left.token));
    const outsider = await addPerson(app);
    for (const { token } of [stranger, left, outsider]) {
      expect(await detailOf(shelved, token)).toMatchObject({ code: 4, data: null });
      expect((await app.call(reportUpload, { id: shelved.id, reason: '侵权' }, token)).code).toBe(4);
      for (const path of [uploadPagePath(shelved.id, 1), uploadOriginalPath(shelved.id)])
        expect((await getFile(path, token)).status).toBe(404);
      const list = await app.call(listUploads, { gid }, token);
      expect([list.code, list.data?.uploads]).toEqual([50, []]);
    }
    expect(await listOf(otherGid, stranger)).toEqual([]);
    for (const path of [uploadPagePath(shelved.id, 1), uploadOriginalPath(shelved.id)])
      expect((await getFile(path)).status).toBe(404);
    expect((await detailOf(shelved)).code).toBe(10000);
    expect((await app.call(listUploads, { gid })).code).toBe(10000);
  });

  it('answers odd ids and addresses as missing ones', async () => {
    for (const id of [0, -1, 'x', null, 999_999]) expect((await app.call(getUpload, { id }, owner.token)).code).toBe(4);
    for (const path of [
      'x',
      `${shelved.id}/0.webp`,
      `${shelved.id}/3.webp`,
      `${shelved.id}/../../originals`,
      '0/1.webp',
    ])
      expect((await getFile(`/media/upload/${path}`, owner.token)).status, path).toBe(404);
    expect((await app.call(listUploads, { gid: 999_999 }, owner.token)).code).toBe(4);
  });

  it('is gone for all when its group is closed', async () => {
    await setGroupList(app.ctx, parseGroupList(`groups:\n  - id: ${otherGid}\n    name: 乙社群`));
    expect((await detailOf(shelved, reader.token)).code).toBe(4);
    expect((await getFile(uploadPagePath(shelved.id, 1), reader.token)).status).toBe(404);
    const both = `groups:\n  - id: ${gid}\n    name: 甲社群\n  - id: ${otherGid}\n    name: 乙社群`;
    await setGroupList(app.ctx, parseGroupList(both));
    expect((await detailOf(shelved, reader.token)).code).toBe(0);
  });

  it('is shown to its owner on the pages of other groups while its own is closed, and can be taken back', async () => {
    const both = `groups:\n  - id: ${gid}\n    name: 甲社群\n  - id: ${otherGid}\n    name: 乙社群`;
    const [keeper, neighbour] = [await addMemberOf(gid, otherGid), await addMemberOf(gid, otherGid)];
    const [kept, withdrawn] = [
      await shelve(keeper, gid, smallPdf('kept')),
      await shelve(keeper, gid, smallPdf('withdrawn')),
    ];
    const shownIn = async (group: number, member: Person) =>
      (await listOf(group, member)).filter(({ id }) => id === kept.id || id === withdrawn.id);
    expect(await shownIn(otherGid, keeper)).toEqual([]);
    await setGroupList(app.ctx, parseGroupList(`groups:\n  - id: ${otherGid}\n    name: 乙社群`));
    expect(await shownIn(otherGid, keeper)).toMatchObject([
      { id: withdrawn.id, is_shelved: 0, is_own: 1, message: '所在社群已关闭，其他成员看不到，可以撤回' },
      { id: kept.id, is_shelved: 0 },
    ]);
    expect(await shownIn(otherGid, neighbour)).toEqual([]);
    expectOk(await app.call(withdrawUpload, { id: withdrawn.id }, keeper.token));
    const { quota, total } = expectOk(await app.call(listUploads, { gid: otherGid }, keeper.token));
    expect([quota.files, total]).toEqual([1, 1]);
    await setGroupList(app.ctx, parseGroupList(both));
    expect(await shownIn(otherGid, keeper)).toEqual([]);
    expect(await shownIn(gid, neighbour)).toMatchObject([{ id: kept.id, is_shelved: 1, message: '' }]);
    expectOk(await app.call(withdrawUpload, { id: kept.id }, keeper.token));
  });
});

describe('adding a file to a shelf', () => {
  it('happens once, however often and however much at once', async () => {
    const key = await send(owner.token, smallPdf('once'));
    await check(owner.token, key);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => app.call(addGroupFile, { gid, oss_name: key }, owner.token)),
    );
    expect(replies.filter((reply) => expectOk(reply).added === 1)).toHaveLength(1);
    expect(await app.call(addGroupFile, { gid: otherGid, oss_name: key }, owner.token)).toMatchObject({
      code: 1,
      message: '文件已在另一个社群的书架上，请先撤回再上传',
    });
    // The pages are not drawn yet: the owner alone sees it.
    expect((await listOf(gid, reader)).map(({ oss_name }) => oss_name)).toEqual(['']);
    expect((await listOf(gid, owner)).filter(({ state }) => state === 'queued')).toHaveLength(1);
  });

  it('needs nothing but the finished upload: the file is checked then, once, and its conversion begins', async () => {
    const key = await send(owner.token, smallPdf('at once'));
    const add = () => app.call(addGroupFile, { gid, oss_name: key }, owner.token);
    const replies = await Promise.all([add(), add(), add()]);
    expect(replies.filter((reply) => expectOk(reply).added === 1)).toHaveLength(1);
    const own = (await listOf(gid, owner)).find(({ oss_name }) => oss_name === key);
    expect(own).toMatchObject({ state: 'queued', is_shelved: 1 });
    expectOk(await app.call(withdrawUpload, { id: own?.id }, owner.token));
  });

  it('says what is wrong with a file that is not whole, or that the checks refuse', async () => {
    const half = await beginKey(owner.token, 1_000);
    expect(await app.call(addGroupFile, { gid, oss_name: half }, owner.token)).toMatchObject({
      code: 1,
      message: '文件还没有传完，请继续上传',
    });
    const text = await send(owner.token, Buffer.from('no deck at all'), '方案.pdf');
    const refused = await app.call(addGroupFile, { gid, oss_name: text }, owner.token);
    expect(refused.code).toBe(1);
    expect((await listOf(gid, owner)).map(({ oss_name }) => oss_name)).not.toContain(text);
  });

  it('is refused for the file of somebody else and to who is not in the group', async () => {
    const key = await send(stranger.token, smallPdf('refused'));
    const add = (gids: unknown, token?: string) => app.call(addGroupFile, { gid: gids, oss_name: key }, token);
    expect((await add(otherGid, owner.token)).code).toBe(4);
    expect((await add(gid, stranger.token)).code).toBe(50);
    expect((await add(999_999, stranger.token)).code).toBe(50);
    expect(await add('x', stranger.token)).toMatchObject({ code: 1, message: '请选择社群' });
    expect((await add(otherGid)).code).toBe(10000);
    expect(expectOk(await add(otherGid, stranger.token)).added).toBe(1);
  });
});

describe('taking a file back', () => {
  it('removes file, pages and rows, for its owner alone', async () => {
    const upload = await shelve(owner, gid, smallPdf('taken back', 2));
    expectOk(await app.call(reportUpload, { id: upload.id, reason: '广告内容' }, reader.token));
    const withdraw = (token?: string) => app.call(withdrawUpload, { id: upload.id }, token);
    expect((await withdraw(reader.token)).code).toBe(4);
    expect((await withdraw()).code).toBe(10000);
    expect(await listStored()).toContain(`uploads/${upload.key}/2.webp`);
    expect(await withdraw(owner.token)).toMatchObject({ code: 0, message: '已撤回' });
    expect((await withdraw(owner.token)).code).toBe(4);
    expect((await listStored()).filter((stored) => stored.includes(upload.key))).toEqual([]);
    const left = await readdir(app.dataDir, { recursive: true });
    expect(left.filter((path) => path.includes(upload.key))).toEqual([]);
    expect(await selectUpload(app.ctx.db, upload.id)).toBeNull();
    expect((await getFile(uploadOriginalPath(upload.id), owner.token)).status).toBe(404);
  });

  it('gives the quota back', async () => {
    const quotaOf = async () => expectOk(await app.call(listUploads, { gid }, owner.token)).quota;
    const before = await quotaOf();
    const upload = await shelve(owner, gid, pdf);
    expect(await quotaOf()).toMatchObject({ files: before.files + 1, bytes: before.bytes + pdf.length });
    expectOk(await app.call(withdrawUpload, { id: upload.id }, owner.token));
    expect(await quotaOf()).toEqual(before);
  });
});

describe('who leaves the group', () => {
  it('sees their own files alone, which stay on the shelf, and may still take them back', async () => {
    const leaver = await addMemberOf(gid);
    const upload = await shelve(leaver, gid, smallPdf('stays'));
    expectOk(await app.call(leaveGroup, { gid }, leaver.token));
    const list = await app.call(listUploads, { gid }, leaver.token);
    expect([list.code, list.data?.uploads.map(({ id }) => id), list.data?.total]).toEqual([50, [upload.id], 1]);
    expect((await listOf(gid, reader)).map(({ id }) => id)).toContain(upload.id);
    expect((await detailOf(shelved, leaver.token)).code).toBe(4);
    expectOk(await app.call(withdrawUpload, { id: upload.id }, leaver.token));
    expect((await listOf(gid, reader)).map(({ id }) => id)).not.toContain(upload.id);
  });
});

describe('a report', () => {
  it('is recorded once a member, and the operator removes the file', async () => {
    const upload = await shelve(owner, gid, smallPdf('reported'), { name: '.pdf' });
    const report = (reason: unknown, token?: string) =>
      // Safe: the schema refuses what is no text.
      app.call(reportUpload, { id: upload.id, reason: reason as string }, token);
    for (const odd of ['', ' 坏 ', null, 7, 'x'.repeat(201), '\u0000坏', '\ud800坏', '\u202e坏', '\u202e\u200b'])
      expect((await report(odd, reader.token)).code, String(odd)).toBe(40);
    expect((await report('侵权内容')).code).toBe(10000);
    expect((await report('侵权内容', owner.token)).code).toBe(1);
    const replies = await Promise.all([1, 2, 3].map(() => report('\u0000侵权\ud800\u202e内容', reader.token)));
    expect(replies.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await listOf(gid, reader)).find(({ id }) => id === upload.id)).toMatchObject({ is_reported: 1 });
    const reports = (await listReports(app.ctx)).filter(({ uploadId }) => uploadId === upload.id);
    expect(reports).toMatchObject([
      { reason: '侵权 内容', reporterId: reader.id, uploaderId: owner.id, group: '甲社群' },
    ]);
    expect((await ceku('reports')).out).toContain(
      `${upload.id}  未命名文件, in 甲社群, uploaded by user ${owner.id}\n`,
    );
    const saved = join(app.folder, 'reported.pdf');
    expect((await ceku('save-file', String(upload.id), saved)).out).toBe(`File ${upload.id} is in ${saved}.\n`);
    expect(await readFile(saved)).toEqual(smallPdf('reported'));
    expect(await ceku('save-file', String(upload.id), saved)).toMatchObject({ out: '', code: 73 });
    expect(await ceku('save-file', '999999', join(app.folder, 'none.pdf'))).toMatchObject({ out: '', code: 65 });
    expect((await ceku('dismiss-reports', String(upload.id))).out).toBe(
      `Reports closed: 1. File ${upload.id} stays.\n`,
    );
    expect(await ceku('dismiss-reports', String(upload.id))).toMatchObject({ out: '', code: 65 });
    expect(await ceku('reports')).toMatchObject({ out: 'No reports.\n', code: 0 });
    expect((await listOf(gid, reader)).map(({ id }) => id)).toContain(upload.id);
    expectOk(await report('侵权内容', reader.token));
    expect((await ceku('remove-file', String(upload.id))).out).toBe(`File ${upload.id} is removed.\n`);
    expect(await ceku('remove-file', String(upload.id))).toMatchObject({ out: '', code: 65 });
    expect(await ceku('reports')).toMatchObject({ out: 'No reports.\n', code: 0 });
    expect((await listStored()).filter((stored) => stored.includes(upload.key))).toEqual([]);
  });
});

describe('personal data', () => {
  it('has uploads and reports in a copy, and an erasure removes both with the files', async () => {
    const leaver = await addMemberOf(gid);
    const upload = await shelve(leaver, gid, smallPdf('leaver'), { name: '我的提案.pdf' });
    expectOk(await app.call(reportUpload, { id: shelved.id, reason: '重复内容' }, leaver.token));
    const copy = await groupsPersonalData.collect(app.ctx, leaver.id);
    expect(copy['group_uploads']).toMatchObject({
      uploads: [{ name: '我的提案', group: '甲社群', state: 'ready' }],
      reports: [{ name: '内部提案', reason: '重复内容' }],
    });
    await eraseUser(app.ctx, PERSONAL_DATA, leaver.id);
    const removed = await keysToRemove();
    expect(removed).toEqual([upload.key]);
    for (const key of removed) await removeUploadFiles(app.ctx, key);
    expect(await selectUpload(app.ctx.db, upload.id)).toBeNull();
    expect(await app.ctx.db.select().from(groupUploadReports).where(eq(groupUploadReports.userId, leaver.id))).toEqual(
      [],
    );
    expect((await listStored()).filter((stored) => stored.includes(upload.key))).toEqual([]);
  });
});

/** Returns the keys in the jobs that remove files. */
async function keysToRemove(): Promise<string[]> {
  const rows = await rowsOf<{ keys: string[] }>(
    app.ctx.db,
    sql`select payload->'keys' as keys from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${removeUploadFilesJob.name}`,
  );
  return rows.flatMap(({ keys }) => keys);
}
