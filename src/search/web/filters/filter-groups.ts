import { FACT_KINDS, type FactKind, SORTS, type Sort } from '../../../library/limits.ts';

import type { Answer } from '../../../protocol/endpoint.ts';
import type { searchDocuments } from '../../contract.ts';
import type { Chip } from './chips.tsx';
import type { ChoiceLink } from './choice-list.tsx';
import { NO_FILTERS, type Filters, reportHref, type ReportQuery } from './report-query.ts';

/** One value of a filter. `count`: the documents it would leave. `change`: its change of the query. */
export type Choice = { key: number; name: string; count: number; change: Partial<Filters>; isCurrent: boolean };

export type FilterGroup = {
  key: keyof Filters;
  label: string;
  /** Choices that would leave documents, and the current choice. */
  choices: Choice[];
  current: Choice | null;
  /** The change of the query that 全部 makes. */
  clear: Partial<Filters>;
};

const RECENT_NAMES = ['近 3 天', '近 7 天', '近 30 天'];
const BAND_NAMES = ['20 页以内', '21–50 页', '51–100 页', '100 页以上'];
const BUDGET_NAMES = ['5 万以内', '5–20 万', '20–50 万', '50–100 万', '100 万以上'];
const PEOPLE_NAMES = ['50 人以内', '51–200 人', '201–500 人', '501–1000 人', '1000 人以上'];
const DAYS_NAMES = ['1 天', '2–3 天', '4–7 天', '8–30 天', '30 天以上'];
const KIND_NAMES = ['PPT', 'PDF'];

type Counted = { id: number; name: string; count: number };

/** Returns the filters of /report with their choices, for the page and its sheet, with the labels of C-14. */
export function filterGroups(
  query: ReportQuery,
  answer: Pick<Answer<typeof searchDocuments>, 'themes' | 'facets'>,
): FilterGroup[] {
  const { themes, facets } = answer;
  const named = (names: string[], counts: { id: number; count: number }[]) =>
    names.map((name, index) => ({
      id: index + 1,
      name,
      count: counts.find(({ id }) => id === index + 1)?.count ?? 0,
    }));
  const years = facets.years.map(({ year, count }) => ({ id: year, name: `${year} 年`, count }));
  const isOtherYear = query.pubdate > 3 && !years.some(({ id }) => id === query.pubdate);
  return [
    groupOf(query, 'themeId', '活动类型', themes),
    groupOf(query, 'industryId', '行业', facets.industries),
    groupOf(query, 'filetype', '格式', named(KIND_NAMES, facets.file_types)),
    groupOf(query, 'pubdate', '时间', [
      ...named(RECENT_NAMES, facets.recent),
      ...years,
      ...(isOtherYear ? [{ id: query.pubdate, name: `${query.pubdate} 年`, count: 0 }] : []),
    ]),
    groupOf(query, 'pages', '页数', named(BAND_NAMES, facets.pages)),
    // Few plans state them: without any the filter is left out.
    ...[
      groupOf(query, 'budget', '预算', named(BUDGET_NAMES, facets.budgets)),
      groupOf(query, 'people', '人数', named(PEOPLE_NAMES, facets.people)),
      groupOf(query, 'days', '天数', named(DAYS_NAMES, facets.days)),
    ].filter(({ choices }) => choices.length > 0),
    groupOf(query, 'isFree', '价格', [{ id: 1, name: '免费', count: facets.free }]),
  ];
}

/** Returns the sorts of a list: one by a stated fact is left out, like its filter, where no plan of the list states the fact. */
export function sortsOf(query: ReportQuery, groups: readonly FilterGroup[]): readonly Sort[] {
  const isStated = (fact: FactKind) => groups.some(({ key }) => key === fact);
  const isFact = (sort: Sort): sort is FactKind => FACT_KINDS.some((fact) => fact === sort);
  return SORTS.filter((sort) => !isFact(sort) || sort === query.sort || isStated(sort));
}

function groupOf(query: ReportQuery, key: keyof Filters, label: string, counted: Counted[]): FilterGroup {
  const value = Number(query[key]);
  const clear: Partial<Filters> = { [key]: NO_FILTERS[key] };
  const choices = counted
    .filter(({ id, count }) => count > 0 || id === value)
    .map(({ id, name, count }) => ({
      key: id,
      name,
      count,
      change: { [key]: key === 'isFree' ? true : id },
      isCurrent: id === value,
    }));
  return { key, label, choices, current: choices.find(({ isCurrent }) => isCurrent) ?? null, clear };
}

/** Returns the active filters, each with the change that removes it. An unknown theme is named as unknown, and a sum of money says whose it is. */
export function activeFilters(query: ReportQuery, groups: FilterGroup[]) {
  return groups
    .filter(({ key }) => query[key] !== NO_FILTERS[key])
    .map(({ key, label, current, clear }) => {
      const name = current ? `${key === 'budget' ? `${label} ` : ''}${current.name}` : `其他${label}`;
      return { key, label, name, clear };
    });
}

/** Returns the choices of a filter as links of /report, and the address without the filter. */
export function choiceLinks(query: ReportQuery, group: FilterGroup): { choices: ChoiceLink[]; allHref: string } {
  return {
    choices: group.choices.map(({ key, name, count, change, isCurrent }) => ({
      key,
      name,
      count,
      href: reportHref(query, isCurrent ? group.clear : change),
      isCurrent,
    })),
    allHref: reportHref(query, group.clear),
  };
}

/** Returns the active filters as chips. */
export const reportChips = (query: ReportQuery, groups: FilterGroup[]): Chip[] =>
  activeFilters(query, groups).map(({ key, label, name, clear }) => ({
    key,
    label,
    name,
    href: reportHref(query, clear),
  }));
