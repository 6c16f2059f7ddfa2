import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { addPublished, type PublishedDocument } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { files, pages } from '../../library/server/tables.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { isMediaShown } from '../../library/server/catalogue.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../contract.ts';
import { signPageLink, verifyPageSignature } from './page-links.ts';

let app: TestApp;
let token: string;
let deck: PublishedDocument;
const detail = async (fid: unknown) => expectOk(await app.call(getDetail, { fid }, token)).detail;

beforeAll(async () => {
  app = await openTestApp();
  token = (await addPerson(app)).token;
  deck = await addPublished(app, {
    name: '中秋<b>方案',
    keyword: '中秋，暖场',
    themes: ['节日营销', '快闪路演'],
    industry: '餐饮',
    fileType: 'pptx',
    pageCount: 14,
  });
});
afterAll(() => app.close());

describe('a member', () => {
  it('gets the facts and the first ten pages, signed', async () => {
    const found = await detail(deck.id);
    expect(found).toMatchObject({
      id: deck.id,
      fid: deck.id,
      name: '中秋<b>方案',
      file_type: 1,
      file_type_text: 'PPTX',
      keyword: '中秋,暖场',
      page_count: 14,
      online_url: '',
      is_favorite: 0,
      owned: 0,
      industry: { name: '餐饮' },
      themes: [{ name: '节日营销' }, { name: '快闪路演' }],
      outline: [{ page: 1, title: '封面' }],
      preview_pending: 0,
      cover_width: 480,
    });
    expect(found.page_urls).toHaveLength(10);
    expect(found.page_sizes).toHaveLength(10);
    found.page_urls.forEach((url, index) =>
      expect(url).toMatch(new RegExp(`^/media/${deck.mediaKey}/p${index + 1}\\.webp\\?e=\\d+&s=[\\w-]{24}$`)),
    );
  });

  it.each([
    ['ppt', 2, 'PPT'],
    ['pdf', 3, 'PDF'],
  ] as const)('sees %s as %i', async (fileType, file_type, file_type_text) => {
    const { id } = await addPublished(app, { fileType, pageCount: 3 });
    const found = await detail(String(id));
    expect(found).toMatchObject({ file_type, file_type_text });
    expect(found.page_urls).toHaveLength(3);
  });

  it('is told while previews are still being made', async () => {
    const { id } = await addPublished(app, { fileState: 'pending-preview' });
    expect((await detail(id)).preview_pending).toBe(1);
  });

  it('is told while the pages after the preview cannot be read yet; a PDF is read as it is', async () => {
    const pendingOf = async (facts: Parameters<typeof addPublished>[1]) =>
      (await detail((await addPublished(app, facts)).id)).whole_pending;
    expect(await pendingOf({ fileType: 'pptx', pageCount: 11 })).toBe(1);
    expect(await pendingOf({ fileType: 'pptx', pageCount: 10 })).toBe(0);
    expect(await pendingOf({ fileType: 'pdf', pageCount: 11 })).toBe(0);
    await app.ctx.db.update(files).set({ hasPdf: true }).where(eq(files.mediaKey, deck.mediaKey));
    expect((await detail(deck.id)).whole_pending).toBe(0);
    await app.ctx.db.update(files).set({ hasPdf: false }).where(eq(files.mediaKey, deck.mediaKey));
    expect((await detail(deck.id)).whole_pending).toBe(1);
    expect((await app.call(getDetail, { fid: deck.id })).data?.detail.whole_pending).toBe(0);
  });
});

it('says of a deck with macros that it is not handed out', async () => {
  const document = await addPublished(app, { fileType: 'pptx', pageCount: 3 });
  expect(await detail(document.id)).toMatchObject({ preview_only: 0 });
  await app.ctx.db
    .update(files)
    .set({ flags: ['macros'] })
    .where(eq(files.mediaKey, document.mediaKey));
  expect(await detail(document.id)).toMatchObject({ preview_only: 1 });
  expect((await app.call(getDetail, { fid: document.id })).data?.detail).toMatchObject({ preview_only: 1 });
});

it('shows a visitor everything but the pages, as code 10000', async () => {
  const reply = await app.call(getDetail, { fid: deck.id });
  expect(reply.code).toBe(CODE.notLoggedIn);
  expect(reply.data?.detail).toMatchObject({ page_urls: [], page_sizes: [], owned: 0, text_excerpt: '摘要' });
  expect((await app.call(getDetail, { fid: deck.id }, 'forged')).code).toBe(CODE.notLoggedIn);
});

it.each([0, -1, 1.5, 'x', {}, [], null, 987_654_321, '1 or 1=1', '9'.repeat(400)])(
  'answers 4 for fid %j, signed in or not',
  async (fid) => {
    expect(await app.call(getDetail, { fid }, token)).toMatchObject({ code: CODE.notFound, data: null });
    expect((await app.call(getDetail, { fid })).code).toBe(CODE.notFound);
  },
);

it('answers gone for a hidden document, and nothing for a document that was never published', async () => {
  const hidden = await addPublished(app);
  expect(await isMediaShown(app.ctx, hidden.mediaKey)).toBe(true);
  await hideDocument(app.ctx, hidden.id, 'copyright');
  expect(await isMediaShown(app.ctx, hidden.mediaKey)).toBe(false);
  expect(await app.call(getDetail, { fid: hidden.id })).toMatchObject({ code: CODE.notFound, data: { gone: 1 } });
  const waiting = await addPublished(app, { isPublished: false });
  expect(await app.call(getDetail, { fid: waiting.id }, token)).toMatchObject({ code: CODE.notFound, data: null });
});

describe('a large page image', () => {
  it('is offered for the pages that have one, of the first ten', async () => {
    const sharp = await addPublished(app, { pageCount: 14 });
    const [file] = await app.ctx.db.select({ id: files.id }).from(files).where(eq(files.mediaKey, sharp.mediaKey));
    await app.ctx.db
      .update(pages)
      .set({ largeWidth: 2560 })
      .where(and(eq(pages.fileId, file?.id ?? 0), ne(pages.pageNumber, 2)));
    const found = await detail(sharp.id);
    expect(found.page_urls).toHaveLength(10);
    expect(found.page_urls_2x).toHaveLength(10);
    expect(found.page_urls_2x[1]).toBe('');
    expect(found.page_sizes_2x[1]).toEqual({ width: 0, height: 0 });
    expect(found.page_urls_2x[9]).toMatch(new RegExp(`^/media/${sharp.mediaKey}/p10-2x\\.webp\\?e=\\d+&s=[\\w-]{24}$`));
    expect(found.page_sizes_2x[9]).toEqual({ width: 2560, height: 1440 });
    const visitor = (await app.call(getDetail, { fid: sharp.id })).data?.detail;
    expect(visitor).toMatchObject({ page_urls_2x: [], page_sizes_2x: [] });
  });

  it('is not offered for documents from before', async () => {
    expect((await detail(deck.id)).page_urls_2x).toEqual(Array.from({ length: 10 }, () => ''));
  });
});

describe('a page link', () => {
  const HOURS_2 = 2 * 60 * 60 * 1_000;
  const clockAt = (now: number) => ({ signer: app.ctx.signer, clock: { now: () => now } });
  const start = Date.parse('2026-11-20T00:00:00Z');

  function linkOf() {
    const url = new URL(signPageLink(clockAt(start), { mediaKey: deck.mediaKey, page: 3, sessionId: 7 }), 'http://x');
    const expires = Number(url.searchParams.get('e'));
    return { mediaKey: deck.mediaKey, page: 3, sessionId: 7, expires, signature: url.searchParams.get('s') ?? '' };
  }

  it('lives two hours', () => {
    expect(verifyPageSignature(clockAt(start + HOURS_2 - 1), linkOf())).toBe(true);
    expect(verifyPageSignature(clockAt(start + HOURS_2), linkOf())).toBe(false);
  });

  it.each([
    ['session', { sessionId: 8 }],
    ['page', { page: 11 }],
    ['file', { mediaKey: 'x'.repeat(22) }],
    ['time', { expires: Date.parse('2027-01-01') / 1_000 }],
    ['time that is none', { expires: Number.NaN }],
    ['signature', { signature: '' }],
    ['size', { image: 'large' as const }],
  ])('is for no other %s', (_what, change) => {
    expect(verifyPageSignature(clockAt(start), { ...linkOf(), ...change })).toBe(false);
  });
});
