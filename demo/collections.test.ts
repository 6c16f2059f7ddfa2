import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocument, publishDocument } from '../src/library/server/documents.ts';
import { files } from '../src/library/server/tables.ts';
import { findCollectionList } from '../src/collections/server/collection-list.ts';
import { documentFacts } from '../tests/documents.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { seedDemoCollections } from './collections.ts';
import { PACK, sha256Of } from './load-pack.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

it('makes two pages of collections of the decks that are published, in the order of the editor, once', async () => {
  const publish = async (name: string) => {
    const sha256 = await sha256Of(`${PACK}files/${name}`);
    const [file] = await app.ctx.db
      .insert(files)
      .values({
        sha256,
        mediaKey: sha256.slice(0, 22),
        fileType: 'pptx',
        sizeBytes: 1,
        originalName: name,
        state: 'ready',
      })
      .returning({ id: files.id });
    if (!file) throw new Error('the file was not returned');
    const id = await createDocument(app.ctx, { ...documentFacts({}), name, fileId: file.id });
    await publishDocument(app.ctx, id);
    return id;
  };
  const later = await publish('01-festival.pptx');
  const earlier = await publish('90-lantern.pptx');
  await seedDemoCollections(app.ctx);
  await seedDemoCollections(app.ctx);
  const { list } = await findCollectionList(app.ctx);
  expect(list.length).toBeGreaterThan(12);
  expect(list[0]).toMatchObject({ name: '过节不撞款', tags: ['节日'], documents: [earlier, later] });
  expect(list[1]).toMatchObject({ name: '开门第一天', documents: [] });
});
