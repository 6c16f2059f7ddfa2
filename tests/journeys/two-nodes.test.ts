import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editDocument, hideDocument, restoreDocument } from '../../src/library/server/documents.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { addPublished } from '../published-document.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { openSite, type Site } from './site.ts';
import { makePassableFolder } from '../passable-folder.ts';

// Two whole sites over one PostgreSQL, and somebody else who changes documents: what happens is seen on both. The
// promise is a second; the test asks only that it comes, because a busy machine is no fault of the site's.
const MAX_AWAY_MS = 15_000;
let folder: string;
let server: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
let operator: TestApp;
let sites: Site[] = [];

beforeAll(async () => {
  folder = makePassableFolder('ceku-nodes-');
  const log = { info: () => undefined, warn: (line: string) => console.error(line) };
  server = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', log, settings: { fsync: 'off' } });
  await migrate(server.url);
  operator = await openTestApp({ database: { url: server.url, drop: async () => undefined } });
  for (let other = 0; other < 50; other++)
    await addPublished(operator, { name: `第${other}份年会策划`, organization: '众人' });
  const env = {
    DATABASE_URL: server.url,
    DEMO: 'off',
    OUTSIDE: 'off',
    RATE_LIMITS: 'off',
    SECRET_KEY: 'two-nodes-share-one-secret-key-here',
  };
  sites = await Promise.all([openSite(env), openSite(env)]);
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()));
  await operator?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

type Shown = { name: string; organization: { name: string } };

async function search(site: Site, key: string): Promise<Shown[]> {
  const answer = await fetch(`${site.origin}/api/doc/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ search_key: key, exact: 1 }),
  });
  const { code, data }: { code: number; data: { item_list: Shown[] } } = await answer.json();
  expect(code).toBe(0);
  return data.item_list;
}

/** When both sites answer `key` as wanted; milliseconds from `since` on. */
async function seenByBoth(key: string, isWanted: (found: Shown[]) => boolean, since = performance.now()) {
  for (const site of sites) {
    while (!isWanted(await search(site, key))) {
      if (performance.now() - since > MAX_AWAY_MS) expect.fail(`${site.origin} does not see ${key}`);
      await wait(20);
    }
  }
  return performance.now() - since;
}
const isFound = (found: Shown[]) => found.length === 1;
const isGone = (found: Shown[]) => found.length === 0;

test('published, renamed, hidden, restored and taken down: both nodes see it', async () => {
  const times: Record<string, number> = {};
  const { id } = await addPublished(operator, { name: '青禾灯市中秋方案', organization: '青禾社', industry: '文旅' });
  times['published'] = await seenByBoth('青禾灯市', isFound);

  await editDocument(operator.ctx, id, { name: '白露灯会中秋方案' });
  const renamedAt = performance.now();
  times['new name'] = await seenByBoth('白露灯会', isFound, renamedAt);
  times['old name gone'] = await seenByBoth('青禾灯市', isGone, renamedAt);

  await hideDocument(operator.ctx, id, 'operator');
  times['hidden'] = await seenByBoth('白露灯会', isGone);
  await restoreDocument(operator.ctx, id);
  times['restored'] = await seenByBoth('白露灯会', isFound);

  await operator.ctx.db.execute(sql`update organizations set name = '拾穗社' where name = '青禾社'`);
  times['organization renamed'] = await seenByBoth(
    '拾穗社',
    (found) => isFound(found) && found[0]?.organization.name === '拾穗社',
  );
  times['its old name gone'] = await seenByBoth('青禾社', isGone);
  await operator.ctx.db.execute(sql`update industries set name = '山水游' where name = '文旅'`);
  times['industry renamed'] = await seenByBoth('山水游', isFound);
  // And the entries that answer while a node has no index yet: made again by a job.
  await expect
    .poll(() => rowsOf(operator.ctx.db, sql`select 1 as one from search_entries where tokens @@ '拾穗 & 山水'`), {
      timeout: MAX_AWAY_MS,
    })
    .toHaveLength(1);

  await hideDocument(operator.ctx, id, 'copyright');
  times['taken down'] = await seenByBoth('白露灯会', isGone);
  if (process.env['PRINT_TIMES']) console.log(times);
});

test('a document nobody may see is never shown by a node that has not heard of it yet', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await addPublished(operator, { name: `一闪而过${round}方案` });
    await seenByBoth('一闪而过', isFound);
    await hideDocument(operator.ctx, id, 'illegal');
    for (const site of sites) expect(await search(site, '一闪而过')).toEqual([]);
  }
});
