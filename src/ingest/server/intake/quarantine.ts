import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refusalReasons } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { isSameStamp, stampOf, type FileStamp, openSource, type Root, type Source } from '../source/open-source.ts';
import { makeFolder } from '../../../platform/files/folders.ts';

const MAX_NAME_BYTES = 150;

type RefusedFile = {
  path: string;
  /** The folder that was listed to find the file (open-source.ts). */
  root?: Root | null;
  /** Size and modification time when the file was refused; left out, any file at the path is copied. */
  stamp?: FileStamp | null;
  reasonCode: string;
  message: string;
};

/**
 * Copies a refused file into the quarantine folder, with a text file that gives the reason; the refused file stays
 * where it is. The same path always gets the same copy. A file above the size limit, or one that has changed since, is
 * not copied, only named in the text. Returns the path of the copy in `copy`; `isKept` is false when only the text was written.
 */
export async function quarantineFile(folder: string, refused: RefusedFile): Promise<{ copy: string; isKept: boolean }> {
  await makeFolder(folder, 0o700);
  const place = join(folder, placeOf(refused.path));
  const source = await openSource(refused.path, refused.root ?? null).catch(() => null);
  let isKept = false;
  try {
    // Bytes that were destroyed are copied nowhere.
    isKept = source !== null && refused.reasonCode !== 'destroyed' && isToKeep(source, refused.stamp ?? null);
    if (source && isKept)
      await writeAtomically(place, async (draft) => {
        if (!(await linkTo(source, draft))) await copyTo(source.handle, draft);
      });
  } finally {
    await source?.handle.close();
  }
  await writeAtomically(`${place}.txt`, (draft) => writeFile(draft, reasonText(refused, isKept), { flag: 'wx' }));
  return { copy: place, isKept };
}

/**
 * Writes under a temporary name and renames: another command may write the same copy, and somebody may have put a link
 * at its path.
 */
async function writeAtomically(place: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${place}.${randomUUID()}.part`;
  try {
    await make(draft);
    await rename(draft, place);
  } finally {
    // `rename` does nothing when both names are links to one file.
    await rm(draft, { force: true });
  }
}

const isToKeep = ({ facts }: Source, stamp: FileStamp | null) =>
  facts.size <= limits.fileBytes && (stamp === null || isSameStamp(stamp, stampOf(facts)));

function placeOf(path: string): string {
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8);
  // Removes characters of untrusted names that a shell, a terminal or another system would interpret.
  const plain = basename(path).replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_');
  let name = '';
  for (const char of plain) if (Buffer.byteLength(name + char) <= MAX_NAME_BYTES) name += char;
  return `${mark}-${name}`;
}

/**
 * Makes a hard link, which needs no disk space. Returns false when it cannot be made, or when another file is at the
 * path by now: the caller then copies the open file.
 */
async function linkTo({ place, facts }: Source, draft: string): Promise<boolean> {
  try {
    await link(place, draft);
  } catch {
    return false;
  }
  const linked = await lstat(draft);
  if (linked.dev === facts.dev && linked.ino === facts.ino) return true;
  await rm(draft, { force: true });
  return false;
}

async function copyTo(file: FileHandle, draft: string): Promise<void> {
  await pipeline(file.createReadStream({ start: 0, autoClose: false }), createWriteStream(draft, { flags: 'wx' }));
}

function reasonText({ path, reasonCode, message }: RefusedFile, isKept: boolean): string {
  const reason = Object.entries(refusalReasons).find(([code]) => code === reasonCode)?.[1];
  return [
    `file: ${path}`,
    `reason: ${reasonCode}`,
    message,
    ...(reason ? [reason.user] : []),
    ...(isKept
      ? []
      : [
          '(not copied: the file was destroyed in the library, is too large or missing, or has changed since it was refused)',
        ]),
    '',
  ].join('\n');
}
