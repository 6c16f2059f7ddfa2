import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addPublished, ODD_PAGES } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument, restoreDocument } from '../../library/server/documents.ts';
import { listenTo } from '../../platform/db/listen.ts';
import { expectOk } from '../../protocol/call.ts';
import { serveSitemap } from '../../site/server/sitemap.ts';
import { getCollection, listCollectionFiles, listCollections } from '../contract.ts';
import { findCollectionList, setCollectionList } from './collection-list.ts';

let app: TestApp;
const documents: number[] = [];
/** The ids of the first two collections. */
let first: number;
let empty: number;
beforeAll(async () => {
  app = await openTestApp();
  for (let count = 0; count < 22; count++) documents.push((await addPublished(app, { name: `方案 ${count}` })).id);
  [first = 0, empty = 0] = await setThirteen();
});
afterAll(() => app.close());

const terms = (name: string, ids: readonly number[], tags: string[] = []) => ({
  id: null,
  name,
  description: `${name}的简介`,
  tags,
  documents: [...ids],
});

/** Sets thirteen collections: the first has all documents, the second has none. Returns their ids. */
async function setThirteen(): Promise<number[]> {
  const small = Array.from({ length: 11 }, (_, index) => terms(`专题 ${index + 3}`, documents.slice(0, 2)));
  await setCollectionList(app.ctx, [terms('全部方案', documents, ['节日', '开业']), terms('空专题', []), ...small]);
  return (await findCollectionList(app.ctx)).list.flatMap(({ id }) => id ?? []);
}

const codeOf = async (path: string, body: unknown) =>
  (await (await app.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE })).json()).code;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the list of collections', () => {
  it('shows twelve a page to visitors, in the order of the operator', async () => {
    const page = expectOk(await app.call(listCollections, {}));
    expect(page).toMatchObject({ page: 1, page_size: 12, total: 13 });
    expect(page.items).toHaveLength(12);
    expect(page.items[0]).toMatchObject({
      id: first,
      name: '全部方案',
      description: '全部方案的简介',
      file_count: 22,
      tag: '节日,开业',
      update_text: '刚刚更新',
      createTimeText: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(page.items[1]).toMatchObject({ id: empty, file_count: 0, tag: '', banner: '', covers: [] });
    expect(expectOk(await app.call(listCollections, { page: 2 })).items.map(({ name }) => name)).toEqual(['专题 13']);
    expect(expectOk(await app.call(listCollections, { page: 3 })).items).toEqual([]);
  });

  it('composes the banner of the covers of the first three documents', async () => {
    const { banner, covers } = expectOk(await app.call(getCollection, { id: first }));
    expect(covers).toHaveLength(3);
    expect(banner).toMatch(/^\/media\/[\w-]{22}\/cover\.webp$/);
    expect(covers[0]).toEqual({ share_url: banner, cover_srcset: expect.any(String), cover_color: '#e8e3da' });
  });

  it.each(ODD_PAGES)('reads the page %j as the first', async (page) => {
    const response = await app.fetch(listCollections.path, {
      method: 'POST',
      body: JSON.stringify({ page, pageSize: page }),
      headers: JSON_TYPE,
    });
    expect(response.status).toBe(200);
    expect((await response.json()).data).toMatchObject({ page: 1, total: 13 });
  });
});

describe('one collection', () => {
  it('answers by number and by text, and lists twenty files a page', async () => {
    expect(expectOk(await app.call(getCollection, { id: String(first) })).name).toBe('全部方案');
    const page = expectOk(await app.call(listCollectionFiles, { id: first }));
    expect(page).toMatchObject({ page: 1, page_size: 20, total: 22 });
    expect(page.items.map(({ id }) => id)).toEqual(documents.slice(0, 20));
    expect(page.items[0]).toMatchObject({ name: '方案 0', time_text: expect.stringMatching(/^\d{4}-/) });
    const second = expectOk(await app.call(listCollectionFiles, { id: first, page: 2 }));
    expect(second.items.map(({ id }) => id)).toEqual(documents.slice(20));
    expect(expectOk(await app.call(listCollectionFiles, { id: empty }))).toMatchObject({ items: [], total: 0 });
  });

  it.each([0, -1, 999_999_999, Number.MAX_SAFE_INTEGER, '1; select', null, {}, [], '', undefined])(
    'answers 4 to the id %j',
    async (id) => {
      expect(await codeOf(getCollection.path, { id })).toBe(4);
      expect(await codeOf(listCollectionFiles.path, { id })).toBe(4);
    },
  );

  it('answers 4 when the operator no longer shows it, and comes back with its documents', async () => {
    const { list } = await findCollectionList(app.ctx);
    await setCollectionList(app.ctx, list.slice(1));
    expect((await app.call(getCollection, { id: first })).code).toBe(4);
    expect((await app.call(listCollectionFiles, { id: first })).code).toBe(4);
    expect(expectOk(await app.call(listCollections, {})).total).toBe(12);
    await setCollectionList(app.ctx, list);
    expect(expectOk(await app.call(getCollection, { id: first })).file_count).toBe(22);
  });
});

it('a document that is hidden is gone at once from files, count and banner, and comes back in its place', async () => {
  const [hidden = 0, next = 0] = documents;
  const bannerBefore = expectOk(await app.call(getCollection, { id: first })).banner;
  await hideDocument(app.ctx, hidden, 'copyright');
  const collection = expectOk(await app.call(getCollection, { id: first }));
  expect(collection).toMatchObject({ file_count: 21, update_text: '刚刚更新' });
  expect(collection.covers.map(({ share_url }) => share_url)).not.toContain(bannerBefore);
  expect(collection.covers).toHaveLength(3);
  const files = expectOk(await app.call(listCollectionFiles, { id: first }));
  expect(files.total).toBe(21);
  expect(files.items[0]?.id).toBe(next);
  await restoreDocument(app.ctx, hidden);
  expect(expectOk(await app.call(listCollectionFiles, { id: first })).items[0]?.id).toBe(hidden);
});

it('tells when its name or its documents last changed; a new place in the list is no change', async () => {
  onTestFinished(() => void (app.clock.offsetMs = 0));
  app.clock.offsetMs = 3 * 86_400_000;
  const { list } = await findCollectionList(app.ctx);
  const textOf = async (id: number) => expectOk(await app.call(getCollection, { id })).update_text;
  await setCollectionList(app.ctx, list.toReversed());
  expect(await textOf(first)).toBe('3天前更新');
  await setCollectionList(
    app.ctx,
    list.map((each) => (each.id === empty ? { ...each, documents: documents.slice(0, 1) } : each)),
  );
  expect(await textOf(empty)).toBe('刚刚更新');
  expect(await textOf(first)).toBe('3天前更新');
});

it('tells every node of a change, so that kept pages are dropped', async () => {
  const onNotice = vi.fn<() => void>();
  const changes = listenTo(app.databaseUrl, 'page_change', { log: app.ctx.log, onNotice });
  onTestFinished(() => changes.close());
  const { list } = await findCollectionList(app.ctx);
  let seen = -1;
  await expect
    .poll(() => seen === (seen = onNotice.mock.calls.length) && seen > 0, { timeout: 15_000, interval: 300 })
    .toBe(true);
  await setCollectionList(
    app.ctx,
    list.map((each) => (each.id === first ? { ...each, documents: each.documents.slice(1) } : each)),
  );
  await expect.poll(() => onNotice.mock.calls.length, { timeout: 15_000 }).toBeGreaterThan(seen);
});

it('the sitemap names the list and each collection that is shown', async () => {
  const read = async (path: string) =>
    (await (await serveSitemap(app.ctx, new Request(`https://ceku.test${path}`)))?.text()) ?? '';
  const { list } = await findCollectionList(app.ctx);
  await setCollectionList(app.ctx, list.slice(1));
  onTestFinished(async () => void (await setCollectionList(app.ctx, list)));
  const pages = await read('/sitemap-pages.xml');
  expect(pages).toContain('<loc>https://ceku.test/collection</loc>');
  expect(pages).toContain(`<loc>https://ceku.test/collection/detail?id=${empty}</loc>`);
  expect(pages).not.toContain(`id=${first}<`);
  expect(await read('/sitemap.xml')).toContain(`<loc>https://ceku.test/collection/detail?id=${empty}</loc>`);
  expect(await read('/sitemap-0.xml')).toContain(`/detail/${documents[0]}</loc>`);
});
