import { requireSession } from '../../accounts/server/sessions.ts';
import { transact, type Ctx, type TransactionCtx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, conflict, invalid, notFound } from '../../protocol/envelope.ts';
import type * as favorites from '../contract.ts';
import type * as contract from '../contract-folders.ts';
import {
  cleanFolderName,
  cleanNote,
  folderNameProblem,
  MAX_FOLDER_LEVELS,
  MAX_FOLDERS,
  moveObstacle,
  noteProblem,
  pathOf,
} from '../rules.ts';
import { deleteFavorites } from './store-favorites.ts';
import {
  countInFolders,
  deleteFolder as deleteRow,
  insertFolder,
  lockFolders,
  selectFolders,
  updateFolder,
  updateFolderOf,
  updateNote,
} from './store-folders.ts';

const tooDeep = () => conflict(`文件夹至多 ${MAX_FOLDER_LEVELS} 层`);

/** Returns all folders of the caller with what each holds. */
export async function listFolders(ctx: Ctx): Promise<Output<typeof contract.listFolders>> {
  const { userId } = requireSession(ctx);
  const [folders, counts] = await Promise.all([selectFolders(ctx.db, userId), countInFolders(ctx.db, userId)]);
  return { items: folders.map((folder) => toFolderItem(folder, counts)) };
}

type FolderRow = Awaited<ReturnType<typeof selectFolders>>[number];

export const toFolderItem = ({ id, parentId, name, createdAt }: FolderRow, counts: ReadonlyMap<number, number>) => ({
  id,
  item_id: id,
  item_type: 2 as const,
  name,
  parent_id: parentId ?? 0,
  count: counts.get(id) ?? 0,
  create_time: Math.floor(createdAt.getTime() / 1_000),
});

/** Creates a folder (C-83). Throws invalid, notFound for an unknown parent, conflict beyond the limits. */
export async function createFolder(ctx: Ctx, { name, parent_id }: Parsed<typeof contract.createFolder>) {
  const { userId } = requireSession(ctx);
  const wanted = checkedName(name);
  const parentId = parent_id || null;
  const id = await withFolders(ctx, userId, async (tx, folders) => {
    const path = parentId === null ? [] : pathOf(folders, parentId);
    if (parentId !== null && path.length === 0) throw notFound();
    if (path.length >= MAX_FOLDER_LEVELS) throw tooDeep();
    if (folders.length >= MAX_FOLDERS) throw conflict(`文件夹已满 ${MAX_FOLDERS} 个`);
    return insertFolder(tx.db, { userId, parentId, name: wanted, createdAt: new Date(ctx.clock.now()) });
  });
  return new CodedAnswer<Output<typeof contract.createFolder>>(CODE.ok, '文件夹已新建', { id });
}

/** Renames a folder. Throws invalid, notFound. */
export async function renameFolder(ctx: Ctx, { id, name }: Parsed<typeof contract.renameFolder>) {
  const { userId } = requireSession(ctx);
  if (!(await updateFolder(ctx.db, userId, id, { name: checkedName(name) }))) throw notFound();
  return new CodedAnswer(CODE.ok, '已重命名', {});
}

/** Deletes a folder; its contents move to the parent folder (C-83). Throws notFound. */
export async function deleteFolder(ctx: Ctx, { id }: Parsed<typeof contract.deleteFolder>) {
  const { userId } = requireSession(ctx);
  const at = new Date(ctx.clock.now());
  if (!(await withFolders(ctx, userId, (tx) => deleteRow(tx.db, userId, id, at)))) throw notFound();
  return new CodedAnswer(CODE.ok, '文件夹已删除', {});
}

/** Moves a folder and favourites. Throws invalid when neither is named, notFound for an unknown folder, conflict where the folder cannot stand. */
export async function moveToFolder(ctx: Ctx, input: Parsed<typeof contract.moveToFolder>) {
  const { userId } = requireSession(ctx);
  const { id, fids: documentIds, chart_ids: chartIds } = input;
  if (id === 0 && documentIds.length === 0 && chartIds.length === 0) throw invalid('请选择要移动的内容', 'fids');
  const parentId = input.parent_id || null;
  const moved = await withFolders(ctx, userId, async (tx, folders) => {
    if (parentId !== null && !folders.some((folder) => folder.id === parentId)) throw notFound();
    if (id > 0) await moveFolder(tx, folders, { userId, id, parentId });
    return updateFolderOf(tx.db, userId, { documentIds, chartIds }, parentId);
  });
  return new CodedAnswer<Output<typeof contract.moveToFolder>>(CODE.ok, '已移动', { moved: moved + (id > 0 ? 1 : 0) });
}

async function moveFolder(
  tx: TransactionCtx,
  folders: FolderRow[],
  move: { userId: number; id: number; parentId: number | null },
): Promise<void> {
  const obstacle = moveObstacle(folders, move.id, move.parentId);
  if (obstacle === 'within-itself') throw conflict('不能移动到它自己里面');
  if (obstacle === 'too-deep') throw tooDeep();
  if (!(await updateFolder(tx.db, move.userId, move.id, { parentId: move.parentId }))) throw notFound();
}

/** Removes favourites of the caller and returns the number of removed rows. */
export async function removeFavorites(
  ctx: Ctx,
  { fids: documentIds, chart_ids: chartIds }: Parsed<typeof favorites.removeFavorites>,
): Promise<Output<typeof favorites.removeFavorites>> {
  const { userId } = requireSession(ctx);
  const removed = await transact(ctx, async (tx) => {
    await lockFolders(tx.db, userId);
    return deleteFavorites(tx.db, userId, { documentIds, chartIds });
  });
  return { removed };
}

/** Writes the note of a favourite. Throws invalid, notFound. */
export async function noteFavorite(ctx: Ctx, { fid, note }: Parsed<typeof favorites.noteFavorite>) {
  const { userId } = requireSession(ctx);
  const problem = noteProblem(note);
  if (problem) throw invalid(problem, 'note');
  const clean = cleanNote(note);
  if (!(await updateNote(ctx.db, userId, fid, clean))) throw notFound();
  return new CodedAnswer(CODE.ok, clean === '' ? '备注已删除' : '备注已保存', { note: clean });
}

/**
 * Runs `work` while no other request changes the folders of the user, or several favourites at once: two of them would wait for
 * each other's rows for ever. `folders` are all folders of the user.
 */
function withFolders<T>(
  ctx: Ctx,
  userId: number,
  work: (tx: TransactionCtx, folders: FolderRow[]) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    await lockFolders(tx.db, userId);
    return work(tx, await selectFolders(tx.db, userId));
  });
}

function checkedName(typed: string): string {
  const problem = folderNameProblem(typed);
  if (problem) throw invalid(problem, 'name');
  return cleanFolderName(typed);
}
