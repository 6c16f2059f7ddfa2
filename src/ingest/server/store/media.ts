import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from '../../../platform/files/file-store.ts';
import type { PreparedCover, PreparedPage } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { WordBox } from '../../word-boxes.ts';
import { coverName } from '../render/page-image.ts';

/** Where a page's images lie in the media folder, as names without ending; "" without one. `largeWidth` in pixels. */
export type StoredImages = { imageName: string; largeName: string; largeWidth: number };

export type StoredPage = PreparedPage & StoredImages;

/** `coverWidths`: of `ingestLimits.coverWidths`, those that lie in the store. */
export type StoredMedia = { pages: StoredPage[]; coverWidths: number[]; hasStrip: boolean; hasWords: boolean };

/** What of a file's pictures stays as it is. */
export type KeptMedia = { pages: ReadonlyMap<number, StoredImages>; coverWidths: number[] };

/**
 * Puts what was drawn of a file into its media folder. Page images are named by their content, so that equal pages of a
 * deck are stored once, and an image that changed never shows under an old name. With `kept` neither the page images named
 * there nor the covers are touched.
 */
export async function storeMedia(
  files: FileStore,
  mediaKey: string,
  drawn: { cover: PreparedCover; pages: PreparedPage[]; strip?: string | null; words?: WordBox[][] },
  kept: KeptMedia | null = null,
): Promise<StoredMedia> {
  const folder = `media/${mediaKey}`;
  const coverWidths = kept?.coverWidths ?? (await putCovers(files, folder, drawn.cover));
  const stored = new Set<string>();
  const putImage = async (image: string): Promise<string> => {
    const name = createHash('sha256')
      .update(await readFile(image))
      .digest('hex')
      .slice(0, 32);
    // Put again even if it is there: its new time keeps the sweeper away until the rows name it.
    if (!stored.has(name)) await files.put(`${folder}/${name}.webp`, image);
    stored.add(name);
    return name;
  };
  const pages: StoredPage[] = [];
  for (const page of drawn.pages) {
    const { image, large } = page;
    pages.push({
      ...page,
      ...(kept?.pages.get(page.number) ?? {
        imageName: image === null ? '' : await putImage(image),
        largeName: large ? await putImage(large.image) : '',
        largeWidth: large?.width ?? 0,
      }),
    });
  }
  if (drawn.strip) await files.put(`${folder}/strip.webp`, drawn.strip);
  const hasWords = drawn.words?.some((words) => words.length > 0) ?? false;
  if (hasWords) await putJson(files, `${folder}/words.json`, drawn.words, dirname(drawn.cover.image));
  return { pages, coverWidths, hasStrip: Boolean(drawn.strip), hasWords };
}

/** Stores a cover in all its sizes and answers their widths. */
async function putCovers(files: FileStore, folder: string, cover: PreparedCover): Promise<number[]> {
  const widths: number[] = [];
  for (const { width, image } of [{ width: limits.coverWidths[0], image: cover.image }, ...(cover.larger ?? [])]) {
    await files.put(`${folder}/${coverName(width)}.webp`, image);
    widths.push(width);
  }
  // It was made of the old cover and is made again when it is asked for.
  await files.remove(`${folder}/share.jpg`);
  return widths;
}

async function putJson(files: FileStore, key: string, value: unknown, workDir: string): Promise<void> {
  const file = join(workDir, 'words.json');
  await writeFile(file, JSON.stringify(value));
  await files.put(key, file);
  await rm(file);
}
