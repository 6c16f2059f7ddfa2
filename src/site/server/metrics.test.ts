import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { openDatabase } from '../../platform/db/client.ts';
import { SLICES } from '../../slices.ts';
import { createHealth } from './health.ts';
import { kindOf, openSiteMetrics, type SiteMetrics } from './metrics.ts';

let paying: PayingApp;
let metrics: SiteMetrics;
beforeAll(async () => {
  paying = await openPayingApp();
  const { app } = paying;
  await addPublished(app);
  metrics = await openSiteMetrics({
    ctx: app.ctx,
    pools: [],
    health: createHealth(app.ctx),
    slices: SLICES,
    port: 0,
    freshMs: -1,
  });
});
afterAll(async () => {
  await metrics.close();
  await paying.app.close();
});

async function scrape(port = metrics.port): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  return (await answer.text()).split('\n');
}

test('every slice that has numbers tells them', async () => {
  const lines = await scrape();
  const sources = lines.filter((line) => line.startsWith('ceku_metrics_source_up'));
  const measured = SLICES.filter(({ measure }) => measure).map(({ name }) => name);
  expect(sources).toEqual(
    ['connections', 'disk', 'readiness', 'jobs', ...measured].map(
      (name) => `ceku_metrics_source_up{source="${name}"} 1`,
    ),
  );
  expect(lines).toContain('ceku_documents{state="published"} 1');
  expect(lines).toContain('ceku_ready 1');
  expect(lines).toContain('ceku_payment_cases{kind="put-aside"} 0');
  expect(lines).toContain('ceku_vendor_quota_limit{quota="sms-hour"} 1000');
  expect(lines.some((line) => /^ceku_disk_free_bytes [1-9]/.test(line))).toBe(true);
});

test('a payment that was put aside, forged notifications and a wrong clock are seen', async () => {
  const { token } = await paying.addBuyer();
  const no = await paying.order(token, paying.pack.id);
  await paying.notify('wechat', paying.wechat.pay(no, { amountFen: 1 }));
  expect(await paying.statusOf(no)).toBe('mismatch');
  const forged = paying.alipay.signed({});
  forged.headers['x-signature'] = 'wrong';
  await paying.app.fetch('/api/pay/notify/alipay', forged);
  paying.wechat.setClockAhead(90);
  const lines = await scrape();
  expect(lines).toContain('ceku_payment_cases{kind="put-aside"} 1');
  expect(lines).toContain('ceku_payment_notifications_refused_today{channel="alipay"} 1');
  expect(lines).toContain('ceku_payment_notifications_refused_today{channel="wechat"} 0');
  expect(lines).toContain('ceku_payment_provider_clock_ahead_seconds{channel="wechat"} 90');
  expect(lines.some((line) => line.includes('clock_ahead_seconds{channel="alipay"}'))).toBe(false);
  expect(lines).toContain('ceku_warnings 1');
  // Numbers of orders and names of people are nobody's label.
  expect(lines.join('\n')).not.toContain(no);
});

test('jobs are told by name and state', async () => {
  const { db } = paying.app.ctx;
  const add = (more: string) =>
    db.execute(sql.raw(`select graphile_worker.add_job('metrics-test', '{}'::json, max_attempts => 1 ${more})`));
  await add('');
  await add(", run_at => now() + interval '1 hour'");
  expect(await scrape()).toEqual(
    expect.arrayContaining([
      'ceku_jobs{name="metrics-test",state="waiting"} 1',
      'ceku_jobs{name="metrics-test",state="later"} 1',
      'ceku_jobs_failed 0',
    ]),
  );
});

test('while the database is away the process and the disk are told all the same', async () => {
  const { ctx } = paying.app;
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { max: 4, log: ctx.log });
  const cut = { ...ctx, db: away.db, readDb: away.readDb };
  const { port, close } = await openSiteMetrics({
    ctx: cut,
    pools: away.pools,
    health: createHealth(cut),
    slices: SLICES,
    port: 0,
    freshMs: -1,
  });
  try {
    const lines = await scrape(port);
    expect(lines).toContain('ceku_ready 0');
    expect(lines).toContain('ceku_metrics_source_up{source="payment"} 0');
    expect(lines).toContain('ceku_metrics_source_up{source="disk"} 1');
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_seconds'))).toBe(true);
  } finally {
    await close();
    await away.close();
  }
});

test('requests are counted by kind and status, whatever their paths are', async () => {
  for (const [path, kind] of [
    ['/index', 'page'],
    ['/detail/9?utm=1', 'page'],
    ['/nobody/has/this', 'page'],
    ['/detail/9.data', 'page'],
    ['http://site/index', 'page'],
    ['/api/doc/search', 'api'],
    ['/api', 'api'],
    ['/apis', 'page'],
    ['/api/pay/events', 'events'],
    ['/api/pay/notify/wechat', 'notification'],
    ['/api/upload', 'upload'],
    ['/api/upload/12', 'upload'],
    ['/dl/x', 'download'],
    ['/media/x/cover.webp', 'image'],
    ['/assets/root-abc.js', 'asset'],
    ['/sw.js', 'asset'],
    ['/sitemap.xml', 'asset'],
    ['/readyz', 'health'],
  ] as const)
    expect(kindOf(path), path).toBe(kind);
  metrics.onAnswered({ path: '/detail/9?utm=1', status: 200, isCutOff: false, seconds: 0.3 });
  metrics.onAnswered({ path: '/dl/secret-key', status: 200, isCutOff: true, seconds: 40 });
  const lines = await scrape();
  expect(lines).toContain('ceku_http_request_duration_seconds_count{kind="page",status="200"} 1');
  expect(lines).toContain('ceku_http_request_duration_seconds_count{kind="download",status="cut-off"} 1');
  expect(lines.join('\n')).not.toMatch(/secret-key|utm/);
});
