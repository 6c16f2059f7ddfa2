import { z } from 'zod';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, looseInteger, ownSid, rowId, rowIds } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { keptDocument, MAX_BULK, USER_CENTRE_PAGE_SIZE } from './contract.ts';

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
