import { statfs } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { Ctx } from '../../context.ts';
import type { AnsweredRequest } from '../../platform/http/listen.ts';
import { serveMetrics } from '../../platform/http/metrics-server.ts';
import { measureJobs } from '../../platform/jobs/jobs.ts';
import { createMetrics, type Measurement, type Metrics, type MetricsSource } from '../../platform/metrics.ts';
import type { Health } from './health.ts';

/** A slice that has numbers of its own. */
type MeasuredSlice = { name: string; measure?: (ctx: Ctx) => Promise<Measurement[]> };

export type SiteMetrics = { port: number; onAnswered(answered: AnsweredRequest): void; close(): Promise<void> };

/** Serves /metrics on `port` of this machine's loopback address: docs/decisions/041. Throws ListenError. */
export async function openSiteMetrics(options: {
  ctx: Ctx;
  pools: readonly Pool[];
  health: Health;
  slices: readonly MeasuredSlice[];
  port: number;
  /** How long scrapes get the same text; a second by default. */
  freshMs?: number;
}): Promise<SiteMetrics> {
  const { ctx, pools, health, slices, port, freshMs } = options;
  const ofSlices = slices.flatMap(({ name, measure }): MetricsSource[] =>
    measure ? [{ name, measure: () => measure(ctx) }] : [],
  );
  const sources: MetricsSource[] = [
    { name: 'connections', measure: async () => measureConnections(pools) },
    { name: 'disk', measure: () => measureDisk(ctx.config.dataDir) },
    { name: 'readiness', measure: () => measureReadiness(health) },
    { name: 'jobs', measure: () => measureJobs(ctx.db) },
    ...ofSlices,
  ];
  const metrics = createMetrics(sources, freshMs === undefined ? {} : { freshMs });
  const server = await serveMetrics({ port, metrics, log: ctx.log });
  return {
    port: server.port,
    onAnswered: (answered) => observe(metrics, answered),
    async close() {
      await server.close();
      metrics.close();
    },
  };
}

function observe(metrics: Metrics, { path, status, isCutOff, seconds }: AnsweredRequest): void {
  metrics.observe({ kind: kindOf(path), status: isCutOff ? 'cut-off' : String(status), seconds });
}

/** Returns the kind of a path; the kinds of paths are few, whatever clients ask for. */
export function kindOf(path: string): string {
  const pathname = path.replace(/[?#].*/s, '');
  const [kind] = KINDS.find(([, prefix]) => prefix.test(pathname)) ?? ['page'];
  return kind;
}

const KINDS: [kind: string, paths: RegExp][] = [
  ['health', /^\/(livez|readyz)$/],
  // Open for as long as a payment is waited for.
  ['events', /^\/api\/pay\/events$/],
  ['notification', /^\/api\/pay\/notify\//],
  ['upload', /^\/api\/upload(\/|$)/],
  ['api', /^\/api(\/|$)/],
  ['download', /^\/dl\//],
  ['image', /^\/media\//],
  ['asset', /^\/(assets\/|icons\/|[^/]+\.(js|css|ico|png|svg|webmanifest|txt|xml)$)/],
];

function measureConnections(pools: readonly Pool[]): Measurement[] {
  const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
  const [open, idle, waiting] = [
    sum(({ totalCount }) => totalCount),
    sum(({ idleCount }) => idleCount),
    sum(({ waitingCount }) => waitingCount),
  ];
  return [
    {
      name: 'ceku_database_connections',
      help: 'Connections of this node to the database for requests and the work of jobs (DATABASE_POOL).',
      values: [
        { labels: { state: 'busy' }, value: open - idle },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    {
      name: 'ceku_database_waiting',
      help: 'Queries of this node that wait for a free connection.',
      values: [{ value: waiting }],
    },
  ];
}

async function measureDisk(folder: string): Promise<Measurement[]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return [
    { name: 'ceku_disk_free_bytes', help: 'Free space on the disk of DATA_DIR.', values: [{ value: bavail * bsize }] },
    { name: 'ceku_disk_size_bytes', help: 'Size of the disk of DATA_DIR.', values: [{ value: blocks * bsize }] },
  ];
}

async function measureReadiness(health: Health): Promise<Measurement[]> {
  const [problems, warnings] = [await health.problems(), health.warnings()];
  return [
    { name: 'ceku_ready', help: '1 when /readyz answers 200.', values: [{ value: problems.length === 0 ? 1 : 0 }] },
    { name: 'ceku_warnings', help: 'Warnings that /readyz lists.', values: [{ value: warnings.length }] },
  ];
}
