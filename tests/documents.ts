import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocument, type CreateDocumentInput, publishDocument } from '../src/library/server/documents.ts';
import { files } from '../src/library/server/tables.ts';
import { NO_LABELS } from '../src/library/taxonomy.ts';
import type { TestApp } from './test-app.ts';

/** The facts of a new document: free, without labels, unless `facts` say otherwise. */
export const documentFacts = (
  facts: Partial<Omit<CreateDocumentInput, 'fileId'>> = {},
): Omit<CreateDocumentInput, 'fileId'> => ({
  ...NO_LABELS,
  name: '样例方案',
  keyword: '',
  priceCoins: 0,
  themes: [],
  researcher: '',
  createdAt: new Date(),
  ...facts,
});

export type StoredDocument = { id: number; bytes: Buffer; sha256: string };

/** A published document whose original lies in the file store: random bytes under a true hash. */
export async function addDocument(
  app: TestApp,
  options: { priceCoins?: number; name?: string; size?: number; fileType?: 'pptx' | 'ppt' | 'pdf' } = {},
): Promise<StoredDocument> {
  const { priceCoins = 0, name = '夏日音乐节策划方案', size = 1000, fileType = 'pptx' } = options;
  const bytes = randomBytes(size);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await store(app, sha256, bytes);
  const mediaKey = randomBytes(16).toString('base64url');
  const [file] = await app.ctx.db
    .insert(files)
    .values({ sha256, mediaKey, fileType, sizeBytes: size, originalName: 'a', state: 'ready', pageCount: 3 })
    .returning({ id: files.id });
  if (!file) throw new Error('the file was not returned');
  const id = await createDocument(app.ctx, { ...documentFacts({ name, priceCoins }), fileId: file.id });
  await publishDocument(app.ctx, id);
  return { id, bytes, sha256 };
}

async function store(app: TestApp, sha256: string, bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-document-'));
  await writeFile(join(folder, 'original'), bytes);
  await app.ctx.files.put(`originals/${sha256}`, join(folder, 'original'));
  await rm(folder, { recursive: true });
}
