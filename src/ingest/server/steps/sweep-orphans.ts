import type { Ctx } from '../../../context.ts';
import type { ListedFile } from '../../../platform/files/file-store.ts';
import { selectImageNames, selectKnownMedia, selectKnownOriginals } from '../store/files.ts';
import { sweepWorkFolders } from '../sandbox/work-folders.ts';

/** Younger files may belong to a run that has not recorded them yet. */
const HOUR_MS = 60 * 60 * 1_000;
const AT_ONCE = 500;
const KINDS = ['originals', 'pdf', 'media'] as const;

type Sweep = { checked: number; removed: number; bytes: number; workFolders: number };

/**
 * Removes what broken runs left: stored files that no row names, some time after they were put, and work folders of
 * ended processes. Removes pictures for shared links after 30 days. Safe while ingests and other sweeps run.
 */
export async function sweepOrphans(ctx: Ctx, options: { olderThanMs?: number } = {}): Promise<Sweep> {
  const { olderThanMs = HOUR_MS } = options;
  const sweep: Sweep = { checked: 0, removed: 0, bytes: 0, workFolders: await sweepWorkFolders() };
  for (const kind of KINDS) {
    let some: ListedFile[] = [];
    for await (const file of ctx.files.list(kind)) {
      sweep.checked++;
      if (ctx.clock.now() - file.modifiedAt < olderThanMs) continue;
      some.push(file);
      if (some.length < AT_ONCE) continue;
      await removeOrphans(ctx, some, sweep);
      some = [];
    }
    await removeOrphans(ctx, some, sweep);
  }
  return sweep;
}

async function removeOrphans(ctx: Ctx, files: ListedFile[], sweep: Sweep): Promise<void> {
  const named = await namedKeys(ctx, files);
  for (const file of files) {
    const { key, size } = file;
    // Meanwhile an ingest may have put the file again, or named it.
    if (named.has(key) || (await namedKeys(ctx, [file])).has(key)) continue;
    if ((await ctx.files.stat(key))?.changedAt !== file.changedAt) continue;
    await ctx.files.remove(key);
    sweep.removed++;
    sweep.bytes += size;
  }
}

const ORIGINAL = /^(?:originals\/([0-9a-f]{64})|pdf\/([0-9a-f]{64})\.pdf)$/;
const MEDIA = /^media\/([A-Za-z0-9_-]{22})\/([A-Za-z0-9_-]+)\.(?:webp|json|jpg)$/;
/**
 * A page image is named by its content, and the largest cover by the image of its page; the other files of a media folder
 * have fixed names and are replaced.
 */
const PAGE_IMAGE = /^([0-9a-f]{32})(?:-\d+)?$/;

/** Pictures for shared links are named by a version of the cover and made again on request: none is kept for good. */
const SHARE_PICTURE = /^share(?:-[0-9a-f]{16})?$/;
const SHARE_KEPT_MS = 30 * 24 * HOUR_MS;

/** Returns the keys that a row names. The draft of a broken put has a unique name, which no row names. */
async function namedKeys(ctx: Ctx, files: ListedFile[]): Promise<Set<string>> {
  const originals = files.flatMap(({ key }) => {
    const match = ORIGINAL.exec(key);
    const sha256 = match?.[1] ?? match?.[2];
    return sha256 ? [{ key, sha256 }] : [];
  });
  const media = files.flatMap(({ key, modifiedAt }) => {
    const match = MEDIA.exec(key);
    const isOldShare = SHARE_PICTURE.test(match?.[2] ?? '') && ctx.clock.now() - modifiedAt > SHARE_KEPT_MS;
    return match?.[1] && match[2] && !isOldShare ? [{ key, mediaKey: match[1], name: match[2] }] : [];
  });
  const knownOriginals = await selectKnownOriginals(
    ctx.db,
    originals.map(({ sha256 }) => sha256),
  );
  const mediaKeys = [...new Set(media.map(({ mediaKey }) => mediaKey))];
  const knownMedia = await selectKnownMedia(ctx.db, mediaKeys);
  const images = await selectImageNames(ctx.db, mediaKeys);
  return new Set([
    ...originals.filter(({ sha256 }) => knownOriginals.has(sha256)).map(({ key }) => key),
    ...media
      .filter(({ mediaKey, name }) => {
        const image = PAGE_IMAGE.exec(name)?.[1];
        return image ? images.has(`${mediaKey}/${image}`) : knownMedia.has(mediaKey);
      })
      .map(({ key }) => key),
  ]);
}
