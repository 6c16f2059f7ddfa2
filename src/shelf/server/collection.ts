import { requireSession } from '../../accounts/server/sessions.ts';
import { BYTE_ORDER_MARK } from '../../charts/server/chart-csv.ts';
import { findChartsByIds } from '../../charts/server/list-charts.ts';
import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { safeFileName } from '../../membership/file-name.ts';
import { csvOf } from '../../platform/csv.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type * as contract from '../contract-folders.ts';
import { CARD_PAGE_SIZE, type FavoriteChart } from '../contract.ts';
import { idsWithin, MAX_FAVORITES, pathOf } from '../rules.ts';
import { listFavoriteDocuments } from './favorites.ts';
import { toFolderItem } from './folders.ts';
import { countFavorites, selectFavorites, type FavoriteFilter } from './store-favorites.ts';
import { countFoldersWithin, countInFolders, selectFolders, selectFoldersWithin } from './store-folders.ts';

/** Lists a folder of the caller: the folders in it, then documents or charts (C-83). Throws notFound. */
export async function listCollection(
  ctx: Ctx,
  input: Parsed<typeof contract.listCollection>,
): Promise<Output<typeof contract.listCollection>> {
  const { userId } = requireSession(ctx);
  const parentId = input.parent_id || null;
  const { path, exported } = await requireFolder(ctx, userId, parentId);
  const filter = { userId, type: input.only_chart ? 4 : 3, folderId: parentId } as const;
  const [folderCount, itemCount, documentCount] = await Promise.all([
    countFoldersWithin(ctx.db, userId, parentId),
    countFavorites(ctx.db, filter),
    countFavorites(ctx.db, exported),
  ]);
  // The folders take the first places of the list, whatever page they fall on.
  const offset = offsetOf({ page: input.page, pageSize: CARD_PAGE_SIZE });
  const folders =
    offset < folderCount ? await selectFoldersWithin(ctx.db, userId, parentId, { limit: CARD_PAGE_SIZE, offset }) : [];
  const counts = folders.length > 0 ? await countInFolders(ctx.db, userId) : new Map<number, number>();
  const page = { limit: CARD_PAGE_SIZE - folders.length, offset: Math.max(0, offset - folderCount) };
  const items =
    page.limit === 0
      ? []
      : input.only_chart
        ? await listFavoriteCharts(ctx, filter, page)
        : await listFavoriteDocuments(ctx, filter, page);
  return {
    items: [...folders.map((folder) => toFolderItem(folder, counts)), ...items],
    path: path.map(({ id, name }) => ({ id, name })),
    document_count: documentCount,
    folder_count: folderCount,
    page: input.page,
    page_size: CARD_PAGE_SIZE,
    total: folderCount + itemCount,
  };
}

/**
 * Returns the folders of the user, those from the top down to `folderId` (none for null), and which favourites an export of it has: the documents
 * in the folder and in all folders within it. Throws notFound for a folder that the user does not have.
 */
async function requireFolder(ctx: Ctx, userId: number, folderId: number | null) {
  const folders = await selectFolders(ctx.db, userId);
  const path = folderId === null ? [] : pathOf(folders, folderId);
  if (folderId !== null && path.length === 0) throw notFound();
  const exported: FavoriteFilter = {
    userId,
    type: 3,
    ...(folderId !== null && { folderId: idsWithin(folders, folderId) }),
  };
  return { folders, path, exported };
}

async function listFavoriteCharts(
  ctx: Ctx,
  filter: FavoriteFilter,
  page: { limit: number; offset: number },
): Promise<FavoriteChart[]> {
  const rows = await selectFavorites(ctx.db, filter, page);
  const charts = await findChartsByIds(
    ctx,
    rows.flatMap(({ chartId }) => chartId ?? []),
  );
  return rows.flatMap(({ id, chartId, folderId, note, createdAt }): FavoriteChart[] => {
    const found = chartId === null ? undefined : charts.get(chartId);
    if (!found) return [];
    return [
      {
        ...found.chart,
        item_type: 4,
        item_id: found.chart.id,
        record_id: id,
        parent_id: folderId ?? 0,
        offline: found.isOffline ? 1 : 0,
        note,
        favorite_time: Math.floor(createdAt.getTime() / 1_000),
      },
    ];
  });
}

const HEAD = [
  '名称',
  '格式',
  '页数',
  '大小（MB）',
  '价格（喵币）',
  '行业',
  '方案类型',
  '机构',
  '收录日期',
  '收藏日期',
  '文件夹',
  '备注',
  '状态',
  '链接',
];

/** Returns the documents of a folder and of the folders within it, or all that the caller keeps, as CSV. Throws notFound. */
export async function exportFavorites(
  ctx: Ctx,
  input: Parsed<typeof contract.exportFavorites>,
): Promise<Output<typeof contract.exportFavorites>> {
  const { userId } = requireSession(ctx);
  const { folders, path, exported } = await requireFolder(ctx, userId, input.parent_id || null);
  const items = await listFavoriteDocuments(ctx, exported, { limit: MAX_FAVORITES, offset: 0 });
  const folderNames = new Map(
    folders.map(({ id }) => [
      id,
      pathOf(folders, id)
        .map(({ name }) => name)
        .join(' / '),
    ]),
  );
  const origin = ctx.config.publicUrl ?? ctx.request.origin;
  const rows = items.map((item) => [
    item.name,
    item.file_type_text,
    item.page_count,
    item.size,
    item.preview_only === 1 ? null : item.price,
    item.industry.name,
    item.type.name,
    item.organization.name,
    item.time_text,
    dayText(new Date(item.favorite_time * 1_000)),
    folderNames.get(item.parent_id) ?? '',
    item.note,
    item.offline === 1 ? '已下架' : '',
    item.offline === 1 ? '' : `${origin}/detail/${item.fid}`,
  ]);
  const name = path.at(-1)?.name ?? '我的收藏';
  return {
    file_name: safeFileName(`${name} ${dayText(new Date(ctx.clock.now()))}`, '我的收藏', 'csv'),
    csv: BYTE_ORDER_MARK + csvOf([HEAD, ...rows], '\r\n'),
    count: rows.length,
  };
}
