import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { documentItem, named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, rowId } from '../protocol/fields.ts';

const fid = rowId.describe('方案 id，数字或数字字符串');
const width = z.number().int().describe('宽（像素）');
const height = z.number().int().describe('高（像素）');

const documentDetail = documentItem
  .omit({ file_type: true, file_type_text: true, online_url: true, name: true })
  .extend({
    name: z.string().describe('名称，纯文本'),
    /** C-09 a: lists number the formats differently. */
    file_type: z.union([z.literal(1), z.literal(2), z.literal(3)]).describe('格式：1 PPTX，2 PPT，3 PDF'),
    file_type_text: z.enum(['PPTX', 'PPT', 'PDF']).describe('格式名'),
    keyword: z.string().describe('关键词，英文逗号分隔'),
    /** C-21, C-76. */
    page_urls: z.array(z.string()).describe('前 10 页预览图的签名路径，2 小时内仅对本会话有效；未登录时为空数组'),
    page_sizes: z.array(z.object({ width, height })).describe('各预览图的像素尺寸，与 page_urls 一一对应'),
    /** Empty where the source has no more detail, or the document was prepared before large images existed. */
    page_urls_2x: z
      .array(z.string())
      .describe('各预览图的大图（最宽 2560 像素），与 page_urls 一一对应；没有大图的页为空字符串'),
    page_sizes_2x: z
      .array(z.object({ width, height }))
      .describe('各大图的像素尺寸，与 page_urls_2x 一一对应；没有大图时宽高为 0'),
    strip_url: z.string().describe('缩略图长图的签名路径：page_urls 各页的小图（16:9）自上而下排列；没有时为空字符串'),
    has_words: flag.describe('/api/doc/pageText 有这些页的文字位置时为 1'),
    online_url: z.literal('').describe('恒为空字符串；下载请调用 /api/doc/download'),
    chart_list: z.array(chartItem).describe('方案中的全部图表；未登录时为空数组'),
    themes: z.array(named).describe('所属的活动类型'),
    owned: flag.describe('已拥有为 1，再次下载不扣费'),
    text_excerpt: z.string().describe('正文摘录'),
    outline: z
      .array(z.object({ page: z.number().int().describe('页码'), title: z.string().describe('该页标题') }))
      .describe('全文目录'),
    preview_pending: flag.describe('预览仍在生成时为 1'),
    /** C-40. */
    read_limited: flag.describe('会员本月阅读次数已用完、本月未读过且未购此方案时为 1：可看预览，不可读全文'),
    cover_width: z.number().int().describe('封面宽（像素）'),
    cover_height: z.number().int().describe('封面高（像素）'),
  });
export type DocumentDetail = z.infer<typeof documentDetail>;

/**
 * Visitors get code 10000 with the detail filled but without pages (C-21). Missing and off-shelf documents answer
 * code 4; `data.gone` is 1 when it was there once, so that the page can answer 410.
 */
export const getDetail = endpoint({
  method: 'POST',
  path: '/api/doc/getDetail',
  summary: '方案详情：信息、目录；登录后含前 10 页预览。',
  auth: 'none',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid }),
  output: z.object({ detail: documentDetail.describe('方案详情') }),
  // Not shared for members: their pages are signed for the session, and the read is recorded.
  isShared: (_input, { isVisitor }) => isVisitor,
});

/** Returns the visitor's view of the detail for every caller (C-21); `sid` is ignored. Refusals as getDetail. */
export const getGuestDetail = endpoint({
  method: 'POST',
  path: '/api/doc/getGuestDetail',
  summary: '方案详情的访客视图：信息与目录，不含预览页；无需登录。',
  auth: 'none',
  isInfor: true,
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid }),
  output: z.object({ detail: documentDetail.describe('方案详情') }),
});

/** A word or a run of Chinese, and its box in fractions of the page, measured from the upper left corner. */
const wordBox = z.object({
  text: z.string().describe('一个单词或一段汉字'),
  x: z.number().describe('左边位置，占页宽的比例'),
  y: z.number().describe('上边位置，占页高的比例'),
  width: z.number().describe('宽，占页宽的比例'),
  height: z.number().describe('高，占页高的比例'),
});
export type PageWord = z.infer<typeof wordBox>;

/**
 * Returns the words of the preview pages only, as with their images; code 4 for documents that are missing or off the
 * shelf.
 */
export const pageText = endpoint({
  method: 'POST',
  path: '/api/doc/pageText',
  summary: '预览页的文字及位置，供选取、查找和朗读；需登录。',
  auth: 'session',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid }),
  output: z.object({
    pages: z
      .array(
        z.object({
          page: z.number().int().describe('页码'),
          words: z.array(wordBox).describe('该页的文字及位置，按阅读顺序'),
        }),
      )
      .describe('各预览页的文字'),
  }),
});

/** C-87. `oss_name` is looked up as the storage key of a document on the shelf, never used as a path. */
export const doc2png = endpoint({
  method: 'POST',
  path: '/api/web/doc2png',
  summary: '取得方案的页面图片任务；需登录，每分钟 10 次。',
  auth: 'session',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({ oss_name: z.string().max(200).catch('').describe('方案原文件的存储名') }),
  output: z.object({ task_id: z.string().describe('任务编号，用于 /api/web/checkTask') }),
});

/** C-87. Another user's task answers code 4, like a task that does not exist. */
export const checkTask = endpoint({
  method: 'POST',
  path: '/api/web/checkTask',
  summary: '查询页面图片任务的进度和结果；需登录。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ task_id: z.string().max(100).catch('').describe('/api/web/doc2png 返回的任务编号') }),
  output: z.object({
    task_id: z.string().describe('任务编号'),
    status: z
      .enum(['pending', 'running', 'done', 'failed'])
      .describe('任务状态：pending 等待，running 进行中，done 完成，failed 失败'),
    progress: z.number().int().describe('进度，百分数'),
    page_urls: z.array(z.string()).describe('页面图片的签名路径；未完成时为空数组'),
    page_count: z.number().int().describe('总页数'),
    message: z.string().describe('任务状态的说明'),
  }),
});
