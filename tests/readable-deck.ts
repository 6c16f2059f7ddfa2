import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { files } from '../src/library/server/tables.ts';
import { addPublished, type PublishedDocument, type PublishedFacts } from './published-document.ts';
import { smallPdf } from './small-pdf.ts';
import type { TestApp } from './test-app.ts';

export type ReadableDeck = PublishedDocument & { fileId: number; sha256: string };

/** A published PDF of `pageCount` pages whose original lies in the file store; none of its pages is drawn. */
export async function addReadableDeck(
  app: Pick<TestApp, 'ctx'>,
  facts: PublishedFacts & { pageCount: number },
): Promise<ReadableDeck> {
  const bytes = smallPdf(randomBytes(6).toString('hex'), facts.pageCount);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const folder = await mkdtemp(join(tmpdir(), 'ceku-readable-'));
  await writeFile(join(folder, 'deck.pdf'), bytes);
  await app.ctx.files.put(`originals/${sha256}`, join(folder, 'deck.pdf'));
  await rm(folder, { recursive: true });
  const deck = await addPublished(app, { fileType: 'pdf', ...facts });
  const [file] = await app.ctx.db
    .update(files)
    .set({ sha256, sizeBytes: bytes.length })
    .where(eq(files.mediaKey, deck.mediaKey))
    .returning({ id: files.id });
  if (!file) throw new Error('the file was not returned');
  return { ...deck, fileId: file.id, sha256 };
}
