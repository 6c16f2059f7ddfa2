import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addPerson, type Person } from '../../../tests/people.ts';
import { addPublished, ODD_PAGES } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { eraseUser } from '../../accounts/server/privacy/delete-account.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { expectOk } from '../../protocol/call.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import {
  addGroupFile,
  addGroupsFiles,
  joinGroup,
  leaveGroup,
  listGroupFiles,
  listGroups,
  listMyGroups,
  removeGroupFile,
} from '../contract.ts';
import { findGroupList, parseGroupList, setGroupList } from './group-list.ts';
import { groupsPersonalData } from './groups.ts';

let app: TestApp;
let ids: number[];
beforeAll(async () => {
  app = await openTestApp();
  const names = Array.from({ length: 9 }, (_, index) => `  - name: 社群${'一二三四五六七八九'[index]}`);
  await setGroupList(app.ctx, parseGroupList(`groups:\n${names.join('\n')}`));
  ids = (await findGroupList(app.ctx)).map(({ id }) => id ?? 0);
});
afterAll(() => app.close());
const { addBuyer } = buying(() => app);

const [first, second, third] = [() => ids[0] ?? 0, () => ids[1] ?? 0, () => ids[2] ?? 0];

/** A member who is in these groups. */
async function addMemberOf(...gids: number[]): Promise<Person> {
  const member = await addBuyer({ tier: 1 });
  for (const gid of gids) expectOk(await app.call(joinGroup, { gid }, member.token));
  return member;
}

const shelfOf = async (gid: number, token: string) =>
  expectOk(await app.call(listGroupFiles, { gid }, token)).files.map(({ id }) => id);
const groupOf = async (gid: number, token: string) => expectOk(await app.call(listGroupFiles, { gid }, token)).group;

describe('the list of groups', () => {
  it('has 7 groups a page, by both names of the answer, with what the caller joined', async () => {
    const member = await addMemberOf(second());
    const reply = await app.fetch('/api/group/getGroupList', { method: 'POST', headers: { token: member.token } });
    const { data, infor } = await reply.json();
    expect(infor).toEqual(data);
    expect(data).toMatchObject({ total: 9, joined_count: 1, page: 1, page_size: 7 });
    expect(data.group_list.map(({ joined }: { joined: number }) => joined)).toEqual([0, 1, 0, 0, 0, 0, 0]);
    const last = expectOk(await app.call(listGroups, { page: 2 }, member.token));
    expect(last.group_list.map(({ name }) => name)).toEqual(['社群八', '社群九']);
    expect(last.joined_count).toBe(1);
    expect(expectOk(await app.call(listGroups, { page: 99 }, member.token)).group_list).toEqual([]);
  });

  it('answers odd pages with the first page', async () => {
    const { token } = await addPerson(app);
    for (const page of ODD_PAGES) {
      const list = expectOk(await app.call(listGroups, { page }, token));
      expect(list.group_list[0]?.name, JSON.stringify(page)).toBe('社群一');
    }
  });

  it('says which groups have the document that is asked about', async () => {
    const member = await addMemberOf(third());
    const { id: fid } = await addPublished(app);
    expectOk(await app.call(addGroupsFiles, { fid, gids: [third()] }, member.token));
    const list = expectOk(await app.call(listGroups, { fid }, member.token)).group_list;
    expect(list.map(({ added }) => added)).toEqual([0, 0, 1, 0, 0, 0, 0]);
  });

  it('of the caller has joined groups only, the last joined first', async () => {
    const member = await addMemberOf(first());
    app.clock.offsetMs += 1_000;
    expectOk(await app.call(joinGroup, { gid: third() }, member.token));
    const mine = expectOk(await app.call(listMyGroups, {}, member.token));
    expect(mine.groups.map(({ id, joined }) => [id, joined])).toEqual([
      [third(), 1],
      [first(), 1],
    ]);
    expect(expectOk(await app.call(listMyGroups, { pageSize: 1, page: 2 }, member.token)).groups[0]?.id).toBe(first());
    expect(expectOk(await app.call(listMyGroups, {}, (await addPerson(app)).token))).toMatchObject({
      groups: [],
      total: 0,
    });
  });
});

describe('joining', () => {
  it('is free for members, and twice changes nothing', async () => {
    const member = await addBuyer({ tier: 1 });
    const before = (await groupOfVisitor(first(), member.token)).member_count;
    expect(await app.call(joinGroup, { gid: first() }, member.token)).toMatchObject({ code: 0, message: '加入成功' });
    expect((await app.call(joinGroup, { gid: String(first()) }, member.token)).code).toBe(0);
    expect((await groupOf(first(), member.token)).member_count).toBe(before + 1);
  });

  it('is refused to others with code 50, and unknown groups with 4', async () => {
    const { token } = await addPerson(app);
    expect(await app.call(joinGroup, { gid: first() }, token)).toMatchObject({ code: 50, data: null });
    for (const gid of [0, -1, 'x', null, 999_999]) expect((await app.call(joinGroup, { gid }, token)).code).toBe(4);
    expect((await app.call(joinGroup, { gid: first() })).code).toBe(10000);
  });

  it('lasts when the membership ends, and ends by leaving', async () => {
    const member = await addBuyer({ tier: 1, days: 1 });
    expectOk(await app.call(joinGroup, { gid: first() }, member.token));
    app.clock.offsetMs += 2 * 86_400_000;
    expect((await groupOf(first(), member.token)).joined).toBe(1);
    expect(await app.call(leaveGroup, { gid: first() }, member.token)).toMatchObject({
      code: 0,
      message: '已退出社群',
    });
    expect((await app.call(leaveGroup, { gid: first() }, member.token)).code).toBe(0);
    expect((await app.call(listGroupFiles, { gid: first() }, member.token)).code).toBe(50);
    expect((await app.call(joinGroup, { gid: first() }, member.token)).code).toBe(50);
    expect((await app.call(leaveGroup, { gid: 999_999 }, member.token)).code).toBe(4);
  });

  it('ends for the member who leaves and for nobody else, in that group and in no other', async () => {
    const [leaver, other] = [await addMemberOf(first(), third()), await addMemberOf(first())];
    const before = (await groupOf(first(), other.token)).member_count;
    expectOk(await app.call(leaveGroup, { gid: first() }, leaver.token));
    expect((await groupOf(first(), other.token)).member_count).toBe(before - 1);
    expect(expectOk(await app.call(listMyGroups, {}, leaver.token)).groups.map(({ id }) => id)).toEqual([third()]);
  });

  it('counts exactly when many join at once', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => addBuyer({ tier: 1 })));
    const gid = ids[7] ?? 0;
    const replies = await Promise.all(
      people.flatMap(({ token }) => [1, 2, 3].map(() => app.call(joinGroup, { gid }, token))),
    );
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([0]));
    expect((await groupOf(gid, people[0]?.token ?? '')).member_count).toBe(12);
  });
});

const groupOfVisitor = async (gid: number, token: string) => {
  const { data } = await app.call(listGroupFiles, { gid }, token);
  return data?.group ?? expect.fail('no group');
};

describe('adding a document', () => {
  it('puts it on each shelf once, however often it is added', async () => {
    const member = await addMemberOf(first(), second());
    const { id: fid } = await addPublished(app);
    const before = (await groupOf(first(), member.token)).fcount;
    const add = (gids: unknown) => app.call(addGroupsFiles, { fid, gids }, member.token);
    expect(await add([first(), second()])).toMatchObject({ code: 0, message: '操作成功', data: { added: 2 } });
    // The list of ids also comes as JSON text, as older clients send it (C-88).
    expect(await add(JSON.stringify([first(), second(), first()]))).toMatchObject({ code: 0, data: { added: 0 } });
    expect((await groupOf(first(), member.token)).fcount).toBe(before + 1);
    expect((await shelfOf(second(), member.token))[0]).toBe(fid);
  });

  it('by the older call takes the document and no word of the client about it', async () => {
    const member = await addMemberOf(first());
    const { id: file } = await addPublished(app);
    const body = { gid: first(), file, online_url: 'http://169.254.169.254/', page_count: 9_999 };
    const reply = await app.call(addGroupFile, body, member.token);
    expect(reply).toMatchObject({ code: 0, data: { added: 1 } });
    expect((await shelfOf(first(), member.token))[0]).toBe(file);
    expect((await app.call(addGroupFile, { file }, member.token)).message).toBe('请选择社群');
  });

  it('is refused without a group (1), without a document (4), into a foreign group (50), to visitors', async () => {
    const member = await addMemberOf(first());
    const { id: fid } = await addPublished(app);
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'operator');
    for (const gids of [[], '[]', 'x', null, undefined, {}, [0], ['x']])
      expect(await app.call(addGroupsFiles, { fid, gids }, member.token)).toMatchObject({
        code: 1,
        message: '请选择社群',
      });
    for (const unknown of [hidden.id, 999_999, 'x', null])
      expect((await app.call(addGroupsFiles, { fid: unknown, gids: [first()] }, member.token)).code).toBe(4);
    // All or nothing: the group that the member is in gets nothing either.
    const mixed = await app.call(addGroupsFiles, { fid, gids: [first(), second()] }, member.token);
    expect(mixed).toMatchObject({ code: 50, message: '请先加入该社群' });
    expect(await shelfOf(first(), member.token)).not.toContain(fid);
    expect((await app.call(addGroupsFiles, { fid, gids: [999_999] }, member.token)).code).toBe(50);
    expect((await app.call(addGroupsFiles, { fid, gids: [first()] })).code).toBe(10000);
  });

  it(
    'a hundred times at once never fails, and the count rises once for each document',
    { timeout: 60_000 },
    async () => {
      const people = await Promise.all([1, 2, 3, 4].map(() => addMemberOf(...ids.slice(3, 7))));
      const documents = await Promise.all([1, 2, 3, 4, 5].map(() => addPublished(app)));
      const groups = ids.slice(3, 7);
      const calls = people.flatMap(({ token }) =>
        documents.flatMap(({ id: fid }) =>
          [0, 1, 2, 3, 4].map((turn) => ({ token, fid, gids: turn % 2 === 0 ? groups : groups.toReversed() })),
        ),
      );
      expect(calls).toHaveLength(100);
      const replies = await Promise.all(
        calls.map(({ token, fid, gids }) => app.call(addGroupsFiles, { fid, gids }, token)),
      );
      expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([0]));
      expect(replies.reduce((sum, { data }) => sum + (data?.added ?? 0), 0)).toBe(20);
      for (const gid of groups) expect((await groupOf(gid, people[0]?.token ?? '')).fcount).toBe(5);
    },
  );
});

describe('the shelf', () => {
  it('names who added a document, and lets them alone take it back', async () => {
    const [owner, other] = [await addMemberOf(ids[8] ?? 0), await addMemberOf(ids[8] ?? 0)];
    const gid = ids[8] ?? 0;
    const { id: fid } = await addPublished(app);
    expectOk(await app.call(addGroupsFiles, { fid, gids: [gid] }, owner.token));
    // A later addition by somebody else changes nothing.
    expectOk(await app.call(addGroupsFiles, { fid, gids: [gid] }, other.token));
    const seenBy = async (token: string) => expectOk(await app.call(listGroupFiles, { gid }, token)).files[0];
    expect(await seenBy(owner.token)).toMatchObject({ id: fid, added_by: '小策', can_remove: 1 });
    expect(await seenBy(other.token)).toMatchObject({ id: fid, can_remove: 0 });
    const remove = (token?: string) => app.call(removeGroupFile, { gid, fid }, token);
    expect((await remove(other.token)).code).toBe(4);
    expect((await remove()).code).toBe(10000);
    expect(await remove(owner.token)).toMatchObject({ code: 0, message: '已移出社群书架' });
    expect((await remove(owner.token)).code).toBe(4);
    expect(await shelfOf(gid, other.token)).toEqual([]);
  });

  it('takes one document off one shelf; the shelves of other groups keep it', async () => {
    const owner = await addMemberOf(third(), ids[8] ?? 0);
    const [one, two] = [(await addPublished(app)).id, (await addPublished(app)).id];
    for (const fid of [one, two])
      expectOk(await app.call(addGroupsFiles, { fid, gids: [third(), ids[8]] }, owner.token));
    expectOk(await app.call(removeGroupFile, { gid: third(), fid: one }, owner.token));
    const [here, elsewhere] = [await shelfOf(third(), owner.token), await shelfOf(ids[8] ?? 0, owner.token)];
    expect([here.includes(one), here.includes(two)]).toEqual([false, true]);
    expect(elsewhere).toEqual(expect.arrayContaining([one, two]));
  });

  it('shows the group alone to who is not in it, and nothing to visitors', async () => {
    const member = await addMemberOf(first());
    const { id: fid } = await addPublished(app);
    expectOk(await app.call(addGroupsFiles, { fid, gids: [first()] }, member.token));
    const stranger = await app.call(listGroupFiles, { gid: first() }, (await addPerson(app)).token);
    expect(stranger).toMatchObject({ code: 50, data: { files: [], total: 0, group: { id: first(), joined: 0 } } });
    expect((await app.call(listGroupFiles, { gid: first() })).code).toBe(10000);
    for (const gid of [0, 'x', 999_999]) expect((await app.call(listGroupFiles, { gid }, member.token)).code).toBe(4);
  });

  it('loses a document that goes off the shelf of the library, and its count with it (C-112)', async () => {
    const member = await addMemberOf(second());
    const { id: fid } = await addPublished(app);
    expectOk(await app.call(addGroupsFiles, { fid, gids: [second()] }, member.token));
    const before = (await groupOf(second(), member.token)).fcount;
    await hideDocument(app.ctx, fid, 'copyright');
    expect(await shelfOf(second(), member.token)).not.toContain(fid);
    expect((await groupOf(second(), member.token)).fcount).toBe(before - 1);
  });

  it('is paged, the last added first', async () => {
    const gid = ids[5] ?? 0;
    const member = await addMemberOf(gid);
    const before = (await groupOf(gid, member.token)).fcount;
    const added: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      app.clock.offsetMs += 1_000;
      const { id } = await addPublished(app);
      expectOk(await app.call(addGroupsFiles, { fid: id, gids: [gid] }, member.token));
      added.unshift(id);
    }
    const page = expectOk(await app.call(listGroupFiles, { gid, page: 2, pageSize: 1 }, member.token));
    expect(page).toMatchObject({ page: 2, page_size: 1, total: before + 3 });
    expect(page.files.map(({ id }) => id)).toEqual([added[1]]);
  });
});

it('a copy of one’s data names groups and additions; an erasure leaves the documents without a name', async () => {
  const gid = ids[6] ?? 0;
  const [member, other] = [await addMemberOf(gid), await addMemberOf(gid)];
  const { id: fid } = await addPublished(app, { name: '开业方案' });
  const { id: theirs } = await addPublished(app);
  expectOk(await app.call(addGroupsFiles, { fid, gids: [gid] }, member.token));
  expectOk(await app.call(addGroupsFiles, { fid: theirs, gids: [gid] }, other.token));
  expect(await groupsPersonalData.collect(app.ctx, member.id)).toMatchObject({
    groups: { joined: [{ name: '社群七' }], added: [{ group: '社群七', documentId: fid, name: '开业方案' }] },
  });
  const { member_count: members } = await groupOf(gid, other.token);
  await eraseUser(app.ctx, PERSONAL_DATA, member.id);
  const shelf = expectOk(await app.call(listGroupFiles, { gid }, other.token));
  expect(shelf.group.member_count).toBe(members - 1);
  expect(shelf.files.find(({ id }) => id === fid)).toMatchObject({ added_by: '' });
  expect(shelf.files.find(({ id }) => id === theirs)).toMatchObject({ added_by: '小策' });
  expect(await groupsPersonalData.collect(app.ctx, member.id)).toMatchObject({ groups: { joined: [], added: [] } });
});
