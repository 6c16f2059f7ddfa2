import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../tests/people.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { banUser, unbanUser } from '../../accounts/server/account-admin.ts';
import { transact } from '../../context.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { expectOk } from '../../protocol/call.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { CARD_PAGE_SIZE, doFavorite, noteFavorite } from '../contract.ts';
import { createFolder, deleteFolder, moveToFolder } from '../contract-folders.ts';
import { createShortlist, listShortlists, openShortlist, revokeShortlist } from '../contract-shortlists.ts';
import { shelfPersonalData } from './personal-data.ts';

let app: TestApp;
let shown: number;
let hidden: number;
beforeAll(async () => {
  app = await openTestApp();
  shown = (await addPublished(app, { name: '中秋方案' })).id;
  hidden = (await addPublished(app, { name: '下架方案' })).id;
});
afterAll(() => app.close());

/** A planner with a folder that holds one document and its note. */
async function addPlanner(): Promise<{ person: Person; folder: number }> {
  const person = await addPerson(app);
  const folder = expectOk(await app.call(createFolder, { name: '给客户的三份' }, person.token)).id;
  expectOk(await app.call(doFavorite, { id: shown }, person.token));
  expectOk(await app.call(moveToFolder, { fids: [shown], parent_id: folder }, person.token));
  expectOk(await app.call(noteFavorite, { fid: shown, note: '首选' }, person.token));
  return { person, folder };
}

const make = async ({ person, folder }: { person: Person; folder: number }, days = 7) =>
  expectOk(await app.call(createShortlist, { folder_id: folder, days }, person.token));
const keyOf = (link: string) => link.split('/').at(-1) ?? '';
const open = (link: string) => app.call(openShortlist, { key: keyOf(link) });

it('shows a visitor the published documents and the notes, and nothing of who made it', async () => {
  const planner = await addPlanner();
  const { person, folder } = planner;
  expectOk(await app.call(doFavorite, { id: hidden, is_favorite: 1 }, person.token));
  expectOk(await app.call(moveToFolder, { fids: [hidden], parent_id: folder }, person.token));
  await hideDocument(app.ctx, hidden, 'operator');
  const link = await make(planner, 30);
  expect(link.expire_time - link.create_time).toBe(30 * 86_400);
  const reply = await open(link.link);
  expect(reply).toMatchObject({
    code: 0,
    data: {
      name: '给客户的三份',
      items: [{ fid: shown, note: '首选', is_favorite: 0, parent_id: 0, online_url: '' }],
      offline_count: 1,
    },
  });
  const text = JSON.stringify(reply);
  for (const secret of [person.username, person.sid, '下架方案', `"user_id"`]) expect(text).not.toContain(secret);
});

it('ends when it is revoked, when it expires, and with its folder', async () => {
  const planner = await addPlanner();
  const { person, folder } = planner;
  const gone = { code: 4, data: { gone: 1 } };
  const revoked = await make(planner);
  expect(await app.call(revokeShortlist, { folder_id: folder, id: revoked.id }, person.token)).toMatchObject({
    code: 0,
  });
  expect(await app.call(revokeShortlist, { folder_id: folder, id: revoked.id }, person.token)).toMatchObject({
    code: 0,
  });
  expect(await open(revoked.link)).toMatchObject(gone);

  const [weekly, quarterly] = [await make(planner, 7), await make(planner, 90)];
  app.clock.offsetMs = 7 * DAY_MS + 1_000;
  expect(await open(weekly.link)).toMatchObject(gone);
  expect(await open(quarterly.link)).toMatchObject({ code: 0 });
  app.clock.offsetMs = 0;

  expect(await app.call(listShortlists, { folder_id: folder }, person.token)).toMatchObject({
    data: { items: [{ id: quarterly.id }, { id: weekly.id }] },
  });
  expectOk(await app.call(deleteFolder, { id: folder }, person.token));
  expect(await open(quarterly.link)).toMatchObject(gone);
});

it('ends while its owner is banned', async () => {
  const planner = await addPlanner();
  const { link } = await make(planner);
  await banUser(app.ctx, planner.person.id);
  expect(await open(link)).toMatchObject({ code: 4, data: { gone: 1 } });
  await unbanUser(app.ctx, planner.person.id);
  expect(await open(link)).toMatchObject({ code: 0 });
});

it('speaks the calls of the specification: a link of 30 days, and an end to all links of the folder', async () => {
  const { person, folder } = await addPlanner();
  const post = async (path: string) => {
    const reply = await app.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token: person.token },
      body: JSON.stringify({ folder_id: folder }),
    });
    const answer: { code: number; data: { link: string; create_time: number; expire_time: number } } =
      await reply.json();
    return answer;
  };
  const [one, other] = [await post('/api/favorite/share'), await post('/api/favorite/share')];
  expect(one).toMatchObject({ code: 0, data: { link: expect.stringMatching(/^\/s\/[\w-]{26,}$/) } });
  expect(one.data.expire_time - one.data.create_time).toBe(30 * 86_400);
  expect(await open(one.data.link)).toMatchObject({ code: 0 });
  for (let round = 0; round < 2; round++)
    expect(await post('/api/favorite/shareRevoke')).toMatchObject({ code: 0, data: {} });
  for (const { data } of [one, other]) expect(await open(data.link)).toMatchObject({ code: 4, data: { gone: 1 } });
});

it('ends one link of a folder by its number, and none by a number that is wrong or of another folder', async () => {
  const planner = await addPlanner();
  const { person, folder } = planner;
  const [one, other] = [await make(planner), await make(planner)];
  const second = expectOk(await app.call(createFolder, { name: '第二个' }, person.token)).id;
  for (const [folder_id, id] of [
    [second, one.id],
    [folder, 'x'],
    [folder, 0],
    [folder + 1_000_000, one.id],
  ])
    expect(await app.call(revokeShortlist, { folder_id, id }, person.token)).toMatchObject({ code: 4 });
  expect(await app.call(revokeShortlist, { folder_id: second }, person.token)).toMatchObject({ code: 0 });
  expect(await open(one.link)).toMatchObject({ code: 0 });
  expect(await app.call(revokeShortlist, { folder_id: folder, id: `${one.id}` }, person.token)).toMatchObject({
    code: 0,
  });
  expect(await open(one.link)).toMatchObject({ code: 4, data: { gone: 1 } });
  expect(await open(other.link)).toMatchObject({ code: 0 });
});

it('counts the same documents on each of its pages, and apart from them all that left the library', async () => {
  const { person, folder } = await addPlanner();
  const fids: number[] = [];
  for (let made = 0; made <= CARD_PAGE_SIZE; made++) fids.push((await addPublished(app)).id);
  for (const id of fids) expectOk(await app.call(doFavorite, { id, is_favorite: 1 }, person.token));
  await hideDocument(app.ctx, fids[3] ?? 0, 'operator');
  expectOk(await app.call(moveToFolder, { fids, parent_id: folder }, person.token));
  const { link } = await make({ person, folder });
  const counts = { total: CARD_PAGE_SIZE + 1, offline_count: 1 };
  const first = expectOk(await app.call(openShortlist, { key: keyOf(link), page: 1 }));
  const second = expectOk(await app.call(openShortlist, { key: keyOf(link), page: 2 }));
  expect(first).toMatchObject(counts);
  expect(second).toMatchObject(counts);
  expect([first.items.length, second.items.length]).toEqual([CARD_PAGE_SIZE, 1]);
});

it('is not found under a guessed or altered address', async () => {
  const { link, id } = await make(await addPlanner());
  const key = keyOf(link);
  for (const guess of ['', 'x', `${id}`, `${id + 1}${key.slice(String(id).length)}`, `${key}a`, `0${key}`, null, {}])
    expect(await app.call(openShortlist, { key: guess as string })).toMatchObject({ code: 4, data: null });
});

it('is made, listed and revoked by its owner alone', async () => {
  const planner = await addPlanner();
  const link = await make(planner);
  const other = await addPerson(app);
  expect(await app.call(createShortlist, { folder_id: planner.folder, days: 7 }, other.token)).toMatchObject({
    code: 4,
  });
  for (const folder_id of [planner.folder, 0, 'x', 987_654])
    expect(await app.call(listShortlists, { folder_id }, other.token)).toMatchObject({ code: 4, data: null });
  expect(await app.call(revokeShortlist, { folder_id: planner.folder, id: link.id }, other.token)).toMatchObject({
    code: 4,
  });
  expect(await open(link.link)).toMatchObject({ code: 0 });
  for (const endpoint of [createShortlist, listShortlists, revokeShortlist])
    expect(await app.call(endpoint, { id: link.id, folder_id: planner.folder, days: 7 })).toMatchObject({
      code: 10000,
    });
});

it('has ten open links at most, however many are asked for at once', async () => {
  const { person, folder } = await addPlanner();
  const replies = await Promise.all(
    Array.from({ length: 15 }, () => app.call(createShortlist, { folder_id: folder, days: 'x' }, person.token)),
  );
  expect(replies.filter(({ code }) => code === 0)).toHaveLength(10);
  expect(replies.filter(({ code }) => code === 60)).toHaveLength(5);
});

it('stands in the copy of one’s data, and goes with the account', async () => {
  const planner = await addPlanner();
  const link = await make(planner);
  expect(await shelfPersonalData.collect(app.ctx, planner.person.id)).toMatchObject({
    folders: [{ name: '给客户的三份' }],
    favorites: [{ documentId: shown, note: '首选' }],
    shortlists: [{ id: link.id }],
  });
  await transact(app.ctx, (tx) => shelfPersonalData.erase(tx, planner.person.id));
  expect(await shelfPersonalData.collect(app.ctx, planner.person.id)).toEqual({
    folders: [],
    favorites: [],
    shortlists: [],
    reads: [],
    positions: [],
  });
  expect(await open(link.link)).toMatchObject({ code: 4, data: { gone: 1 } });
});
