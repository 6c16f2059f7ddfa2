import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, pagedFields, pageNumber, pageSize, rowId } from '../protocol/paging.ts';
import { THEME_PAGE_SIZE } from './limits.ts';

export { RANKING_CAP, THEME_PAGE_SIZE } from './limits.ts';

/** `id` 0 and `name` "" when unknown, so that `x.name` never throws (C-102). */
export const named = z.object({ id: z.number().int(), name: z.string() });
export type Named = z.infer<typeof named>;

/** A document as every list shows it (§3, C-08, C-09, C-11). */
export const documentItem = z.object({
  id: z.number().int(),
  /** Always equal to `id`. */
  fid: z.number().int(),
  /** Plain text. Only search sends it escaped, with hits in `<em>` (C-10). */
  name: z.string(),
  /** Price in coins, integer ≥ 0. */
  price: z.number().int(),
  /** Path of the cover image on this site; "" while there is none. */
  share_url: z.string(),
  /** All sizes of the cover, as the `srcset` of an image: "… 480w, … 960w, … 1600w"; "" while there is no cover. */
  cover_srcset: z.string(),
  /** Dominant colour of the cover, `#rrggbb`, shown while it loads. */
  cover_color: z.string(),
  /** Lists: 1 = PDF, 2 = PPT or PPTX (C-09 b). */
  file_type: z.union([z.literal(1), z.literal(2)]),
  file_type_text: z.enum(['PPT', 'PDF']),
  page_count: z.number().int(),
  /** Megabytes of 1024², two decimals. */
  size: z.number(),
  organization: named,
  industry: named,
  type: named,
  researcher: named,
  /** Shanghai day, YYYY-MM-DD. */
  time_text: z.string(),
  /** Epoch seconds. */
  create_time: z.number().int(),
  /** e.g. 3天前更新 (C-05). */
  updateText: z.string(),
  /** 1 within 7 days of create_time (C-86). */
  is_new: z.union([z.literal(0), z.literal(1)]),
  /** Never a usable address in a list (C-11). */
  online_url: z.literal(''),
  is_favorite: z.union([z.literal(0), z.literal(1)]),
  item_id: z.number().int(),
  item_type: z.literal(3),
  parent_id: z.number().int(),
  chart_list: z.array(z.never()),
  /** 1 when nobody can download the file (a deck with macros): downloads are refused, and the price does not apply. */
  preview_only: z.union([z.literal(0), z.literal(1)]),
});
export type DocumentItem = z.infer<typeof documentItem>;

export const listThemes = endpoint({
  method: 'POST',
  path: '/api/theme/all',
  summary: '全部活动类型（theme），按站内顺序。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named) }),
  isShared: () => true,
});

export const listIndustries = endpoint({
  method: 'POST',
  path: '/api/tag/industryList',
  summary: '全部行业。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named) }),
});

/** Home list: 16 a page whatever the request says, capped at 750 (C-79, C-80). `theme_id` 0 or isRecommend 1: recommended. */
export const listDocuments = endpoint({
  method: 'POST',
  path: '/api/doc/index',
  summary: '推荐列表或某一活动类型的方案，每页 16 条。',
  auth: 'none',
  input: z.object({
    page: pageNumber,
    pageSize: pageSize(THEME_PAGE_SIZE),
    theme_id: filterId,
    themeid: filterId,
    isRecommend: filterId,
  }),
  output: z.object({ files: z.array(documentItem), total_count: z.number().int(), ...pagedFields }),
  isShared: () => true,
});

/** True numbers for the hero: 收录 N 份 · 覆盖 N 个行业. */
export const countLibrary = endpoint({
  method: 'POST',
  path: '/api/doc/count',
  summary: '已收录的方案数与覆盖的行业数。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ documents: z.number().int(), industries: z.number().int() }),
  isShared: () => true,
});

/** At most 8 published documents, never the document itself (C-77). */
export const listSimilar = endpoint({
  method: 'POST',
  path: '/api/doc/similarList',
  summary: '相似方案，至多 8 个。',
  auth: 'none',
  input: z.object({ fid: rowId }),
  output: z.object({ files: z.array(documentItem) }),
  isShared: () => true,
});

/** Another published version of the same plan: another export, or an earlier or later state. */
export const documentVersion = z.object({
  fid: z.number().int(),
  name: z.string(),
  /** Shanghai day, YYYY-MM-DD. */
  time_text: z.string(),
  page_count: z.number().int(),
  file_type_text: z.enum(['PPT', 'PDF']),
  /** 1 when this version is newer than the document `fid` of the request. */
  is_newer: z.union([z.literal(0), z.literal(1)]),
});
export type DocumentVersion = z.infer<typeof documentVersion>;

export const listVersions = endpoint({
  method: 'POST',
  path: '/api/doc/versionList',
  summary: '同一方案的其他版本，新的在前。',
  auth: 'none',
  input: z.object({ fid: rowId }),
  output: z.object({ versions: z.array(documentVersion) }),
  isShared: () => true,
});
