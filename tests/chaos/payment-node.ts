// One node of tests/chaos/payment.ts: the API of the site over HTTP with its jobs, without pages, until it is killed.
import { buildApi } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openApp } from '../../src/open-app.ts';
import { gatewaysOfOutside } from '../../src/payment/server/adapters/gateways.ts';
import { paymentJobs, PAYMENT_CRON } from '../../src/payment/server/jobs.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { startWorkers } from '../../src/platform/jobs/jobs.ts';
import { createLog } from '../../src/platform/log.ts';

const config = readConfig();
const log = createLog(config.logLevel);
// Safe: the driver hands over what the pretend outside world opened for it, and the settings' schema checks it.
const accounts = JSON.parse(process.env['CHAOS_ACCOUNTS'] ?? '{}') as object;
const gateways = gatewaysOfOutside(accounts);
const app = await openApp(config, log, 'site', Promise.resolve({ providers: config.providers, gateways }));
await startWorkers({
  url: app.database.url,
  pool: app.database.pool,
  jobs: paymentJobs,
  cron: PAYMENT_CRON,
  ctx: app.ctx,
  concurrency: 1,
  log,
});
const { api } = buildApi(app.ctx);
await listen({
  config,
  handler: async (request, { ip, isHttps }) => api.fetch(request, { ip, requestId: '', isHttps }),
  middleware: null,
});
