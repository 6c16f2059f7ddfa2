import { z } from 'zod';
import { chartItem } from '../charts/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, flag, INTEGER_OR_TEXT, looseInteger } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { CHART_PAGE_SIZE, FREE_RESULTS, MAX_QUERY_CHARACTERS } from './limits.ts';

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Seconds since 1970; null for none ("" and 0 too), `unreadable` for what is no moment between 1970 and 2100, as milliseconds are. */
const moment = z
  .unknown()
  .optional()
  .transform((value): number | null | 'unreadable' => {
    const seconds = looseInteger.parse(value);
    if (seconds === 0 || isBlank(value)) return null;
    return seconds === null || seconds < 0 || seconds >= 4_102_444_800 ? 'unreadable' : seconds;
  })
  .meta(INTEGER_OR_TEXT);

/** A chart in the list of a search: its name carries the hits. */
const foundChart = chartItem.extend({
  name: z.string().describe('图表名称：已转义的标记，命中的词用 <em> 包裹，此外没有任何标签'),
  missing: z.array(z.string()).describe('这张图表没有的词，按输入原样；完全匹配时为空'),
});
export type FoundChart = z.infer<typeof foundChart>;

const counted = z.object({
  id: z.number().int().describe('id'),
  name: z.string().describe('名称'),
  count: z.number().int().describe('其他筛选不变时的图表数'),
});

/**
 * Search of charts (C-91). Without a keyword all charts, the newest document first. With one, ten to everybody but advanced members (C-39):
 * later pages answer 32 with an empty list and the real total. Refusals: 32, 40 (start after end, a range that is no seconds), 41.
 */
export const searchCharts = endpoint({
  method: 'POST',
  path: '/api/chart/search',
  summary: `搜索图表：按关键词，或不带关键词浏览全部；每页 ${CHART_PAGE_SIZE} 张。非高级会员每个关键词可看前 ${FREE_RESULTS} 张。`,
  auth: 'none',
  isPersonal: true,
  limit: { perIp: 30, perUser: 60, isInMemory: true },
  input: z.object({
    keyword: z
      .unknown()
      .optional()
      .transform((typed) => (typeof typed === 'string' || typeof typed === 'number' ? String(typed) : ''))
      .meta({
        type: 'string',
        default: '',
        description: `关键词，最多 ${MAX_QUERY_CHARACTERS} 个字；为空时浏览全部图表`,
      }),
    page: pageNumber,
    pageSize: pageSize(CHART_PAGE_SIZE),
    typeId: filterId.describe('图表类型 id，见 /api/tag/chartTypeList；0 或空为全部'),
    industryId: filterId.describe('行业 id，见 /api/tag/industryList；0 或空为全部'),
    dateRange: filterId.describe('方案的收录时间：0 不限，1 近 3 天，2 近 7 天，3 近 30 天；其他值按 0 处理'),
    startTime: moment.describe('自定义时间的开始，Unix 秒；与 endTime 都给出时生效，并代替 dateRange'),
    endTime: moment.describe('自定义时间的结束，Unix 秒，包含这一天（北京时间）'),
    exact: filterId.describe('1 表示只按原词搜索，不纠正写法，也不列出只含部分词的图表'),
  }),
  output: z.object({
    charts: z.array(foundChart).describe('图表'),
    types: z.array(counted).describe('有图表的类型；为 0 的不列出，当前所选除外'),
    industries: z.array(counted).describe('有图表的行业；为 0 的不列出，当前所选除外'),
    limited: flag.describe(`1 表示当前身份只能看到前 ${FREE_RESULTS} 张`),
    visible_count: z.number().int().describe('当前身份可翻看的张数'),
    full_count: z.number().int().describe('total 中含有全部词语的张数，排在最前'),
    corrected_from: z.string().describe('原词没有结果、列表为 searched_for 的结果时的原词；否则为空字符串'),
    searched_for: z.string().describe('列表实际对应的词；没有关键词时为空字符串'),
    did_you_mean: z.string().describe('结果会多得多的另一种写法；没有时为空字符串'),
    dropped: z.array(z.string()).describe('没有任何图表含有的词，按输入原样'),
    ...pagedFields,
  }),
  // Pictures are signed for one session; only visitors get none.
  isShared: (_input, { isVisitor }) => isVisitor,
});
