import { Command } from 'commander';
import { eq, inArray, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { shelve, type ShelfFacts } from '../../../../tests/shelf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { transact } from '../../../context.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { listSimilar, listVersions as versionsEndpoint } from '../../../library/contract.ts';
import { findDocument } from '../../../library/server/find-document.ts';
import { hideDocument } from '../../../library/server/hide-document.ts';
import { listVersions } from '../../../library/server/list-versions.ts';
import { fileNeighbors, fileVersions } from '../../../library/server/tables-kin.ts';
import { documents, files } from '../../../library/server/tables.ts';
import { runCommandLine } from '../../../platform/command-line.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { selectFile } from '../store.ts';
import { aboutCommands } from './commands.ts';
import { describeFile, saveDescription } from './describe-file.ts';
import { countLibraryWords, describeMissing, recountLibraryWords } from './describe-missing.ts';
import { isDescriptionMissing } from './is-description-missing.ts';
import { countWordsJob } from './jobs.ts';
import { recountWords, selectFingerprint, selectWordCounting, selectWordCounts } from './store.ts';
import { fileFingerprints } from './tables.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

/** Headings every plan of one template has, and words of which each plan says something else. */
const HEADINGS = [
  '项目背景与目标',
  '目标人群画像',
  '创意概念阐述',
  '现场流程与动线',
  '舞台灯光安排',
  '传播节奏分配',
  '费用测算依据',
  '安全应急措施',
  '合作伙伴权益',
];
const WORDS = [
  ...'清晨薄雾山谷河流石桥灯笼木舟琴声书卷茶香竹影花灯烟火星空露台帐篷篝火风筝滑梯秋千画布陶土丝线铜铃贝壳沙滩礁石帆船雪松壁炉皮影剪纸铁轨站台邮筒钟楼',
];

/** Pages of a plan of the template: the same headings, sentences of its own. */
function pagesOf(subject: string, count = 9): string[] {
  let seed = [...subject].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7);
  const next = (below: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below;
  const sentence = () => Array.from({ length: 14 }, () => WORDS[(next(1 << 16) >>> 3) % WORDS.length]).join('');
  return Array.from({ length: count }, (_, page) =>
    [HEADINGS[page % HEADINGS.length], subject, ...Array.from({ length: 5 }, sentence)].join('\n'),
  );
}

async function fileOf(id: number): Promise<number> {
  return (await findDocument(app.ctx, id))?.fileId ?? 0;
}

async function describeOne(fileId: number): Promise<void> {
  const file = await selectFile(app.ctx.db, fileId);
  if (!file) throw new Error('no file');
  const description = await describeFile(app.ctx, file);
  await transact(app.ctx, (tx) => saveDescription(tx, description));
}

async function described(facts: ShelfFacts): Promise<{ id: number; fileId: number }> {
  const { id } = await shelve(app, { pageCount: facts.texts?.length ?? 8, ...facts });
  const fileId = await fileOf(id);
  await describeOne(fileId);
  return { id, fileId };
}

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

  it('fills what nobody said of a document that waits, and nothing of one on the shelf', async () => {
    const texts = ['宠物嘉年华\n萌宠与猫咪', '宠物医院义诊\n狗狗运动会', '养宠课堂\n宠物领养'];
    const { id } = await shelve(app, { isPublished: false, texts, pageCount: 3, name: '某计划' });
    await describeOne(await fileOf(id));
    const waiting = await findDocument(app.ctx, id);
    expect(waiting).toMatchObject({ industryName: '宠物', name: '某计划' });
    expect(waiting?.keyword).toContain('宠物');

    const said = await shelve(app, { isPublished: false, texts, pageCount: 3, industry: '银行', keyword: '自定' });
    await describeOne(await fileOf(said.id));
    expect(await findDocument(app.ctx, said.id)).toMatchObject({ industryName: '银行', keyword: '自定' });

    const shown = await shelve(app, { texts, pageCount: 3 });
    await describeOne(await fileOf(shown.id));
    expect(await findDocument(app.ctx, shown.id)).toMatchObject({ industryName: null, keyword: '', themeIds: [] });
  });

  it('names a document by its first page when its file is called nothing, and keeps a name that was given', async () => {
    const make = async (name: string, isNameGuessed: boolean) => {
      const { id } = await shelve(app, {
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
      kin: await app.ctx.db
        .select()
        .from(fileNeighbors)
        .where(eq(fileNeighbors.fileId, fileId))
        .orderBy(fileNeighbors.neighborId),
    });
    const before = await rows();
    await describeOne(fileId);
    expect(await rows()).toEqual(before);
  });

  it('is made of a file without words and without a cover', async () => {
    const { fileId } = await described({ texts: ['', ''], pageCount: 2 });
    expect(await selectFingerprint(app.ctx.db, fileId)).toMatchObject({ pieces: 0, coverHash: null });
  });
});

describe('versions', () => {
  const edited = (texts: string[]) =>
    texts.map((text, index) => (index === 3 ? (pagesOf('临时换上的一页')[0] ?? '') : text));

  it('a copy with one page changed is grouped, another plan of the same build is not', async () => {
    const texts = pagesOf('城南广场圣诞点灯');
    const first = await described({ name: '圣诞点灯', texts, createdAt: new Date('2026-01-01') });
    const second = await described({ name: '圣诞点灯 改', texts: edited(texts), createdAt: new Date('2026-02-01') });
    const other = await described({ name: '跑步嘉年华', texts: pagesOf('滨江绿道春日跑步') });
    expect((await listVersions(app.ctx, first.fileId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await listVersions(app.ctx, second.fileId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await listVersions(app.ctx, other.fileId)).toEqual([]);
  });

  it('the command gives their days in Shanghai, as every list does', async () => {
    const texts = pagesOf('清明河灯夜游');
    const createdAt = new Date('2026-03-05T00:30:00+08:00');
    const { id } = await described({ name: '河灯夜游', texts, createdAt });
    await described({ name: '河灯夜游 改', texts: edited(texts), createdAt });
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const program = new Command('ceku');
      aboutCommands(program, (work) => work(app.ctx));
      expect(await runCommandLine(program, ['document', 'versions', String(id)])).toBe(0);
      expect(out.mock.calls.join('')).toContain(`* ${id}  2026-03-05  published`);
    } finally {
      out.mockRestore();
    }
  });

  it('grouped at the same moment still find each other, and groups that meet become one', async () => {
    const texts = pagesOf('山谷啤酒节开幕夜');
    const made = await Promise.all(
      [texts, edited(texts), [...texts, '附录一页']].map((pages) =>
        shelve(app, { texts: pages, pageCount: pages.length }),
      ),
    );
    const ids = await Promise.all(made.map(({ id }) => fileOf(id)));
    await Promise.all(ids.map(describeOne));
    const rows = await app.ctx.db.select().from(fileVersions).where(inArray(fileVersions.fileId, ids));
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(({ groupId }) => groupId))).toEqual(new Set([Math.min(...ids)]));
  });

  it('one that was made anew and is none any more leaves its group, which ends', async () => {
    const texts = pagesOf('老街中秋猜灯谜');
    const one = await described({ texts });
    const two = await described({ texts: edited(texts) });
    const { pages } = await import('../../../library/server/tables.ts');
    await app.ctx.db
      .update(pages)
      .set({ text: pagesOf('完全不同的内容')[2] ?? '' })
      .where(eq(pages.fileId, two.fileId));
    await describeOne(two.fileId);
    expect(await listVersions(app.ctx, one.fileId)).toEqual([]);
  });

  it('of pictures alone are told by cover, title and number of pages', async () => {
    const cover = async (mediaKey: string, seed: number) => {
      const pixels = Buffer.from(
        Array.from({ length: 64 * 36 * 3 }, (_, at) => (Math.imul(at + seed, 2_654_435_761) >>> 24) & 255),
      );
      const path = join(app.dataDir, `${mediaKey}.webp`);
      await sharp(pixels, { raw: { width: 64, height: 36, channels: 3 } })
        .blur(4)
        .webp()
        .toFile(path);
      await app.ctx.files.put(`media/${mediaKey}/cover.webp`, path);
    };
    const make = async (seed: number, originalName: string) => {
      const { id, mediaKey } = await shelve(app, { texts: [''], pageCount: 20 });
      const fileId = await fileOf(id);
      await cover(mediaKey, seed);
      await app.ctx.db.update(files).set({ originalName, outline: [] }).where(eq(files.id, fileId));
      await describeOne(fileId);
      return fileId;
    };
    const first = await make(1, '手绘长卷展陈_v1.pdf');
    await make(1, '手绘长卷展陈_终稿.pdf');
    await make(77, '手绘长卷展陈.pdf');
    await make(1, '另一份展陈.pdf');
    expect(await listVersions(app.ctx, first)).toHaveLength(2);
  });
});

describe('other versions, for anyone', () => {
  it('lists those on the shelf, newest first, without the document itself', async () => {
    const texts = pagesOf('湖畔电影之夜');
    const old = await described({ name: '电影之夜 一', texts, createdAt: new Date('2026-01-01') });
    const young = await described({
      name: '电影之夜 二',
      texts: [...texts, '又一页'],
      createdAt: new Date('2026-03-01'),
    });
    const { versions } = expectOk(await app.call(versionsEndpoint, { fid: old.id }));
    expect(versions).toMatchObject([{ fid: young.id, name: '电影之夜 二', is_newer: 1, time_text: '2026-03-01' }]);
    expect(expectOk(await app.call(versionsEndpoint, { fid: young.id })).versions).toMatchObject([
      { fid: old.id, is_newer: 0 },
    ]);
    await hideDocument(app.ctx, young.id, 'operator');
    expect(expectOk(await app.call(versionsEndpoint, { fid: old.id })).versions).toEqual([]);
    expect((await app.call(versionsEndpoint, { fid: young.id })).code).toBe(CODE.notFound);
    expect((await app.call(versionsEndpoint, { fid: 'x' })).code).toBe(CODE.notFound);
  });
});

describe('similar documents', () => {
  it('come by their text, the newest version of each and none of one’s own', async () => {
    const own = pagesOf('冰雪温泉度假推广');
    const self = await described({ name: '温泉推广', texts: own, createdAt: new Date('2025-01-01') });
    const selfLater = await described({
      name: '温泉推广 新',
      texts: [...own, '加一页'],
      createdAt: new Date('2025-02-01'),
    });
    // Of the same subject in other words.
    const related = [
      '温泉酒店冬季推广与冰雪乐园套票',
      '度假客群的温泉体验路线设计',
      '滑雪之后泡温泉的三种玩法',
      '温泉季开幕仪式与冰雪夜游',
    ];
    const kin = await described({ name: '冰雪温泉季', texts: related, createdAt: new Date('2025-01-01') });
    const kinLater = await described({ name: '冰雪温泉季 二', texts: [...related], createdAt: new Date('2025-03-01') });
    const { files: similar } = expectOk(await app.call(listSimilar, { fid: self.id }));
    const ids = similar.map(({ id }) => id);
    expect(ids).not.toContain(self.id);
    expect(ids).not.toContain(selfLater.id);
    expect(ids).toContain(kinLater.id);
    expect(ids).not.toContain(kin.id);
    expect(ids.length).toBeLessThanOrEqual(8);
  });
});

describe('the library as a whole', () => {
  it('is described where it was not, once', async () => {
    await describeMissing(app.ctx);
    expect(await isDescriptionMissing(app.ctx)).toBe(false);
    const { id } = await shelve(app, { texts: ['新来的一份关于机场贵宾厅的方案'], pageCount: 1 });
    expect(await isDescriptionMissing(app.ctx)).toBe(true);
    expect(await describeMissing(app.ctx)).toBe(1);
    expect(await selectFingerprint(app.ctx.db, await fileOf(id))).not.toBeNull();
    expect(await describeMissing(app.ctx)).toBe(0);
    expect(await describeMissing(app.ctx, { isAll: true })).toBeGreaterThan(5);
  });

  it('counts its words, also when several are told to at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => countLibraryWords(app.ctx)));
    const { files: counted, withWord } = await selectWordCounts(app.ctx.db, ['温泉', '没有这个词']);
    expect(counted).toBe((await app.ctx.db.select().from(fileFingerprints)).length);
    expect(withWord.get('温泉')).toBeGreaterThan(1);
    expect(withWord.has('没有这个词')).toBe(false);
  });

  it('counts its words again when it has grown by a twentieth, not every so many contents', async () => {
    await countLibraryWords(app.ctx);
    const { countedFiles } = await selectWordCounting(app.ctx.db);
    expect(countedFiles).toBe((await app.ctx.db.select().from(fileFingerprints)).length);
    const recounts = () => app.ctx.jobs.countOpen([countWordsJob.name]);
    const grow = (change: object) =>
      app.ctx.db.execute(sql`update word_counting set (counted_files, new_files) =
        (select counted_files, new_files from jsonb_to_record(${JSON.stringify(change)}::jsonb)
          as wanted (counted_files integer, new_files integer))`);
    const before = await recounts();
    await grow({ counted_files: 20_000, new_files: 998 });
    const { fileId } = await described({ texts: ['一份关于灯塔的方案'], pageCount: 1 });
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: 20_000, newFiles: 999 });
    // Made again is not new.
    await describeOne(fileId);
    expect(await recounts()).toBe(before);
    await described({ texts: ['一份关于栈桥的方案'], pageCount: 1 });
    expect(await recounts()).toBe(1);
    await recountLibraryWords(app.ctx);
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: countedFiles + 2, newFiles: 0 });
    // Nothing came since.
    await grow({ counted_files: 7, new_files: 49 });
    await recountLibraryWords(app.ctx);
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: 7, newFiles: 49 });
    await countLibraryWords(app.ctx);
  });

  it('counts its words over a sample of all of it', async () => {
    const rows = await app.ctx.db.select({ id: fileFingerprints.fileId }).from(fileFingerprints);
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    const newest = ids.slice(-Math.ceil(ids.length / 3));
    const added = sql`array_append(${fileFingerprints.words}, '只在新来的里')`;
    await app.ctx.db.update(fileFingerprints).set({ words: added }).where(inArray(fileFingerprints.fileId, newest));
    const sample = Math.floor(ids.length * 0.6);
    await transact(app.ctx, (tx) => recountWords(tx.db, sample));
    const { files: counted, withWord } = await selectWordCounts(app.ctx.db, ['只在新来的里']);
    expect(counted).toBe(sample);
    expect(withWord.get('只在新来的里') ?? 0).toBeGreaterThan(sample / 6);
    await countLibraryWords(app.ctx);
  });

  it('looks for nothing near to decks without words, and keeps them off the lists it looks in', async () => {
    for (let n = 0; n < 3; n++) await described({ texts: [''], pageCount: 1 });
    const { fileId } = await described({ texts: [''], pageCount: 1 });
    const blank = await selectFingerprint(app.ctx.db, fileId);
    expect(blank).toMatchObject({ pieces: 0, simhash: '0'.repeat(16) });
    const plan = await transact(app.ctx, async ({ db }) => {
      await db.execute(sql`set local enable_seqscan = off`);
      return rowsOf<{ 'QUERY PLAN': string }>(
        db,
        sql`explain select file_id from file_fingerprints where substr(simhash, 1, 4) = '0000' and pieces > 0 limit 50`,
      );
    });
    expect(JSON.stringify(plan)).toContain('file_fingerprints_quarter_1');
    const [index] = await rowsOf<{ said: string }>(
      app.ctx.db,
      sql`select pg_get_expr(indpred, indrelid) as said from pg_index
        where indexrelid = 'file_fingerprints_quarter_1'::regclass`,
    );
    expect(index?.said).toBe('(pieces > 0)');
  });

  it('keeps at most so many neighbours of one', async () => {
    for (let n = 0; n < 4; n++)
      await described({ texts: [`沙漠星空露营 ${'甲乙丙丁'[n]}${'子丑寅卯'[n]}段`, '星空露营沙漠'], pageCount: 2 });
    const rows = await app.ctx.db.select().from(fileNeighbors);
    const each = new Map<number, number>();
    for (const { fileId } of rows) each.set(fileId, (each.get(fileId) ?? 0) + 1);
    expect(Math.max(...each.values())).toBeLessThanOrEqual(48);
    expect(await app.ctx.db.select().from(documents)).not.toHaveLength(0);
  });
});
