import { describe, expect, it } from 'vitest';
import { readBiffChart } from './biff-chart.ts';
import { encryptedStream, excelStream, graphStream, GROUP, record } from '../../../../tests/samples/biff.ts';

const withoutNumbers = (type: string) => ({
  type,
  title: '',
  data: { categories: [], series: [], categoryAxis: '', valueAxis: '' },
});

describe('Microsoft Graph', () => {
  it.each([
    ['column', 'column'],
    ['bar', 'bar'],
    ['line', 'line'],
    ['pie', 'pie'],
    ['doughnut', 'doughnut'],
    ['area', 'area'],
    ['radar', 'radar'],
    ['filledRadar', 'radar'],
    ['scatter', 'scatter'],
    ['oldScatter', 'scatter'],
    ['bubble', 'bubble'],
    ['surface', 'surface'],
    ['pieOfPie', 'pie'],
  ] as const)('a %s group is a %s chart without numbers', (group, type) =>
    expect(readBiffChart(graphStream([GROUP[group]]))).toEqual(withoutNumbers(type)),
  );

  it('two groups of different types are a combo', () => {
    expect(readBiffChart(graphStream([GROUP.column, GROUP.line]))?.type).toBe('combo');
    expect(readBiffChart(graphStream([GROUP.line, GROUP.line]))?.type).toBe('line');
  });

  it('versions before Unicode give the type as well', () => {
    expect(readBiffChart(graphStream([GROUP.column], 0x0500))).toEqual(withoutNumbers('column'));
  });
});

describe('Excel', () => {
  it('gives the chart sheet in front, the only one behind a worksheet, and none of several', () => {
    expect(readBiffChart(excelStream([GROUP.line], 1))).toEqual(withoutNumbers('line'));
    expect(readBiffChart(excelStream([GROUP.line], 0))).toEqual(withoutNumbers('line'));
    expect(readBiffChart(excelStream([GROUP.line], 3, true))).toBeNull();
  });
});

describe('damaged or hostile streams', () => {
  const whole = graphStream();

  const readOrRefuse = (bytes: Buffer) => {
    try {
      return readBiffChart(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return null;
    }
  };

  it('throw RangeError, hold no chart, or one of the type that was read by then, wherever they are cut', () => {
    const types: string[] = [];
    for (let length = 0; length <= whole.length; length++) {
      const found = readOrRefuse(whole.subarray(0, length));
      if (found === null) continue;
      expect(found, `${length} bytes`).toEqual(withoutNumbers(found.type));
      if (types.at(-1) !== found.type) types.push(found.type);
    }
    expect(types).toEqual(['other', 'column']);
  });

  it('throw RangeError or are a chart when any byte is wrong', () => {
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0x00, 0xff, (whole[at] ?? 0) ^ 0x01]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        const chart = readOrRefuse(bytes);
        expect(chart, `byte ${at}`).toEqual(chart && withoutNumbers(chart.type));
      }
    }
  });

  it('are refused above a hundred thousand records', () => {
    const crowd = Buffer.concat([
      record(0x809, [0x0680, 5, 0, 0]),
      ...Array.from({ length: 100_100 }, () => record(0x22)),
    ]);
    expect(() => readBiffChart(crowd)).toThrow(RangeError);
  });

  it('are charts of an unknown type when they are encrypted', () => {
    expect(readBiffChart(encryptedStream())).toEqual(withoutNumbers('other'));
  });
});
