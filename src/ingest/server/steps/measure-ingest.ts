import type { Ctx } from '../../../context.ts';
import type { Measurement } from '../../../platform/metrics.ts';
import { STEPS } from '../../steps.ts';
import { countSteps } from '../store/steps.ts';

/** Measures the steps that run now and how many documents were published in the last minute, for /metrics. */
export async function measureIngest(ctx: Ctx): Promise<Measurement[]> {
  const { running, perMinute } = await countSteps(ctx.db);
  return [
    {
      name: 'ceku_ingest_running',
      help: 'Files in each step of ingest at this moment, on all nodes.',
      values: STEPS.map((step) => ({ labels: { step }, value: running[step] ?? 0 })),
    },
    {
      name: 'ceku_ingest_published_last_minute',
      help: 'Documents that ingest published within the last minute, on all nodes.',
      values: [{ value: perMinute }],
    },
  ];
}
