import { z } from 'zod';
import { documentItem } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { rowId } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';

/** Page sizes of §9. */
export const COLLECTION_PAGE_SIZE = 12;
export const COLLECTION_FILES_PAGE_SIZE = 20;
/** Maximum number of covers that the banner of a collection is composed of. */
export const MAX_BANNER_COVERS = 3;

/** A collection as the list and its own page show it (§3, C-92). */
const collectionItem = z.object({
  id: z.number().int().describe('专题 id'),
  name: z.string().describe('名称'),
  banner: z.string().describe('横幅图的站内路径，取自第一份有封面的方案；没有时为空字符串'),
  covers: z
    .array(documentItem.pick({ share_url: true, cover_srcset: true, cover_color: true }))
    .describe(`拼成横幅的封面，取自前几份有封面的方案，至多 ${MAX_BANNER_COVERS} 张`),
  file_count: z.number().int().describe('在架的方案数'),
  tag: z.string().describe('标签，以英文逗号分隔；没有时为空字符串'),
  update_text: z.string().describe('相对更新时间，如 3天前更新'),
  description: z.string().describe('简介；没有时为空字符串'),
  createTimeText: z.string().describe('创建日期 YYYY-MM-DD（北京时间）'),
});
export type CollectionItem = z.infer<typeof collectionItem>;

export const listCollections = endpoint({
  method: 'POST',
  path: '/api/collection/list',
  summary: `专题列表，按站方排定的顺序，每页 ${COLLECTION_PAGE_SIZE} 个。`,
  auth: 'none',
  input: z.object({ page: pageNumber, pageSize: pageSize(COLLECTION_PAGE_SIZE) }),
  output: z.object({ items: z.array(collectionItem).describe('专题'), ...pagedFields }),
  isShared: () => true,
});

export const getCollection = endpoint({
  method: 'POST',
  path: '/api/collection/detail',
  summary: '一个专题；不存在时返回 4。',
  auth: 'none',
  input: z.object({ id: rowId.describe('专题 id，数字或数字字符串') }),
  output: collectionItem,
  isShared: () => true,
});

export const listCollectionFiles = endpoint({
  method: 'POST',
  path: '/api/collection/filelist',
  summary: `一个专题中在架的方案，按专题内的顺序，每页 ${COLLECTION_FILES_PAGE_SIZE} 份；专题不存在时返回 4。`,
  auth: 'none',
  input: z.object({
    page: pageNumber,
    pageSize: pageSize(COLLECTION_FILES_PAGE_SIZE),
    id: rowId.describe('专题 id，数字或数字字符串'),
  }),
  output: z.object({ items: z.array(documentItem).describe('方案'), ...pagedFields }),
  isShared: () => true,
});
