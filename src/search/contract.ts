import { z } from 'zod';
import { documentItem, keyPage, named } from '../library/contract.ts';
import { SORTS } from '../library/limits.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, flag } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { MAX_QUERY_CHARACTERS, SEARCH_PAGE_SIZE } from './limits.ts';

export { FREE_PAGES, FREE_RESULTS, MAX_QUERY_CHARACTERS, SEARCH_PAGE_SIZE } from './limits.ts';

/** A page that holds the words of the query (C-10). */
const pageHit = z.object({
  page: z.number().int().positive().describe('命中的页码'),
  snippet: z.string().describe('命中的一行，已转义并用 <em> 标出命中词'),
});
export type PageHit = z.infer<typeof pageHit>;

/** A search result: a document with up to three of its pages that contain all words of the query. */
const foundItem = documentItem.extend({
  page_hits: z.array(pageHit).describe('正文命中的页，至多 3 页；非会员只含前 10 页'),
  /** `full` results come before `partial` ones, which lack a word that carries meaning (C-117). */
  match: z
    .enum(['full', 'partial'])
    .default('full')
    .describe('full 含有全部有意义的词（或其同义写法），partial 只含其中一部分'),
  missing: z.array(z.string()).default([]).describe('部分匹配时，方案中没有的词，按输入原样'),
  reason: z
    .string()
    .default('')
    .describe('名称之外的匹配原因，如 行业 餐饮、标签 苏州、七夕 与“情人节”相近；名称和正文页已能说明时为空字符串'),
  asked_pages: z.array(keyPage).default([]).describe('key_pages 中搜索词所指的页面，如搜“动线设计”时的平面动线'),
  versions: z
    .array(
      z.object({
        fid: z.number().int().describe('该版本的方案 id'),
        time_text: z.string().describe('收录日期 YYYY-MM-DD（北京时间）'),
        page_count: z.number().int().describe('总页数'),
        file_type_text: z.enum(['PPT', 'PDF']).describe('格式名'),
      }),
    )
    .default([])
    .describe('同一方案在本页的其他版本，新的在前；计入 total_count，不另列出'),
});
export type FoundItem = z.infer<typeof foundItem>;

const count = z.number().int().describe('方案数');
const namedCount = named.extend({ count });

export type NearestTheme = z.infer<typeof namedCount>;

const bandCount = z.object({ id: z.number().int().describe('参数的取值'), count });

/** How many documents each choice of a filter would leave under all other filters. Choices that would leave none are omitted. */
const facets = z.object({
  file_types: z.array(namedCount).describe('各格式的方案数，id 为 filetype 的取值'),
  /** The chosen industry is always listed, so that the page can show its name. */
  industries: z.array(namedCount).describe('各行业的方案数，多的在前；所选行业总在其中'),
  years: z
    .array(z.object({ year: z.number().int().describe('年份，用作 pubdate'), count }))
    .describe('各年份的方案数，近的在前'),
  recent: z
    .array(z.object({ id: z.number().int().describe('pubdate 的取值 1、2、3'), count }))
    .describe('近 3、7、30 天的方案数'),
  pages: z.array(bandCount.describe('pages 的取值与方案数')).describe('各页数段的方案数'),
  free: count.describe('免费方案数'),
  budgets: z.array(bandCount.describe('budget 的取值与方案数')).describe('正文写明预算的方案，各预算段的方案数'),
  people: z.array(bandCount.describe('people 的取值与方案数')).describe('正文写明人数的方案，各人数段的方案数'),
  days: z.array(bandCount.describe('days 的取值与方案数')).describe('正文写明天数的方案，各天数段的方案数'),
});

/** The words under the search fields, which the operator chooses (C-24). */
export const listHotWords = endpoint({
  method: 'POST',
  path: '/api/search/hotWords',
  summary: '热门搜索词，按站方排定的顺序。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ words: z.array(z.string()).describe('热门搜索词，至多 10 个') }),
  isShared: () => true,
});

/**
 * Search, or the recommended ranking when the key is blank (C-78). For visitors and user_type 1 a keyword query shows
 * ten results in all: page 1 carries them, every later page answers code 32 with an empty list and the real total.
 * `searchLimit` and `device` are accepted and ignored (C-25).
 */
export const searchDocuments = endpoint({
  method: 'POST',
  path: '/api/doc/search',
  summary: '按关键词与筛选条件搜索、排序，附各筛选项的数量；关键词为空时返回推荐排行。',
  auth: 'none',
  isPersonal: true,
  limit: { perIp: 30, perUser: 60, isInMemory: true },
  input: z.object({
    search_key: z
      .unknown()
      .optional()
      .transform((key) => (typeof key === 'string' || typeof key === 'number' ? String(key) : ''))
      .meta({
        type: ['string', 'number'],
        default: '',
        description: `关键词，最多 ${MAX_QUERY_CHARACTERS} 字；空白时返回推荐排行`,
        examples: ['房地产'],
      }),
    page: pageNumber,
    pageSize: pageSize(SEARCH_PAGE_SIZE),
    /** The filter of themes, under two names; industries have a filter of their own (C-14). */
    themeid: filterId.describe('活动类型 id，0 为全部；与 theme_id 等价'),
    theme_id: filterId.describe('活动类型 id，0 为全部；与 themeid 等价'),
    /** The numbers of this filter are neither those of lists nor those of the detail page (C-09 c). */
    filetype: filterId.meta({ enum: [0, 1, 2, '0', '1', '2'], description: '格式：0 全部，1 PPT，2 PDF' }),
    /** An unknown value filters nothing (C-25). */
    pubdate: filterId.describe('0 不限；1、2、3 为近 3、7、30 天；四位年份为该年；其他值按 0 处理'),
    industryid: filterId.describe('行业 id，0 为全部；与 industry_id 等价'),
    industry_id: filterId.describe('行业 id，0 为全部；与 industryid 等价'),
    pages: filterId.describe('页数：0 不限，1 为 20 页以内，2 为 21–50 页，3 为 51–100 页，4 为 100 页以上'),
    free: filterId.describe('1 为只看免费方案'),
    /** Documents whose pages do not state the fact are left out by the filter (C-118). */
    budget: filterId.describe(
      '正文写明的预算：0 不限，1 为 5 万元以内，2 为 5–20 万，3 为 20–50 万，4 为 50–100 万，5 为 100 万以上',
    ),
    people: filterId.describe(
      '正文写明的人数：0 不限，1 为 50 人以内，2 为 51–200，3 为 201–500，4 为 501–1000，5 为 1000 人以上',
    ),
    days: filterId.describe(
      '正文写明的天数：0 不限，1 为 1 天，2 为 2–3 天，3 为 4–7 天，4 为 8–30 天，5 为 30 天以上',
    ),
    sort: z.unknown().optional().meta({
      type: 'string',
      description:
        '排序：newest 最新，hottest 最热，pages 页数多，budget 预算高，people 人数多，days 天数多（未写明的在后）；其他值按相关度，没有关键词时按推荐',
    }),
    exact: filterId.describe('1 为严格按输入搜索：不纠错、不省略词，也列出只在一页上顺带提到的方案'),
  }),
  output: z.object({
    item_list: z.array(foundItem).describe('方案列表'),
    themes: z.array(namedCount).describe('全部活动类型及各自的命中数'),
    facets: facets.describe('各筛选项在其他筛选不变时的方案数；为 0 的项不列出'),
    total_count: z.number().int().describe('实际命中的总条数，与可翻看的条数无关'),
    limited: flag.describe('1 表示当前身份只能看到前 10 条'),
    visible_count: z.number().int().describe('当前身份可翻看的条数'),
    only_in_pages: z.number().int().describe('total_count 中只在正文页里命中的条数，排在最后'),
    mention_count: z.number().int().default(0).describe('另有多少份方案只在正文里顺带提到全部词语，因而未列出'),
    exact_key: z
      .string()
      .default('')
      .describe('以它为关键词、exact 为 1 时，mention_count 所计的方案一并列出；没有时为空字符串'),
    corrected_from: z.string().default('').describe('原词没有结果、列表为 searched_for 的结果时的原词；否则为空字符串'),
    searched_for: z.string().default('').describe('列表实际对应的词：原词、纠正后的写法或保留的词'),
    asked_filters: z
      .object({
        search_key: z.string().describe('去掉这些词后的关键词'),
        free: z.number().int().describe('参数 free 的取值'),
        filetype: z.number().int().describe('参数 filetype 的取值'),
        sort: z.enum(SORTS).describe('参数 sort 的取值'),
      })
      .nullable()
      .default(null)
      .describe('关键词中的“免费”“PDF”“最新”已作为筛选或排序执行时，与之等价的参数；没有时为 null'),
    did_you_mean: z.string().default('').describe('结果会多得多的另一种写法；没有时为空字符串'),
    dropped: z.array(z.string()).default([]).describe('部分匹配的方案都没有的词，按输入原样'),
    refused: z
      .array(z.string())
      .default([])
      .describe('关键词中不要的内容（如“不要餐饮”中的餐饮）：名称或标签含有它的方案已排除'),
    near: z
      .array(
        z.object({
          word: z.string().describe('列表中没有方案含有的词'),
          by: z.array(z.string()).describe('代替它的近义词，如 情人节 的 七夕、520'),
        }),
      )
      .default([])
      .describe('以近义词代替的词'),
    full_count: z.number().int().default(0).describe('total_count 中完全匹配的条数，排在最前'),
    is_more: flag.default(0).describe('1 表示完全匹配的方案多于列出的条数'),
    about_count: z.number().int().default(0).describe('is_more 为 1 且没有筛选时，完全匹配条数的估计；0 为没有估计'),
    nearest_theme: namedCount
      .nullable()
      .default(null)
      .describe('没有结果且关键词指向某类活动时：该活动类型；否则为 null'),
    nearest_list: z.array(documentItem).default([]).describe('nearest_theme 的前几份方案'),
    similar_list: z
      .array(documentItem)
      .default([])
      .describe(
        '没有筛选且结果少于 8 份时：与最前几份同行业、活动类型相近的其他方案，连同结果至多 8 份；不计入 total_count',
      ),
    related: z
      .array(z.string())
      .default([])
      .describe('没有结果时：关键词中单独有结果的词，以及含有其中某个词且有结果的搜索词，至多 6 个'),
    ...pagedFields,
  }),
  // Membership decides how many results of a keyword are shown; the ranking without a keyword is the same for everybody.
  isShared: ({ search_key }, { isVisitor }) => isVisitor || search_key.trim() === '',
});

/** As-you-type completions: words of the library, by characters, pinyin or first letters, or words of a similar meaning. Empty for a blank prefix. */
export const suggestWords = endpoint({
  method: 'POST',
  path: '/api/search/suggest',
  summary: '按汉字、拼音或首字母前缀给出搜索建议，附方案数；没有时给出意思相近的词。',
  auth: 'none',
  limit: { perIp: 600, perUser: 600, isInMemory: true },
  input: z.object({
    prefix: z
      .unknown()
      .optional()
      .transform((prefix) => (typeof prefix === 'string' ? prefix : ''))
      .meta({ type: 'string', description: '汉字、拼音或首字母前缀；空白时返回空列表', examples: ['fangdi'] }),
  }),
  output: z.object({
    items: z
      .array(
        z.object({
          text: z.string().describe('补全后的完整搜索词'),
          count: z.number().int().describe('含有该词的方案数'),
          related: z.literal(1).optional().describe('1：库中没有以输入开头的词，这是意思相同或相近的词'),
        }),
      )
      .describe('搜索建议，至多 8 条，最合适的在前'),
  }),
});
