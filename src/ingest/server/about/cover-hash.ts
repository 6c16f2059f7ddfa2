import sharp from 'sharp';
import type { Ctx } from '../../../context.ts';
import { StoreMissing } from '../../../platform/files/file-store.ts';
import { HASHED_SIDE, pictureHash } from '../../about/picture-hash.ts';

/** Picture hash of a file's cover, which is our own WebP; null without one. */
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
    // Unreadable says as little as missing.
    if (error instanceof StoreMissing || (error instanceof Error && /input file/i.test(error.message))) return null;
    throw error;
  }
}
