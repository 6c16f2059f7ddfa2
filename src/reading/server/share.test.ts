import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { ODD_TEXTS, addPublished, type PublishedDocument } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail, getGuestDetail } from '../contract.ts';
import { DOCUMENT_QR_PATH, POSTER_PATH } from '../../library/addresses.ts';
import { drawPoster, pagesToShow } from './draw-poster.ts';
import { drawQr } from '../../platform/draw-qr.ts';

let app: TestApp;
let deck: PublishedDocument;

beforeAll(async () => {
  app = await openTestApp();
  deck = await addPublished(app, { name: '江心升月中秋城市艺术节', industry: '文旅', pageCount: 25 });
  await store('cover', await coverOf(480, 270, '#20504f'));
});
afterAll(() => app.close());

const coverOf = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .webp()
    .toBuffer();
async function store(name: string, image: Buffer, mediaKey = deck.mediaKey): Promise<void> {
  const file = join(app.dataDir, 'image.webp');
  await writeFile(file, image);
  await app.ctx.files.put(`media/${mediaKey}/${name}.webp`, file);
}
const get = (path: string, init?: RequestInit) => app.fetch(path, init);
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('the QR code of a document', () => {
  const qr = (query: string) => get(`${DOCUMENT_QR_PATH}?${query}`);

  it('is a PNG, kept for a day', async () => {
    const answer = await qr(`scene=${deck.id}&type=2`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=86400');
    const { format, width, height } = await sharp(await bytes(answer)).metadata();
    expect([format, width === height, (width ?? 0) >= 430]).toEqual(['png', true, true]);
  });

  it('leads to the configured address whatever Host a request names, and only then may a shared cache keep it', async () => {
    const from = (host: string) => get(`http://${host}${DOCUMENT_QR_PATH}?scene=${deck.id}`);
    const [one, other] = [await bytes(await from('one.test')), await bytes(await from('other.test'))];
    expect(hash(one)).not.toBe(hash(other));
    app.ctx.config.publicUrl = 'https://ceku.example';
    try {
      const configured = await from('one.test');
      expect(configured.headers.get('cache-control')).toBe('public, max-age=86400');
      const expected = await drawQr(`https://ceku.example/detail/${deck.id}`, 430);
      expect(hash(await bytes(configured))).toBe(hash(expected));
      expect(hash(await bytes(await from('other.test')))).toBe(hash(expected));
    } finally {
      app.ctx.config.publicUrl = null;
    }
  });

  it('is 404 for a document that is not published, with any parameters', async () => {
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'operator');
    for (const scene of [hidden.id, 987_654_321, 0, -1, '1.5', '', 'x', '9'.repeat(40), ...ODD_TEXTS.slice(1, 8)]) {
      const answer = await qr(new URLSearchParams({ scene: String(scene), type: '2' }).toString());
      expect([scene, answer.status]).toEqual([scene, 404]);
    }
    expect((await qr('type=2')).status).toBe(404);
    const refused = await get(DOCUMENT_QR_PATH, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('the poster', () => {
  const poster = (query: string, init?: RequestInit) => get(`${POSTER_PATH}?${query}`, init);

  it('is one JPEG for everybody, and drawn once', async () => {
    const answer = await poster(`fid=${deck.id}`);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=3600');
    const image = await bytes(answer);
    const { format, width, height } = await sharp(image).metadata();
    expect([format, width]).toEqual(['jpeg', 1080]);
    expect(height).toBeGreaterThan(900);
    const etag = answer.headers.get('etag') ?? '';
    expect((await poster(`fid=${deck.id}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const { token } = await addPerson(app);
    const again = await poster(`fid=${deck.id}`, { headers: { token } });
    expect(hash(await bytes(again))).toBe(hash(image));
  });

  it('leads to a page and names who sends it, in its QR code alone', async () => {
    const plain = await bytes(await poster(`fid=${deck.id}`));
    const withPage = await bytes(await poster(`fid=${deck.id}&p=12`));
    const invited = await bytes(await poster(`fid=${deck.id}&p=12&invite=7`));
    expect(new Set([plain, withPage, invited].map(hash)).size).toBe(3);
    // A page there is not, and an inviter who is no number, are left out.
    for (const odd of ['p=9999', 'p=x', 'invite=1%20or%201', 'p=&invite='])
      expect(hash(await bytes(await poster(`fid=${deck.id}&${odd}`)))).toBe(hash(plain));
  });

  it('is drawn from the cover and what visitors see: page images change nothing of it', async () => {
    const other = await addPublished(app, { name: '另一份', pageCount: 12 });
    const before = await bytes(await poster(`fid=${other.id}`));
    for (const name of ['p1', 'p2', 'strip']) await store(name, await coverOf(1280, 720, '#ff0000'), other.mediaKey);
    app.clock.offsetMs += 2 * 60 * 60 * 1_000;
    expect(hash(await bytes(await poster(`fid=${other.id}`)))).toBe(hash(before));
    app.clock.offsetMs = 0;
  });

  it.each([
    ['without a cover', { name: '没有封面的方案' }],
    ['with a title of 60 characters', { name: '策'.repeat(60) }],
    ['with markup for a title', { name: '<script>&"\u0007</text>' }],
    ['with one page', { name: '单页', pageCount: 1 }],
  ])('is drawn %s', async (_, facts) => {
    const { id } = await addPublished(app, facts);
    const answer = await poster(`fid=${id}`);
    expect(answer.status).toBe(200);
    expect((await sharp(await bytes(answer)).metadata()).width).toBe(1080);
  });

  it('is 404 for a document that is not published', async () => {
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'copyright');
    for (const fid of [hidden.id, 987_654_321, 'x', '']) expect((await poster(`fid=${fid}`)).status).toBe(404);
  });
});

it('limits images by address, and says so with 429', async () => {
  const limited = await openTestApp({ isRateLimited: true });
  try {
    const ask = (ip: string) => limited.fetch(`${POSTER_PATH}?fid=987654`, {}, ip);
    const statuses: number[] = [];
    for (let at = 0; at < 20; at++) statuses.push((await ask('203.0.113.9')).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const refused = await ask('203.0.113.9');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('203.0.113.10')).status).toBe(404);
  } finally {
    await limited.close();
  }
});

it.each([
  [[], []],
  [
    [
      { page: 1, title: '封面标题' },
      { page: 2, title: '目录' },
      { page: 3, title: '背景' },
    ],
    [],
  ],
  [[1, 2, 3, 4, 5, 6, 7].map((page) => ({ page, title: `第几部分${page}` })), [2, 4, 6]],
])('pages of a poster: of %j', (outline, expected) => {
  expect(pagesToShow(outline).map(({ page }) => page)).toEqual(expected);
});

it('the title of a poster keeps its right margin, also with quotation marks', async () => {
  const poster = await drawPoster({
    title: '2026云澜江岸房地产项目中秋国庆双节“月满江岸”暖场系列活动策划方案',
    facts: 'PPTX · 10 页',
    cover: null,
    color: '#20504f',
    pages: [],
    hint: '打开看封面',
    link: 'https://ceku.example/detail/1',
    siteName: '策库',
  });
  const { width, height } = await sharp(poster).metadata();
  const margin = await sharp(poster)
    .extract({ left: width - 60, top: 0, width: 60, height: height - 320 })
    .raw()
    .toBuffer();
  // Ink in the margin would be far darker than the paper.
  expect(margin.reduce((least, value) => Math.min(least, value))).toBeGreaterThan(200);
});

describe('the guest detail', () => {
  it('is what visitors see, with code 0, in data and infor', async () => {
    const visitor = await app.call(getDetail, { fid: deck.id });
    const { token } = await addPerson(app);
    for (const headers of [new Headers(), new Headers({ token })]) {
      headers.set('content-type', 'application/json');
      const answer = await get(getGuestDetail.path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ sid: 'whatever', fid: String(deck.id) }),
      });
      // Safe: the envelope; a wrong one fails the next line.
      const body = (await answer.json()) as { code: number; data: unknown; infor: unknown };
      expect(body.code).toBe(0);
      expect(body.data).toEqual(visitor.data);
      expect(body.infor).toEqual(body.data);
    }
    expect(expectOk(await app.call(getGuestDetail, { fid: deck.id }, token)).detail.page_urls).toEqual([]);
  });

  it('answers 4 like the detail, and gone for what was there', async () => {
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'operator');
    expect(await app.call(getGuestDetail, { fid: hidden.id })).toMatchObject({
      code: CODE.notFound,
      data: { gone: 1 },
    });
    expect((await app.call(getGuestDetail, { fid: 987_654 })).code).toBe(CODE.notFound);
  });
});

function hash(image: Buffer): string {
  return createHash('sha256').update(image).digest('hex');
}
