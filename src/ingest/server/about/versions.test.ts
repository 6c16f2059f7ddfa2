import { Command } from 'commander';
import { eq, inArray } from 'drizzle-orm';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { listSimilar, listVersions as versionsEndpoint } from '../../../library/contract.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { listVersions } from '../../../library/server/versions/list-versions.ts';
import { files, fileVersions, pages } from '../../../library/server/tables.ts';
import { runCommandLine } from '../../../platform/command-line.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { aboutCommands } from './commands.ts';
import { describing, pagesOf } from '../../../../tests/samples/plans.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const { fileOf, describeOne, described } = describing(() => app);

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

  it('the command prints days in Shanghai time, as lists do', async () => {
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
      [texts, edited(texts), [...texts, '附录一页']].map((all) =>
        addPublished(app, { texts: all, pageCount: all.length }),
      ),
    );
    const ids = await Promise.all(made.map(({ id }) => fileOf(id)));
    await Promise.all(ids.map(describeOne));
    const rows = await app.ctx.db.select().from(fileVersions).where(inArray(fileVersions.fileId, ids));
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(({ groupId }) => groupId))).toEqual(new Set([Math.min(...ids)]));
  });

  it('a document that is no longer a version leaves its group, and a group with a single document is dissolved', async () => {
    const texts = pagesOf('老街中秋猜灯谜');
    const one = await described({ texts });
    const two = await described({ texts: edited(texts) });
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
      const { id, mediaKey } = await addPublished(app, { texts: [''], pageCount: 20 });
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
  it('lists published versions, newest first, without the document itself', async () => {
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
    // The same subject in other words.
    const related = [
      '温泉酒店冬季推广与冰雪乐园套票',
      '度假客群的温泉体验路线设计',
      '滑雪之后泡温泉的三种玩法',
      '温泉季开幕仪式与冰雪夜游',
    ];
    const relatedDocument = await described({ name: '冰雪温泉季', texts: related, createdAt: new Date('2025-01-01') });
    const versionLater = await described({
      name: '冰雪温泉季 二',
      texts: [...related],
      createdAt: new Date('2025-03-01'),
    });
    const { files: similar } = expectOk(await app.call(listSimilar, { fid: self.id }));
    const ids = similar.map(({ id }) => id);
    expect(ids).not.toContain(self.id);
    expect(ids).not.toContain(selfLater.id);
    expect(ids).toContain(versionLater.id);
    expect(ids).not.toContain(relatedDocument.id);
    expect(ids.length).toBeLessThanOrEqual(8);
  });
});
