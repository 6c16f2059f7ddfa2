import { z } from 'zod';
import { named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';

/** A chart as every list shows it (product.md "Chart", C-91, C-102). */
export const chartItem = z.object({
  id: z.number().int(),
  /** Plain text. */
  name: z.string(),
  /** Signed path of the display image, at most 1,280 px (C-11); "" when there is none, or not for this reader. */
  online_url: z.string(),
  type: named,
  industry: named,
  /** The document, and the page it stands on: `/detail/{fid}#p={page}`. */
  fid: z.number().int(),
  page: z.number().int(),
  /** Shanghai day, YYYY-MM-DD. */
  time_text: z.string(),
  file: z.object({ name: z.string() }),
  /** Pixels of the display image, 0 without one. */
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
