import { randomBytes } from 'node:crypto';
import { createDocument, type CreateDocumentInput, publishDocument } from '../src/library/server/documents.ts';
import type { FileType } from '../src/library/file-types.ts';
import { files, pages, type FileState } from '../src/library/server/tables.ts';
import { indexDocuments } from '../src/search/server/indexing/index-documents.ts';
import { documentFacts } from './documents.ts';
import type { TestApp } from './test-app.ts';

export type PublishedFacts = Partial<Omit<CreateDocumentInput, 'fileId'>> & {
  fileType?: FileType;
  fileState?: FileState;
  /** Flags that ingest set on the file (FileFlag). */
  flags?: string[];
  pageCount?: number;
  isPublished?: boolean;
  /** Text of the pages, from the first. */
  texts?: string[];
};

export type PublishedDocument = { id: number; mediaKey: string };

/** Adds a document that is published and in search, with rows but without stored files. */
export async function addPublished(app: Pick<TestApp, 'ctx'>, facts: PublishedFacts = {}): Promise<PublishedDocument> {
  const mediaKey = randomBytes(16).toString('base64url');
  const pageCount = facts.pageCount ?? 12;
  const [file] = await app.ctx.db
    .insert(files)
    .values({
      sha256: randomBytes(32).toString('hex'),
      mediaKey,
      fileType: facts.fileType ?? 'pptx',
      sizeBytes: 1_572_864,
      originalName: 'deck',
      state: facts.fileState ?? 'ready',
      flags: facts.flags ?? [],
      pageCount,
      previewCount: Math.min(pageCount, 10),
      coverWidth: 480,
      coverHeight: 270,
      outline: [{ page: 1, title: '封面' }],
      textExcerpt: '摘要',
    })
    .returning({ id: files.id });
  if (!file) throw new Error('the file was not returned');
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
  await app.ctx.db.insert(pages).values(
    numbers.map((n) => ({
      fileId: file.id,
      pageNumber: n,
      width: 1280,
      height: 720,
      hasImage: n <= 10,
      text: facts.texts?.[n - 1] ?? '',
    })),
  );
  const id = await createDocument(app.ctx, {
    ...documentFacts({ createdAt: new Date(app.ctx.clock.now()), ...facts }),
    fileId: file.id,
  });
  if (facts.isPublished === false) return { id, mediaKey };
  await publishDocument(app.ctx, id);
  await indexDocuments(app.ctx, [id]);
  return { id, mediaKey };
}

/** Values that a careless or hostile client may send as a page number (C-07). */
export const ODD_PAGES: readonly unknown[] = [0, -1, 1.5, '1; select', '1e9x', {}, [], null, '', Number.NaN];

/** Texts that break what is not careful. */
export const ODD_TEXTS: readonly string[] = [
  '字'.repeat(10_000),
  '%',
  '_',
  '\\',
  "'",
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '& | ! :* <-> ( )',
  '\u0000',
  '\ud800',
  '😀',
  '${jndi:ldap://x}',
];
