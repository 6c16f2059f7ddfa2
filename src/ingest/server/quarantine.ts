import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { refusalReasons, type RefusalCode } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import { makeFolder } from './make-folder.ts';

const MOST_NAME_BYTES = 150;

/**
 * Puts a copy of a refused file into the quarantine folder, beside a text that says why; the file itself stays where it
 * is. The same path is put in the same place again. A file above the size limit is only named. Returns where the copy is.
 */
export async function quarantineFile(
  folder: string,
  refused: { path: string; reasonCode: string; message: string },
): Promise<string> {
  await makeFolder(folder);
  const place = join(folder, placeOf(refused.path));
  const found = await stat(refused.path).catch(() => null);
  const isKept = found?.isFile() === true && found.size <= limits.fileBytes;
  if (isKept) await copyInto(refused.path, place);
  await writeFile(`${place}.txt`, reasonText(refused, isKept));
  return place;
}

function placeOf(path: string): string {
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8);
  // Names of strangers' files: what a shell, a terminal or another system would trip over goes.
  const plain = basename(path).replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_');
  let name = '';
  for (const char of plain) if (Buffer.byteLength(name + char) <= MOST_NAME_BYTES) name += char;
  return `${mark}-${name}`;
}

/** A hard link costs no room; across file systems it is a copy, whole or not there. */
async function copyInto(source: string, place: string): Promise<void> {
  await rm(place, { force: true });
  try {
    await link(source, place);
  } catch {
    const draft = `${place}.part`;
    await copyFile(source, draft, constants.COPYFILE_FICLONE);
    await rename(draft, place);
  }
}

function reasonText(
  { path, reasonCode, message }: { path: string; reasonCode: string; message: string },
  isKept: boolean,
) {
  const reason = Object.entries(refusalReasons).find(([code]) => code === (reasonCode as RefusalCode))?.[1];
  return [
    `file: ${path}`,
    `reason: ${reasonCode}`,
    message,
    ...(reason ? [reason.user] : []),
    ...(isKept ? [] : ['(not copied: it is too large or gone)']),
    '',
  ].join('\n');
}
