import { toShownAnswer, type ShownAnswer } from './results/shown-answer.ts';
import { type ReactNode, useEffect } from 'react';
import { data, type MetaDescriptor, redirect, useLocation } from 'react-router';
import { loadOwned } from '../../membership/web/load-owned.ts';
import { callFrom } from '../../page-context.ts';
import { pageMeta, unlistedMeta } from '../../page-head.ts';
import { CallError } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { usePendingView } from '../../ui/navigation/use-is-list-pending.ts';
import { ErrorView, isInlineFailure, messageOf } from '../../site/web/errors/error-view.tsx';
import { searchDocuments } from '../contract.ts';
import type { Route } from './+types/report-page';
import { FilterBar } from './filters/filter-bar.tsx';
import { type FilterGroup, filterGroups } from './filters/filter-groups.ts';
import styles from './report-page.module.css';
import { NO_FILTERS, readReportQuery, reportHref, searchInput, type ReportQuery } from './filters/report-query.ts';
import { landingText } from './results/landing-text.ts';
import { Failure, Results } from './results/results.tsx';
import { loadHotWords } from './field/load-hot-words.ts';
import { SearchBox } from './field/search-box.tsx';
import { formatNumber } from '../../protocol/format-number.ts';

/** Loads the results. An error of the search is shown in place of the results, with a retry (C-100). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readReportQuery(new URL(request.url).searchParams);
  const call = callFrom(context);
  const hot = loadHotWords(call);
  try {
    const { code, message, data: answer } = await call(searchDocuments, searchInput(query));
    if (answer?.asked_filters) return redirect(reportHref(query, filtersOf(answer.asked_filters)));
    const isRefused = code !== CODE.ok && code !== CODE.searchLimit;
    const shown = isRefused || !answer ? null : toShownAnswer(answer);
    const status = code === CODE.tooFrequent ? 429 : namesUnknownTheme(query, shown) ? 404 : 200;
    const listed = shown ? [...shown.item_list, ...shown.nearest_list, ...shown.similar_list] : [];
    const owned = await loadOwned(call, listed);
    return data({ query, hotWords: await hot, code, message, answer: shown, owned }, status);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return data(
      { query, hotWords: await hot, code: CODE.failed, message: error.message, answer: null, owned: [] },
      Math.max(error.status, 500),
    );
  }
}

/** Returns the change of the address by which the filters that the words of a query ask for are chosen, so that they can be taken back. */
const filtersOf = ({ search_key, free, filetype, sort }: NonNullable<ShownAnswer['asked_filters']>) => ({
  searchKey: search_key,
  isFree: free === 1,
  filetype: filetype === 2 ? (2 as const) : filetype === 1 ? (1 as const) : (0 as const),
  sort,
});

/** The landing page of a theme that does not exist, or no longer. */
const namesUnknownTheme = ({ themeId }: ReportQuery, answer: ShownAnswer | null) =>
  themeId > 0 && answer !== null && !answer.themes.some(({ id }) => id === themeId);

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  return reportMeta(root, loaderData ?? null);
}

/** What this tab showed last: its filters and hot words stay above a search that fails. */
let lastShown: { answer: ShownAnswer; hotWords: string[] } | null = null;

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  const { query, answer, hotWords } = loaderData;
  useEffect(() => {
    if (answer) lastShown = { answer, hotWords };
  }, [answer, hotWords]);
  return (
    <SearchPage query={query} answer={answer ?? lastShown?.answer ?? null} hotWords={hotWords}>
      {(groups, coming) => <Results {...loaderData} groups={groups} coming={coming} />}
    </SearchPage>
  );
}

/** A search whose data could not be loaded. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  if (!isInlineFailure(error)) return <ErrorView error={error} isInLayout />;
  const query = readReportQuery(new URLSearchParams(search));
  return (
    <SearchPage query={query} answer={lastShown?.answer ?? null} hotWords={lastShown?.hotWords ?? []}>
      {() => <Failure message={messageOf(error)} />}
    </SearchPage>
  );
}

/** The search field and the filters. `children` renders the results; its second argument is the query that is loading in place of the one shown, or null. */
function SearchPage(props: {
  query: ReportQuery;
  answer: ShownAnswer | null;
  hotWords: string[];
  children: (groups: FilterGroup[], coming: ReportQuery | null) => ReactNode;
}) {
  const { answer } = props;
  // A filter that is chosen while a list is loading adds to the filters of that list, not to those of the list shown.
  const pending = usePendingView();
  const coming = pending && readReportQuery(new URLSearchParams(pending.search));
  const query = coming ?? props.query;
  const groups = answer ? filterGroups(query, answer) : [];
  // Nothing can be filtered or sorted in a library that has nothing about the query. The bar, and its open sheet, stay until another answer is there.
  const isFiltered = reportHref(props.query) !== reportHref(props.query, NO_FILTERS);
  const isFilterable = answer !== null && (answer.total_count > 0 || isFiltered);
  return (
    <div className={styles['page']}>
      <SearchBox query={query} hotWords={props.hotWords} />
      {isFilterable && <FilterBar query={query} groups={groups} total={answer.total_count} />}
      {props.children(groups, coming)}
    </div>
  );
}

type Loaded = { query: ReportQuery; answer: ShownAnswer | null };

/** Returns title, description and canonical address. Deep pages of a keyword search are not indexed by search engines. */
function reportMeta(root: Parameters<typeof pageMeta>[0], loaded: Loaded | null): MetaDescriptor[] {
  if (!loaded) return unlistedMeta(root, '搜方案');
  const { query, answer } = loaded;
  if (namesUnknownTheme(query, answer)) return unlistedMeta(root, '页面不存在');
  const theme = answer?.themes.find(({ id }) => id === query.themeId)?.name;
  const industry = answer?.facets.industries.find(({ id }) => id === query.industryId)?.name;
  const about = [query.searchKey, theme, industry].filter(Boolean).join(' · ');
  const landing = answer ? landingText(query, filterGroups(query, answer), answer.total_count) : '';
  const found = answer ? `共 ${formatNumber(answer.total_count)} 份` : '';
  // A page that answers another query than its address is not indexed.
  const isForgiven = query.isExact || (answer !== null && (answer.corrected_from !== '' || answer.dropped.length > 0));
  // Another sort or a narrower filter of the same documents is not indexed either.
  const isView =
    query.sort !== 'relevance' ||
    query.pubdate > 0 ||
    query.pages > 0 ||
    query.isFree ||
    query.budget > 0 ||
    query.people > 0 ||
    query.days > 0;
  const isIndexed =
    answer !== null &&
    answer.item_list.length > 0 &&
    !isForgiven &&
    !isView &&
    (query.searchKey === '' || query.page === 1);
  return pageMeta(root, {
    title: about ? `${about.replace(/方案$/, '')}方案` : '搜方案',
    description:
      landing || `${about || '活动策划与营销'}方案${found}，PPT 与 PDF，可按活动类型、行业与格式筛选并在线预览。`,
    path: reportHref(query, { page: query.page }),
    isIndexed,
  });
}
