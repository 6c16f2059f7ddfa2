import { data } from 'react-router';
import type { Route } from './+types/report-page';
import { callFrom } from '../../page-context.ts';
import { loadOwned } from '../../membership/web/load-owned.ts';
import { CallError } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { searchDocuments } from '../contract.ts';
import { FilterBar } from './filter-bar.tsx';
import { filterGroups } from './filter-groups.ts';
import styles from './report-page.module.css';
import { reportMeta } from './report-meta.ts';
import { readReportQuery } from './report-query.ts';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';

/** Whatever goes wrong with the search itself is shown in its place, with a retry (C-100). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readReportQuery(new URL(request.url).searchParams);
  const call = callFrom(context);
  try {
    const {
      code,
      message,
      data: answer,
    } = await call(searchDocuments, {
      search_key: query.searchKey,
      themeid: query.themeId,
      industryid: query.industryId,
      filetype: query.filetype,
      pubdate: query.pubdate,
      pages: query.pages,
      free: query.isFree ? 1 : 0,
      sort: query.sort,
      page: query.page,
      exact: query.isExact ? 1 : 0,
    });
    const isRefused = code !== CODE.ok && code !== CODE.searchLimit;
    const status = code === CODE.tooFrequent ? 429 : 200;
    const shown = isRefused ? null : answer;
    const owned = await loadOwned(call, [...(shown?.item_list ?? []), ...(shown?.nearest_list ?? [])]);
    return data({ query, code, message, answer: shown, owned }, status);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return data(
      { query, code: CODE.failed, message: error.message, answer: null, owned: [] },
      Math.max(error.status, 500),
    );
  }
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  return reportMeta({ siteName: root?.site.name ?? '策库', origin: root?.origin ?? '', loaded: loaderData ?? null });
}

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  const { query, answer } = loaderData;
  const groups = answer ? filterGroups(query, answer) : [];
  return (
    <div className={styles['page']}>
      <SearchBox query={query} />
      {answer && <FilterBar query={query} groups={groups} total={answer.total_count} />}
      <Results {...loaderData} groups={groups} />
    </div>
  );
}
