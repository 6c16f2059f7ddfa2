import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { documentItem, named } from '../library/contract.ts';
import { waysOut } from '../membership/contract-ways-out.ts';
import { CODE } from '../protocol/codes.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, looseInteger, rowId } from '../protocol/fields.ts';

const fid = rowId.describe('方案 id，数字或数字字符串');
/** One page, read as strictly as an id: a fraction or a text with other characters than digits is 0, a page that no document has. */
const pageOfDocument = rowId;
const width = z.number().int().describe('宽（像素）');
const height = z.number().int().describe('高（像素）');

const documentDetail = documentItem
  .omit({ file_type: true, file_type_text: true, online_url: true, name: true })
  .extend({
    name: z.string().describe('名称，纯文本'),
    /** Here 1 is PPTX, 2 PPT and 3 PDF; in lists 1 is PDF and 2 PPT (C-09 a). */
    file_type: z.union([z.literal(1), z.literal(2), z.literal(3)]).describe('格式：1 PPTX，2 PPT，3 PDF'),
    file_type_text: z.enum(['PPTX', 'PPT', 'PDF']).describe('格式名'),
    keyword: z.string().describe('关键词，英文逗号分隔'),
    /** At most ten paths, signed for two hours and this session (C-76); empty for visitors, who get the other facts (C-21). */
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
    whole_pending: flag.describe('前 10 页之后的页面仍在准备时为 1；未登录时为 0'),
    /** Beyond the reads of the month the detail is still answered, with the preview alone (C-40). */
    read_limited: flag.describe('会员本月阅读次数已用完、本月未读过且未购此方案时为 1：可看预览，不可读全文'),
    last_page: z.number().int().describe('上次读到的页，没有或未登录时为 0'),
    cover_width: z.number().int().describe('封面宽（像素）'),
    cover_height: z.number().int().describe('封面高（像素）'),
  });
export type DocumentDetail = z.infer<typeof documentDetail>;

/**
 * Visitors get code 10000 with the detail filled but without pages (C-21). Missing and unpublished documents answer
 * code 4; `data.gone` is 1 for a document that was published before, so that the page can answer 410.
 */
export const getDetail = endpoint({
  method: 'POST',
  path: '/api/doc/getDetail',
  summary: '方案详情：信息、目录；登录后含前 10 页预览。',
  auth: 'none',
  isPersonal: true,
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid }),
  output: z.object({ detail: documentDetail.describe('方案详情') }),
  // The answer for a member is not shared: its page links are signed for the session, and the read is recorded.
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

const pageFacts = z.object({
  page: z.number().int().describe('页码'),
  width: z.number().int().describe('页面图片宽（像素）'),
  height: z.number().int().describe('页面图片高（像素）'),
  url: z.string().describe('页面图片的签名路径，2 小时内仅对本会话有效；首次打开时生成'),
  url_2x: z.string().describe('大图（最宽 2560 像素）的签名路径'),
  thumbnail_url: z.string().describe('缩略图（宽 240 像素）的签名路径'),
});
export type ReadPage = z.infer<typeof pageFacts>;

/** Refusals of the pages after the preview (C-40, C-41). */
const READING_REFUSALS = { codes: [CODE.readLimit, CODE.notPermitted], data: waysOut };

/**
 * Lists pages of the whole document (C-41). Refusals: 10000, 2, 4; for pages after the preview 34 over the reads of the
 * month and 50 for ordinary users, both with `waysOut`; 1 while the deck's PDF is being made.
 */
export const readPages = endpoint({
  method: 'POST',
  path: '/api/doc/readPages',
  summary: '全文阅读：已购方案与会员额度内的全部页面，其他用户前 10 页。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240 },
  refusals: READING_REFUSALS,
  input: z.object({
    fid,
    from: looseInteger.transform((page) => Math.min(Math.max(page ?? 1, 1), 10_000)).describe('起始页码，默认 1'),
    count: looseInteger.transform((count) => Math.min(Math.max(count ?? 20, 1), 60)).describe('页数，1–60，默认 20'),
  }),
  output: z.object({
    fid: z.number().int().describe('方案 id'),
    page_count: z.number().int().describe('总页数'),
    readable_pages: z.number().int().describe('当前可读的页数，从第 1 页算起'),
    right: z
      .enum(['owned', 'membership', 'over-limit', 'ordinary'])
      .describe('阅读权限：owned 已拥有，membership 会员额度内，over-limit 会员本月额度已用完，ordinary 普通用户'),
    pending: flag.describe('有权限但全文仍在生成时为 1'),
    pages: z.array(pageFacts).describe('页面'),
  }),
});

const WORDS_MAX = 50;

/** Finds words in the pages that the reader may see. Refusals: 10000, 2, 4, 40. */
export const findInDocument = endpoint({
  method: 'POST',
  path: '/api/doc/findInDocument',
  summary: '在方案内查找文字，返回命中的页。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    fid,
    text: z
      .string('请输入要查找的文字')
      .trim()
      .min(1, '请输入要查找的文字')
      .max(WORDS_MAX, `要查找的文字至多 ${WORDS_MAX} 个字符`)
      .describe('要查找的文字，1–50 个字符，不区分大小写与全半角，也不分简繁；空格隔开的词须同在一页'),
  }),
  output: z.object({
    readable_pages: z.number().int().describe('查找了的页数：当前可读的页，从第 1 页算起'),
    total: z.number().int().describe('命中总数'),
    words: z.array(z.string()).describe('查找的文字：原样、简体，以及页中另外的简繁写法；空格隔开的词可以分处一页各处'),
    pages: z
      .array(
        z.object({
          page: z.number().int().describe('页码'),
          count: z.number().int().describe('该页命中数'),
          excerpt: z.string().describe('命中处前后的文字'),
        }),
      )
      .describe('有命中的页，按页码排列；只查找当前可读的页'),
  }),
});

/** The original as PDF: free within the reads of a membership and for owners, for coins beyond (C-41). Refusals: 10000, 2, 4, 34 and 50 with `waysOut`, 60 when `expect` no longer holds. */
export const openOriginal = endpoint({
  method: 'POST',
  path: '/api/doc/original',
  summary: '打开原文（PDF）：已购（非版权等原因下架的仍可打开）与会员额度内免费，会员超出额度时以喵币购买。',
  auth: 'session',
  limit: { perIp: 30, perUser: 30 },
  refusals: READING_REFUSALS,
  input: z.object({
    fid,
    expect: z
      .object({
        method: z.string().describe('预期的方式：owned、membership、free、coin'),
        cost: z.number().describe('预期的喵币数'),
      })
      .nullish()
      .describe('可选的保护：与实际方式或金额不一致时返回 60，不扣费'),
  }),
  output: z.object({
    url: z.string().describe('原文 PDF 的签名路径，5 分钟内仅对本会话有效，在浏览器内打开'),
    method: z
      .enum(['owned', 'membership', 'free', 'coin'])
      .describe('owned 已拥有，membership 会员阅读额度，free 免费，coin 喵币'),
    cost: z.number().int().describe('本次扣除的喵币'),
    balance: z.number().int().describe('扣费后的喵币余额'),
  }),
});

/**
 * For owners alone. Refusals: 10000, 2, 4; 50 for everybody else, with `is_vip`, `balance`, `cost`; 40 for a page that the
 * document does not have; 1 while the deck's PDF is being made.
 */
export const savePage = endpoint({
  method: 'POST',
  path: '/api/doc/savePage',
  summary: '把已购方案的一页存为图片（JPEG，最宽 2560 像素）。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({
    fid,
    page: pageOfDocument.describe('页码'),
  }),
  output: z.object({
    url: z.string().describe('图片的签名路径，5 分钟内仅对本会话有效，打开即下载'),
    file_name: z.string().describe('文件名，如 标题 第12页.jpg'),
  }),
});

/**
 * Returns the words of the preview pages, or of one page that the reader may see. Refusals: code 4 for documents that are
 * missing or not published, 40 for a page that the document does not have; 34, 50 and 1 as readPages.
 */
export const pageText = endpoint({
  method: 'POST',
  path: '/api/doc/pageText',
  summary: '页面的文字及位置，供选取、查找和朗读：全部预览页，或给出 page 时的一页；需登录。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240 },
  refusals: READING_REFUSALS,
  input: z.object({
    fid,
    page: z
      .unknown()
      .optional()
      .transform((page) => (page === undefined || page === null || page === '' ? null : pageOfDocument.parse(page)))
      .meta({ type: ['integer', 'string'], description: '页码，可省略；省略时为全部预览页' }),
  }),
  output: z.object({
    pages: z
      .array(
        z.object({
          page: z.number().int().describe('页码'),
          words: z.array(wordBox).describe('该页的文字及位置，按阅读顺序'),
        }),
      )
      .describe('各页的文字'),
  }),
});

/** `oss_name` is looked up as the storage key of a published document or of the caller's upload, never used as a path (C-87). */
export const doc2png = endpoint({
  method: 'POST',
  path: '/api/web/doc2png',
  summary:
    '取得方案的页面图片任务；给出自己上传的文件时检查并开始转换，未通过返回 1 及原因，文件随即删除。需登录，每分钟 10 次。',
  auth: 'session',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({
    oss_name: z.string().max(200).catch('').describe('方案原文件的存储名，或上传的 key（/api/upload/ 地址的最后一段）'),
  }),
  output: z.object({ task_id: z.string().describe('任务编号，用于 /api/web/checkTask') }),
});

/** Another user's task answers code 4, like a task that does not exist (C-87). */
export const checkTask = endpoint({
  method: 'POST',
  path: '/api/web/checkTask',
  summary: '查询页面图片任务的进度和结果；需登录。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
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
