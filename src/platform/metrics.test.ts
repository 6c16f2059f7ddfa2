import { afterEach, expect, test, vi } from 'vitest';
import { createMetrics, type Metrics, type MetricsSource } from './metrics.ts';

const opened: Metrics[] = [];
afterEach(() => {
  for (const metrics of opened.splice(0)) metrics.close();
});

function open(sources: MetricsSource[], options: { deadlineMs?: number; freshMs?: number } = { freshMs: -1 }): Metrics {
  const metrics = createMetrics(sources, options);
  opened.push(metrics);
  return metrics;
}

const gauge = (name: string, value: number): MetricsSource => ({
  name,
  measure: async () => [{ name: `test_${name}`, help: 'A number.', values: [{ labels: { of: 'a "b"\n' }, value }] }],
});

/** The lines that are no comment. */
const linesOf = async (metrics: Metrics) =>
  (await metrics.text()).body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('the process, the requests and the sources are told in the format of Prometheus', async () => {
  const metrics = open([gauge('one', 3)]);
  metrics.observe({ kind: 'page', status: '200', seconds: 0.02 });
  const { contentType } = await metrics.text();
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = await linesOf(metrics);
  expect(lines).toContain('test_one{of="a \\"b\\"\\n"} 3');
  expect(lines).toContain('ceku_metrics_source_up{source="one"} 1');
  expect(lines).toContain('ceku_http_request_duration_seconds_bucket{le="0.025",kind="page",status="200"} 1');
  expect(lines).toContain('ceku_http_request_duration_seconds_bucket{le="0.01",kind="page",status="200"} 0');
  expect(lines.some((line) => /^process_resident_memory_bytes \d+$/.test(line))).toBe(true);
  for (const line of lines) expect(line).toMatch(/^[a-z_0-9]+(\{.*\})? (NaN|[-+\d.e]+|\+Inf)$/i);
});

test('a source that fails, or hangs, costs its own numbers and no others', async () => {
  const failing: MetricsSource = { name: 'failing', measure: () => Promise.reject(new Error('away')) };
  const hanging: MetricsSource = { name: 'hanging', measure: () => new Promise(() => undefined) };
  const lines = await linesOf(open([failing, hanging, gauge('well', 1)], { deadlineMs: 20 }));
  expect(lines).toContain('ceku_metrics_source_up{source="failing"} 0');
  expect(lines).toContain('ceku_metrics_source_up{source="hanging"} 0');
  expect(lines).toContain('ceku_metrics_source_up{source="well"} 1');
  expect(lines.some((line) => line.startsWith('test_well'))).toBe(true);
});

test('a gauge without values is left out', async () => {
  const empty: MetricsSource = {
    name: 'none',
    measure: async () => [{ name: 'test_none', help: 'None.', values: [] }],
  };
  expect((await open([empty]).text()).body).not.toContain('test_none');
});

test('scrapes within a second get one text', async () => {
  const measure = vi.fn<MetricsSource['measure']>(async () => []);
  const metrics = open([{ name: 'one', measure }], {});
  const texts = await Promise.all(Array.from({ length: 50 }, () => metrics.text()));
  expect(new Set(texts).size).toBe(1);
  expect(measure).toHaveBeenCalledOnce();
});

test('scrapes that come while a source is still asked wait for the same answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const measure = vi.fn<MetricsSource['measure']>(async () => {
    await promise;
    return [];
  });
  const metrics = open([{ name: 'slow', measure }], { deadlineMs: 20, freshMs: -1 });
  const some = await Promise.all([linesOf(metrics), linesOf(metrics)]);
  expect(some.flat().filter((line) => line === 'ceku_metrics_source_up{source="slow"} 0')).toHaveLength(2);
  resolve();
  await expect
    .poll(async () => (await linesOf(metrics)).includes('ceku_metrics_source_up{source="slow"} 1'))
    .toBe(true);
  expect(measure.mock.calls.length).toBeLessThanOrEqual(3);
  await linesOf(metrics);
});
