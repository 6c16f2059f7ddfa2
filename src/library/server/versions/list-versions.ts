import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { notFound } from '../../../protocol/envelope.ts';
import type { DocumentVersion } from '../../contract.ts';
import { listFileType } from '../../file-types.ts';
import { dayText, isPreviewOnly } from '../../rules.ts';
import { selectDocument } from '../store.ts';
import { selectVersionDocuments } from './store-versions.ts';

const MAX_VERSIONS = 50;

/** A document with another version of the same plan: another export, or an earlier or later state. */
export type VersionFacts = Awaited<ReturnType<typeof selectVersionDocuments>>[number];

/** Lists the documents of all versions of a file, in any state, the newest first. The file's own documents are included; [] without other versions. */
export function listVersions(ctx: Ctx, fileId: number): Promise<VersionFacts[]> {
  return selectVersionDocuments(ctx.db, fileId, MAX_VERSIONS);
}

/** Lists the other published versions of a document, the newest first. Throws notFound for a missing or hidden document. */
export function listOtherVersions(ctx: Ctx, documentId: number): Promise<DocumentVersion[]> {
  return readWithin(ctx, PUBLIC_READ_MS, async (db) => {
    const self = documentId > 0 ? await selectDocument(db, documentId) : null;
    if (self?.state !== 'published') throw notFound();
    const shown = await selectVersionDocuments(db, self.fileId, MAX_VERSIONS + 1, 'published');
    return shown
      .filter(({ id }) => id !== documentId)
      .slice(0, MAX_VERSIONS)
      .map((version) => ({
        fid: version.id,
        name: version.name,
        time_text: dayText(version.createdAt),
        page_count: version.pageCount,
        file_type_text: listFileType(version.fileType).file_type_text,
        price: version.priceCoins,
        preview_only: isPreviewOnly(version) ? 1 : 0,
        is_newer: isNewer(version, self) ? 1 : 0,
      }));
  });
}

type Dated = { id: number; createdAt: Date };

/** Compares by creation time, then by id, as lists are sorted. */
function isNewer(one: Dated, other: Dated): boolean {
  const later = one.createdAt.getTime() - other.createdAt.getTime();
  return later > 0 || (later === 0 && one.id > other.id);
}
