import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { PreparedCover, PreparedPage } from '../prepared-file.ts';
import type { WordBox } from '../word-boxes.ts';

/** A page whose image lies in the store under `imageName`; "" without one. */
export type StoredPage = PreparedPage & { imageName: string };

export type StoredMedia = { pages: StoredPage[]; hasStrip: boolean; hasWords: boolean };

/**
 * Puts what was drawn of a file into its media folder. Page images are named by their content, so that equal pages of a
 * deck are stored once, and an image that changed never shows under an old name. With `kept`, the names of page images
 * that stay, neither these nor the cover are touched.
 */
export async function storeMedia(
  files: FileStore,
  mediaKey: string,
  drawn: { cover: PreparedCover; pages: PreparedPage[]; strip?: string | null; words?: WordBox[][] },
  kept: ReadonlyMap<number, string> | null = null,
): Promise<StoredMedia> {
  const folder = `media/${mediaKey}`;
  if (!kept) await files.put(`${folder}/cover.webp`, drawn.cover.image);
  const pages: StoredPage[] = [];
  for (const page of drawn.pages) {
    const keptName = kept?.get(page.number);
    if (keptName) {
      pages.push({ ...page, imageName: keptName });
      continue;
    }
    if (page.image === null) {
      pages.push({ ...page, imageName: '' });
      continue;
    }
    const bytes = await readFile(page.image);
    const imageName = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const key = `${folder}/${imageName}.webp`;
    // Put again even if it is there: its new time keeps the sweeper away until the rows name it.
    if (!pages.some((other) => other.imageName === imageName)) await files.put(key, page.image);
    pages.push({ ...page, imageName });
  }
  if (drawn.strip) await files.put(`${folder}/strip.webp`, drawn.strip);
  const hasWords = drawn.words?.some((words) => words.length > 0) ?? false;
  if (hasWords) await putJson(files, `${folder}/words.json`, drawn.words, dirname(drawn.cover.image));
  return { pages, hasStrip: Boolean(drawn.strip), hasWords };
}

async function putJson(files: FileStore, key: string, value: unknown, workDir: string): Promise<void> {
  const file = join(workDir, 'words.json');
  await writeFile(file, JSON.stringify(value));
  await files.put(key, file);
  await rm(file);
}
