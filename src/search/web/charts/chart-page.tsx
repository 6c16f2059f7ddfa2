import { useEffect, useState } from 'react';
import { data, useNavigate, useRevalidator } from 'react-router';
import { takeResume } from '../../../accounts/web/continue-wanted.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import { chartKey } from '../../../charts/web/page-charts.tsx';
import { callFrom } from '../../../page-context.ts';
import { pageMeta } from '../../../page-head.ts';
import { CallError } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { usePendingView } from '../../../ui/navigation/use-is-list-pending.ts';
import { searchCharts } from '../../contract-charts.ts';
import { Chips } from '../filters/chips.tsx';
import { SearchWall } from '../results/search-wall.tsx';
import type { Route } from './+types/chart-page';
import { ChartCard } from './chart-card.tsx';
import { ChartFilterBar } from './chart-filter-bar.tsx';
import { chartChips, chartFilterGroups } from './chart-filters.ts';
import { ChartForgiven } from './chart-forgiven.tsx';
import styles from './chart-page.module.css';
import { chartHref, chartInput, type ChartQuery, NO_CHART_FILTERS, readChartQuery } from './chart-query.ts';
import { ChartSearchBox } from './chart-search-box.tsx';
import { formatNumber } from '../../../protocol/format-number.ts';

const ChartViewer = lazyWithRetry(() => import('./chart-viewer.tsx').then((module) => module.ChartViewer));

type ChartAnswer = Answer<typeof searchCharts>;

/** Loads a page of charts. A refusal is shown in place of the list (C-100); 32 comes with the real total and no charts. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readChartQuery(new URL(request.url).searchParams);
  try {
    const { code, message, data: answer } = await callFrom(context)(searchCharts, chartInput(query));
    const isAnswered = code === CODE.ok || code === CODE.searchLimit;
    const status = code === CODE.tooFrequent ? 429 : code === CODE.invalid ? 400 : 200;
    return data({ query, code, message, answer: isAnswered ? answer : null }, status);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return data({ query, code: CODE.failed, message: error.message, answer: null }, Math.max(error.status, 500));
  }
}

/** Searches with filters of time, other spellings and empty lists are not indexed. */
export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  if (!loaderData) return [{ title: `图表 - ${root?.site.name ?? '策库'}` }];
  const { query, answer } = loaderData;
  const type = answer?.types.find(({ id }) => id === query.typeId)?.name ?? '';
  const industry = answer?.industries.find(({ id }) => id === query.industryId)?.name ?? '';
  const about = [query.keyword, industry, type].filter(Boolean).join(' · ');
  const count = answer ? `共 ${formatNumber(answer.total)} 张，` : '';
  const isView = query.dateRange > 0 || query.start !== '' || query.isExact || (query.keyword !== '' && query.page > 1);
  return pageMeta(root, {
    title: `${about ? `${about} 图表` : '搜图表'}${query.page > 1 ? `（第 ${query.page} 页）` : ''}`,
    description: `${about ? `${about}相关的` : ''}营销与活动方案图表，${count}可按类型、行业和时间筛选，直达原方案的那一页。`,
    path: chartHref(query, { page: query.page }),
    isIndexed: answer !== null && answer.charts.length > 0 && answer.corrected_from === '' && !isView,
  });
}

/** Renders /chart: the search of charts (§2). */
export default function ChartPage({ loaderData }: Route.ComponentProps) {
  const { query, answer, message, code } = loaderData;
  // A filter that is chosen while a list is loading adds to the filters of that list, not to those of the list shown.
  const pending = usePendingView();
  const coming = pending && readChartQuery(new URLSearchParams(pending.search));
  const asked = coming ?? query;
  const groups = chartFilterGroups(asked, answer ?? { types: [], industries: [] });
  return (
    <div className={styles['page']}>
      <ChartSearchBox query={asked} />
      <ChartFilterBar query={asked} groups={groups} />
      {answer ? (
        <Results query={query} coming={coming} answer={answer} groups={groups} />
      ) : (
        <Failure query={query} message={message} isInvalid={code === CODE.invalid} />
      )}
    </div>
  );
}

/** Cards above the fold on a desktop. */
const ABOVE_FOLD = 4;

function Results(props: {
  query: ChartQuery;
  /** What another view of the page, which is loading, will answer; null while none is. */
  coming: ChartQuery | null;
  answer: ChartAnswer;
  /** Of what is coming, like the chips. */
  groups: ReturnType<typeof chartFilterGroups>;
}) {
  const { query, coming, answer } = props;
  const { charts, total, visible_count: visible } = answer;
  const isPending = coming !== null;
  const viewer = useViewer(query, answer);
  const isWalled = answer.limited === 1 && total > visible;
  const { chosen, clearHref } = chartChips(coming ?? query, props.groups);
  const isFiltered = chartHref(query) !== chartHref(query, NO_CHART_FILTERS);
  return (
    <section className={styles['results']} aria-labelledby="results-title" aria-busy={isPending}>
      <div className={styles['heading']}>
        <h1 id="results-title" tabIndex={-1}>
          {query.keyword ? (
            <>
              <em>{answer.corrected_from ? answer.searched_for : query.keyword}</em> 的图表
            </>
          ) : (
            '图表'
          )}
        </h1>
        <p role="status">{isPending ? '正在加载…' : countText(query, answer)}</p>
      </div>
      <Chips chosen={chosen} clearHref={clearHref} />
      {charts.length > 0 && <LoginHint />}
      {!isPending && <ChartForgiven query={query} answer={answer} isFiltered={isFiltered} />}
      {charts.length > 0 ? (
        <ul className={styles['grid']} data-walled={isWalled || undefined}>
          {charts.map((chart, index) => (
            <ChartCard
              key={chart.id}
              chart={chart}
              isPriority={index < ABOVE_FOLD}
              onOpen={() => viewer.open({ address: viewer.here, index })}
            />
          ))}
        </ul>
      ) : (
        !isWalled && <Nothing query={query} total={total} isFiltered={isFiltered} clearHref={clearHref} />
      )}
      {isWalled ? (
        <div className={styles['wall']}>
          <SearchWall
            total={total}
            shown={charts.length}
            unit="张"
            membership="高级会员"
            firstPage={chartHref(query)}
          />
        </div>
      ) : (
        <div className={styles['pager']}>
          <Pager
            page={query.page}
            pageSize={answer.page_size}
            total={visible}
            hrefOf={(page) => chartHref(query, { page })}
            label="图表"
          />
        </div>
      )}
      {viewer.shown && (
        <LazyBoundary onOpenChange={(isOpen) => viewer.open(isOpen ? viewer.place : null)}>
          <ChartViewer
            chart={viewer.shown.chart}
            position={viewer.shown.position}
            total={visible}
            isLoading={viewer.isLoading}
            onTurn={viewer.turn}
            onClose={viewer.close}
          />
        </LazyBoundary>
      )}
    </section>
  );
}

/** Tells visitors why they see outlines: pictures of pages are for members (C-21). */
function LoginHint() {
  const { member, openLogin } = useSession();
  if (member) return null;
  return (
    <p className={styles['hint']}>
      登录后可查看预览页内的图表
      <button type="button" onClick={() => openLogin('登录后查看图表')}>
        登录
      </button>
    </p>
  );
}

function countText({ keyword }: ChartQuery, { total, full_count: full }: ChartAnswer): string {
  const count = `共 ${formatNumber(total)} 张`;
  if (!keyword) return `${count} · 按方案的发布时间排列`;
  return full > 0 && full < total ? `${count}，前 ${formatNumber(full)} 张含有全部词语` : count;
}

/** A place in the results: the address of a page, and an index on it; -1 is the last of the page. */
type Place = { address: string; index: number };

/**
 * The viewer over the results. A turn over the border of a page loads that page below the dialog, so that closing it leaves the reader at the
 * chart they saw last; meanwhile the dialog keeps showing the chart before. Any other page that comes, as by Back, closes it.
 */
function useViewer(query: ChartQuery, answer: ChartAnswer) {
  const navigate = useNavigate();
  const [place, setPlace] = useState<Place | null>(null);
  const [last, setLast] = useState<{ chart: ChartAnswer['charts'][number]; position: number } | null>(null);
  const { charts, page_size: pageSize } = answer;
  const here = chartHref(query, { page: query.page });
  useEffect(() => setPlace((open) => (open?.address === here ? open : null)), [here]);
  // Opens the chart again from which the reader went to log in or to pay.
  useEffect(() => {
    const index = charts.findIndex(({ id }) => takeResume(chartKey(id)));
    if (index >= 0) setPlace({ address: here, index });
  }, [charts, here]);
  const isLoading = place !== null && place.address !== here;
  const index = place?.index === -1 ? charts.length - 1 : (place?.index ?? 0);
  const chart = place && !isLoading ? charts[index] : undefined;
  const present = chart ? { chart, position: (query.page - 1) * pageSize + index + 1 } : null;
  const shown = place === null ? null : (present ?? (isLoading ? last : null));
  const turn = (by: -1 | 1) => {
    if (!present) return;
    const next = index + by;
    if (next >= 0 && next < charts.length) return setPlace({ address: here, index: next });
    const address = chartHref(query, { page: query.page + by });
    setLast(present);
    setPlace({ address, index: by === 1 ? 0 : -1 });
    void navigate(address, { replace: true, preventScrollReset: true });
  };
  return { here, place, shown, isLoading, turn, open: setPlace, close: () => setPlace(null) };
}

function Nothing(props: { query: ChartQuery; total: number; isFiltered: boolean; clearHref: string }) {
  const { query, total, isFiltered } = props;
  if (total > 0)
    return (
      <Empty title="这一页没有图表了">
        <LinkButton to={chartHref(query)} look="primary">
          回到第一页
        </LinkButton>
      </Empty>
    );
  return (
    <Empty drawing="search" title={isFiltered ? '筛选条件下没有图表' : '没有找到相关图表，换个关键词试试'}>
      {isFiltered && (
        <LinkButton to={props.clearHref} look="primary">
          清除筛选
        </LinkButton>
      )}
      {query.isExact && <LinkButton to={chartHref(query, { isExact: false })}>也找写法相近的</LinkButton>}
      {!isFiltered && query.keyword !== '' && <LinkButton to="/chart">浏览全部图表</LinkButton>}
    </Empty>
  );
}

/** A refused search: a range that ends before it starts is chosen again, anything else is tried again. */
function Failure(props: { query: ChartQuery; message: string; isInvalid: boolean }) {
  const { revalidate, state } = useRevalidator();
  return (
    <section className={styles['results']} role="alert">
      <Empty drawing="broken" title={props.message} heading="h1">
        {props.isInvalid ? (
          <LinkButton to={chartHref(props.query, NO_CHART_FILTERS)} look="primary">
            清除筛选
          </LinkButton>
        ) : (
          <Button look="primary" disabled={state === 'loading'} onClick={() => void revalidate()}>
            重试
          </Button>
        )}
      </Empty>
    </section>
  );
}
