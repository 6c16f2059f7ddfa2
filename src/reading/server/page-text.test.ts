import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../tests/people.ts';
import { ODD_TEXTS, addPublished, type PublishedDocument } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { files } from '../../library/server/tables.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { checkTask, doc2png, getDetail, pageText } from '../contract.ts';
import { serveMedia } from './serve-media.ts';

let app: TestApp;
let person: Person;
let other: Person;
let deck: PublishedDocument;
beforeAll(async () => {
  app = await openTestApp({ isRateLimited: true });
  person = await addPerson(app);
  other = await addPerson(app);
  deck = await addPublished(app, { pageCount: 12 });
  const words = Array.from({ length: 12 }, (_, page) => [[`第${page + 1}页`, 1_000, 2_500, 5_000, 400]]);
  await writeFile(join(app.folder, 'words.json'), JSON.stringify(words));
  await app.ctx.files.put(`media/${deck.mediaKey}/words.json`, join(app.folder, 'words.json'));
  await app.ctx.files.put(`media/${deck.mediaKey}/strip.webp`, join(app.folder, 'words.json'));
  await app.ctx.db.update(files).set({ hasWords: true, hasStrip: true }).where(eq(files.mediaKey, deck.mediaKey));
});
afterAll(() => app.close());

describe('the words of the pages', () => {
  it('are those of the preview, in fractions of the page', async () => {
    const { pages } = expectOk(await app.call(pageText, { fid: deck.id }, person.token));
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(pages[0]?.words).toEqual([{ text: '第1页', x: 0.1, y: 0.25, width: 0.5, height: 0.04 }]);
  });

  it('are none where none are stored', async () => {
    const plain = await addPublished(app, { pageCount: 2 });
    const { pages } = expectOk(await app.call(pageText, { fid: plain.id }, person.token));
    expect(pages).toEqual([
      { page: 1, words: [] },
      { page: 2, words: [] },
    ]);
  });

  it('are for members, of published documents', async () => {
    expect((await app.call(pageText, { fid: deck.id })).code).toBe(CODE.notLoggedIn);
    expect((await app.call(pageText, { fid: deck.id }, 'forged')).code).not.toBe(CODE.ok);
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'operator');
    for (const fid of [hidden.id, 0, -1, 987_654_321])
      expect((await app.call(pageText, { fid }, person.token)).code).toBe(CODE.notFound);
  });
});

describe('the thumbnails strip', () => {
  const fetchStrip = (path: string, token: string) =>
    serveMedia(app.ctx, new Request(new URL(path, 'http://ceku.test'), { headers: { token } }));

  it('shows itself to the session its link was made for, and to no other', async () => {
    const { detail } = expectOk(await app.call(getDetail, { fid: deck.id }, person.token));
    expect(detail.strip_url).toMatch(/^\/media\/[\w-]{22}\/strip\.webp\?e=\d+&s=/);
    expect(detail.has_words).toBe(1);
    expect((await fetchStrip(detail.strip_url, person.token)).status).toBe(200);
    expect((await fetchStrip(detail.strip_url, other.token)).status).toBe(403);
    expect((await fetchStrip(detail.strip_url, '')).status).toBe(403);
    expect((await fetchStrip(detail.strip_url.split('?')[0] ?? '', person.token)).status).toBe(403);
    const page = detail.page_urls[0]?.replace('/p1.webp', '/strip.webp') ?? '';
    expect((await fetchStrip(page, person.token)).status).toBe(403);
  });

  it('is not for visitors', async () => {
    const reply = await app.call(getDetail, { fid: deck.id });
    expect(reply.data?.detail).toMatchObject({ strip_url: '', has_words: 0 });
  });
});

describe('doc2png and checkTask', () => {
  const keyOf = async () => {
    const [row] = await app.ctx.db.select().from(files).where(eq(files.mediaKey, deck.mediaKey));
    return `originals/${row?.sha256}`;
  };

  it('answer the pages of a visible document, to the one who asked', async () => {
    const asked = { oss_name: await keyOf(), page_dir: '../../etc' };
    const { task_id } = expectOk(await app.call(doc2png, asked, person.token));
    const task = expectOk(await app.call(checkTask, { task_id }, person.token));
    expect(task).toMatchObject({ task_id, status: 'done', progress: 100, page_count: 12 });
    expect(task.page_urls).toHaveLength(10);
    expect((await app.call(checkTask, { task_id }, other.token)).code).toBe(CODE.notFound);
    expect((await app.call(checkTask, { task_id })).code).toBe(CODE.notLoggedIn);
    expect((await app.call(doc2png, asked)).code).toBe(CODE.notLoggedIn);
    for (const wrong of ['', 'x', `${task_id}x`, task_id.replace(/^\d+/, '77'), `999${task_id}`])
      expect((await app.call(checkTask, { task_id: wrong }, person.token)).code).toBe(CODE.notFound);
  });

  it('tell that pages are still being made', async () => {
    const pending = await addPublished(app, { fileState: 'pending-preview', pageCount: 3 });
    const oss_name = `media/${pending.mediaKey}/cover.webp`;
    const { task_id } = expectOk(await app.call(doc2png, { oss_name }, other.token));
    const check = () => app.call(checkTask, { task_id }, other.token).then(expectOk);
    expect(await check()).toMatchObject({ status: 'pending', page_urls: [] });
    await app.ctx.db.update(files).set({ progress: 43 }).where(eq(files.mediaKey, pending.mediaKey));
    expect(await check()).toMatchObject({ status: 'running', progress: 43 });
    await app.ctx.db.update(files).set({ state: 'failed' }).where(eq(files.mediaKey, pending.mediaKey));
    expect(await check()).toMatchObject({ status: 'failed', page_urls: [] });
    await hideDocument(app.ctx, pending.id, 'operator');
    expect((await app.call(checkTask, { task_id }, other.token)).code).toBe(CODE.notFound);
  });

  it('accept no path, no address and no hidden document; ten a minute', async () => {
    const third = await addPerson(app);
    const hidden = await addPublished(app);
    await hideDocument(app.ctx, hidden.id, 'operator');
    const wrong = [`media/${hidden.mediaKey}/cover.webp`, '../../etc/passwd', 'http://127.0.0.1/a.pptx', ...ODD_TEXTS];
    const codes: number[] = [];
    for (const oss_name of wrong.slice(0, 10)) codes.push((await app.call(doc2png, { oss_name }, third.token)).code);
    expect(new Set(codes)).toEqual(new Set([CODE.notFound]));
    expect(codes).toHaveLength(10);
    expect((await app.call(doc2png, { oss_name: 'x' }, third.token)).code).toBe(CODE.tooFrequent);
  });
});
