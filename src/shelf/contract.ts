import { z } from 'zod';
import { documentItem } from '../library/contract.ts';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, looseInteger, rowId, rowIds } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { MAX_FAVORITES } from './rules.ts';

/** §9. */
export const USER_CENTRE_PAGE_SIZE = 10;

/** A document in a list of one user, which keeps documents that left the library (C-82, C-112). */
export const keptDocument = documentItem.extend({
  share_url: z.string().describe('封面图的站内路径；没有或已下架时为空字符串'),
  is_favorite: flag.describe('已收藏为 1'),
  offline: flag.describe('已下架为 1：不再公开展示，无法打开详情'),
});
export type KeptDocument = z.infer<typeof keptDocument>;

const flagOrAbsent = looseInteger.transform((value): 0 | 1 | null => (value === 0 || value === 1 ? value : null));
/** 3 a document, 4 a chart (C-83). */
const keptType = looseInteger
  .transform((type): 3 | 4 => (type === 4 ? 4 : 3))
  .describe('条目类别：3 方案，4 图表；默认 3');

/**
 * C-82. Without `is_favorite` the call toggles; with it the call sets, so that a repeated request changes nothing.
 * Refusals: 10000, 2; 4 for what is not published and not kept; 60 beyond 10,000 favourites.
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
  }),
  output: z.object({ is_favorite: flag.describe('现在的状态：已收藏为 1') }),
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

/** Removes favourites; what is not kept is passed over. */
export const removeFavorites = endpoint({
  method: 'POST',
  path: '/api/favorite/remove',
  summary: `批量取消收藏，一次至多 ${MAX_BULK} 个；不在收藏中的会被忽略。`,
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    fids: rowIds(MAX_BULK).describe('方案 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
    chart_ids: rowIds(MAX_BULK).describe('图表 id 的数组，或其 JSON 文本').meta({ isRequired: false }),
  }),
  output: z.object({ removed: z.number().int().describe(`取消的条数，0–${MAX_FAVORITES}`) }),
});

/** C-85. Refusals: 10000, 2, 4. */
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
