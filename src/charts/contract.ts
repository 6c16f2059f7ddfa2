import { z } from 'zod';
import { named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';

/** A chart in every list (product.md "Chart", C-91, C-102). */
export const chartItem = z.object({
  id: z.number().int(),
  /** Plain text. */
  name: z.string(),
  /** Signed path of the display image, at most 1,280 px (C-11); "" when there is none, or the reader may not see it. */
  online_url: z.string(),
  type: named,
  industry: named,
  /** Id of the document. With `page` it makes the link `/detail/{fid}#p={page}`. */
  fid: z.number().int(),
  page: z.number().int(),
  /** Day in Shanghai, YYYY-MM-DD. */
  time_text: z.string(),
  file: z.object({ name: z.string() }),
  /** Size of the display image in pixels; 0 when there is none. */
  width: z.number().int(),
  height: z.number().int(),
});
export type ChartItem = z.infer<typeof chartItem>;

export const listChartTypes = endpoint({
  method: 'POST',
  path: '/api/tag/chartTypeList',
  summary: '全部图表类型。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({ data: z.array(named) }),
});
