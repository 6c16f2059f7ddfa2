import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { expectOk } from '../../protocol/call.ts';
import { addGroupsFiles, joinGroup, leaveGroup, listGroupFiles, listGroups, listMyGroups } from '../contract.ts';
import { groupCommands } from './commands.ts';
import { findGroupList } from './group-list.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
const { addBuyer } = buying(() => app);

const ceku = (...words: string[]) =>
  typeCommand((program) => groupCommands(program, (work) => work(app.ctx)), ['group', ...words]);

async function fileOf(text: string): Promise<string> {
  const file = join(app.folder, 'groups.yaml');
  await writeFile(file, text);
  return file;
}

const TWO = 'groups:\n  - name: 地产活动策划群\n    mark: 地产\n  - name: 餐饮营销社\n    description: 开业与新品\n';

describe('ceku group', () => {
  it('shows what a file changes, changes it with --yes, and exports what set reads', async () => {
    expect((await ceku('list')).out).toBe('No groups.\n');
    const file = await fileOf(TWO);
    expect((await ceku('set', file)).out).toBe(
      '+ 地产活动策划群\n+ 餐饮营销社\nNothing changed yet. Add --yes to change it.\n',
    );
    expect(await findGroupList(app.ctx)).toEqual([]);
    expect((await ceku('set', file, '--yes')).out).toMatch(/Changed\.\n$/);
    expect((await ceku('list')).out).toMatch(/^\d+ {2}地产活动策划群: 0 members, 0 documents\n/);
    const { out } = await ceku('export');
    expect((await ceku('set', await fileOf(out))).out).toBe('Nothing changes.\n');
    expect(JSON.parse((await ceku('list', '--json')).out).groups).toMatchObject([
      { name: '地产活动策划群', mark: '地产', members: 0 },
      { name: '餐饮营销社', mark: '餐饮', description: '开业与新品' },
    ]);
  });

  it('moves, renames and closes groups; a closed group comes back with its members', async () => {
    await ceku('set', await fileOf(TWO), '--yes');
    const [one, two] = await findGroupList(app.ctx);
    if (!one?.id || !two?.id) return expect.fail('two groups were set');
    const member = await addBuyer({ tier: 1 });
    expectOk(await app.call(joinGroup, { gid: one.id }, member.token));
    const onlyTwo = `groups:\n  - id: ${two.id}\n    name: 餐饮品牌营销社\n    mark: 餐饮\n    color: '${two.color}'\n`;
    expect((await ceku('set', await fileOf(onlyTwo), '--yes')).out).toBe(
      `~ 餐饮营销社 (id ${two.id}): name 餐饮营销社 → 餐饮品牌营销社, description 开业与新品 → , position 2 → 1\n` +
        `- 地产活动策划群 (id ${one.id}) is closed\nChanged.\n`,
    );
    const listed = async () => expectOk(await app.call(listGroups, {}, member.token)).group_list;
    expect((await listed()).map(({ name }) => name)).toEqual(['餐饮品牌营销社']);
    expect((await app.call(joinGroup, { gid: one.id }, member.token)).code).toBe(4);
    const { id: fid } = await addPublished(app);
    // A member of a group has no rights through the group while it is closed.
    expect((await app.call(addGroupsFiles, { fid, gids: [one.id] }, member.token)).code).toBe(50);
    for (const endpoint of [listGroupFiles, leaveGroup])
      expect((await app.call(endpoint, { gid: one.id }, member.token)).code).toBe(4);
    expect(expectOk(await app.call(listMyGroups, {}, member.token))).toMatchObject({ groups: [], total: 0 });
    const both = `${onlyTwo}  - id: ${one.id}\n    name: 地产活动策划群\n`;
    expect((await ceku('set', await fileOf(both), '--yes')).out).toContain(
      `+ 地产活动策划群 (id ${one.id}) opens again`,
    );
    expect((await listed())[1]).toMatchObject({ id: one.id, joined: 1, member_count: 1 });
  });

  it.each([
    ['{', /is no list of groups/],
    ['groups: 3', /groups is wrong/],
    ['groups:\n  - name: 一', /line 2: groups\[0\]\.name must have at least 2 characters/],
    ['groups:\n  - name: "\u2800\u3164"', /groups\[0\]\.name must be one line of visible characters/],
    ['groups:\n  - name: 社群\n    mark: 三个字', /groups\[0\]\.mark must have one or 2 characters/],
    ['groups:\n  - name: 社群\n    color: red', /groups\[0\]\.color must be one of/],
    ['groups:\n  - name: 社群\n    logo: x', /groups\[0\]/],
    ['groups:\n  - name: 社群\n  - name: 社群', /The name 社群 is used twice/],
    ['groups:\n  - id: 999999\n    name: 社群', /groups\[0\]\.id 999999 is no group/],
  ])('refuses %j and changes nothing', async (text, words) => {
    const before = await findGroupList(app.ctx);
    const ended = await ceku('set', await fileOf(text), '--yes');
    expect(ended).toMatchObject({ code: 65, out: '' });
    expect(ended.err).toMatch(words);
    expect(await findGroupList(app.ctx)).toEqual(before);
  });

  it('says first that a file closes all groups', async () => {
    await ceku('set', await fileOf(TWO), '--yes');
    const before = await findGroupList(app.ctx);
    expect((await ceku('set', await fileOf('groups: []'))).out).toMatch(
      new RegExp(`^! closes all groups \\(${before.length}\\)\n- `),
    );
    expect(await findGroupList(app.ctx)).toEqual(before);
  });

  it('names a file that cannot be read', async () => {
    expect(await ceku('set', '/no/such/file')).toMatchObject({ code: 65, out: '' });
    expect(await ceku('set', app.folder)).toEqual({ code: 65, out: '', err: `${app.folder} is a folder.\n` });
  });
});
