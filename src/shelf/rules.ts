import { replaceHidden } from '../protocol/hidden-characters.ts';

/** Rows of one user. More than any reader keeps; lists stay fast up to here. */
export const MAX_FAVORITES = 10_000;
export const MAX_FOLDERS = 200;
/** Folders within folders: a folder at the top is level 1. */
export const MAX_FOLDER_LEVELS = 4;
export const FOLDER_NAME_CHARACTERS = 40;
export const NOTE_CHARACTERS = 500;

/** Lifetimes in days that a link to a shortlist may have. */
export const SHORTLIST_DAYS = [7, 30, 90] as const;
/** The lifetime of a link for which none is asked (C-116). */
export const DEFAULT_SHORTLIST_DAYS = 30;

/** Characters that change the direction of the text after them, as library/rules.ts has them, which pages would load as a whole. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the name without control characters and with single spaces; "" when nothing is left. */
export function cleanFolderName(name: string): string {
  return replaceHidden(name.toWellFormed(), ' ').replace(/\s+/gu, ' ').trim();
}

/** Returns the note with its line breaks, without other control characters and without marks that turn the text after them around. */
export function cleanNote(note: string): string {
  return note
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(DIRECTION_MARKS, '')
    .trim();
}

/** Counts code points: an emoji or a rare character is one, and an emoji made of several counts its parts and joiners. */
export const characterCount = (text: string) => [...text].length;

/** Returns what is wrong with the name of a folder, as its owner is told; null for a good one. */
export function folderNameProblem(typed: string): string | null {
  const count = characterCount(cleanFolderName(typed));
  if (count === 0) return '请输入文件夹名称';
  return count > FOLDER_NAME_CHARACTERS ? `文件夹名称至多 ${FOLDER_NAME_CHARACTERS} 个字，现在 ${count} 个` : null;
}

/** Returns what is wrong with a note, as its writer is told; null for a good one. */
export function noteProblem(typed: string): string | null {
  const count = characterCount(cleanNote(typed));
  return count > NOTE_CHARACTERS ? `备注至多 ${NOTE_CHARACTERS} 个字，现在 ${count} 个` : null;
}

export type Folder = { id: number; parentId: number | null; name: string };

/** Returns the folders from the top down to `id`, itself included; empty for an unknown id. */
export function pathOf<F extends Folder>(folders: readonly F[], id: number): F[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: F[] = [];
  for (let at = byId.get(id); at && !path.includes(at); at = at.parentId === null ? undefined : byId.get(at.parentId))
    path.unshift(at);
  return path;
}

/** Returns the ids of a folder and of all folders within it. */
export const idsWithin = (folders: readonly Folder[], id: number): number[] =>
  folders.flatMap((folder) => (pathOf(folders, folder.id).some((one) => one.id === id) ? folder.id : []));

/** Returns how many levels a folder and those within it take: 1 for a folder without folders. */
export function levelsOf(folders: readonly Folder[], id: number): number {
  const within = folders.filter(({ parentId }) => parentId === id);
  return 1 + Math.max(0, ...within.map((folder) => levelsOf(folders, folder.id)));
}

/**
 * Returns why the folder cannot stand in `parentId` (null: at the top); null when it can. `folders` are all folders of the
 * user.
 */
export function moveObstacle(
  folders: readonly Folder[],
  id: number,
  parentId: number | null,
): 'within-itself' | 'too-deep' | null {
  const path = parentId === null ? [] : pathOf(folders, parentId);
  if (path.some((folder) => folder.id === id)) return 'within-itself';
  return path.length + levelsOf(folders, id) > MAX_FOLDER_LEVELS ? 'too-deep' : null;
}
