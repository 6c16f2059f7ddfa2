import { z } from 'zod';
import { named } from '../library/contract.ts';
import { waysOut } from '../membership/contract-ways-out.ts';
import { CODE } from '../protocol/codes.ts';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, rowId } from '../protocol/fields.ts';

/** A chart in every list (C-91, C-102). */
export const chartItem = z.object({
  id: z.number().int().describe('图表 id'),
  name: z.string().describe('图表名称，纯文本'),
  online_url: z.string().describe('展示图的签名路径，最宽 1280 像素；没有图或当前身份不可见时为空字符串'),
  type: named.describe('图表类型；未知时 id 为 0、name 为空'),
  industry: named.describe('行业；未知时 id 为 0、name 为空'),
  fid: z.number().int().describe('图表所在方案的 id，页面为 /detail/{fid}#p={page}'),
  page: z.number().int().describe('图表所在页码'),
  time_text: z.string().describe('方案的收录日期 YYYY-MM-DD（北京时间）'),
  file: z.object({ name: z.string().describe('方案名称') }).describe('图表所在的方案'),
  width: z.number().int().describe('展示图的宽（像素）；没有图时为 0'),
  height: z.number().int().describe('展示图的高（像素）；没有图时为 0'),
  has_numbers: flag.describe('方案中存有该图表的数字时为 1：高级会员可查看、可下载 XLSX 和 CSV'),
  has_picture: flag.describe('有图片时为 1，不论当前身份是否可见'),
});
export type ChartItem = z.infer<typeof chartItem>;

export const listChartTypes = endpoint({
  method: 'POST',
  path: '/api/tag/chartTypeList',
  summary: '全部图表类型。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named).describe('图表类型列表') }),
});

const chartOf = z.object({
  id: rowId.describe('图表 id，数字或数字字符串'),
  fid: rowId.describe('图表所在方案的 id，可省略；几份方案内容相同时，来源写这一份').meta({ isRequired: false }),
});

/** Members without the right are told what they lack. */
const CHART_REFUSALS = { codes: [CODE.notPermitted], data: waysOut };

const source = z.string().describe('来源，如：来源：方案名称 第 3 页 · 策库');

/** The numbers of a chart (C-39). Refusals: 10000, 2, 4 (no such chart, or its document is not published), 50 with `waysOut`. */
export const getChartNumbers = endpoint({
  method: 'POST',
  path: '/api/chart/numbers',
  summary: '图表的数字，以及 XLSX 和 CSV 的下载链接；高级会员。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  refusals: CHART_REFUSALS,
  input: chartOf,
  output: z.object({
    id: z.number().int().describe('图表 id'),
    fid: z.number().int().describe('图表所在方案的 id'),
    name: z.string().describe('图表名称，纯文本'),
    type: named.describe('图表类型'),
    page: z.number().int().describe('图表所在页码'),
    unit: z.string().describe('所有系列共同的单位；没有或不一致时为空字符串'),
    source,
    label_head: z.string().describe('类别一列的标题；散点图和气泡图没有类别，为空字符串'),
    labels: z.array(z.string()).describe('各行的类别；没有类别时为空数组'),
    columns: z
      .array(
        z.object({
          name: z.string().describe('系列名称；散点图和气泡图每个系列有 X、Y、大小几列'),
          unit: z.string().describe('单位，如 万元、%；没有时为空字符串'),
          values: z.array(z.number().nullable()).describe('各行的数值，以 unit 为单位：50% 为 50；缺失为 null'),
        }),
      )
      .describe('各列数字；图表只有图片时为空数组'),
    row_count: z.number().int().describe('总行数；本接口最多给出前 200 行，下载的文件含全部'),
    column_count: z.number().int().describe('总列数；本接口最多给出前 100 列，下载的文件含全部'),
    xlsx_url: z
      .string()
      .describe('XLSX 的签名路径，2 小时内仅对本会话有效；没有数字或超过 5 万格（请用 CSV）时为空字符串'),
    csv_url: z.string().describe('CSV 的签名路径，2 小时内仅对本会话有效；没有数字时为空字符串'),
  }),
});
export type ChartNumbers = Answer<typeof getChartNumbers>;

/** The picture of a chart as it was cut from its page (C-39). Refusals: 10000, 2, 4 (also for a chart without a picture), 50 with `waysOut`. */
export const openOriginalChart = endpoint({
  method: 'POST',
  path: '/api/chart/original',
  summary: '图表原图（PNG），下方写有来源；高级会员。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  refusals: CHART_REFUSALS,
  input: chartOf,
  output: z.object({
    url: z.string().describe('原图的签名路径，2 小时内仅对本会话有效'),
    file_name: z.string().describe('保存时的文件名'),
    source,
  }),
});
