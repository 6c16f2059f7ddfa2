import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { libraryCommands } from '../../../library/server/commands.ts';
import { editDocument, publishDocument } from '../../../library/server/documents.ts';
import { fileNeighbors, files } from '../../../library/server/tables.ts';
import { describing, pagesOf } from '../../../../tests/samples/plans.ts';
import { aboutCommands } from './commands.ts';
import { selectFingerprint } from './store.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const run = (...argv: string[]) =>
  typeCommand((program) => {
    libraryCommands(program, (work) => work(app.ctx));
    aboutCommands(program, (work) => work(app.ctx));
  }, argv);
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

  it('makes the excerpt of a published document again, as an older release may have made it otherwise', async () => {
    const texts = ['DATA\n三问', '试听课上孩子笑没笑，决定成交\n46%'];
    const fileId = await fileOf((await addPublished(app, { texts, pageCount: 2 })).id);
    await describeOne(fileId);
    const [file] = await app.ctx.db.select().from(files).where(eq(files.id, fileId));
    expect(file?.textExcerpt).toBe('试听课上孩子笑没笑，决定成交。');
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

  it('tells two decks of one title apart, and says so to the operator', async () => {
    const make = async (texts: string[]) => {
      const { id } = await addPublished(app, {
        isPublished: false,
        name: '商业计划书',
        isNameGuessed: true,
        texts,
        pageCount: texts.length,
      });
      const fileId = await fileOf(id);
      await app.ctx.db.update(files).set({ originalName: '商业计划书.pptx', outline: [] }).where(eq(files.id, fileId));
      await describeOne(fileId);
      return { id, name: (await findDocument(app.ctx, id))?.name ?? '' };
    };
    const first = await make(['无人机植保', '无人机与果园', '无人机喷洒']);
    const other = await make(['陪练琴童', '陪练课程', '琴童陪练平台']);
    expect(first.name).toBe('商业计划书');
    expect(other.name).toMatch(/^商业计划书（.+）$/);
    const about = await run('document', 'about', String(other.id));
    expect(about.out).toContain('from the file name');
    expect(about.out).toContain('doubt     another document is called 商业计划书');
    const doubtful = await run('document', 'list', '--doubtful');
    expect(doubtful.out).toContain(other.name);
    expect(doubtful.out).toContain('the title only says what kind of document it is');
    await editDocument(app.ctx, other.id, { name: '琴童陪练计划' });
    await publishDocument(app.ctx, other.id);
    expect((await run('document', 'list', '--doubtful')).out).not.toContain('琴童陪练计划');
  });

  it('proposes the type that the title names, and no words of a template', async () => {
    const { id } = await addPublished(app, {
      isPublished: false,
      name: '滨江市集执行手册',
      texts: ['滨江市集执行手册\n单击此处添加文本', '单击此处添加文本', '单击此处添加文本\n摊位招募'],
      pageCount: 3,
    });
    await describeOne(await fileOf(id));
    expect(await findDocument(app.ctx, id)).toMatchObject({ typeName: '执行手册' });
    expect((await findDocument(app.ctx, id))?.keyword).not.toMatch(/单击|添加/);
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
    expect(await selectFingerprint(app.ctx.db, fileId)).toMatchObject({ shingleCount: 0, coverHash: null });
  });
});
