import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { documentFacts } from '../../../tests/documents.ts';
import { ODD_PAGES, addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { countLibrary, listDocuments, listIndustries, listSimilar, listThemes } from '../contract.ts';
import { INDUSTRIES, THEMES } from '../taxonomy.ts';
import { createDocument, editDocument, hideDocument, publishDocument, restoreDocument } from './documents.ts';
import { findDocument, listPublishedIds } from './catalogue.ts';
import { seedTaxonomy } from './labels.ts';

let app: TestApp;
const ids: number[] = [];
const listed = async (input: object = {}) => expectOk(await app.call(listDocuments, input));

beforeAll(async () => {
  app = await openTestApp();
  await seedTaxonomy(app.ctx);
  for (let index = 0; index < 20; index++) {
    const { id } = await addPublished(app, {
      name: `方案${index}`,
      industry: INDUSTRIES[index % 3] ?? '',
      themes: [THEMES[index % 2] ?? '', '快闪路演'],
      keyword: '中秋,暖场',
      fileType: index % 4 === 0 ? 'pdf' : 'pptx',
      createdAt: new Date(Date.now() - index * 86_400_000),
    });
    ids.push(id);
  }
});
afterAll(() => app.close());

it('lists themes and industries in the order of the site, and seeding twice changes nothing', async () => {
  await seedTaxonomy(app.ctx);
  expect(expectOk(await app.call(listThemes, {})).data.map((theme) => theme.name)).toEqual(THEMES);
  expect(expectOk(await app.call(listIndustries, {})).data.map((industry) => industry.name)).toEqual(INDUSTRIES);
});

describe('home list', () => {
  it('has 16 documents a page for any requested size, newest first among equals', async () => {
    const first = await listed({ page: 1, pageSize: 50 });
    expect(first).toMatchObject({ total_count: 20, total: 20, page: 1, page_size: 16 });
    expect(first.files.map((file) => file.id)).toEqual(ids.slice(0, 16));
    const second = await listed({ page: 2 });
    expect(second.files.map((file) => file.id)).toEqual(ids.slice(16));
    expect(await listed({ page: 3 })).toMatchObject({ files: [], total_count: 20 });
  });

  it('shows every field of an item', async () => {
    const [item] = (await listed()).files;
    expect(item).toMatchObject({
      fid: ids[0],
      item_id: ids[0],
      item_type: 3,
      name: '方案0',
      price: 0,
      share_url: expect.stringMatching(/^\/media\/[A-Za-z0-9_-]{22}\/cover\.webp$/),
      file_type: 1,
      file_type_text: 'PDF',
      size: 1.5,
      online_url: '',
      is_new: 1,
      updateText: '刚刚更新',
      organization: { id: 0, name: '' },
      industry: { name: INDUSTRIES[0] },
    });
  });

  it('says of a deck with macros that it is not handed out', async () => {
    const { id } = await addPublished(app, { name: '宏', flags: ['macros'], priceCoins: 12 });
    const { files } = await listed();
    expect(files.map((file) => [file.id, file.preview_only])).toContainEqual([id, 1]);
    expect(files.filter(({ preview_only }) => preview_only === 1)).toHaveLength(1);
    await hideDocument(app.ctx, id, 'operator');
  });

  it('narrows to a theme under both names, and not while recommended', async () => {
    const themes = expectOk(await app.call(listThemes, {})).data;
    const theme_id = themes[0]?.id ?? 0;
    expect(await listed({ theme_id })).toMatchObject({ total_count: 10 });
    expect(await listed({ themeid: String(theme_id) })).toMatchObject({ total_count: 10 });
    expect(await listed({ theme_id, isRecommend: 1 })).toMatchObject({ total_count: 20 });
    expect(await listed({ theme_id: 2_000_000_000 })).toMatchObject({ total_count: 0, files: [] });
  });

  it.each(ODD_PAGES)('takes page %j for the first', async (page) => {
    expect(await listed({ page })).toMatchObject({ page: 1 });
    expect(await listed({ theme_id: page, pageSize: page })).toMatchObject({ page_size: 16 });
  });

  it('answers a page far beyond the end', async () => {
    expect(await listed({ page: 1e9 })).toMatchObject({ files: [], total_count: 20 });
  });
});

describe('similar', () => {
  it('shows up to eight others', async () => {
    const files = expectOk(await app.call(listSimilar, { fid: ids[0] })).files;
    expect(files).toHaveLength(8);
    expect(files.map((file) => file.id)).not.toContain(ids[0]);
    expect(files[0]?.industry.name).toBe(INDUSTRIES[0]);
  });

  it.each([0, -1, 'x', {}, null, 987_654_321, '1; select'])('answers 4 for fid %j', async (fid) => {
    expect((await app.call(listSimilar, { fid })).code).toBe(CODE.notFound);
  });
});

describe('the catalogue', () => {
  it('loses a hidden document everywhere, and gets it back', async () => {
    const { id } = await addPublished(app, {
      name: '要下架的',
      industry: INDUSTRIES[0] ?? '',
      themes: [THEMES[0] ?? '', '快闪路演'],
      keyword: '中秋,暖场',
    });
    const isListed = async () => (await listed()).files.some((file) => file.id === id);
    const isSimilar = async () =>
      expectOk(await app.call(listSimilar, { fid: ids[0] })).files.some((file) => file.id === id);
    const isMapped = async () =>
      (await listPublishedIds(app.ctx, { afterId: 0, untilId: 50_000 })).some((row) => row.id === id);
    expect([await isListed(), await isSimilar(), await isMapped()]).toEqual([true, true, true]);
    await hideDocument(app.ctx, id, 'copyright');
    await hideDocument(app.ctx, id, 'illegal');
    expect([await isListed(), await isSimilar(), await isMapped()]).toEqual([false, false, false]);
    expect((await app.call(listSimilar, { fid: id })).code).toBe(CODE.notFound);
    await expect(publishDocument(app.ctx, id)).rejects.toMatchObject({ code: CODE.conflict });
    await restoreDocument(app.ctx, id);
    expect(await isListed()).toBe(true);
    await hideDocument(app.ctx, id, 'operator');
  });

  it('refuses to publish a document whose file is not prepared', async () => {
    const { id } = await addPublished(app, { fileState: 'waiting', isPublished: false });
    await expect(publishDocument(app.ctx, id)).rejects.toMatchObject({ code: CODE.conflict });
    await expect(publishDocument(app.ctx, 999_999)).rejects.toMatchObject({ code: CODE.notFound });
    await expect(hideDocument(app.ctx, 999_999, 'operator')).rejects.toMatchObject({ code: CODE.notFound });
  });

  it('keeps what an edit does not name', async () => {
    const { id } = await addPublished(app, {
      name: '旧名',
      organization: '甲公司',
      themes: ['快闪路演'],
      isPublished: false,
    });
    await editDocument(app.ctx, id, { name: ' 新\u0000名 ', industry: '新行业', organization: '' });
    expect(await findDocument(app.ctx, id)).toMatchObject({
      name: '新 名',
      industryName: '新行业',
      organizationName: null,
      themeIds: [expect.any(Number)],
    });
    await expect(editDocument(app.ctx, id, { name: ' ' })).rejects.toMatchObject({ code: CODE.invalid });
    await expect(editDocument(app.ctx, 999_999, { name: '新名' })).rejects.toMatchObject({ code: CODE.notFound });
  });

  it('creates a name once for two concurrent requests', async () => {
    const fileId = (await findDocument(app.ctx, ids[0] ?? 0))?.fileId ?? 0;
    const labels = { industry: '新的行业', themes: ['新主题'], organization: '新机构', type: '新类型' };
    const made = await Promise.all(
      Array.from({ length: 6 }, () => createDocument(app.ctx, { ...documentFacts(labels), fileId })),
    );
    const found = await Promise.all(made.map((id) => findDocument(app.ctx, id)));
    expect(new Set(found.map((document) => document?.organizationId)).size).toBe(1);
  });
});

it('counts what is published', async () => {
  app.clock.offsetMs += 60_000;
  expect(expectOk(await app.call(countLibrary, {}))).toEqual({ documents: 20, industries: 3 });
});
