// One node of tests/chaos/money.ts: the API of the site over HTTP, without pages and jobs, until it is killed.
import { buildApi } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openApp } from '../../src/open-app.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { createLog } from '../../src/platform/log.ts';

const config = readConfig();
const app = await openApp(config, createLog(config.logLevel), 'site');
const { api } = buildApi(app.ctx);
await listen({
  config,
  handler: async (request, { ip, isHttps }) => api.fetch(request, { ip, requestId: '', isHttps }),
  middleware: null,
});
