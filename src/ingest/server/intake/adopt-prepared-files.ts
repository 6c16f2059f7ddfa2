import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { chartKeys, recordCharts } from '../../../charts/server/record-charts.ts';
import { transact, type Ctx } from '../../../context.ts';
import { createDocument, publishDocument } from '../../../library/server/documents.ts';
import type { PreparedFile, Sniffed } from '../../prepared-file.ts';
import { withDefaults, type ManifestFacts } from '../manifest/manifest-facts.ts';
import { sniffFile } from '../sniff/sniff-file.ts';
import { upsertPreparedFile, selectDocumentOfFile, upsertFile } from '../store/files.ts';
import { storeMedia, type StoredMedia } from '../store/media.ts';

/** A file whose previews, text and outline were made on another machine. `prepared` holds the paths of its images. */
type AdoptedFile = { path: string; prepared: PreparedFile; facts: Partial<ManifestFacts> };

type StoredFile = AdoptedFile & { sniffed: Sniffed; mediaKey: string; media: StoredMedia };

/**
 * Publishes files that are prepared already, without a converter or a job: stores originals and images, then creates the documents in
 * the order of `files`. Content that already has a document, or was destroyed, is left as it is, so the call is safe to repeat. Returns the ids of the new
 * documents, which are not in the search index yet. Throws when a file is refused (sniff-file.ts).
 */
export async function adoptPreparedFiles(ctx: Ctx, files: AdoptedFile[]): Promise<number[]> {
  // Images are stored before rows are written: a row never names an image that is not there.
  const stored = (await Promise.all(files.map((file) => storeFile(ctx, file)))).filter((file) => file !== null);
  const added: number[] = [];
  for (const file of stored) {
    const id = await publishStored(ctx, file);
    if (id !== null) added.push(id);
  }
  return added;
}

/** Null for a file that was destroyed. */
async function storeFile(ctx: Ctx, file: AdoptedFile): Promise<StoredFile | null> {
  const sniffed = await sniffFile(file.path);
  if (!sniffed.ok) throw new Error(`${basename(file.path)} is refused: ${sniffed.code}`);
  const row = await upsertFile(ctx.db, rowOf(file.path, sniffed, randomBytes(16).toString('base64url')));
  if (row.destroyedAt) return null;
  const { mediaKey } = row;
  const original = `originals/${sniffed.sha256}`;
  if (!(await ctx.files.stat(original))) await ctx.files.put(original, file.path);
  for (const [index, { picture }] of (file.prepared.charts ?? []).entries()) {
    if (picture === null) continue;
    const keys = chartKeys(mediaKey, index + 1);
    for (const key of [keys.display, keys.original]) await ctx.files.put(key, picture);
  }
  return { ...file, sniffed, mediaKey, media: await storeMedia(ctx.files, mediaKey, file.prepared) };
}

function publishStored(
  ctx: Ctx,
  { path, sniffed, mediaKey, prepared, media, facts }: StoredFile,
): Promise<number | null> {
  return transact(ctx, async (tx) => {
    const file = await upsertFile(tx.db, rowOf(path, sniffed, mediaKey));
    if (await selectDocumentOfFile(tx.db, file.id)) return null;
    await upsertPreparedFile(tx.db, file.id, prepared, media);
    if (prepared.charts) {
      const titles = new Map(prepared.outline.map(({ page, title }) => [page, title]));
      await recordCharts(tx, file.id, prepared.charts, titles);
    }
    const id = await createDocument(tx, { ...withDefaults(ctx, facts, path), fileId: file.id });
    await publishDocument(tx, id);
    return id;
  });
}

function rowOf(path: string, { sha256, fileType, bytes, flags }: Sniffed, mediaKey: string) {
  return { sha256, mediaKey, fileType, sizeBytes: bytes, originalName: basename(path), flags };
}
