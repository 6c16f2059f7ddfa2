import { expect, it } from 'vitest';
import { chartChips, chartFilterGroups } from './chart-filters.ts';
import { CHART_START, chartHref, chartInput, readChartQuery } from './chart-query.ts';

const read = (text: string) => readChartQuery(new URLSearchParams(text));

it.each([
  ['', CHART_START],
  [
    'keyword=+客流+&typeId=3&industryId=7&dateRange=2&page=4',
    { ...CHART_START, keyword: '客流', typeId: 3, industryId: 7, dateRange: 2, page: 4 },
  ],
  ['typeId=-1&industryId=x&dateRange=9&page=0', CHART_START],
  ['start=2026-01-01&end=2026-02-28&dateRange=1', { ...CHART_START, start: '2026-01-01', end: '2026-02-28' }],
  // Half a range, and days that no calendar has.
  ['start=2026-01-01&dateRange=1', { ...CHART_START, dateRange: 1 }],
  ['start=2026-02-30&end=2026-03-01', CHART_START],
  ['start=%00&end=<script>', CHART_START],
])('reads %s', (text, query) => {
  expect(read(text)).toEqual(query);
});

it('writes the shortest address; any change but one of the page returns to page 1', () => {
  const query = read('keyword=客流&typeId=3&page=4');
  expect(chartHref(CHART_START)).toBe('/chart');
  expect(read(chartHref(query, { page: 4 }).split('?')[1] ?? '')).toEqual(query);
  expect(chartHref(query, { typeId: 0 })).toBe(`/chart?keyword=${encodeURIComponent('客流')}`);
});

it('an exact search ends with its keyword', () => {
  const exact = read('keyword=客流&exact=1');
  expect(read(chartHref(exact, { typeId: 3 }).split('?')[1] ?? '').isExact).toBe(true);
  expect(chartHref(exact, { keyword: '' })).toBe('/chart');
});

it('asks for whole days in Beijing', () => {
  expect(chartInput(read('start=2026-01-01&end=2026-01-01'))).toMatchObject({
    startTime: Date.parse('2025-12-31T16:00:00Z') / 1_000,
    endTime: Date.parse('2026-01-01T15:59:59Z') / 1_000,
  });
  expect(chartInput(CHART_START)).not.toHaveProperty('startTime');
});

it('one chip for each filter; a chosen preset leads to the list without it; clearing keeps the keyword (C-111)', () => {
  const query = read('keyword=客流&typeId=3&dateRange=2');
  const groups = chartFilterGroups(query, { types: [{ id: 3, name: '折线图', count: 5 }], industries: [] });
  expect(groups.time.choices.find(({ isCurrent }) => isCurrent)?.href).not.toContain('dateRange');
  const { chosen, clearHref } = chartChips(query, groups);
  expect(chosen.map(({ name }) => name)).toEqual(['折线图', '近 7 天']);
  expect(clearHref).toBe(`/chart?keyword=${encodeURIComponent('客流')}`);
});
