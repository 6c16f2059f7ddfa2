import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { fileNeighbors, files } from '../../../library/server/tables.ts';
import { describing, pagesOf } from '../../../../tests/samples/plans.ts';
import { selectFingerprint } from './store.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const { fileOf, describeOne, described } = describing(() => app);

describe('a description', () => {
  it('says keywords, themes and industry, and which words say so', async () => {
    const { fileId } = await described({
      name: '江畔咖啡馆中秋市集',
      texts: [
        '咖啡市集\n中秋夜市的摊位与拿铁品鉴',
        '市集摊主招募\n手冲咖啡体验',
        '中秋灯会与咖啡豆伴手礼',
        '奶茶与咖啡联名杯',
      ],
    });
    const found = await selectFingerprint(app.ctx.db, fileId);
    expect(found?.keywords).toContain('咖啡馆');
    expect(found?.proposals.themes[0]).toMatchObject({
      name: '市集与游园',
      words: expect.arrayContaining([{ word: '市集', weight: expect.any(Number) }]),
    });
    expect(found?.proposals.industry?.name).toBe('茶饮咖啡');
    expect(found?.proposals.industry?.words.map(({ word }) => word)).toContain('咖啡');
  });

  it('fills missing labels of a document that waits, and none of a published document', async () => {
    const texts = ['宠物嘉年华\n萌宠与猫咪', '宠物医院义诊\n狗狗运动会', '养宠课堂\n宠物领养'];
    const { id } = await addPublished(app, { isPublished: false, texts, pageCount: 3, name: '某计划' });
    await describeOne(await fileOf(id));
    const waiting = await findDocument(app.ctx, id);
    expect(waiting).toMatchObject({ industryName: '宠物', name: '某计划' });
    expect(waiting?.keyword).toContain('宠物');

    const said = await addPublished(app, {
      isPublished: false,
      texts,
      pageCount: 3,
      industry: '银行',
      keyword: '自定',
    });
    await describeOne(await fileOf(said.id));
    expect(await findDocument(app.ctx, said.id)).toMatchObject({ industryName: '银行', keyword: '自定' });

    const shown = await addPublished(app, { texts, pageCount: 3 });
    await describeOne(await fileOf(shown.id));
    expect(await findDocument(app.ctx, shown.id)).toMatchObject({ industryName: null, keyword: '', themeIds: [] });
  });

  it('names a document by its first page when its file is called nothing, and keeps a name that was given', async () => {
    const make = async (name: string, isNameGuessed: boolean) => {
      const { id } = await addPublished(app, {
        isPublished: false,
        name,
        isNameGuessed,
        texts: ['露营音乐节策划案'],
        pageCount: 1,
      });
      const fileId = await fileOf(id);
      await app.ctx.db
        .update(files)
        .set({ originalName: '演示文稿1.pptx', outline: [{ page: 1, title: '露营音乐节策划案 V3' }] })
        .where(eq(files.id, fileId));
      await describeOne(fileId);
      return (await findDocument(app.ctx, id))?.name;
    };
    expect(await make('演示文稿1', true)).toBe('露营音乐节策划案');
    expect(await make('手写的名字', false)).toBe('手写的名字');
    // Given, though it is what the file is called too.
    expect(await make('演示文稿1', false)).toBe('演示文稿1');
  });

  it('made twice is the same', async () => {
    const { fileId } = await described({ name: '智慧城市论坛', texts: pagesOf('智慧城市论坛') });
    const rows = async () => ({
      print: { ...(await selectFingerprint(app.ctx.db, fileId)), madeAt: null },
      related: await app.ctx.db
        .select()
        .from(fileNeighbors)
        .where(eq(fileNeighbors.fileId, fileId))
        .orderBy(fileNeighbors.neighborId),
    });
    const before = await rows();
    await describeOne(fileId);
    expect(await rows()).toEqual(before);
  });

  it('is saved for a file without words and without a cover', async () => {
    const { fileId } = await described({ texts: ['', ''], pageCount: 2 });
    expect(await selectFingerprint(app.ctx.db, fileId)).toMatchObject({ pieces: 0, coverHash: null });
  });
});
