import { text } from 'node:stream/consumers';
import type { Ctx } from '../../../context.ts';
import { StoreMissing } from '../../../platform/files/file-store.ts';
import { headOf } from '../../page-head.ts';
import type { HeadLine } from '../../page-text.ts';
import type { WordBox } from '../../word-boxes.ts';
import type { FileRow } from '../store/files.ts';

/** Returns the lines of the first page that may be its title, with their heights; none when the words have no positions. */
export async function coverLines(ctx: Ctx, file: FileRow): Promise<HeadLine[]> {
  if (!file.hasWords) return [];
  try {
    // Safe: ingest writes the file in this shape (store/media.ts).
    const pages = JSON.parse(await text(await ctx.files.read(`media/${file.mediaKey}/words.json`))) as WordBox[][];
    return headOf(pages[0] ?? []);
  } catch (error) {
    if (error instanceof StoreMissing) return [];
    throw error;
  }
}
