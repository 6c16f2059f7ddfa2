import type { Ctx } from '../../../context.ts';

/** The objects of an upload in the file store, all below its key. */
const folderOf = (key: string) => `uploads/${key}`;
export const originalKeyOf = (key: string) => `${folderOf(key)}/original`;
export const pageKeyOf = (key: string, page: number) => `${folderOf(key)}/${page}.webp`;

/** Removes everything that lies on a disk of an upload: what was received, the original and the pages. Does nothing where there is none. */
export async function removeUploadFiles(
  { files, uploads }: Pick<Ctx, 'files' | 'uploads'>,
  key: string,
): Promise<void> {
  await uploads.remove(key);
  await files.removeFolder(folderOf(key));
}
