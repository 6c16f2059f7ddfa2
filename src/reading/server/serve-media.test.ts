import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { prepareInStore } from '../../../tests/prepared-file.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { addReadableDeck, type ReadableDeck } from '../../../tests/readable-deck.ts';
import { smallPdf } from '../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import type { PreparedFile } from '../../ingest/prepared-file.ts';
import { storeMedia } from '../../ingest/server/store/media.ts';
import { IMAGES_VERSION } from '../../ingest/rules.ts';
import { drawnPages } from '../../ingest/server/store/tables.ts';
import { upsertPages } from '../../ingest/server/store/files.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { files } from '../../library/server/tables.ts';
import { StoreAway } from '../../platform/files/file-store.ts';
import { expectOk } from '../../protocol/call.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { getDetail } from '../contract.ts';
import { serveMedia } from './serve-media.ts';

let app: TestApp;
let deck: ReadableDeck;
let prepared: PreparedFile;
let token: string;
let stranger: string;

beforeAll(async () => {
  app = await openTestApp();
  [token, stranger] = [(await addPerson(app)).token, (await addPerson(app)).token];
  const path = join(app.folder, 'deck.pdf');
  await writeFile(path, smallPdf('Media', 2));
  prepared = await prepareInStore(app.ctx, { path, fileType: 'pdf' });
});
afterAll(() => app.close());
/** A document whose images were drawn by the real pipeline. */
beforeEach(async () => {
  deck = await addReadableDeck(app, { pageCount: 2 });
  const media = await storeMedia(app.ctx.files, deck.mediaKey, { ...prepared, words: [] });
  const rows = { ...media, cover: prepared.cover, flags: [], imagesVersion: IMAGES_VERSION };
  await upsertPages(app.ctx.db, deck.fileId, rows);
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  serveMedia(app.ctx, new Request(`http://127.0.0.1${path}`, { headers, method }));
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const detail = async () => expectOk(await app.call(getDetail, { fid: deck.id }, token)).detail;

it('shows the large image of a page only to the session that its link was made for', async () => {
  const {
    page_urls_2x: [large = ''],
    page_sizes_2x: sizes,
  } = await detail();
  const reply = await get(large, { token });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toMatch(/^private/);
  expect(await sharp(await bytesOf(reply)).metadata()).toMatchObject(sizes[0] ?? {});
  expect(sizes[0]).toEqual({ width: 2560, height: 1440 });
  expect((await get(large)).status).toBe(403);
  expect((await get(large, { token: stranger })).status).toBe(403);
});

it('draws the large image of a page of the preview when it is first asked for, and keeps it', async () => {
  const drawn = () => app.ctx.db.select().from(drawnPages).where(eq(drawnPages.fileId, deck.fileId));
  const {
    page_urls: [normal = ''],
    page_urls_2x: [large = ''],
  } = await detail();
  expect((await get(normal, { token })).status).toBe(200);
  expect(await drawn()).toEqual([]);
  const first = await bytesOf(await get(large, { token }));
  const [row] = await drawn();
  expect(row).toMatchObject({ pageNumber: 1, largeWidth: 2560, words: expect.any(Array) });
  // The second reader gets the image that is kept.
  await app.ctx.files.remove(`originals/${deck.sha256}`);
  expect(await bytesOf(await get(large, { token }))).toEqual(first);
  // An image that was evicted and cannot be drawn again is replaced by the normal one, which is always there.
  await app.ctx.db.delete(drawnPages).where(eq(drawnPages.fileId, deck.fileId));
  expect(await bytesOf(await get(large, { token }))).toEqual(await bytesOf(await get(normal, { token })));
});

it('calls nothing missing, and forgets no drawn page, while the folder of the files is away', async () => {
  const {
    page_urls: [normal = ''],
    page_urls_2x: [large = ''],
  } = await detail();
  expect((await get(large, { token })).status).toBe(200);
  const covers = ['cover.webp', 'cover-1600.webp', 'share.jpg'].map((name) => `/media/${deck.mediaKey}/${name}`);
  const folder = join(app.dataDir, 'files');
  await rename(folder, `${folder}-away`);
  try {
    for (const path of [normal, large, ...covers]) await expect(get(path, { token }), path).rejects.toThrow(StoreAway);
  } finally {
    await rename(`${folder}-away`, folder);
  }
  const drawn = await app.ctx.db.select().from(drawnPages).where(eq(drawnPages.fileId, deck.fileId));
  expect(drawn).toHaveLength(1);
  for (const path of [normal, large, ...covers])
    expect([path, (await get(path, { token })).status]).toEqual([path, 200]);
});

it('refuses a link for another size, page or kind of image', async () => {
  const {
    page_urls: [normal = ''],
    page_urls_2x: [large = ''],
    strip_url: strip,
  } = await detail();
  const status = async (path: string) => (await get(path, { token })).status;
  expect(await status(normal)).toBe(200);
  expect(await status(normal.replace('.webp', '-2x.webp'))).toBe(403);
  expect(await status(large.replace('-2x', ''))).toBe(403);
  for (const page of [2, 10, 11, 12]) {
    expect(await status(large.replace('/p1-2x', `/p${page}-2x`))).toBe(403);
    expect(await status(normal.replace('/p1.', `/p${page}.`))).toBe(403);
  }
  expect(await status(large.replace('/p1-2x', '/c1-2x'))).toBe(403);
  for (const name of ['t1', 'c1', 'p1-2x']) expect(await status(normal.replace('/p1.', `/${name}.`))).toBe(403);
  expect(await status(large.replace('/p1-2x', '/t1'))).toBe(403);
  expect(await status(strip.replace('strip', 't1'))).toBe(403);
  expect(await status(normal.replace('/p1.', '/strip.'))).toBe(403);
  expect(await status(strip.replace('strip', 'strip-2x'))).toBe(404);
  expect(await status(large.replace('-2x', '-3x'))).toBe(404);
  expect(await status(large.replace('/p1-2x', '/p0-2x'))).toBe(404);
});

it('answers 404 for the large image of a page that has none, even to a right link', async () => {
  const {
    page_urls_2x: [large = ''],
  } = await detail();
  await app.ctx.db.execute(`update pages set large_width = 0`);
  expect((await get(large, { token })).status).toBe(404);
});

it('shows covers in each size they have to anyone', async () => {
  const { cover_srcset: set, share_url: url } = await detail();
  const named = set.split(', ').map((one) => one.split(' '));
  expect(named.map(([, width]) => width)).toEqual(['480w', '960w', '1600w']);
  expect(named[0]?.[0]).toBe(url);
  for (const [path = '', width = ''] of named) {
    const reply = await get(path);
    expect(reply.headers.get('cache-control')).toMatch(/^public/);
    expect((await sharp(await bytesOf(reply)).metadata()).width).toBe(Number.parseInt(width, 10));
  }
  for (const name of ['cover-480', 'cover-1280', 'cover-960-1600', 'cover-'])
    expect((await get(`/media/${deck.mediaKey}/${name}.webp`)).status).toBe(404);
});

it('shows the smaller cover, which no cache keeps, while too many covers wait to be drawn', async () => {
  const largest = `/media/${deck.mediaKey}/cover-1600.webp`;
  const busy = { ...app.ctx.pageDrawer, draw: () => Promise.reject(unavailable()) };
  const reply = await serveMedia({ ...app.ctx, pageDrawer: busy }, new Request(`http://127.0.0.1${largest}`));
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await sharp(await bytesOf(reply)).metadata()).width).toBe(960);
  const share = new Request(`http://127.0.0.1/media/${deck.mediaKey}/share.jpg`);
  const refused = await serveMedia({ ...app.ctx, pageDrawer: busy }, share);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await get(largest)).headers.get('cache-control')).toBe('public, max-age=600, must-revalidate');
});

it('draws no cover of a document that is hidden, or that has none of that size', async () => {
  const largest = `/media/${deck.mediaKey}/cover-1600.webp`;
  let draws = 0;
  const draw = () => {
    draws++;
    return Promise.reject(unavailable());
  };
  const ask = () =>
    serveMedia({ ...app.ctx, pageDrawer: { ...app.ctx.pageDrawer, draw } }, new Request(`http://127.0.0.1${largest}`));
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480, 960] })
    .where(eq(files.mediaKey, deck.mediaKey));
  expect((await ask()).status).toBe(404);
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480, 960, 1600] })
    .where(eq(files.mediaKey, deck.mediaKey));
  await hideDocument(app.ctx, deck.id, 'copyright');
  expect((await ask()).status).toBe(404);
  expect((await get(`/media/${'x'.repeat(22)}/cover-1600.webp`)).status).toBe(404);
  expect(draws).toBe(0);
});

it('makes a JPEG for shared links from the cover, once, and again when the cover changed', async () => {
  const path = `/media/${deck.mediaKey}/share.jpg`;
  const [first, second] = await Promise.all([get(path), get(path)]);
  expect([first?.status, second?.status]).toEqual([200, 200]);
  expect(first?.headers.get('content-type')).toBe('image/jpeg');
  expect(first?.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const before = await bytesOf(first ?? new Response());
  expect(await sharp(before).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 675 });
  const head = await get(path, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(before.length)]);
  const other = join(app.folder, 'other.webp');
  await sharp({ create: { width: 480, height: 270, channels: 3, background: '#c33' } }).toFile(other);
  await storeMedia(app.ctx.files, deck.mediaKey, { cover: { ...prepared.cover, image: other, larger: [] }, pages: [] });
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480] })
    .where(eq(files.mediaKey, deck.mediaKey));
  expect((await bytesOf(await get(path))).equals(before)).toBe(false);
});

it('shows the new cover in shared links although the old one was replaced while its picture was made', async () => {
  const path = `/media/${deck.mediaKey}/share.jpg`;
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480] })
    .where(eq(files.mediaKey, deck.mediaKey));
  const other = join(app.folder, 'later.webp');
  await sharp({ create: { width: 480, height: 270, channels: 3, background: '#36c' } }).toFile(other);
  const store = app.ctx.files;
  const withLocalPath: typeof store.withLocalPath = async (key, use) => {
    const made = await store.withLocalPath(key, use);
    await storeMedia(store, deck.mediaKey, { cover: { ...prepared.cover, image: other, larger: [] }, pages: [] });
    return made;
  };
  const request = new Request(`http://127.0.0.1${path}`);
  const old = await bytesOf(await serveMedia({ ...app.ctx, files: { ...store, withLocalPath } }, request));
  expect((await bytesOf(await get(path))).equals(old)).toBe(false);
});

it('enlarges the small cover of an older document for it, and shows nothing of a hidden document', async () => {
  const path = `/media/${deck.mediaKey}/share.jpg`;
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480] })
    .where(eq(files.mediaKey, deck.mediaKey));
  expect((await sharp(await bytesOf(await get(path))).metadata()).width).toBe(1200);
  await hideDocument(app.ctx, deck.id, 'copyright');
  expect((await get(path)).status).toBe(404);
  expect((await get(`/media/${deck.mediaKey}/cover-1600.webp`)).status).toBe(404);
  expect((await get(`/media/${'x'.repeat(22)}/share.jpg`)).status).toBe(404);
  const bare = await addPublished(app);
  expect((await get(`/media/${bare.mediaKey}/share.jpg`)).status).toBe(404);
});

it('lets caches keep a cover for ten minutes, confirms it by its ETag, and drops it once its document is taken down', async () => {
  const path = `/media/${deck.mediaKey}/cover.webp`;
  const cover = await get(path);
  expect(cover.headers.get('cache-control')).toBe('public, max-age=600, must-revalidate');
  const etag = cover.headers.get('etag') ?? '';
  const known = await get(path, { 'if-none-match': etag });
  expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, null, etag]);
  await hideDocument(app.ctx, deck.id, 'copyright');
  const gone = await get(path, { 'if-none-match': etag });
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

it('lets no cache keep a page image for others, nor a refusal of one', async () => {
  const {
    page_urls: [link = ''],
  } = await detail();
  expect((await get(link, { token })).headers.get('cache-control')).toBe('private, max-age=300');
  const refused = await get(link, { token: stranger });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([403, 'no-store']);
});
