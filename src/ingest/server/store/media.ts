import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from '../../../platform/files/file-store.ts';
import type { PreparedCover, PreparedPage } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { WordBox } from '../../word-boxes.ts';
import { coverName } from '../render/page-image.ts';

/**
 * `imageName` is the name of a page's image in the media folder, without extension; "" when there is none. `largeWidth` is as in
 * PreparedPage.
 */
export type StoredImages = { imageName: string; largeWidth: number };

type StoredPage = PreparedPage & StoredImages;

/** `coverWidths` are the widths of `ingestLimits.coverWidths` that the cover has, drawn or not (large-cover.ts). */
export type StoredMedia = { pages: StoredPage[]; coverWidths: number[]; hasStrip: boolean; hasWords: boolean };

/** The images of a file that are not replaced. */
type KeptMedia = { pages: ReadonlyMap<number, StoredImages>; coverWidths: number[] };

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
    const { image, largeWidth = 0 } = page;
    pages.push({
      ...page,
      ...(kept?.pages.get(page.number) ?? {
        imageName: image === null ? '' : await putImage(image),
        largeWidth,
      }),
    });
  }
  if (drawn.strip) await files.put(`${folder}/strip.webp`, drawn.strip);
  const hasWords = drawn.words?.some((words) => words.length > 0) ?? false;
  if (hasWords) await putJson(files, `${folder}/words.json`, drawn.words, dirname(drawn.cover.image));
  return { pages, coverWidths, hasStrip: Boolean(drawn.strip), hasWords };
}

/** Stores a cover in the sizes it was made in, in place of the old cover's. Returns all its widths. */
async function putCovers(files: FileStore, folder: string, cover: PreparedCover): Promise<number[]> {
  const made = [{ width: limits.coverWidths[0], image: cover.image }, ...(cover.larger ?? [])];
  for (const width of limits.coverWidths) {
    const image = made.find((each) => each.width === width)?.image;
    const key = `${folder}/${coverName(width)}.webp`;
    await (image ? files.put(key, image) : files.remove(key));
  }
  return made.map(({ width }) => width);
}

async function putJson(files: FileStore, key: string, value: unknown, workDir: string): Promise<void> {
  const file = join(workDir, 'words.json');
  await writeFile(file, JSON.stringify(value));
  await files.put(key, file);
  await rm(file);
}
