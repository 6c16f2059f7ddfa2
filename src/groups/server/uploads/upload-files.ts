import type { Ctx } from '../../../context.ts';
import { uploadLimits } from '../../rules-uploads.ts';

/** The objects of an upload in the file store, all below its key. */
export const originalKeyOf = (key: string) => `uploads/${key}/original`;
export const pageKeyOf = (key: string, page: number) => `uploads/${key}/${page}.webp`;

/** Removes everything that lies on a disk of an upload: what was received, the original and the pages. Does nothing where there is none. */
export async function removeUploadFiles(
  { files, uploads }: Pick<Ctx, 'files' | 'uploads'>,
  key: string,
): Promise<void> {
  await uploads.remove(key);
  await files.remove(originalKeyOf(key));
  for (let page = 1; page <= uploadLimits.previewPages; page++) await files.remove(pageKeyOf(key, page));
}
