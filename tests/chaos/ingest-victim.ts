// One ingest of a folder, in a process that may be killed: node tests/chaos/ingest-victim.ts <folder> <where>, `where` being
// `step:edge:n` (kill -9 of itself when that edge is reached the n-th time), `ms:<n>` (after n milliseconds) or `never`.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../src/context.ts';
import { collectFiles } from '../../src/ingest/server/source/collect-files.ts';
import { ingestFiles } from '../../src/ingest/server/intake/ingest-files.ts';
import { ingestJobs, prepareFileJob } from '../../src/ingest/server/steps/jobs.ts';
import { prepareStoredFile } from '../../src/ingest/server/steps/prepare-stored-file.ts';
import { resumeIngest } from '../../src/ingest/server/steps/retry-files.ts';
import type { StepHook } from '../../src/ingest/server/steps/run-steps.ts';
import { countItems, countItemsOfOpenBatches } from '../../src/ingest/server/store/items.ts';
import { openApp } from '../../src/open-app.ts';
import { readConfig } from '../../src/config.ts';
import { defineJob, startWorkers } from '../../src/platform/jobs/jobs.ts';
import { createLog } from '../../src/platform/log.ts';
import { searchJobs } from '../../src/search/server/jobs.ts';

const [folder = '', where = 'never'] = process.argv.slice(2);
const [step, edge, count] = where.split(':');

let reached = 0;
const onStep: StepHook = (name, at) => {
  if (name !== step || at !== edge) return;
  reached++;
  if (reached >= Number(count)) process.kill(process.pid, 'SIGKILL');
};
if (step === 'ms') setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(edge));

const config = readConfig();
const log = createLog('error');
const app = await openApp(config, log, 'tool');
const job = defineJob({
  name: prepareFileJob.name,
  payload: prepareFileJob.payload,
  maxAttempts: prepareFileJob.maxAttempts,
  concurrencyPerWorker: 8,
  load: () =>
    Promise.resolve((ctx: Ctx, payload: { fileId: number }, attempt) =>
      prepareStoredFile(ctx, payload.fileId, attempt, { onStep }),
    ),
});
const workers = await startWorkers({
  url: app.database.url,
  pool: app.database.pool,
  jobs: [...searchJobs, ...ingestJobs.filter((one) => one.name !== job.name), job],
  ctx: app.ctx,
  concurrency: 2,
  log,
});
await resumeIngest(app.ctx);
const { batchId } = await ingestFiles(app.ctx, {
  paths: (await collectFiles([folder])).files,
  factsOf: () => null,
  onStep,
});
for (;;) {
  const [mine, all] = [await countItems(app.ctx.db, batchId), await countItemsOfOpenBatches(app.ctx.db)];
  if (mine.queued + mine.running + all.queued + all.running === 0) break;
  await sleep(100);
}
await workers.stop();
await app.close();
