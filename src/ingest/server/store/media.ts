import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from '../../../platform/files/file-store.ts';
import type { PreparedCover, PreparedPage } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { WordBox } from '../../word-boxes.ts';
import { coverName } from '../render/page-image.ts';

/**
 * Names of the images of a page in the media folder, without extension; "" when there is no such image. `largeWidth` is
 * in pixels.
 */
export type StoredImages = { imageName: string; largeName: string; largeWidth: number };

export type StoredPage = PreparedPage & StoredImages;

/** `coverWidths` are the widths of `ingestLimits.coverWidths` that are in the file store. */
export type StoredMedia = { pages: StoredPage[]; coverWidths: number[]; hasStrip: boolean; hasWords: boolean };

/** The images of a file that are not replaced. */
export type KeptMedia = { pages: ReadonlyMap<number, StoredImages>; coverWidths: number[] };

/**
 * Copies the images of a prepared file into its media folder. Page images are named by their content: equal pages are
 * stored once, and a changed image never appears under an old name. Page images and covers named by `kept` are not
 * touched.
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
    // An existing image is put again: the new time keeps sweepOrphans from removing it until the rows name it.
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

/** Stores a cover in all its sizes. Returns the widths. */
async function putCovers(files: FileStore, folder: string, cover: PreparedCover): Promise<number[]> {
  const widths: number[] = [];
  for (const { width, image } of [{ width: limits.coverWidths[0], image: cover.image }, ...(cover.larger ?? [])]) {
    await files.put(`${folder}/${coverName(width)}.webp`, image);
    widths.push(width);
  }
  // share.jpg was made of the old cover; it is made again when it is requested.
  await files.remove(`${folder}/share.jpg`);
  return widths;
}

async function putJson(files: FileStore, key: string, value: unknown, workDir: string): Promise<void> {
  const file = join(workDir, 'words.json');
  await writeFile(file, JSON.stringify(value));
  await files.put(key, file);
  await rm(file);
}
