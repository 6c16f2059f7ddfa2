import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { documentItem } from '../library/contract.ts';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, looseInteger, rowId, rowIds } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { NOTE_CHARACTERS } from './rules.ts';

/** Items on a page of a list (§9). */
export const USER_CENTRE_PAGE_SIZE = 10;
/** Cards on a page of the collection and of the histories (C-83, C-84). */
export const CARD_PAGE_SIZE = 20;

/** A document in a list of one user, which keeps documents that left the library (C-82, C-112). */
export const keptDocument = documentItem.extend({
  share_url: z.string().describe('封面图的站内路径；没有或已下架时为空字符串'),
  is_favorite: flag.describe('已收藏为 1'),
  offline: flag.describe('已下架为 1：不再公开展示，无法打开详情'),
});
export type KeptDocument = z.infer<typeof keptDocument>;

/** The id of a folder; 0 (the top level) when left out. Anything that is not an id becomes -1, which no folder has, so that a typing error moves nothing to the top. */
export const folderOrTop = z
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

export const favoriteDocument = keptDocument.extend({
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

export const favoriteChart = chartItem.extend({
  item_type: z.literal(4).describe('条目类别，4 为图表'),
  item_id: z.number().int().describe('图表 id'),
  record_id: z.number().int().describe('这条收藏的 id'),
  parent_id: z.number().int().describe('所在文件夹 id，不在文件夹中为 0'),
  offline: flag.describe('图表所在的方案已下架为 1'),
  note: z.string().describe('备注，可为空字符串'),
  favorite_time: z.number().int().describe('收藏时间，Unix 秒'),
});
export type FavoriteChart = z.infer<typeof favoriteChart>;

/** The most ids in one bulk action: five pages of a collection. */
export const MAX_BULK = 100;

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
