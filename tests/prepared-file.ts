import type { FileType } from '../src/library/file-types.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { asc, eq } from 'drizzle-orm';
import type { Ctx } from '../src/context.ts';
import type { PreparedFile, PreparedPage } from '../src/ingest/prepared-file.ts';
import { RefusedError, refusalReasons, type RefusalCode } from '../src/ingest/refusals.ts';
import { ingestLimits as limits, fileFlags, type FileFlag } from '../src/ingest/rules.ts';
import { acceptFile } from '../src/ingest/server/intake/accept-file.ts';
import { getLargestCover } from '../src/ingest/server/pages/large-cover.ts';
import { coverName } from '../src/ingest/server/render/page-image.ts';
import { WORK_FOLDER } from '../src/ingest/server/sandbox/work-folders.ts';
import { stampOf } from '../src/ingest/server/source/open-source.ts';
import { pdfKey } from '../src/ingest/server/steps/convert-step.ts';
import { prepareStoredFile, type PrepareOptions } from '../src/ingest/server/steps/prepare-stored-file.ts';
import { selectFile, type FileRow } from '../src/ingest/server/store/files.ts';
import { insertBatch, selectItems, type ListedItem } from '../src/ingest/server/store/items.ts';
import { pages } from '../src/library/server/tables.ts';
import type { WordBox } from '../src/ingest/word-boxes.ts';

export type PrepareInput = PrepareOptions & {
  path: string;
  fileType: FileType;
  signal?: AbortSignal;
  /** How many files may be prepared at once; 1 by default. */
  workers?: number;
};

/** A prepared file. The paths of its images lie in the file store. */
export type StoredFile = PreparedFile & { fileId: number };

/** A file that was accepted into a batch of its own. `item` reads the item of the batch. */
type AcceptedFile = { fileId: number; item(): Promise<ListedItem> };

/**
 * Accepts the file at `path` as production does. The file is not sniffed: it is accepted as a `fileType` whatever it holds, so that a
 * test can hand any bytes to the steps.
 */
export async function acceptPath(ctx: Ctx, path: string, fileType: FileType): Promise<AcceptedFile> {
  const [bytes, found] = [await readFile(path), await stat(path)];
  const batchId = await insertBatch(ctx.db);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await acceptFile(ctx, {
    batchId,
    path,
    sniffed: { ok: true, fileType, bytes: found.size, sha256, slideCount: null, flags: [] },
    facts: {},
    stamp: stampOf(found),
  });
  const item = async () => {
    const [row] = await selectItems(ctx.db, batchId, 1, 0);
    if (!row) throw new Error(`${path} has no item`);
    return row;
  };
  const { fileId } = await item();
  if (fileId === null) throw new Error(`${path} was not accepted: ${(await item()).message}`);
  return { fileId, item };
}

/**
 * Accepts the file at `path`, runs the steps of production to the end and returns what lies in the database and in the file store.
 * Throws RefusedError when the file is refused, failed or waits for LibreOffice, and whatever `prepareStoredFile` throws.
 */
export async function prepareInStore(ctx: Ctx, input: PrepareInput): Promise<StoredFile> {
  const { path, fileType, signal, workers = 1, ...options } = input;
  const { fileId, item } = await acceptPath(ctx, path, fileType);
  await prepareStoredFile(ctx, fileId, { number: 1, isLast: true, signal, workers }, options);
  const { state, reasonCode, message } = await item();
  if (isRefusalCode(reasonCode)) throw new RefusedError(reasonCode, message);
  // A file of blank pages is prepared like others; its document is kept off the shelf.
  const isPrepared = state === 'published' || state === 'duplicate' || reasonCode === 'blank';
  if (!isPrepared) throw new Error(`${path} is ${state}: ${message}`);
  return readPrepared(ctx, fileId);
}

const isRefusalCode = (code: string | null): code is RefusalCode => code !== null && code in refusalReasons;

/** Returns the row of a file. Throws when there is none. */
export async function getFileRow(ctx: Ctx, fileId: number): Promise<FileRow> {
  const row = await selectFile(ctx.db, fileId);
  if (!row) throw new Error(`there is no file ${fileId}`);
  return row;
}

/** Reads a prepared file back from the database and the file store. Throws StoreMissing when a file that a row names is not there. */
export async function readPrepared(ctx: Ctx, fileId: number): Promise<StoredFile> {
  const file = await getFileRow(ctx, fileId);
  const pathOf = (key: string) => ctx.files.withLocalPath(key, (path) => Promise.resolve(path));
  const keyOf = (name: string) => `media/${file.mediaKey}/${name}.webp`;
  const imageOf = (name: string) => pathOf(keyOf(name));
  // The largest cover is drawn when it is asked for.
  const imageIfMade = async (name: string) => ((await ctx.files.stat(keyOf(name))) ? imageOf(name) : null);
  const larger = file.coverWidths.filter((width) => width !== limits.coverWidths[0]);
  const rows = await ctx.db.select().from(pages).where(eq(pages.fileId, fileId)).orderBy(asc(pages.pageNumber));
  const readPage = async (row: (typeof rows)[number]): Promise<PreparedPage> => ({
    number: row.pageNumber,
    width: row.width,
    height: row.height,
    text: row.text,
    image: row.hasImage ? await imageOf(row.imageName) : null,
    largeWidth: row.largeWidth,
  });
  return {
    fileId,
    fileType: file.fileType,
    pageCount: file.pageCount,
    pages: await Promise.all(rows.map(readPage)),
    cover: {
      image: await imageOf('cover'),
      width: file.coverWidth,
      height: file.coverHeight,
      color: file.coverColor,
      larger: await Promise.all(larger.map(async (width) => ({ width, image: await imageIfMade(coverName(width)) }))),
    },
    outline: file.outline,
    textExcerpt: file.textExcerpt,
    pdf: file.hasPdf ? await pathOf(pdfKey(file.sha256)) : null,
    flags: file.flags.filter(isFileFlag),
    strip: file.hasStrip ? await imageOf('strip') : null,
    words: file.hasWords ? await readWords(await pathOf(`media/${file.mediaKey}/words.json`)) : [],
  };
}

/** Returns the path of the largest cover of a file, drawn as for the first reader who asks for it. */
export async function drawLargestCover(ctx: Ctx, fileId: number): Promise<string> {
  const key = await getLargestCover(ctx, await getFileRow(ctx, fileId));
  if (!key) throw new Error(`the file ${fileId} has no cover`);
  return ctx.files.withLocalPath(key, (path) => Promise.resolve(path));
}

const isFileFlag = (flag: string): flag is FileFlag => fileFlags.some((known) => known === flag);

// Safe: storeMedia wrote the file from a WordBox[][].
const readWords = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as WordBox[][];

/**
 * Returns the names of the files that the file store holds in the media folder of a file, in order. Page images, which are named by their
 * content, are all called `page`.
 */
export async function listMedia(ctx: Ctx, fileId: number): Promise<string[]> {
  const folder = `media/${(await getFileRow(ctx, fileId)).mediaKey}/`;
  const names: string[] = [];
  for await (const { key } of ctx.files.list('media'))
    if (key.startsWith(folder)) names.push(key.slice(folder.length).replace(/^[0-9a-f]{32}\./, 'page.'));
  return names.toSorted();
}

/** Returns the scratch folders of preparations that this process left in the temporary folder. */
export async function listWorkFolders(): Promise<string[]> {
  const names = await readdir(tmpdir());
  // The box of an idle render child stays for some seconds.
  return names.filter((name) => name.startsWith(`${WORK_FOLDER}${process.pid}-`) && !name.includes('-box-'));
}
