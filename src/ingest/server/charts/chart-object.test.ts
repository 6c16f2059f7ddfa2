import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import CFB from 'cfb';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { compoundFile, excelStream, graphStream, GROUP } from '../../../../tests/samples/biff.ts';
import { readChartObject } from './chart-object.ts';

const graph = graphStream();
const withoutNumbers = (type: string) => ({ type, title: '', data: { categories: [], series: [] } });

const chartXml = (plot: string) =>
  `<c:chartSpace><c:chart><c:plotArea><c:${plot}><c:ser><c:val><c:numLit><c:ptCount val="1"/><c:pt idx="0"><c:v>3</c:v></c:pt></c:numLit></c:val></c:ser></c:${plot}></c:plotArea></c:chart></c:chartSpace>`;
const workbook = (parts: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, Buffer.from(xml)]))));

describe('a compound file', () => {
  it('of Graph, small and large', async () => {
    expect(await readChartObject(compoundFile('Workbook', graph))).toMatchObject(withoutNumbers('column'));
    // Beyond 4 KB the stream lies in whole sectors.
    const large = Buffer.concat([graph, Buffer.alloc(9_000)]);
    expect(await readChartObject(compoundFile('Workbook', large))).toMatchObject(withoutNumbers('column'));
  });

  it('of Excel 97, and of a version before it', async () => {
    const excel = compoundFile('Workbook', excelStream([GROUP.pie], 1));
    expect(await readChartObject(excel)).toMatchObject(withoutNumbers('pie'));
    const old = compoundFile('Book', graphStream([GROUP.column], 0x0500));
    expect(await readChartObject(old)).toMatchObject(withoutNumbers('column'));
  });

  it('around a workbook of 2007', async () => {
    const inside = compoundFile('Package', workbook({ 'xl/charts/chart1.xml': chartXml('pieChart') }));
    expect(await readChartObject(inside)).toMatchObject({ type: 'pie', data: { series: [{ values: [3] }] } });
  });
});

describe('a workbook', () => {
  it.each([
    ['one chart is read', { 'xl/charts/chart1.xml': chartXml('lineChart') }, { type: 'line' }],
    [
      'of several none',
      { 'xl/charts/chart1.xml': chartXml('lineChart'), 'xl/charts/chart2.xml': chartXml('pieChart') },
      withoutNumbers('other'),
    ],
    ['of none its picture', { 'xl/workbook.xml': '<workbook/>' }, withoutNumbers('other')],
  ])('%s', async (_what, parts, found) => expect(await readChartObject(workbook(parts))).toMatchObject(found));

  it('is asked for entities and towers of tags before it is read', async () => {
    const dtd = `<!DOCTYPE c [<!ENTITY a "b">]>${chartXml('lineChart')}`;
    const tower = '<a>'.repeat(100_000) + '</a>'.repeat(100_000);
    for (const xml of [dtd, tower, chartXml('lineChart').slice(0, -9)])
      expect(await readChartObject(workbook({ 'xl/charts/chart1.xml': xml }))).toBeNull();
  });
});

it('is left out when it is damaged', async () => {
  const whole = compoundFile('Workbook', graph);
  const ring = Buffer.from(whole);
  // Every sector is followed by the first.
  ring.fill(0, 512, 1_024);
  const objects = [
    Buffer.alloc(0),
    Buffer.from('PK\x03\x04'),
    Buffer.from('PK\x03\x04 and nothing more'),
    Buffer.from('no object at all'),
    whole.subarray(0, 600),
    whole.subarray(0, 1_600),
    compoundFile('Workbook', Buffer.alloc(0)),
    compoundFile('Workbook', graph.subarray(0, 100)),
    compoundFile('CONTENTS', graph),
    compoundFile('Package', Buffer.from('no zip')),
    ring,
  ];
  for (const [index, bytes] of objects.entries()) expect(await readChartObject(bytes), `object ${index}`).toBeNull();
});

it('is read or left out when any byte of its tables is wrong', async () => {
  const whole = compoundFile('Workbook', graph);
  for (let at = 0; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at] = 0xff;
    const found = await readChartObject(bytes);
    expect(found?.data.series ?? []).toEqual([]);
  }
});

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus/good', import.meta.url));

/** Old presentations keep the same objects, each deflated in a record of its own ([MS-PPT], ExOleObjStg). */
describe.runIf(existsSync(CORPUS))('real objects', () => {
  function objectsOf(deck: string): Buffer[] {
    const file = CFB.read(readFileSync(join(CORPUS, deck)), { type: 'buffer' });
    const stream = Buffer.from(file.FileIndex.find(({ name }) => name === 'PowerPoint Document')?.content ?? []);
    const found: Buffer[] = [];
    for (let at = 0; at + 8 <= stream.length; at += 8 + stream.readUInt32LE(at + 4)) {
      const isPacked = stream.readUInt16LE(at) >> 4 === 1;
      const body = stream.subarray(at + 8, at + 8 + stream.readUInt32LE(at + 4));
      if (stream.readUInt16LE(at + 2) === 0x1011) found.push(isPacked ? inflateSync(body.subarray(4)) : body);
    }
    return found;
  }

  it('of Microsoft Graph gives its type', async () => {
    const [object] = objectsOf('tika__testMSChart-govdocs-428996.ppt');
    expect(object && (await readChartObject(object))).toMatchObject(withoutNumbers('column'));
  });

  it('of Excel gives the type of the chart in front of a workbook', async () => {
    const charts = await Promise.all(objectsOf('poi__42474-2.ppt').map(readChartObject));
    expect(charts.some((chart) => chart?.type === 'scatter')).toBe(true);
  });
});
