import sharp from 'sharp';
import type { Ctx } from '../../../context.ts';
import { StoreMissing } from '../../../platform/files/file-store.ts';
import { HASHED_SIDE, pictureHash } from '../../about/picture-hash.ts';

/** Returns the picture hash of a file's cover, a WebP that this site made; null without a cover. */
export async function coverHash(ctx: Ctx, mediaKey: string): Promise<string | null> {
  try {
    return await ctx.files.withLocalPath(`media/${mediaKey}/cover.webp`, async (path) => {
      const { data } = await sharp(path)
        .greyscale()
        .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'fill' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      return pictureHash(data);
    });
  } catch (error) {
    // A cover that cannot be read counts as missing.
    if (error instanceof StoreMissing || (error instanceof Error && /input file/i.test(error.message))) return null;
    throw error;
  }
}
