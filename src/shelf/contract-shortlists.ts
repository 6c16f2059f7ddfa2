import { z } from 'zod';
import { documentItem } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { looseInteger, rowId } from '../protocol/fields.ts';
import { pagedFields, pageNumber } from '../protocol/paging.ts';
import { folderId } from './contract-folders.ts';
import { DEFAULT_SHORTLIST_DAYS, SHORTLIST_DAYS } from './rules.ts';

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
