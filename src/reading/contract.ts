import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { documentItem, named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { rowId } from '../protocol/paging.ts';

const flag = z.union([z.literal(0), z.literal(1)]);

export const documentDetail = documentItem
  .omit({ file_type: true, file_type_text: true, online_url: true, name: true })
  .extend({
    /** Plain text, not markup. */
    name: z.string(),
    /** Detail: 1 pptx, 2 ppt, 3 pdf (C-09 a). */
    file_type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    file_type_text: z.enum(['PPTX', 'PPT', 'PDF']),
    /** Comma-separated. */
    keyword: z.string(),
    /** At most ten signed paths, valid 2 h for this session only; [] for visitors (C-21, C-76). */
    page_urls: z.array(z.string()),
    /** Pixel size of each of `page_urls`, so that nothing shifts while they load. */
    page_sizes: z.array(z.object({ width: z.number().int(), height: z.number().int() })),
    /**
     * The same pages drawn larger, up to 2,560 pixels wide, one for each of `page_urls`; "" where the source has no more detail, or the
     * document was prepared before large images existed.
     */
    page_urls_2x: z.array(z.string()),
    /** Pixel size of each of `page_urls_2x`; 0 × 0 where there is none. */
    page_sizes_2x: z.array(z.object({ width: z.number().int(), height: z.number().int() })),
    /** Signed path of one image with the small pages of `page_urls`, each 16:9, one below the other; "" without. */
    strip_url: z.string(),
    /** 1 when `pageText` knows where the words of these pages stand. */
    has_words: flag,
    online_url: z.literal(''),
    /** Of members: every chart, with a picture where they may see its page or have the document; [] for visitors. */
    chart_list: z.array(chartItem),
    themes: z.array(named),
    /** 1 when this user has it already: downloads cost nothing. */
    owned: flag,
    text_excerpt: z.string(),
    outline: z.array(z.object({ page: z.number().int(), title: z.string() })),
    /** 1 while previews are still being made. */
    preview_pending: flag,
    /**
     * 1 for a member whose reads of the month are used up and who had not read this document before (C-40): the preview is there, the
     * full text is not. 0 for everybody else, and for what the member owns.
     */
    read_limited: flag,
    cover_width: z.number().int(),
    cover_height: z.number().int(),
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
  input: z.object({ fid: rowId }),
  output: z.object({ detail: documentDetail }),
  // A member's pages are signed for the session, and a reading is recorded.
  isShared: (_input, { isVisitor }) => isVisitor,
});

/** The detail as a visitor sees it, whoever asks (C-21). `sid` is not looked at. Refusals as getDetail. */
export const getGuestDetail = endpoint({
  method: 'POST',
  path: '/api/doc/getGuestDetail',
  summary: '方案详情的访客视图：信息与目录，不含预览页；无需登录。',
  auth: 'none',
  isInfor: true,
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid: rowId }),
  output: z.object({ detail: documentDetail }),
});

/** A word or a run of Chinese, and its box in fractions of the page from its upper left corner. */
const wordBox = z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type PageWord = z.infer<typeof wordBox>;

/** The pages of the preview and no other, as with their images; code 4 for what is missing or off the shelf. */
export const pageText = endpoint({
  method: 'POST',
  path: '/api/doc/pageText',
  summary: '预览页的文字及位置，供选取、查找和朗读；需登录。',
  auth: 'session',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid: rowId }),
  output: z.object({ pages: z.array(z.object({ page: z.number().int(), words: z.array(wordBox) })) }),
});

/** C-87. `oss_name` is looked up as the storage key of a document on the shelf, never used as a path. */
export const doc2png = endpoint({
  method: 'POST',
  path: '/api/web/doc2png',
  summary: '取得方案的页面图片任务；需登录，每分钟 10 次。',
  auth: 'session',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({ oss_name: z.string().max(200).catch('') }),
  output: z.object({ task_id: z.string() }),
});

/** C-87. Someone else's task answers code 4, as one that never was. */
export const checkTask = endpoint({
  method: 'POST',
  path: '/api/web/checkTask',
  summary: '查询页面图片任务的进度和结果；需登录。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ task_id: z.string().max(100).catch('') }),
  output: z.object({
    task_id: z.string(),
    status: z.enum(['pending', 'running', 'done', 'failed']),
    /** Percent. */
    progress: z.number().int(),
    page_urls: z.array(z.string()),
    page_count: z.number().int(),
    message: z.string(),
  }),
});
