import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { documentItem } from '../library/contract.ts';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, looseInteger, rowId, rowIds, ownSid } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { DEFAULT_SHORTLIST_DAYS, FOLDER_NAME_CHARACTERS, NOTE_CHARACTERS, SHORTLIST_DAYS } from './rules.ts';

/** Items on a page of a list (§9). */
export const USER_CENTRE_PAGE_SIZE = 10;
/** Cards on a page of the collection and of the histories (C-83, C-84). */
export const CARD_PAGE_SIZE = 20;

/** A document in a list of one user, which keeps documents that left the library (C-82, C-112). */
const keptDocument = documentItem.extend({
  share_url: z.string().describe('封面图的站内路径；没有或已下架时为空字符串'),
  is_favorite: flag.describe('已收藏为 1'),
  offline: flag.describe('已下架为 1：不再公开展示，无法打开详情'),
});
export type KeptDocument = z.infer<typeof keptDocument>;

/** The id of a folder; 0 (the top level) when left out. Anything that is not an id becomes -1, which no folder has, so that a typing error moves nothing to the top. */
const folderOrTop = z
  .unknown()
  .optional()
  .transform((value) => {
    const isTop = value === undefined || value === null || value === '' || value === 0 || value === '0';
    return isTop ? 0 : rowId.parse(value) || -1;
  })
  .meta({ type: ['integer', 'string'], examples: [9] });

/** 1, 0, or null where it is left out and the call toggles. Any other value is refused. */
const flagOrAbsent = z
  .unknown()
  .optional()
  .transform((value, context): 0 | 1 | null => {
    if (value === undefined || value === null) return null;
    const number = typeof value === 'boolean' ? Number(value) : looseInteger.parse(value);
    if (number === 0 || number === 1) return number;
    context.addIssue({ code: 'custom', message: '只能为 1（收藏）或 0（取消收藏）' });
    return z.NEVER;
  })
  .meta({ type: ['integer', 'string'] });
/** 3 a document, 4 a chart (C-83). */
const keptType = looseInteger
  .transform((type): 3 | 4 => (type === 4 ? 4 : 3))
  .describe('条目类别：3 方案，4 图表；默认 3');

/**
 * C-82. Without `is_favorite` the call toggles; with it the call sets, so that a repeated request changes nothing.
 * The answer of a removal carries what goes with the favourite; the call that restores it sends this back. Refusals: 10000, 2; 4 for what is not
 * published and not kept; 40 for a note that is too long; 60 beyond 10,000 favourites.
 */
export const doFavorite = endpoint({
  method: 'POST',
  path: '/api/user/doFavorite',
  summary: '收藏或取消收藏一份方案或一张图表。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({
    id: rowId.describe('方案 id；item_type 为 4 时为图表 id'),
    item_type: keptType,
    is_favorite: flagOrAbsent.describe('1 收藏，0 取消收藏；省略时切换。给出时重复调用结果不变'),
    note: z
      .string()
      .default('')
      .catch('')
      .describe(`新收藏的备注，至多 ${NOTE_CHARACTERS} 个字符，可省略；已收藏的不变`)
      .meta({ type: 'string', isRequired: false }),
    parent_id: folderOrTop.describe('新收藏放入的文件夹 id；省略、0 或没有这个文件夹时为顶层'),
  }),
  output: z.object({
    is_favorite: flag.describe('现在的状态：已收藏为 1'),
    note: z.string().describe('取消收藏时，随之删除的备注，恢复时原样传回；否则为空字符串'),
    parent_id: z.number().int().describe('取消收藏时，原来所在的文件夹 id；顶层或其他情况为 0'),
  }),
});

/** Lists of the catalogue are the same for everybody; this call says which of their rows the caller keeps. */
export const listFavored = endpoint({
  method: 'POST',
  path: '/api/favorite/favoredList',
  summary: '所给方案和图表中当前用户已收藏的；各至多 100 个。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({
    fids: rowIds(100).describe('方案 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
    chart_ids: rowIds(100).describe('图表 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
  }),
  output: z.object({
    fids: z.array(z.number().int()).describe('其中已收藏的方案 id'),
    chart_ids: z.array(z.number().int()).describe('其中已收藏的图表 id'),
  }),
});

const favoriteDocument = keptDocument.extend({
  record_id: z.number().int().describe('这条收藏的 id'),
  parent_id: z.number().int().describe('所在文件夹 id，不在文件夹中为 0'),
  note: z.string().describe('备注，可为空字符串'),
  favorite_time: z.number().int().describe('收藏时间，Unix 秒'),
});
export type FavoriteDocument = z.infer<typeof favoriteDocument>;

/** C-82: newest first, of all folders; rows that left the library stay with `offline`. */
export const myFavorite = endpoint({
  method: 'POST',
  path: '/api/user/myFavorite',
  summary: '我收藏的方案，最新收藏在前；已下架的保留并标记。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({ page: pageNumber, pageSize: pageSize(USER_CENTRE_PAGE_SIZE) }),
  output: z.object({
    files: z.array(favoriteDocument).describe('收藏的方案'),
    count: z.number().int().describe('总条数，与 total 相同'),
    ...pagedFields,
  }),
});
export type FavoritePage = Answer<typeof myFavorite>;

/** The most ids in one bulk action: five pages of a collection. */
const MAX_BULK = 100;

/** Removes favourites. Ids that are not favourites of the caller are ignored. */
export const removeFavorites = endpoint({
  method: 'POST',
  path: '/api/favorite/remove',
  summary: `批量取消收藏，一次方案和图表各至多 ${MAX_BULK} 个；不在收藏中的会被忽略。`,
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    fids: rowIds(MAX_BULK).describe('方案 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
    chart_ids: rowIds(MAX_BULK).describe('图表 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
  }),
  output: z.object({
    removed: z
      .number()
      .int()
      .describe(`取消的条数，0–${2 * MAX_BULK}`),
  }),
});

/** Whether the caller has read and downloaded a document, and up to which page (C-85). Refusals: 10000, 2, 4. */
export const getFileRecord = endpoint({
  method: 'POST',
  path: '/api/doc/getFileRecord',
  summary: '当前用户与一份方案：是否读过、下载过，上次读到第几页；给出 page 时记录阅读位置。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({
    fid: rowId.describe('方案 id，数字或数字字符串'),
    page: looseInteger
      .transform((page) => (page !== null && page >= 1 && page <= 10_000 ? page : null))
      .describe('要记录的页码，可省略'),
  }),
  output: z.object({
    read: flag.describe('读过为 1'),
    downloaded: flag.describe('下载过为 1'),
    last_page: z.number().int().describe('上次读到的页，没有为 0'),
    last_read_time: z.number().int().describe('上次阅读时间，Unix 秒；没有为 0'),
    download_time: z.number().int().describe('首次下载时间，Unix 秒；没有为 0'),
  }),
});

const favoriteChart = chartItem.extend({
  item_type: z.literal(4).describe('条目类别，4 为图表'),
  item_id: z.number().int().describe('图表 id'),
  record_id: z.number().int().describe('这条收藏的 id'),
  parent_id: z.number().int().describe('所在文件夹 id，不在文件夹中为 0'),
  offline: flag.describe('图表所在的方案已下架为 1'),
  note: z.string().describe('备注，可为空字符串'),
  favorite_time: z.number().int().describe('收藏时间，Unix 秒'),
});
export type FavoriteChart = z.infer<typeof favoriteChart>;

const folderItem = z.object({
  id: z.number().int().describe('文件夹 id'),
  item_id: z.number().int().describe('文件夹 id，与 id 相等'),
  item_type: z.literal(2).describe('条目类别，2 为文件夹'),
  name: z.string().describe('名称，纯文本'),
  parent_id: z.number().int().describe('上级文件夹 id，顶层为 0'),
  count: z.number().int().describe('其中直接收藏的方案数与图表数'),
  create_time: z.number().int().describe('创建时间，Unix 秒'),
});
export type FolderItem = z.infer<typeof folderItem>;

/** The content of one folder, folders first (C-83). Refusals: 10000, 2; 4 for a folder that the caller does not have. */
export const listCollection = endpoint({
  method: 'POST',
  path: '/api/favorite/list',
  summary: '我的收藏：一个文件夹中的文件夹、方案或图表，每页 20 条。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({
    sid: ownSid,
    page: pageNumber,
    only_chart: looseInteger.transform((value) => value === 1).describe('1 列出图表，其他列出方案'),
    parent_id: folderOrTop.describe('文件夹 id，省略或 0 为顶层'),
  }),
  output: z.object({
    items: z
      .array(z.union([folderItem, favoriteDocument, favoriteChart]))
      .describe('文件夹（item_type 2）在前，其后方案（3）或图表（4），新收藏的在前'),
    path: z
      .array(z.object({ id: z.number().int().describe('文件夹 id'), name: z.string().describe('名称') }))
      .describe('从顶层到此文件夹，含其本身；顶层为空数组'),
    document_count: z.number().int().describe('其中连同各级文件夹里的方案数，即导出 CSV 的份数'),
    folder_count: z.number().int().describe('其中的文件夹数；total 含文件夹'),
    ...pagedFields,
  }),
});
export type Collection = Answer<typeof listCollection>;

export const listFolders = endpoint({
  method: 'POST',
  path: '/api/favorite/folder/list',
  summary: '当前用户的全部文件夹，用于选择移动到哪里。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({}),
  output: z.object({ items: z.array(folderItem).describe('文件夹，按名称排列') }),
});

const folderId = rowId.describe('文件夹 id');
const folderName = z
  .string()
  .catch('')
  .describe(`名称，1–${FOLDER_NAME_CHARACTERS} 个字符`)
  .meta({ type: 'string', isRequired: true });
const parentId = folderOrTop.describe('目标文件夹 id，省略或 0 为顶层');

/** Refusals: 10000, 2; 40 with `field`; 4 for an unknown parent; 60 beyond 200 folders or four levels. */
export const createFolder = endpoint({
  method: 'POST',
  path: '/api/favorite/folder/create',
  summary: '新建文件夹。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ name: folderName, parent_id: parentId }),
  output: z.object({ id: z.number().int().describe('新文件夹的 id') }),
});

/** Refusals: 10000, 2, 4, 40 with `field`. */
export const renameFolder = endpoint({
  method: 'POST',
  path: '/api/favorite/folder/rename',
  summary: '重命名文件夹。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ id: folderId, name: folderName }),
  output: z.object({}),
});

/** Deletes a folder: its contents move to the parent folder, and links to the folder end (C-83). Refusals: 10000, 2, 4. */
export const deleteFolder = endpoint({
  method: 'POST',
  path: '/api/favorite/folder/delete',
  summary: '删除文件夹：其中的内容移到上一级，已分享的清单链接同时失效。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ id: folderId }),
  output: z.object({}),
});

/**
 * Moves a folder, favourites, or both. Favourites that the caller does not keep are passed over. Refusals: 10000, 2; 40 when
 * nothing is named; 4 for an unknown folder; 60 for a folder that would stand within itself or too deep.
 */
export const moveToFolder = endpoint({
  method: 'POST',
  path: '/api/favorite/folder/move',
  summary: '把文件夹或收藏移到另一个文件夹；不在收藏中的会被忽略。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({
    id: folderId.describe('要移动的文件夹 id，可省略').meta({ isRequired: false }),
    fids: rowIds(MAX_BULK).describe('要移动的方案 id').meta({ isRequired: false }),
    chart_ids: rowIds(MAX_BULK).describe('要移动的图表 id').meta({ isRequired: false }),
    parent_id: parentId,
  }),
  output: z.object({ moved: z.number().int().describe('移动的条数') }),
});

/** Refusals: 10000, 2; 4 when the document is no favourite of the caller; 40 for a note that is too long. */
export const noteFavorite = endpoint({
  method: 'POST',
  path: '/api/favorite/note',
  summary: '写下一份收藏的备注；空字符串为删除。分享清单时会显示给对方。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    fid: rowId.describe('方案 id'),
    note: z.string().catch('').describe(`备注，至多 ${NOTE_CHARACTERS} 个字符`).meta({ type: 'string' }),
  }),
  output: z.object({ note: z.string().describe('保存的备注') }),
});

/** Refusals: 10000, 2; 4 for a folder that the caller does not have. */
export const exportFavorites = endpoint({
  method: 'POST',
  path: '/api/favorite/export',
  summary: '把收藏的方案导出为 CSV：一个文件夹连同其中各级文件夹，或全部。',
  auth: 'session',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({ parent_id: folderOrTop.describe('文件夹 id，省略或 0 为全部收藏') }),
  output: z.object({
    file_name: z.string().describe('建议的文件名'),
    csv: z.string().describe('CSV 文本（RFC 4180，含 BOM）'),
    count: z.number().int().describe('方案份数'),
  }),
});

/** A link that shows a folder. */
const shortlist = z.object({
  id: z.number().int().describe('清单链接的编号'),
  link: z.string().describe('清单页的站内路径，知道它的人都能打开'),
  create_time: z.number().int().describe('创建时间，Unix 秒'),
  expire_time: z.number().int().describe('失效时间，Unix 秒'),
});
export type ShortlistLink = z.infer<typeof shortlist>;

/** A secret link that shows a folder until it expires or is revoked (C-116). Refusals: 10000, 2; 4 for a folder that the caller does not have; 60 beyond ten open links of a folder. */
export const createShortlist = endpoint({
  method: 'POST',
  path: '/api/favorite/share',
  summary: '为一个文件夹生成清单链接：只读、到期失效、可随时撤销。',
  auth: 'session',
  limit: { perIp: 30, perUser: 30 },
  input: z.object({
    folder_id: folderId,
    days: looseInteger.describe(
      `有效天数：${SHORTLIST_DAYS.join('、')}；省略或其他值按 ${DEFAULT_SHORTLIST_DAYS} 处理`,
    ),
  }),
  output: shortlist,
});

/** Refusals: 10000, 2; 4 for a folder that the caller does not have. */
export const listShortlists = endpoint({
  method: 'POST',
  path: '/api/favorite/shareList',
  summary: '一个文件夹现有的清单链接，新的在前。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ folder_id: folderId }),
  output: z.object({ items: z.array(shortlist).describe('未撤销、未到期的链接') }),
});

/**
 * C-116. Ends all links of a folder, or the one with `id`. Revoking twice changes nothing. Refusals: 10000, 2; 4 for a folder
 * that the caller does not have, and for a link of another folder.
 */
export const revokeShortlist = endpoint({
  method: 'POST',
  path: '/api/favorite/shareRevoke',
  summary: '撤销一个文件夹的全部清单链接，或其中一个；立即失效。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    folder_id: folderId,
    // Only a number left out means all of them: a wrong one must not end every link.
    id: z
      .unknown()
      .optional()
      .transform((id) => (id === undefined ? null : rowId.parse(id)))
      .describe('只撤销这个编号的链接；省略为此文件夹的全部链接')
      .meta({ type: ['integer', 'string'] }),
  }),
  output: z.object({}),
});

/**
 * Returns what anybody with the link sees: the published documents of the folder, as every list shows them, and the notes of who
 * made it. Code 4 for a link that was never given out; `data.gone` is 1 for one that was revoked, has expired, or whose
 * owner is banned or erased.
 */
export const openShortlist = endpoint({
  method: 'POST',
  path: '/api/favorite/shareOpen',
  summary: '打开清单：文件夹中已上架的方案与备注；无需登录。',
  auth: 'none',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({
    key: z.string().max(200).catch('').describe('清单页路径的最后一段').meta({ type: 'string', isRequired: true }),
    page: pageNumber,
  }),
  output: z.object({
    name: z.string().describe('清单名称'),
    expire_time: z.number().int().describe('失效时间，Unix 秒'),
    items: z
      .array(documentItem.extend({ note: z.string().describe('分享者的备注，可为空字符串') }))
      .describe('方案，新收藏的在前'),
    offline_count: z.number().int().describe('清单中已下架而不再显示的份数，不计入 total'),
    ...pagedFields,
  }),
});

/** A history has one row for each document, so that the document names the row. */
const record_id = z.number().int().describe('这条记录的 id：每份方案一条，与方案 id 相同');

const readFields = {
  read_time: z.number().int().describe('上次阅读时间，Unix 秒'),
  last_page: z.number().int().describe('上次读到的页，没有为 0'),
};
const readDocument = keptDocument.extend({ record_id, ...readFields });
export type ReadDocument = z.infer<typeof readDocument>;

const downloadFields = {
  method: z.enum(['free', 'coupon', 'coin']).describe('取得方式：free 免费，coupon 下载券，coin 喵币'),
  cost: z.number().int().describe('所付喵币'),
  download_time: z.number().int().describe('首次下载时间，Unix 秒'),
  can_download: flag.describe('可再次免费下载为 1；因版权等原因下架的为 0'),
};
const downloadedDocument = keptDocument.extend({ record_id, ...downloadFields });
export type DownloadedDocument = z.infer<typeof downloadedDocument>;

/** Lists read documents, one row each, the last read first (C-84). */
export const myHistory = endpoint({
  method: 'POST',
  path: '/api/user/myHistory',
  summary: '我的阅读：每份方案一条，最近阅读的在前。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({ page: pageNumber, pageSize: pageSize(USER_CENTRE_PAGE_SIZE) }),
  output: z.object({
    files: z.array(readDocument).describe('读过的方案'),
    count: z.number().int().describe('总条数，与 total 相同'),
    ...pagedFields,
  }),
});
export type HistoryPage = Answer<typeof myHistory>;

/** Lists bought and downloaded documents, one row each, the newest first (C-84, C-112). */
export const myDownload = endpoint({
  method: 'POST',
  path: '/api/user/myDownload',
  summary: '我的下载：取得过的方案，最新在前，可再次免费下载。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({ page: pageNumber, pageSize: pageSize(USER_CENTRE_PAGE_SIZE) }),
  output: z.object({
    files: z.array(downloadedDocument).describe('下载过的方案'),
    count: z.number().int().describe('总条数，与 total 相同'),
    ...pagedFields,
  }),
});
export type DownloadPage = Answer<typeof myDownload>;

/** The second form of both lists (C-84). Charts are never recorded: with `only_chart` the list is empty. */
export const listRecords = endpoint({
  method: 'POST',
  path: '/api/record/list',
  summary: '阅读或下载记录，每页 20 条。',
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({
    sid: ownSid,
    page: pageNumber,
    type: looseInteger.describe('1 阅读，2 下载；默认 1'),
    opType: looseInteger.describe('type 的别名，仅在没有 type 时有效'),
    only_chart: looseInteger.transform((value) => value === 1).describe('1 为图表：图表没有记录，恒为空'),
  }),
  output: z.object({
    data: z
      .array(keptDocument.extend({ record_id, ...z.object({ ...readFields, ...downloadFields }).partial().shape }))
      .describe('阅读记录含 read_time、last_page；下载记录含 method、cost、download_time、can_download'),
    ...pagedFields,
  }),
});

/** Documents that the caller's reading history does not have are passed over. Refusals: 10000, 2. */
export const removeFromHistory = endpoint({
  method: 'POST',
  path: '/api/record/remove',
  summary: `从阅读记录中删除，一次至多 ${MAX_BULK} 份；已下载的方案、额度和喵币明细不变。`,
  auth: 'session',
  limit: { perIp: 120, perUser: 120 },
  input: z.object({ fids: rowIds(MAX_BULK).describe('方案 id 的数组，或其 JSON 文本') }),
  output: z.object({ removed: z.number().int().describe('删除的份数') }),
});

/** Empties the caller's reading history. Refusals: 10000, 2. */
export const clearHistory = endpoint({
  method: 'POST',
  path: '/api/record/clear',
  summary: '清空阅读记录；已下载的方案、额度和喵币明细不变。',
  auth: 'session',
  limit: { perIp: 30, perUser: 30 },
  input: z.object({}),
  output: z.object({ removed: z.number().int().describe('删除的份数') }),
});
type RecordPage = Answer<typeof listRecords>;
export type RecordItem = RecordPage['data'][number];
