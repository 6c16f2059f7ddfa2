import type { ChoiceLink } from '../filters/choice-list.tsx';
import { type ChartQuery, chartHref, NO_CHART_FILTERS } from './chart-query.ts';

export type ChartFilterGroup = {
  label: string;
  choices: ChoiceLink[];
  /** The name of the chosen value; null without. */
  current: string | null;
  /** The address without this filter. */
  allHref: string;
};

const PRESETS = [
  { id: 1, name: '近 3 天' },
  { id: 2, name: '近 7 天' },
  { id: 3, name: '近 30 天' },
] as const;

type Counted = { id: number; name: string; count: number };

/** Returns the filters of /chart with their choices: type, industry and time. A chosen value leads to the list without it (C-111). */
export function chartFilterGroups(
  query: ChartQuery,
  { types, industries }: { types: readonly Counted[]; industries: readonly Counted[] },
): { type: ChartFilterGroup; industry: ChartFilterGroup; time: ChartFilterGroup } {
  const counted = (label: string, key: 'typeId' | 'industryId', values: readonly Counted[]): ChartFilterGroup => ({
    label,
    choices: values.map(({ id, name, count }) => ({
      key: id,
      name,
      count,
      href: chartHref(query, { [key]: id === query[key] ? 0 : id }),
      isCurrent: id === query[key],
    })),
    current: query[key] > 0 ? (values.find(({ id }) => id === query[key])?.name ?? `其他${label}`) : null,
    allHref: chartHref(query, { [key]: 0 }),
  });
  const noTime = { dateRange: 0, start: '', end: '' } as const;
  const time: ChartFilterGroup = {
    label: '时间',
    choices: PRESETS.map(({ id, name }) => ({
      key: id,
      name,
      count: null,
      href: chartHref(query, { ...noTime, dateRange: id === query.dateRange ? 0 : id }),
      isCurrent: id === query.dateRange,
    })),
    current: query.start
      ? `${query.start} 至 ${query.end}`
      : (PRESETS.find(({ id }) => id === query.dateRange)?.name ?? null),
    allHref: chartHref(query, noTime),
  };
  return { type: counted('类型', 'typeId', types), industry: counted('行业', 'industryId', industries), time };
}

/** Returns the active filters as chips, each with the address without it, and the address without all. */
export function chartChips(query: ChartQuery, groups: ReturnType<typeof chartFilterGroups>) {
  const chosen = Object.entries(groups).flatMap(([key, { label, current, allHref }]) =>
    current === null ? [] : [{ key, label, name: current, href: allHref }],
  );
  return { chosen, clearHref: chartHref(query, NO_CHART_FILTERS) };
}
