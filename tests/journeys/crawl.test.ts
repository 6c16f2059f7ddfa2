import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openApp, type App } from '../../src/open-app.ts';
import { createLog } from '../../src/platform/log.ts';
import { crawl, listFaults } from '../crawl/crawl.ts';
import { openSite, type Site } from './site.ts';

/** More than the ten results of an ordinary search are on sale. */
const DOCUMENTS = 14;
/** One of each standing, and a short one (tests/crawl/library.ts). */
const WALKED = [1, 3, 7, 8, 9, 10];

let site: Site;
let app: App;
beforeAll(async () => {
  site = await openSite({ DEMO: 'off', OUTSIDE: 'off', RATE_LIMITS: 'off' });
  const config = readConfig({ DATA_DIR: site.dataDir, LOG_LEVEL: 'error', NODE_ENV: 'test' });
  app = await openApp(config, createLog(config.logLevel), 'tool');
});
afterAll(async () => {
  await app.close();
  await site.close();
});

it('nobody sees pages, hits, charts or results without the right', async () => {
  const found = await crawl(
    { origin: site.origin, ctx: app.ctx, ingest: null },
    { count: DOCUMENTS, walked: (number) => WALKED.includes(number) },
    () => undefined,
  );
  // Readers with the right saw what the crawl looks for, and nobody else did.
  expect(listFaults(found)).toEqual([]);
  expect(found.documents).toBe(DOCUMENTS);
});
