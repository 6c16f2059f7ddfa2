import { requireSession } from '../../accounts/server/sessions.ts';
import { transact, type Ctx, type TransactionCtx } from '../../context.ts';
import { listByIds } from '../../library/server/list-documents.ts';
import { CODE } from '../../protocol/codes.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, conflict, notFound, Refusal } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import { shortlistPath } from '../addresses.ts';
import type * as contract from '../contract-shortlists.ts';
import { CARD_PAGE_SIZE } from '../contract.ts';
import { DEFAULT_SHORTLIST_DAYS, SHORTLIST_DAYS } from '../rules.ts';
import { countFavorites, selectFavorites } from './store-favorites.ts';
import { lockFolders, selectFolders } from './store-folders.ts';
import {
  countOpenShortlists,
  hasShortlist,
  insertShortlist,
  selectOpenShortlists,
  selectShortlist,
  updateRevoked,
} from './store-shortlists.ts';

/** Open links of one folder: one for each person it is sent to. */
const MAX_OPEN = 10;

type Row = { id: number; createdAt: Date; expiresAt: Date };

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

const toLink = (ctx: Ctx, { id, createdAt, expiresAt }: Row) => ({
  id,
  link: shortlistPath(`${id}-${ctx.signer.sign('shortlist', id)}`),
  create_time: seconds(createdAt),
  expire_time: seconds(expiresAt),
});

/** Makes a link that shows a folder of the caller. Throws notFound, and conflict beyond ten open links of the folder. */
export async function createShortlist(
  ctx: Ctx,
  { folder_id: folderId, days }: Parsed<typeof contract.createShortlist>,
) {
  const { userId } = requireSession(ctx);
  const now = new Date(ctx.clock.now());
  const lifeDays = SHORTLIST_DAYS.find((offered) => offered === days) ?? DEFAULT_SHORTLIST_DAYS;
  const row = { userId, folderId, createdAt: now, expiresAt: new Date(now.getTime() + lifeDays * DAY_MS) };
  const id = await transact(ctx, async (tx) => {
    await lockFolder(tx, userId, folderId);
    if ((await countOpenShortlists(tx.db, { userId, folderId, now })) >= MAX_OPEN)
      throw conflict(`一个文件夹至多 ${MAX_OPEN} 个有效链接，请先撤销不用的`);
    return insertShortlist(tx.db, row);
  });
  return new CodedAnswer<Output<typeof contract.createShortlist>>(CODE.ok, '链接已生成', toLink(ctx, { id, ...row }));
}

/** Keeps the folder and its links from changing until the transaction ends. Throws notFound for a folder that the user does not have. */
async function lockFolder(tx: TransactionCtx, userId: number, folderId: number): Promise<void> {
  await lockFolders(tx.db, userId);
  const folders = await selectFolders(tx.db, userId);
  if (!folders.some((folder) => folder.id === folderId)) throw notFound();
}

/** Lists the open links of a folder of the caller. Throws notFound for a folder that the caller does not have. */
export async function listShortlists(
  ctx: Ctx,
  { folder_id: folderId }: Parsed<typeof contract.listShortlists>,
): Promise<Output<typeof contract.listShortlists>> {
  const { userId } = requireSession(ctx);
  if (!(await selectFolders(ctx.db, userId)).some(({ id }) => id === folderId)) throw notFound();
  const rows = await selectOpenShortlists(ctx.db, { userId, folderId, now: new Date(ctx.clock.now()) }, MAX_OPEN);
  return { items: rows.map((row) => toLink(ctx, row)) };
}

/** Ends the links of a folder, or one of them, at once. Throws notFound for a folder or a link that the caller does not have. */
export async function revokeShortlist(ctx: Ctx, { folder_id: folderId, id }: Parsed<typeof contract.revokeShortlist>) {
  const { userId } = requireSession(ctx);
  const at = new Date(ctx.clock.now());
  await transact(ctx, async (tx) => {
    await lockFolder(tx, userId, folderId);
    if (id !== null && !(await hasShortlist(tx.db, { userId, folderId, id }))) throw notFound();
    await updateRevoked(tx.db, { userId, folderId, id }, at);
  });
  return new CodedAnswer(CODE.ok, '链接已撤销', {});
}

/**
 * Returns what anybody with the link sees, the same for every caller: published documents and notes, nothing of who made the link. Throws
 * notFound, with `gone: 1` for a link that has ended, also because its owner is banned or erased.
 */
export async function openShortlist(
  ctx: Ctx,
  { key, page }: Parsed<typeof contract.openShortlist>,
): Promise<Output<typeof contract.openShortlist>> {
  const id = readKey(ctx, key);
  if (id === null) throw notFound();
  const link = await selectShortlist(ctx.db, id);
  // Only this site signs keys, so a signed key without a row belongs to a link that went with its owner's account.
  if (!link) throw ended();
  const { userId, ownerState, folderId, folderName, expiresAt, revokedAt } = link;
  const isOver = ownerState !== 'active' || revokedAt !== null || expiresAt.getTime() <= ctx.clock.now();
  if (isOver || folderId === null || folderName === null) throw ended();
  const kept = { userId, type: 3, folderId } as const;
  const filter = { ...kept, isPublished: true };
  const wanted = { page, pageSize: CARD_PAGE_SIZE };
  const [rows, total, keptTotal] = await Promise.all([
    selectFavorites(ctx.db, filter, { limit: CARD_PAGE_SIZE, offset: offsetOf(wanted) }),
    countFavorites(ctx.db, filter),
    countFavorites(ctx.db, kept),
  ]);
  const documents = await listByIds(
    ctx,
    rows.flatMap(({ documentId }) => documentId ?? []),
  );
  const notes = new Map(rows.map(({ documentId, note }) => [documentId, note]));
  return {
    name: folderName,
    expire_time: seconds(expiresAt),
    items: documents.map((document) => ({ ...document, note: notes.get(document.id) ?? '' })),
    offline_count: Math.max(0, keptTotal - total),
    page,
    page_size: CARD_PAGE_SIZE,
    total,
  };
}

/** Returns the refusal for a link that worked once: the page answers 410. */
const ended = () => new Refusal(CODE.notFound, '这份清单的链接已失效', { gone: 1 });

/** Returns the id of a link whose signature holds; null for any other text. */
function readKey(ctx: Ctx, key: string): number | null {
  const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{24})$/.exec(key) ?? [];
  return id !== '' && ctx.signer.verify(signature, 'shortlist', id) ? Number(id) : null;
}
