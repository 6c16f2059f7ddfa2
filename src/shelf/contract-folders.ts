import { z } from 'zod';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { looseInteger, ownSid, rowId, rowIds } from '../protocol/fields.ts';
import { pagedFields, pageNumber } from '../protocol/paging.ts';
import { favoriteChart, favoriteDocument, folderOrTop, MAX_BULK } from './contract.ts';
import { FOLDER_NAME_CHARACTERS } from './rules.ts';

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

export const folderId = rowId.describe('文件夹 id');
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
