import { z } from 'zod';
import { cleanLine } from '../library/rules.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, rowId } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { groupItem, SHELF_PAGE_SIZE } from './contract.ts';
import { REASON_CHARACTERS, UPLOAD_STATES } from './rules-uploads.ts';

const READS = { perIp: 240, perUser: 240, isInMemory: true };

const uploadItem = z.object({
  id: z.number().int().describe('上传文件 id'),
  oss_name: z.string().describe('上传的 key；不是自己的文件时为空字符串'),
  name: z.string().describe('文件名'),
  state: z
    .enum(UPLOAD_STATES)
    .describe('状态：receiving 未传完或未检查，queued 等待转换，running 转换中，ready 完成，failed 失败'),
  progress: z.number().int().describe('转换进度，0 到 100'),
  message: z.string().describe('失败原因，或所在社群已关闭；没有时为空字符串'),
  file_type_text: z.string().describe('PPTX、PPT 或 PDF；检查前为空字符串'),
  bytes: z.number().int().describe('文件大小，字节'),
  page_count: z.number().int().describe('页数，完成前为 0'),
  cover_url: z.string().describe('第一页图片的地址；完成前为空字符串'),
  added_by: z.string().describe('上传者昵称'),
  add_time: z.number().int().describe('上传时间，Unix 秒'),
  is_shelved: flag.describe('已放上书架为 1；所在社群已关闭时为 0'),
  is_own: flag.describe('自己上传、可撤回时为 1'),
  is_reported: flag.describe('当前用户已举报过为 1'),
});
export type UploadItem = z.infer<typeof uploadItem>;

const quota = z.object({
  files: z.number().int().describe('当前用户已上传的文件数'),
  max_files: z.number().int().describe('最多文件数'),
  bytes: z.number().int().describe('当前用户已上传的字节数'),
  converting: z.number().int().describe('当前用户等待转换和转换中的文件数'),
  max_bytes: z.number().int().describe('最多字节数'),
  max_file_bytes: z.number().int().describe('单个文件最多字节数'),
});
export type UploadQuota = z.infer<typeof quota>;

/** A caller who is not in the group gets code 50 with the group and no file but their own. */
export const listUploads = endpoint({
  method: 'POST',
  path: '/api/group/uploadList',
  summary:
    '社群成员上传的文件，最近的在前，含当前用户自己未完成的和所在社群已关闭的；未加入的社群返回 50，只含自己上传的。',
  auth: 'session',
  limit: READS,
  input: z.object({ gid: rowId.describe('社群 id'), page: pageNumber, pageSize: pageSize(SHELF_PAGE_SIZE) }),
  output: z.object({
    group: groupItem.describe('社群'),
    uploads: z.array(uploadItem).describe('上传的文件'),
    quota: quota.describe('当前用户的上传额度'),
    ...pagedFields,
  }),
});
export type UploadList = z.infer<(typeof listUploads)['output']>;

export const getUpload = endpoint({
  method: 'POST',
  path: '/api/group/uploadDetail',
  summary: '一个上传的文件及其页面图片；不是所在社群成员返回 4。',
  auth: 'session',
  limit: READS,
  input: z.object({ id: rowId.describe('上传文件 id') }),
  output: z.object({
    upload: uploadItem.describe('上传的文件'),
    pages: z
      .array(
        z.object({
          url: z.string().describe('页面图片地址'),
          width: z.number().int().describe('宽，像素'),
          height: z.number().int().describe('高，像素'),
        }),
      )
      .describe('可预览的页面'),
    download_url: z.string().describe('原文件地址；完成前为空字符串'),
  }),
});

const WRITES = { perIp: 60, perUser: 60 };

export const withdrawUpload = endpoint({
  method: 'POST',
  path: '/api/group/withdrawUpload',
  summary: '撤回自己上传的文件：文件、页面与记录一并删除；不是自己的返回 4。',
  auth: 'session',
  limit: WRITES,
  input: z.object({ id: rowId.describe('上传文件 id') }),
  output: z.object({}),
});

export const reportUpload = endpoint({
  method: 'POST',
  path: '/api/group/reportUpload',
  summary: '举报社群成员上传的文件；每人每个文件记一次。',
  auth: 'session',
  limit: { perIp: 20, perUser: 20 },
  input: z.object({
    id: rowId.describe('上传文件 id'),
    reason: z
      .string('请填写举报原因')
      .trim()
      .max(REASON_CHARACTERS, '举报原因最多 200 字')
      .transform((reason) => cleanLine(reason, REASON_CHARACTERS))
      .pipe(z.string().min(1, '请填写举报原因').min(2, '举报原因至少 2 个字'))
      .describe('举报原因，2 到 200 字'),
  }),
  output: z.object({}),
});
