import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, flag, rowId } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { FACT_KINDS, FILE_TYPE_PAGE_SIZE, THEME_PAGE_SIZE } from './limits.ts';

export { FILE_TYPE_PAGE_SIZE, RANKING_CAP, THEME_PAGE_SIZE } from './limits.ts';

/** `id` 0 and `name` "" when unknown, so that `x.name` never throws (C-102). */
export const named = z.object({
  id: z.number().int().describe('id；未知时为 0'),
  name: z.string().describe('名称；未知时为空字符串'),
});
export type Named = z.infer<typeof named>;

/** A page of a kind that planners look for as such (key-pages.ts). */
export const keyPage = z.object({
  kind: z.string().describe('页面类别，如 floor_plan 平面动线、funnel 转化漏斗'),
  name: z.string().describe('类别名'),
  page: z.number().int().positive().describe('该类页面首次出现的页码'),
});

/** A document as every list shows it (§3, C-08, C-09, C-11). */
export const documentItem = z.object({
  id: z.number().int().describe('方案 id'),
  fid: z.number().int().describe('方案 id，与 id 相等'),
  name: z.string().describe('名称，纯文本；仅搜索结果会转义并用 <em> 标出命中词'),
  price: z.number().int().describe('价格（喵币），非负整数'),
  share_url: z.string().describe('封面图的站内路径；没有时为空字符串'),
  cover_srcset: z.string().describe('封面图的各种尺寸，可直接作为 img 的 srcset；没有封面时为空字符串'),
  cover_color: z.string().describe('封面主色 #rrggbb，可作加载时的底色'),
  file_type: z.union([z.literal(1), z.literal(2)]).describe('格式：1 PDF，2 PPT 或 PPTX'),
  file_type_text: z.enum(['PPT', 'PDF']).describe('格式名'),
  page_count: z.number().int().describe('总页数'),
  size: z.number().describe('文件大小（MB，1024²），两位小数'),
  organization: named.describe('机构；未知时 id 为 0、name 为空'),
  industry: named.describe('行业；未知时 id 为 0、name 为空'),
  type: named.describe('方案类型；未知时 id 为 0、name 为空'),
  researcher: named.describe('作者；未知时 id 为 0、name 为空'),
  time_text: z.string().describe('收录日期 YYYY-MM-DD（北京时间）'),
  create_time: z.number().int().describe('收录时间，Unix 秒'),
  updateText: z.string().describe('相对更新时间，如 3天前更新'),
  is_new: flag.describe('7 天内收录为 1'),
  online_url: z.literal('').describe('恒为空字符串；下载请调用 /api/doc/download'),
  is_favorite: flag.describe('已收藏为 1'),
  item_id: z.number().int().describe('条目 id'),
  item_type: z.literal(3).describe('条目类别，3 为方案'),
  parent_id: z.number().int().describe('所在文件夹 id，没有时为 0'),
  chart_list: z.array(z.never()).describe('列表中恒为空；图表见方案详情'),
  preview_only: flag.describe('文件含宏、仅供在线预览、不提供下载时为 1，此时 price 无意义'),
  /** What the pages of the plan state themselves; nothing is guessed (C-118). */
  stated: z
    .array(
      z.object({
        kind: z.enum(FACT_KINDS).describe('budget 总预算，people 人数，days 天数'),
        name: z.string().describe('名称：预算、人数、天数'),
        value: z.number().int().positive().describe('数值；预算以分计'),
        text: z.string().describe('数值与单位，如 50.84 万元'),
        page: z.number().int().positive().describe('写明该数值的页码'),
      }),
    )
    .default([])
    .describe('方案正文写明的预算、人数、天数；没有写明的不列出'),
  key_pages: z.array(keyPage).default([]).describe('常被单独查找的页面，由页面标题识别'),
});
export type DocumentItem = z.infer<typeof documentItem>;

export const listThemes = endpoint({
  method: 'POST',
  path: '/api/theme/all',
  summary: '全部活动类型（theme），按站内顺序。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named).describe('活动类型列表') }),
  isShared: () => true,
});

export const listIndustries = endpoint({
  method: 'POST',
  path: '/api/tag/industryList',
  summary: '全部行业。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named).describe('行业列表') }),
});

/** A kind of file that documents are listed by (C-27); its id is that of the search filter (C-09 d). */
const fileTypeItem = named.extend({
  description: z.string().describe('简介'),
  count: z.number().int().describe('已收录的份数'),
});
export type FileTypeItem = z.infer<typeof fileTypeItem>;

export const listFileTypes = endpoint({
  method: 'POST',
  path: '/api/fileType/list',
  summary: '全部格式及各自的份数。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(fileTypeItem).describe('格式列表') }),
  isShared: () => true,
});

export const listFilesOfType = endpoint({
  method: 'POST',
  path: '/api/fileType/files',
  summary: `一种格式的方案，新的在前，每页 ${FILE_TYPE_PAGE_SIZE} 份；格式不存在时返回 4。`,
  auth: 'none',
  input: z.object({
    id: rowId.describe('格式 id：1 PPT，2 PDF'),
    page: pageNumber,
    pageSize: pageSize(FILE_TYPE_PAGE_SIZE),
  }),
  output: z.object({
    files: z.array(documentItem).describe('方案列表'),
    count: z.number().int().describe('可翻看的条数，至多 750'),
    ...pagedFields,
  }),
  isShared: () => true,
});

/** Home list: 16 a page for any requested size, capped at 750 (C-79, C-80). `theme_id` 0 or isRecommend 1: recommended. */
export const listDocuments = endpoint({
  method: 'POST',
  path: '/api/doc/index',
  summary: '推荐列表或某一活动类型的方案，每页 16 条。',
  auth: 'none',
  input: z.object({
    page: pageNumber,
    pageSize: pageSize(THEME_PAGE_SIZE).describe(`忽略：每页恒为 ${THEME_PAGE_SIZE} 条`),
    theme_id: filterId.describe('活动类型 id，0 为全部；与 themeid 等价'),
    themeid: filterId.describe('活动类型 id，0 为全部；与 theme_id 等价'),
    isRecommend: filterId.describe('1 为推荐列表'),
  }),
  output: z.object({
    files: z.array(documentItem).describe('方案列表'),
    total_count: z.number().int().describe('总条数'),
    ...pagedFields,
  }),
  isShared: () => true,
});

/** The counts in the hero of the home page: 收录 N 份 · 覆盖 N 个行业. */
export const countLibrary = endpoint({
  method: 'POST',
  path: '/api/doc/count',
  summary: '已收录的方案数与覆盖的行业数。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({
    documents: z.number().int().describe('已收录方案数'),
    industries: z.number().int().describe('覆盖行业数'),
  }),
  isShared: () => true,
});

/** At most 8 published documents, never the document itself (C-77). */
export const listSimilar = endpoint({
  method: 'POST',
  path: '/api/doc/similarList',
  summary: '相似方案，至多 8 个。',
  auth: 'none',
  input: z.object({ fid: rowId.describe('方案 id，数字或数字字符串') }),
  output: z.object({ files: z.array(documentItem).describe('相似方案，至多 8 个') }),
  isShared: () => true,
});

/** Another export or state of the same plan. Only published documents are listed, newest first. */
const documentVersion = z.object({
  fid: z.number().int().describe('该版本的方案 id'),
  name: z.string().describe('名称，纯文本'),
  time_text: z.string().describe('收录日期 YYYY-MM-DD（北京时间）'),
  page_count: z.number().int().describe('总页数'),
  file_type_text: z.enum(['PPT', 'PDF']).describe('格式名'),
  price: z.number().int().describe('价格（喵币），0 为免费'),
  preview_only: flag.describe('仅供在线预览、不提供下载为 1'),
  is_newer: flag.describe('比所查方案更新为 1'),
});
export type DocumentVersion = z.infer<typeof documentVersion>;

export const listVersions = endpoint({
  method: 'POST',
  path: '/api/doc/versionList',
  summary: '同一方案的其他版本，新的在前。',
  auth: 'none',
  input: z.object({ fid: rowId.describe('方案 id，数字或数字字符串') }),
  output: z.object({ versions: z.array(documentVersion).describe('同一方案的其他版本，新的在前') }),
  isShared: () => true,
});
