import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One gauge: a number as it is at the moment of the scrape, for each combination of labels. */
export type Measurement = {
  /** In the style of Prometheus: snake case, the unit at the end (`ceku_disk_free_bytes`). */
  name: string;
  help: string;
  values: { labels?: Record<string, string>; value: number }[];
};

/** A named part of the site that is asked at each scrape. */
export type MetricsSource = { name: string; measure: () => Promise<Measurement[]> };

/** One request that the site has answered. `kind` and `status` come from short closed lists: each pair is a time series. */
type RequestSample = { kind: string; status: string; seconds: number };

export type Metrics = {
  observe(sample: RequestSample): void;
  /** Returns all metrics in the text format of Prometheus, at most a second old. A source that fails is reported as down. Rejects when two
   * sources give a metric of the same name. */
  text(): Promise<{ contentType: string; body: string }>;
  close(): void;
};

/** Scrapes within this time get the same text: making one costs ten milliseconds of the event loop. */
const FRESH_MS = 1_000;
/** Prometheus gives up after ten seconds; a database that hangs must not cost the metrics of the process. */
const SOURCE_DEADLINE_MS = 2_000;
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Collects metrics of the process (processor time, memory, event loop), of requests, and of `sources`. */
export function createMetrics(
  sources: MetricsSource[],
  { deadlineMs = SOURCE_DEADLINE_MS, freshMs = FRESH_MS }: { deadlineMs?: number; freshMs?: number } = {},
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'ceku_http_request_duration_seconds',
    help: 'Time from the headers of a request to the last byte of its answer, by kind of path and status.',
    labelNames: ['kind', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const readers = sources.map((source) => ({ name: source.name, read: withDeadline(source.measure, deadlineMs) }));
  const write = async () => {
    const answers = await Promise.all(readers.map(async ({ name, read }) => ({ name, measured: await read() })));
    const up: Measurement = {
      name: 'ceku_metrics_source_up',
      help: '1 when this part of the site answered the scrape, 0 when it failed or took too long.',
      values: answers.map(({ name, measured }) => ({ labels: { source: name }, value: measured ? 1 : 0 })),
    };
    const moment = new Registry();
    for (const measurement of [up, ...answers.flatMap(({ measured }) => measured ?? [])]) addGauge(moment, measurement);
    return {
      contentType: registry.contentType,
      body: `${await registry.metrics()}\n${await moment.metrics()}\n`,
    };
  };
  let last: { at: number; text: ReturnType<Metrics['text']> } | null = null;
  return {
    observe: ({ kind, status, seconds }) => requests.observe({ kind, status }, seconds),
    text() {
      if (last === null || performance.now() - last.at > freshMs) last = { at: performance.now(), text: write() };
      return last.text;
    },
    close: () => registry.clear(),
  };
}

/**
 * Returns a function that resolves to null when `measure` fails or takes longer than `deadlineMs`. Scrapes that come while it
 * is still running wait for the same run, so that they never pile up before a database that hangs.
 */
function withDeadline(measure: MetricsSource['measure'], deadlineMs: number): () => Promise<Measurement[] | null> {
  let running: Promise<Measurement[] | null> | null = null;
  return () => {
    running ??= measure()
      .catch(() => null)
      .finally(() => (running = null));
    const late = new Promise<null>((resolve) => setTimeout(resolve, deadlineMs, null).unref());
    return Promise.race([running, late]);
  };
}

function addGauge(registry: Registry, { name, help, values }: Measurement): void {
  // prom-client would write a gauge without labels and with the value 0.
  if (values.length === 0) return;
  const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels ?? {})))];
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  for (const { labels = {}, value } of values) gauge.set(labels, value);
}
