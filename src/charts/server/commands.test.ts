import { Command } from 'commander';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { EXIT, runCommandLine } from '../../platform/command-line.ts';
import type { ChartData, FoundChart } from '../chart-data.ts';
import { chartCommands } from './commands.ts';
import { recordCharts } from './record-charts.ts';

let app: TestApp;
let id = '';

const none: ChartData = { categories: [], series: [], categoryAxis: '', valueAxis: '' };
const sales: ChartData = {
  ...none,
  categories: ['一月'],
  series: [{ name: '占比', type: 'pie', values: [0.07], unit: '%' }],
};
const chart = (page: number, data: ChartData): FoundChart => ({
  page,
  type: 'pie',
  title: `图${page}`,
  data,
  frame: null,
  image: { width: 900, height: 500 },
});

beforeAll(async () => {
  app = await openTestApp();
  const shelved = await addPublished(app);
  id = String(shelved.id);
  const fileId = (await findDocument(app.ctx, shelved.id))?.fileId ?? 0;
  await recordCharts(app.ctx, fileId, [chart(1, sales), chart(2, none), chart(3, none)]);
});
afterAll(() => app.close());

async function run(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const hear = (channel: 'out' | 'err', end: string) => (text: unknown) => {
    said[channel] += `${String(text)}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out', '')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err', '')),
    vi.spyOn(console, 'log').mockImplementation(hear('out', '\n')),
    vi.spyOn(console, 'error').mockImplementation(hear('err', '\n')),
  ];
  try {
    const program = new Command('ceku');
    chartCommands(program, (work) => work(app.ctx));
    return { code: await runCommandLine(program, ['document', 'charts', id, ...options]), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

it('lists charts, and names those without numbers', async () => {
  expect(await run()).toEqual({
    code: EXIT.ok,
    out: [
      '  1  page 1  pie  图1  (900x500)',
      '  2  page 2  pie  图2  (900x500, no numbers)',
      '  3  page 3  pie  图3  (900x500, no numbers)\n',
    ].join('\n'),
    err: '3 charts.\n',
  });
});

it('prints tables of charts with numbers, and names the charts without', async () => {
  const { code, out, err } = await run('--csv');
  expect([code, out]).toEqual([EXIT.ok, '\ufeff类别,占比 (%)\r\n一月,7\r\n']);
  expect(err).toBe('Chart 2, 3 has no numbers: the file contains only pictures.\n');
});

it('refuses the table of a picture', async () => {
  const { code, out, err } = await run('--csv', '--chart', '2');
  expect([code, out]).toEqual([EXIT.data, '']);
  expect(err).toContain('Chart 2 has no numbers: the file contains only a picture.');
});

it('refuses --csv together with --json', async () => {
  expect(await run('--csv', '--json')).toMatchObject({ code: EXIT.usage, out: '' });
});

it('prints all of them as JSON', async () => {
  const { out } = await run('--json');
  const lines = out.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { data: ChartData }).data)).toEqual([sales, none, none]);
});
