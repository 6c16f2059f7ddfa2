import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useUpReads } from '../../../../tests/buyers.ts';
import { addPerson, logIn, type Person } from '../../../../tests/people.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { addReadableDeck, type ReadableDeck } from '../../../../tests/readable-deck.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { evictDrawnPages } from '../../../ingest/server/pages/drawn-pages.ts';
import { sweepOrphans } from '../../../ingest/server/steps/sweep-orphans.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { downloadDocument, getMine } from '../../../membership/contract.ts';
import { grantCoins, grantMembership } from '../../../membership/server/grants.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { getFileRecord } from '../../../shelf/contract-history.ts';
import { findInDocument, getDetail, openOriginal, pageText, readPages } from '../../contract.ts';
import { serveMedia } from '../serve-media.ts';

const PAGES = 14;

let app: TestApp;
let deck: ReadableDeck;
let ordinary: Person;
let standard: Person;

beforeAll(async () => {
  app = await openTestApp();
  [ordinary, standard] = [await addPerson(app), await addMember(1)];
  const texts = Array.from({ length: PAGES }, (_, index) =>
    index % 6 === 2 ? `第 ${index + 1} 页：预算\n总表，预算` : '目标',
  );
  deck = await addReadableDeck(app, { pageCount: PAGES, texts, priceCoins: 5 });
});
afterAll(() => app.close());

async function addMember(tier: 1 | 2): Promise<Person> {
  const person = await addPerson(app);
  await grantMembership(app.ctx, { userId: person.id, tier, days: 30, reason: 'test' });
  return person;
}
const list = (person: Person, from = 1, count = 20, fid = deck.id) =>
  app.call(readPages, { fid, from, count }, person.token);
const load = (path: string, token: string, headers: Record<string, string> = {}) =>
  serveMedia(app.ctx, new Request(`http://127.0.0.1${path}`, { headers: { token, ...headers } }));
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const drawnRows = (fileId = deck.fileId) =>
  rowsOf<{ page: number; image: string; large: string; thumbnail: string }>(
    app.ctx.db,
    sql`select page_number as page, image_name as image, large_name as large, thumbnail_name as thumbnail
      from drawn_pages where file_id = ${fileId} order by page_number`,
  );

describe('the pages of a whole document', () => {
  it('are ten for ordinary users, and refused after them with code 50', async () => {
    const preview = expectOk(await list(ordinary));
    expect(preview).toMatchObject({ page_count: PAGES, readable_pages: 10, right: 'ordinary', pending: 0 });
    expect(preview.pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await list(ordinary, 11)).toMatchObject({
      code: 50,
      message: '开通VIP即可无广告阅读原文',
      data: { is_vip: 0, cost: 5, missing: 5, pack: { coins: 100 }, vip: { price: 98 }, download: 'insufficient' },
    });
    expect(await app.call(readPages, { fid: deck.id, from: 1, count: 5 })).toMatchObject({ code: 10000 });
    expect(await list(ordinary, 1, 20, 999_999)).toMatchObject({ code: 4 });
  });

  it('are all for members within their reads, and each is drawn when it is first loaded', async () => {
    const { pages, right, readable_pages: readable } = expectOk(await list(standard, 11, 60));
    expect([right, readable, pages.map(({ page }) => page)]).toEqual(['membership', PAGES, [11, 12, 13, 14]]);
    expect(await drawnRows()).toEqual([]);
    const [page] = pages;
    if (!page) throw new Error('The list has pages.');
    const shown = await load(page.url, standard.token);
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'private, max-age=300',
    ]);
    expect(await sharp(await bytesOf(shown)).metadata()).toMatchObject({ width: 1280, height: 720 });
    const large = await bytesOf(await load(page.url_2x, standard.token));
    expect(await sharp(large).metadata()).toMatchObject({ width: 2560, height: 1440 });
    // The next two pages come without being asked for.
    await expect.poll(async () => (await drawnRows()).map((row) => row.page)).toEqual([11, 12, 13]);
  });

  it('have thumbnails, drawn in groups', async () => {
    const other = await addReadableDeck(app, { pageCount: 13 });
    const { pages } = expectOk(await list(standard, 1, 13, other.id));
    const thumbnail = await load(pages[1]?.thumbnail_url ?? '', standard.token);
    expect(await sharp(await bytesOf(thumbnail)).metadata()).toMatchObject({ width: 240, height: 135 });
    expect((await drawnRows(other.fileId)).map((row) => [row.page, row.image])).toEqual(
      Array.from({ length: 12 }, (_, index) => [index + 1, '']),
    );
    // A whole page takes the place of a thumbnail, and a thumbnail never that of a whole page.
    await load(pages[10]?.url ?? '', standard.token);
    await expect.poll(async () => (await drawnRows(other.fileId)).filter(({ image }) => image !== '').length).toBe(3);
    await load(pages[12]?.thumbnail_url ?? '', standard.token);
    expect((await drawnRows(other.fileId)).filter(({ image }) => image !== '')).toHaveLength(3);
  });

  it('are drawn once for all who wait', async () => {
    const other = await addReadableDeck(app, { pageCount: 11 });
    const readers = await Promise.all([addMember(1), addMember(2), addMember(2)]);
    const links = await Promise.all(
      readers.map(async (reader) => ({
        reader,
        url: expectOk(await list(reader, 11, 1, other.id)).pages[0]?.url ?? '',
      })),
    );
    const replies = await Promise.all(
      links.flatMap(({ reader, url }) => [url, url].map((path) => load(path, reader.token))),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const bodies = await Promise.all(replies.map(bytesOf));
    expect(bodies.every((body) => body.equals(bodies[0] ?? Buffer.alloc(0)))).toBe(true);
    expect(await drawnRows(other.fileId)).toHaveLength(1);
  });

  it('belong to one session, one page and one image', async () => {
    const { pages } = expectOk(await list(standard, 11, 3));
    const [first, second] = pages;
    if (!first || !second) throw new Error('The list has pages.');
    const again = await logIn(app, standard.username);
    const signature = first.url.slice(first.url.indexOf('?'));
    const statuses = async (paths: string[], token: string) =>
      Promise.all(paths.map(async (path) => (await load(path, token)).status));
    expect(await statuses([first.url, first.thumbnail_url], again.token)).toEqual([403, 403]);
    expect(await statuses([first.url, first.url_2x], ordinary.token)).toEqual([403, 403]);
    expect(
      await statuses(
        [
          second.url.replace(/\?.*/, signature),
          first.url_2x.replace(/\?.*/, signature),
          first.thumbnail_url.replace(/\?.*/, signature),
          first.url.replace('p11.', 'p9999.'),
        ],
        standard.token,
      ),
    ).toEqual([403, 403, 403, 403]);
  });

  it('are gone with the document', async () => {
    const other = await addReadableDeck(app, { pageCount: 11 });
    const url = expectOk(await list(standard, 11, 1, other.id)).pages[0]?.url ?? '';
    expect((await load(url, standard.token)).status).toBe(200);
    await hideDocument(app.ctx, other.id, 'copyright');
    expect((await load(url, standard.token)).status).toBe(404);
    expect(await list(standard, 11, 1, other.id)).toMatchObject({ code: 4 });
  });

  it('wait for the PDF of a deck', async () => {
    const { id } = await addPublished(app, { fileType: 'pptx', pageCount: 12 });
    expect(expectOk(await list(standard, 1, 20, id))).toMatchObject({
      right: 'membership',
      readable_pages: 10,
      pending: 1,
    });
    expect(await list(standard, 11, 1, id)).toMatchObject({ code: 1, message: '全文正在准备，请稍后再试' });
  });

  it('are limited over the reads of the month, and free for owners', async () => {
    const reader = await addMember(1);
    await useUpReads(app, reader.id);
    await grantCoins(app.ctx, { userId: reader.id, coins: 7, reason: 'test' });
    expect(expectOk(await list(reader))).toMatchObject({ right: 'over-limit', readable_pages: 10 });
    expect(await list(reader, 11)).toMatchObject({
      code: 34,
      message: '本月阅读次数已达上限，下月1日恢复',
      data: { is_vip: 1, balance: 7, cost: 5, missing: 0, pack: null, vip: { tier: 2 }, download: 'coupon' },
    });
    await grantCoins(app.ctx, { userId: ordinary.id, coins: 5, reason: 'test' });
    const owner = await addPerson(app);
    await grantCoins(app.ctx, { userId: owner.id, coins: 5, reason: 'test' });
    await app.ctx.files.stat(`originals/${deck.sha256}`);
    expectOk(await app.call(downloadDocument, { fid: deck.id }, owner.token));
    expect(expectOk(await list(owner, 11))).toMatchObject({ right: 'owned', readable_pages: PAGES });
  });

  it('are counted as one read of the month, however often they are listed', async () => {
    const reader = await addMember(2);
    const left = async () => expectOk(await app.call(getMine, {}, reader.token)).read_month_left;
    await Promise.all(Array.from({ length: 6 }, () => list(reader, 11)));
    expect(await left()).toBe(2_999);
    expectOk(await list(reader, 12));
    expect(await left()).toBe(2_999);
  });
});

describe('words', () => {
  it('of one page are those of its text, with places', async () => {
    const text = await app.call(pageText, { fid: deck.id, page: 12 }, standard.token);
    const [page] = expectOk(text).pages;
    expect(page).toMatchObject({ page: 12 });
    expect(page?.words.map(({ text: word }) => word)).toContain('12');
    expect(await app.call(pageText, { fid: deck.id, page: 12 }, ordinary.token)).toMatchObject({ code: 50 });
  });

  it.each([0, -1, PAGES + 1, 900, 10_001, '20', 1.5, '0x2', 'x'])(
    'of page %j, which is none of the deck, are refused',
    async (page) => {
      expect(await app.call(pageText, { fid: deck.id, page }, standard.token)).toMatchObject({
        code: 40,
        message: `没有这一页：方案共 ${PAGES} 页`,
        data: { field: 'page' },
      });
    },
  );

  it('are found in the pages that the reader may see alone, across line ends', async () => {
    const found = expectOk(await app.call(findInDocument, { fid: deck.id, text: ' 预算总表 ' }, standard.token));
    expect(found.pages.map(({ page, count }) => [page, count])).toEqual([
      [3, 1],
      [9, 1],
    ]);
    expect(found.pages[0]?.excerpt).toBe('第 3 页：预算 总表，预算');
    const budget = expectOk(await app.call(findInDocument, { fid: deck.id, text: '预算' }, standard.token));
    expect(budget).toMatchObject({ readable_pages: PAGES, total: 4 });
    const late = await addReadableDeck(app, { pageCount: 12, texts: [...Array<string>(11).fill(''), 'ＫＯＬ 预算'] });
    expect(expectOk(await app.call(findInDocument, { fid: late.id, text: 'kol' }, ordinary.token))).toEqual({
      readable_pages: 10,
      total: 0,
      words: ['kol'],
      pages: [],
    });
    expect(expectOk(await app.call(findInDocument, { fid: late.id, text: 'kol预' }, standard.token)).pages).toEqual([
      { page: 12, count: 1, excerpt: 'ＫＯＬ 预算' },
    ]);
  });

  it.each([
    ['策劃', [[1, 2]], ['策劃', '策划']],
    ['ＫＯＬ　策划', [[1, 3]], ['ＫＯＬ　策划']],
    ['預算 團隊', [[2, 2]], ['預算 團隊', '预算 团队']],
    ['团队 预算', [[2, 2]], ['团队 预算']],
    ['餐廳', [[3, 1]], ['餐廳', '餐厅']],
    ['预算 餐廳', [], ['预算 餐廳', '预算 餐厅']],
    ['餐厅', [[3, 1]], ['餐厅', '餐廳']],
    ['餐厅 一览', [[3, 1]], ['餐厅 一览', '餐廳一覽']],
    ['一览 餐厅', [[3, 2]], ['一览 餐厅', '一覽 餐廳']],
    ['(餐厅', [], ['(餐厅']],
  ])('are found in other characters and apart from each other: %s', async (text, pages, words) => {
    const texts = ['策划案：KOL 名单，策划组', '预算\n三十万元\n团队', '餐廳一覽'];
    const written = await addReadableDeck(app, { pageCount: 3, texts });
    const found = expectOk(await app.call(findInDocument, { fid: written.id, text }, standard.token));
    expect(found.pages.map(({ page, count }) => [page, count])).toEqual(pages);
    expect(found.words).toEqual(words);
  });

  it('are shown around the hit, also behind letters that are written with combining marks', async () => {
    const marked = await addReadableDeck(app, {
      pageCount: 1,
      texts: [`${'e\u0301'.repeat(30)}目标\u1112\u1161\u11ab`],
    });
    expect(expectOk(await app.call(findInDocument, { fid: marked.id, text: '目标' }, standard.token)).pages).toEqual([
      { page: 1, count: 1, excerpt: `…${'e\u0301'.repeat(24)}目标\u1112\u1161\u11ab` },
    ]);
  });

  it('cost as little at the end of long pages as at their beginning', async () => {
    const long = await addReadableDeck(app, { pageCount: 60 });
    const text = `开场致辞${'主题创意，执行 ＫＯＬ\n'.repeat(1_500)}舞台搭建`;
    await app.ctx.db.execute(sql`update pages set text = ${text} where file_id = ${long.fileId}`);
    const find = async (wanted: string) => {
      const before = process.threadCpuUsage();
      const { pages } = expectOk(await app.call(findInDocument, { fid: long.id, text: wanted }, standard.token));
      const { user, system } = process.threadCpuUsage(before);
      return { pages, micros: user + system };
    };
    // The first search makes the table of traditional characters.
    await find('舞台搭建');
    const first = await find('开场致辞');
    const last = await find('舞台搭建');
    expect(first.pages[59]?.excerpt).toBe('开场致辞主题创意，执行 ＫＯＬ 主题创意，执行 ＫＯＬ 主题创意…');
    expect(last.pages[59]?.excerpt).toBe('…行 ＫＯＬ 主题创意，执行 ＫＯＬ 主题创意，执行 ＫＯＬ 舞台搭建');
    // Letter by letter up to the hit it was seven times as much.
    expect(last.micros / first.micros).toBeLessThan(3);
  });

  it('are found on every page of the largest PDF', async () => {
    const largest = await addReadableDeck(app, { pageCount: 1_000, texts: Array<string>(1_000).fill('预算') });
    const found = expectOk(await app.call(findInDocument, { fid: largest.id, text: '预算' }, standard.token));
    expect([found.total, found.pages.at(-1)?.page]).toEqual([1_000, 1_000]);
  });

  it('are shown around a hit behind more marks than a piece of the text is long', async () => {
    const texts = [`${'e' + '\u0301'.repeat(700)}${'字'.repeat(600)}目标`];
    const marked = await addReadableDeck(app, { pageCount: 1, texts });
    expect(expectOk(await app.call(findInDocument, { fid: marked.id, text: '目标' }, standard.token)).pages).toEqual([
      { page: 1, count: 1, excerpt: `…${'字'.repeat(24)}目标` },
    ]);
  });

  it.each(['', '   ', 'x'.repeat(51)])('that cannot be searched are refused: %j', async (text) => {
    expect(await app.call(findInDocument, { fid: deck.id, text }, standard.token)).toMatchObject({ code: 40 });
  });

  it.each(['%', '_', "'", '\\', '\u0000x', '\ud800', '👍'])(
    'odd words find nothing and break nothing: %j',
    async (text) => {
      expect(await app.call(findInDocument, { fid: deck.id, text }, standard.token)).toMatchObject({
        code: 0,
        data: { total: 0 },
      });
    },
  );
});

describe('the original as PDF', () => {
  const open = (person: Person, fid = deck.id, expected?: { method: string; cost: number }) =>
    app.call(openOriginal, { fid, ...(expected && { expect: expected }) }, person.token);

  it('is not delivered, and nobody is charged, when its bytes have changed', async () => {
    const other = await addReadableDeck(app, { pageCount: 12, priceCoins: 5 });
    const flip = () =>
      app.ctx.files.withLocalPath(`originals/${other.sha256}`, async (path) => {
        const bytes = await readFile(path);
        bytes[200] = (bytes[200] ?? 0) ^ 1;
        await chmod(path, 0o600);
        await writeFile(path, bytes);
      });
    const { url } = expectOk(await open(standard, other.id));
    expect((await load(url, standard.token)).status).toBe(200);
    const payer = await addMember(1);
    await useUpReads(app, payer.id);
    await grantCoins(app.ctx, { userId: payer.id, coins: 9, reason: 'test' });

    await flip();
    expect((await load(url, standard.token)).status).toBe(503);
    expect((await load(url, standard.token, { range: 'bytes=0-9' })).status).toBe(503);
    expect(await open(payer, other.id)).toMatchObject({ code: 1, message: expect.stringContaining('文件已损坏') });
    expect(expectOk(await app.call(getMine, {}, payer.token)).balance).toBe(9);
    expect(await app.call(downloadDocument, { fid: other.id }, payer.token)).toMatchObject({ code: 1 });

    await flip();
    expect((await load(url, standard.token)).status).toBe(200);
    expect(expectOk(await open(payer, other.id))).toMatchObject({ method: 'coin', balance: 4 });
  });

  it('opens for members and is refused to ordinary users', async () => {
    const { url, method, cost } = expectOk(await open(standard));
    expect([method, cost]).toEqual(['membership', 0]);
    const shown = await load(url, standard.token);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(shown.headers.get('content-disposition')).toMatch(/^inline; filename="plan_\d+\.pdf"/);
    expect((await bytesOf(shown)).subarray(0, 5).toString()).toBe('%PDF-');
    const part = await load(url, standard.token, { range: 'bytes=0-3' });
    expect([part.status, part.headers.get('content-range')?.slice(0, 10), String(await bytesOf(part))]).toEqual([
      206,
      'bytes 0-3/',
      '%PDF',
    ]);
    expect((await load(url, standard.token, { range: 'bytes=9999999-' })).status).toBe(416);
    const stranger = await addMember(2);
    expect((await load(url, stranger.token)).status).toBe(403);
    expect((await load(url.replace('d=', 'd=1'), standard.token)).status).toBe(403);
    app.clock.offsetMs = 301_000;
    expect((await load(url, standard.token)).status).toBe(403);
    app.clock.offsetMs = 0;
    expect(await open(await addPerson(app))).toMatchObject({
      code: 50,
      data: { is_vip: 0, missing: 5, pack: { coins: 100 }, vip: { price: 98 }, free_at: 0 },
    });
    expect(await app.call(openOriginal, { fid: deck.id })).toMatchObject({ code: 10000 });
    expect(await open(standard, 999_999)).toMatchObject({ code: 4 });
  });

  it('answers HEAD with the whole length, as Range is for GET alone, and has another ETag when it is made again', async () => {
    const { url } = expectOk(await open(standard));
    const shown = await load(url, standard.token);
    const length = (await bytesOf(shown)).length;
    const head = await serveMedia(
      app.ctx,
      new Request(`http://127.0.0.1${url}`, {
        method: 'HEAD',
        headers: { token: standard.token, range: 'bytes=0-3' },
      }),
    );
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-range')]).toEqual([
      200,
      String(length),
      null,
    ]);
    const known = { 'if-none-match': shown.headers.get('etag') ?? '' };
    expect((await load(url, standard.token, known)).status).toBe(304);

    const made = await addPublished(app, { fileType: 'pptx', pageCount: 12 });
    await app.ctx.db.execute(sql`update files set has_pdf = true where media_key = ${made.mediaKey}`);
    const [file] = await rowsOf<{ sha256: string }>(
      app.ctx.db,
      sql`select sha256 from files where media_key = ${made.mediaKey}`,
    );
    const put = async (text: string) => {
      const path = join(app.folder, 'made.pdf');
      await writeFile(path, smallPdf(text, 12));
      await app.ctx.files.put(`pdf/${file?.sha256}.pdf`, path);
    };
    await put('once');
    const { url: ofDeck } = expectOk(await open(standard, made.id));
    const etag = (await load(ofDeck, standard.token)).headers.get('etag') ?? '';
    // As a backup does that links the files: the metadata change, the bytes do not.
    await app.ctx.files.withLocalPath(`pdf/${file?.sha256}.pdf`, (path) => chmod(path, 0o600));
    expect((await load(ofDeck, standard.token)).headers.get('etag')).toBe(etag);
    await app.ctx.files.remove(`pdf/${file?.sha256}.pdf`);
    await put('once more');
    const again = await load(ofDeck, standard.token, { 'if-none-match': etag, range: 'bytes=0-3', 'if-range': etag });
    expect([again.status, (await bytesOf(again)).length]).toEqual([200, smallPdf('once more', 12).length]);
  });

  it('opens for its owner while it is off the shelf, and for nobody after a take-down for rights', async () => {
    const other = await addReadableDeck(app, { pageCount: 12, priceCoins: 5 });
    const owner = await addPerson(app);
    await grantCoins(app.ctx, { userId: owner.id, coins: 5, reason: 'test' });
    expectOk(await app.call(downloadDocument, { fid: other.id }, owner.token));
    const { url: ofMember } = expectOk(await open(standard, other.id));

    await hideDocument(app.ctx, other.id, 'operator');
    const { url, method } = expectOk(await open(owner, other.id));
    expect([method, (await load(url, owner.token)).status]).toEqual(['owned', 200]);
    expect(await open(standard, other.id)).toMatchObject({ code: 4 });
    expect((await load(ofMember, standard.token)).status).toBe(404);
    expect(await list(owner, 11, 1, other.id)).toMatchObject({ code: 4 });

    await hideDocument(app.ctx, other.id, 'copyright');
    expect(await open(owner, other.id)).toMatchObject({ code: 4 });
    expect((await load(url, owner.token)).status).toBe(404);
  });

  it('costs coins over the reads of the month, once, and never more than was agreed to', async () => {
    const reader = await addMember(1);
    await useUpReads(app, reader.id);
    const balance = async () => expectOk(await app.call(getMine, {}, reader.token)).balance;
    expect(await open(reader)).toMatchObject({
      code: 34,
      message: '本月阅读次数已达上限，下月1日恢复',
      data: { cost: 5, balance: 0, is_vip: 1, missing: 5, pack: { coins: 100 }, download: 'coupon' },
    });
    await grantCoins(app.ctx, { userId: reader.id, coins: 12, reason: 'test' });
    expect(await open(reader, deck.id, { method: 'coin', cost: 4 })).toMatchObject({ code: 60 });
    expect(await open(reader, deck.id, { method: 'membership', cost: 0 })).toMatchObject({ code: 60 });
    expect(await balance()).toBe(12);
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => open(reader, deck.id, { method: 'coin', cost: 5 })),
    );
    expect(opened.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(await balance()).toBe(7);
    expect(expectOk(await list(reader, 11)).right).toBe('owned');
    expect(expectOk(await open(reader)).method).toBe('owned');
  });

  it('charges nothing for a deck whose PDF is not made', async () => {
    const reader = await addMember(1);
    await useUpReads(app, reader.id);
    await grantCoins(app.ctx, { userId: reader.id, coins: 9, reason: 'test' });
    const { id } = await addPublished(app, { fileType: 'pptx', priceCoins: 3 });
    expect(await open(reader, id)).toMatchObject({ code: 1 });
    expect(expectOk(await app.call(getMine, {}, reader.token)).balance).toBe(9);
  });
});

describe('the page read last', () => {
  const record = (person: Person, page?: number) =>
    app.call(getFileRecord, { fid: deck.id, ...(page !== undefined && { page }) }, person.token);

  it('is kept for each member', async () => {
    const reader = await addMember(1);
    expect(expectOk(await record(reader))).toEqual({
      read: 0,
      downloaded: 0,
      last_page: 0,
      last_read_time: 0,
      download_time: 0,
    });
    expect(expectOk(await record(reader, 12)).last_page).toBe(12);
    app.clock.offsetMs = 5_000;
    expect(expectOk(await record(reader, 3))).toMatchObject({ last_page: 3, downloaded: 0 });
    app.clock.offsetMs = 0;
    for (const page of [0, -1, 99, 1e9]) expect(expectOk(await record(reader, page)).last_page).toBe(3);
    expectOk(await list(reader));
    expect(expectOk(await record(reader)).read).toBe(1);
    expect(expectOk(await record(standard)).last_page).toBe(0);
    const lastPageFor = async (person?: Person) =>
      (await app.call(getDetail, { fid: deck.id }, person?.token)).data?.detail?.last_page;
    expect([await lastPageFor(reader), await lastPageFor(standard), await lastPageFor()]).toEqual([3, 0, 0]);
    expect(await app.call(getFileRecord, { fid: deck.id })).toMatchObject({ code: 10000 });
    expect(await app.call(getFileRecord, { fid: 0 }, reader.token)).toMatchObject({ code: 4 });
  });
});

describe('the space of drawn pages', () => {
  it('is kept within a limit: the pages not used for the longest time go, and come back when they are asked for', async () => {
    const other = await addReadableDeck(app, { pageCount: 16 });
    const { pages } = expectOk(await list(standard, 11, 6, other.id));
    for (const { url } of pages) expect((await load(url, standard.token)).status).toBe(200);
    await expect.poll(async () => (await drawnRows(other.fileId)).length).toBe(6);
    expect(await evictDrawnPages(app.ctx, 0)).toEqual({ pages: 0, bytes: 0 });
    // The last two pages were used just now, the others an hour ago.
    await app.ctx.db.execute(
      sql`update drawn_pages set used_at = now() - interval '1 hour' where file_id <> ${other.fileId} or page_number < 15`,
    );
    const evicted = await evictDrawnPages(app.ctx, 0);
    expect(evicted.pages).toBeGreaterThanOrEqual(4);
    const left = await drawnRows(other.fileId);
    expect(left.map(({ page }) => page)).toEqual([15, 16]);
    for (const { image } of left)
      expect(await app.ctx.files.stat(`media/${other.mediaKey}/${image}.webp`)).not.toBeNull();
    expect((await load(pages[0]?.url ?? '', standard.token)).status).toBe(200);
  });

  it('survives the sweep of orphans, and a page whose image was lost is drawn again', async () => {
    const other = await addReadableDeck(app, { pageCount: 11 });
    const url = expectOk(await list(standard, 11, 1, other.id)).pages[0]?.url ?? '';
    expect((await load(url, standard.token)).status).toBe(200);
    await sweepOrphans(app.ctx, { olderThanMs: 0 });
    const [row] = await drawnRows(other.fileId);
    expect(await app.ctx.files.stat(`media/${other.mediaKey}/${row?.image}.webp`)).not.toBeNull();
    await app.ctx.files.remove(`media/${other.mediaKey}/${row?.image}.webp`);
    expect((await load(url, standard.token)).status).toBe(200);
  });
});
