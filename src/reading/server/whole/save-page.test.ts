import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, logIn, type Person } from '../../../../tests/people.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { addReadableDeck, type ReadableDeck } from '../../../../tests/readable-deck.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { pages } from '../../../library/server/tables.ts';
import { downloadDocument } from '../../../membership/contract.ts';
import { entitlements } from '../../../membership/server/tables.ts';
import { grantCoins, grantMembership } from '../../../membership/server/grants.ts';
import { expectOk } from '../../../protocol/call.ts';
import { savePage } from '../../contract.ts';
import { serveMedia } from '../serve-media.ts';

let app: TestApp;
let deck: ReadableDeck;
let owner: Person;

beforeAll(async () => {
  app = await openTestApp();
  deck = await addReadableDeck(app, { name: '春季新品/上市方案', pageCount: 12, priceCoins: 5 });
  // As ingest finds a source with more detail: the large images of the preview are drawn when they are first asked for.
  await app.ctx.db.update(pages).set({ largeWidth: 2560 }).where(eq(pages.fileId, deck.fileId));
  owner = await addOwner(deck.id);
});
afterAll(() => app.close());

async function addOwner(fid: number): Promise<Person> {
  const person = await addPerson(app);
  await grantCoins(app.ctx, { userId: person.id, coins: 5, reason: 'test' });
  expectOk(await app.call(downloadDocument, { fid }, person.token));
  return person;
}
const save = (person: Person, page: unknown, fid = deck.id) => app.call(savePage, { fid, page }, person.token);
const load = (path: string, token?: string, method = 'GET') =>
  serveMedia(app.ctx, new Request(`http://127.0.0.1${path}`, { method, headers: token ? { token } : {} }));

describe('a page saved as an image', () => {
  it('is a JPEG of the large image under the title and the number, after the preview as within it', async () => {
    for (const page of [3, 12]) {
      const { url, file_name: name } = expectOk(await save(owner, String(page)));
      expect(name).toBe(`春季新品_上市方案 第${page}页.jpg`);
      const saved = await load(url, owner.token);
      expect([saved.status, saved.headers.get('content-type'), saved.headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'private, no-store',
      ]);
      expect(saved.headers.get('content-disposition')).toBe(
        `attachment; filename="plan_${deck.id}.jpg"; filename*=UTF-8''${encodeURIComponent(name)}`,
      );
      const bytes = Buffer.from(await saved.arrayBuffer());
      expect(saved.headers.get('content-length')).toBe(String(bytes.length));
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2560, height: 1440 });
    }
    const head = await load(expectOk(await save(owner, 3)).url, owner.token, 'HEAD');
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  it('is for owners: visitors log in first, and ordinary users and members are told to download', async () => {
    expect(await app.call(savePage, { fid: deck.id, page: 1 })).toMatchObject({ code: 10000 });
    const ordinary = await addPerson(app);
    const member = await addPerson(app);
    await grantMembership(app.ctx, { userId: member.id, tier: 2, days: 30, reason: 'test' });
    const refusal = { code: 50, message: '下载过的方案才能保存页面图片，请先下载这份方案' };
    expect(await save(ordinary, 1)).toMatchObject({ ...refusal, data: { is_vip: 0, balance: 0, cost: 5 } });
    expect(await save(member, 1)).toMatchObject({ ...refusal, data: { is_vip: 2 } });
    // Owning another document gives no right to this one.
    expect(
      await save(await addOwner((await addReadableDeck(app, { pageCount: 2, priceCoins: 5 })).id), 1),
    ).toMatchObject(refusal);
  });

  it.each([0, -1, 13, 1e9, 1.5, '1.5', '0x2', '1e0', '-1', 'x', '', null, [1], true])(
    'is a page of the document, which %j is not',
    async (page) => {
      expect(await save(owner, page)).toMatchObject({
        code: 40,
        message: '没有这一页：方案共 12 页',
        data: { field: 'page' },
      });
    },
  );

  it('is a page of a document that exists', async () => {
    for (const fid of [0, 999_999]) expect(await save(owner, 1, fid)).toMatchObject({ code: 4 });
  });

  it('opens by its link for one session, one page and five minutes', async () => {
    const { url } = expectOk(await save(owner, 2));
    const again = await logIn(app, owner.username);
    const stranger = await addOwner(deck.id);
    expect((await load(url)).status).toBe(403);
    expect((await load(url, again.token)).status).toBe(403);
    expect((await load(url, stranger.token)).status).toBe(403);
    expect((await load(url.replace('/p2.', '/p3.'), owner.token)).status).toBe(403);
    expect((await load(url.replace('d=', 'd=1'), owner.token)).status).toBe(403);
    expect((await load(url.replace('.jpg', '.webp'), owner.token)).status).toBe(403);
    app.clock.offsetMs = 301_000;
    expect((await load(url, owner.token)).status).toBe(403);
    app.clock.offsetMs = 0;
    expect((await load(url, owner.token)).status).toBe(200);
  });

  it('is gone with the document', async () => {
    const other = await addReadableDeck(app, { pageCount: 2, priceCoins: 5 });
    const person = await addOwner(other.id);
    const { url } = expectOk(await save(person, 1, other.id));
    await hideDocument(app.ctx, other.id, 'copyright');
    expect((await load(url, person.token)).status).toBe(404);
    expect(await save(person, 1, other.id)).toMatchObject({ code: 4 });
  });

  it('waits for the PDF of a deck after the preview', async () => {
    const { id, mediaKey } = await addPublished(app, { fileType: 'pptx', pageCount: 12, priceCoins: 0 });
    const person = await addPerson(app);
    // No download without an original, which this deck does not have.
    await app.ctx.db.insert(entitlements).values({ userId: person.id, documentId: id, method: 'free' });
    expect(await save(person, 11, id)).toMatchObject({ code: 1, message: '全文正在准备，请稍后再试' });
    // A page of the preview without a large image is saved as it is.
    const image = join(app.dataDir, 'p10.webp');
    await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#c8371f' } })
      .webp()
      .toFile(image);
    await app.ctx.files.put(`media/${mediaKey}/p10.webp`, image);
    const { url } = expectOk(await save(person, 10, id));
    const saved = await load(url, person.token);
    expect(await sharp(Buffer.from(await saved.arrayBuffer())).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1280,
    });
  });
});
