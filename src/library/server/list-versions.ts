import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { notFound } from '../../protocol/envelope.ts';
import type { DocumentVersion } from '../contract.ts';
import { listFileType } from '../file-types.ts';
import { dayText } from '../rules.ts';
import { selectVersionDocuments } from './store-versions.ts';
import { selectDocument } from './store.ts';

/** More versions than this are never listed. */
const MOST = 50;

/** A document of the same plan: another export, an earlier or later state. */
export type VersionFacts = Awaited<ReturnType<typeof selectVersionDocuments>>[number];

/** All documents of a file's versions, newest first, in whatever state, those of the file itself included; [] without others. */
export function listVersions(ctx: Ctx, fileId: number): Promise<VersionFacts[]> {
  return selectVersionDocuments(ctx.db, fileId, MOST);
}

/** The other versions of a document that are on the shelf, newest first. Throws notFound for one that is missing or off the shelf. */
export function listOtherVersions(ctx: Ctx, documentId: number): Promise<DocumentVersion[]> {
  return readWithin(ctx.db, PUBLIC_READ_MS, async (db) => {
    const self = documentId > 0 ? await selectDocument(db, documentId) : null;
    if (self?.state !== 'published') throw notFound();
    const shown = await selectVersionDocuments(db, self.fileId, MOST + 1, 'published');
    return shown
      .filter(({ id }) => id !== documentId)
      .slice(0, MOST)
      .map((one) => ({
        fid: one.id,
        name: one.name,
        time_text: dayText(one.createdAt),
        page_count: one.pageCount,
        file_type_text: listFileType(one.fileType).file_type_text,
        is_newer: isNewer(one, self) ? 1 : 0,
      }));
  });
}

type Dated = { id: number; createdAt: Date };

/** By day, and by number among those of one moment: as lists are ordered. */
function isNewer(one: Dated, other: Dated): boolean {
  const later = one.createdAt.getTime() - other.createdAt.getTime();
  return later > 0 || (later === 0 && one.id > other.id);
}
