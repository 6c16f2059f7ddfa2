import { z } from 'zod';
import { named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';

/** A chart in every list (product.md "Chart", C-91, C-102). */
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
