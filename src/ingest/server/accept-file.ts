import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { transact, type Ctx } from '../../context.ts';
import { createDocument, type CreateDocumentInput } from '../../library/server/create-document.ts';
import { titleOfFile } from '../titles.ts';
import type { Sniffed } from '../prepared-file.ts';
import { prepareFileJob } from './jobs.ts';
import type { OnBoundary } from './run-steps.ts';
import {
  hasOpenItem,
  insertItem,
  selectDocumentOfFile,
  selectKnownOriginals,
  updateFile,
  upsertFile,
} from './store.ts';
import { endStep } from './store-steps.ts';

/** What a manifest, or the file's own name, says of a document. */
export type DocumentFacts = Omit<CreateDocumentInput, 'fileId'>;

/** By this a file is known again without reading it. */
export type FileStamp = { sizeBytes: number; modifiedAt: Date };

export type Accepted = { outcome: 'queued' | 'duplicate'; documentId: number };

/**
 * Takes an accepted file in: the original is stored first, then one transaction makes file, document, item and job.
 * A crash in between leaves at most a stored original nobody points to; the next try finds it there.
 * The same content a second time is a duplicate of the first document, unless that one failed: then it is tried again.
 */
export async function acceptFile(
  ctx: Ctx,
  input: {
    batchId: number;
    path: string;
    sniffed: Sniffed;
    facts: Partial<DocumentFacts>;
    stamp: FileStamp;
    onBoundary?: OnBoundary;
  },
): Promise<Accepted> {
  const { batchId, path, sniffed, facts, stamp, onBoundary } = input;
  const key = `originals/${sniffed.sha256}`;
  const item = { batchId, path, ...stamp, sha256: sniffed.sha256 };
  await onBoundary?.('store', 'begun');
  // An original that no row names yet is put again: its new time keeps the sweeper away until one does.
  const isNamed = (await selectKnownOriginals(ctx.db, [sniffed.sha256])).size > 0;
  if (!isNamed || (await ctx.files.stat(key))?.size !== sniffed.bytes) await ctx.files.put(key, path);
  await onBoundary?.('store', 'made');
  return transact(ctx, async (tx) => {
    const file = await upsertFile(tx.db, {
      sha256: sniffed.sha256,
      mediaKey: randomBytes(16).toString('base64url'),
      fileType: sniffed.fileType,
      sizeBytes: sniffed.bytes,
      originalName: basename(path),
      flags: sniffed.flags,
    });
    const existing = await selectDocumentOfFile(tx.db, file.id);
    const isOnItsWay = existing?.state === 'processing' && (await hasOpenItem(tx.db, batchId, file.id));
    if (existing && (isOnItsWay || (existing.state !== 'failed' && existing.state !== 'processing'))) {
      const message = `same content as document ${existing.id}`;
      await insertItem(tx.db, { ...item, fileId: file.id, documentId: existing.id, state: 'duplicate', message });
      return { outcome: 'duplicate', documentId: existing.id };
    }
    const documentId =
      existing?.id ?? (await createDocument(tx, { ...withDefaults(ctx, facts, path), fileId: file.id }));
    await updateFile(tx.db, file.id, { state: 'waiting', failureCode: null, failureDetail: null });
    await endStep(tx.db, file.id, 'store', { state: 'done', detail: { bytes: sniffed.bytes, flags: sniffed.flags } });
    await insertItem(tx.db, { ...item, fileId: file.id, documentId, state: 'queued' });
    // Two at once would do the same work; one that waits out a failure is replaced and tried now.
    const isKept = existing?.state === 'processing';
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}`, isKept });
    return { outcome: 'queued', documentId };
  });
}

function withDefaults(ctx: Ctx, facts: Partial<DocumentFacts>, path: string): DocumentFacts {
  return {
    keyword: '',
    priceCoins: 0,
    industry: '',
    themes: [],
    organization: '',
    type: '',
    researcher: '',
    createdAt: new Date(ctx.clock.now()),
    ...facts,
    isNameGuessed: !facts.name,
    name: facts.name || titleOfFile(basename(path)),
  };
}
