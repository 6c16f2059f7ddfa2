import { afterAll, beforeAll, expect, it } from 'vitest';
import { ODD_PAGES, addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { expectOk } from '../../protocol/call.ts';
import { listFilesOfType, listFileTypes } from '../contract.ts';
import { hideDocument } from './documents.ts';

let app: TestApp;
let pdf: number;
beforeAll(async () => {
  app = await openTestApp();
  for (let count = 0; count < 12; count++)
    await addPublished(app, {
      name: `方案 ${count}`,
      fileType: count % 2 ? 'pptx' : 'ppt',
      createdAt: new Date(Date.UTC(2026, 0, count + 1)),
    });
  pdf = (await addPublished(app, { name: '手册', fileType: 'pdf' })).id;
});
afterAll(() => app.close());

it('lists ten documents a page of one type alone, the newest first (C-27)', async () => {
  const first = expectOk(await app.call(listFilesOfType, { id: 1 }));
  expect(first).toMatchObject({ count: 12, total: 12, page: 1, page_size: 10 });
  expect(first.files.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `方案 ${11 - index}`));
  expect(new Set(first.files.map(({ file_type_text }) => file_type_text))).toEqual(new Set(['PPT']));
  expect(expectOk(await app.call(listFilesOfType, { id: '1', page: 2 })).files).toHaveLength(2);
  expect(expectOk(await app.call(listFilesOfType, { id: 1, page: 3 })).files).toEqual([]);
  expect(expectOk(await app.call(listFilesOfType, { id: 2 })).files.map(({ id }) => id)).toEqual([pdf]);
});

it('names the types with their counts', async () => {
  expect(expectOk(await app.call(listFileTypes, {})).data).toMatchObject([
    { id: 1, name: 'PPT', count: 12, description: expect.stringMatching(/./) },
    { id: 2, name: 'PDF', count: 1 },
  ]);
});

it.each([0, 3, '9', -1, 'ppt', null, undefined])('answers 4 for the type %j', async (id) => {
  expect((await app.call(listFilesOfType, { id })).code).toBe(4);
});

it.each(ODD_PAGES)('reads the page %j as the first', async (page) => {
  expect(expectOk(await app.call(listFilesOfType, { id: 1, page })).page).toBe(1);
});

it('leaves out a document that is hidden', async () => {
  await hideDocument(app.ctx, pdf, 'operator');
  expect(expectOk(await app.call(listFilesOfType, { id: 2 }))).toMatchObject({ files: [], count: 0 });
});
