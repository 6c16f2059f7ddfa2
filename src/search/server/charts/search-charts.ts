import type { Ctx } from '../../../context.ts';
import { findChartsByIds, listChartTypes } from '../../../charts/server/list-charts.ts';
import { RECENT_PERIODS, daysBefore } from '../../../library/document-filter.ts';
import { startOfNextDay } from '../../../library/rules.ts';
import { listLabels } from '../../../library/server/labels.ts';
import { isChartTier } from '../../../membership/rules.ts';
import { tierOf } from '../../../membership/server/rights.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, invalid } from '../../../protocol/envelope.ts';
import { offsetOf } from '../../../protocol/paging.ts';
import type { searchCharts as contract } from '../../contract-charts.ts';
import { highlight } from '../../highlight.ts';
import { FREE_RESULTS } from '../../limits.ts';
import { cleanQuery } from '../../clean-query.ts';
import { visibleCount } from '../../rules.ts';
import { wordAsTyped } from '../../typed-words.ts';
import { type AnsweredCharts, answerCharts } from './answer-charts.ts';
import type { ChartFilter } from './store-charts.ts';

type Input = Parsed<typeof contract>;
type Answer = Output<typeof contract>;

/** The answer to a later page of a keyword without the right (C-39). */
const CHART_LIMIT = { code: CODE.searchLimit, message: '开通高级VIP解锁无限图表搜索' } as const;

/**
 * Searches charts (C-91), or lists all of them when the keyword is blank. Pictures are those that the caller may see (C-39, C-76). Throws
 * invalid (40) for a range that ends before it starts, or cannot be read.
 */
export async function searchCharts(ctx: Ctx, input: Input): Promise<Answer | CodedAnswer<Answer>> {
  const key = cleanQuery(input.keyword);
  const filter = filterOf(input, ctx.clock.now());
  const isUnlimited = key === '' || isChartTier(await tierOf(ctx));
  const limit = isUnlimited ? input.pageSize : input.page === 1 ? Math.min(input.pageSize, FREE_RESULTS) : 0;
  const question = { key, isForgiving: input.exact !== 1, filter, limit, offset: limit > 0 ? offsetOf(input) : 0 };
  const found = await answerCharts(ctx, question);
  const answer: Answer = {
    charts: await shownCharts(ctx, found),
    ...(await choicesOf(ctx, found, filter)),
    limited: isUnlimited ? 0 : 1,
    visible_count: visibleCount(found.total, isUnlimited),
    full_count: found.fullCount,
    corrected_from: found.correctedFrom,
    searched_for: found.searchedFor,
    did_you_mean: found.didYouMean,
    dropped: found.dropped,
    page: input.page,
    page_size: input.pageSize,
    total: found.total,
  };
  const isBeyondLimit = !isUnlimited && input.page > 1;
  return isBeyondLimit ? new CodedAnswer(CHART_LIMIT.code, CHART_LIMIT.message, answer) : answer;
}

/** Returns the filter of a request. A custom range counts when both ends are given, and then the preset does not (C-91). `now` in epoch ms. */
function filterOf({ typeId, industryId, dateRange, startTime, endTime }: Input, now: number): ChartFilter {
  const labels = { typeId, industryId };
  if (startTime !== null && endTime !== null) {
    if (startTime === 'unreadable') throw invalid('开始时间须为 Unix 秒', 'startTime');
    if (endTime === 'unreadable') throw invalid('结束时间须为 Unix 秒', 'endTime');
    if (startTime > endTime) throw invalid('开始时间不能晚于结束时间', 'startTime');
    return { ...labels, since: new Date(startTime * 1_000), before: new Date(startOfNextDay(endTime * 1_000)) };
  }
  const days = RECENT_PERIODS.find(({ id }) => id === dateRange)?.days;
  // To the minute, so that equal questions of a minute share an answer.
  const minute = Math.floor(now / 60_000) * 60_000;
  return { ...labels, since: days ? daysBefore(days, minute) : null, before: null };
}

/** Returns the charts of a page as the caller may see them. What was hidden before this request is left out. */
async function shownCharts(ctx: Ctx, { charts, words, searchedFor }: AnsweredCharts): Promise<Answer['charts']> {
  const known = await findChartsByIds(
    ctx,
    charts.map(({ id }) => id),
  );
  return charts.flatMap(({ id, missing }) => {
    const row = known.get(id);
    if (!row || row.isOffline) return [];
    const lacking = missing.flatMap((at) => {
      const word = words[at];
      return word ? [wordAsTyped(word, searchedFor)] : [];
    });
    return [{ ...row.chart, name: highlight(row.chart.name, words, searchedFor), missing: lacking }];
  });
}

/** Names the counted choices, the most frequent first. The chosen one is always included, so that the page knows its name. */
async function choicesOf(
  ctx: Ctx,
  { counts }: AnsweredCharts,
  { typeId, industryId }: ChartFilter,
): Promise<Pick<Answer, 'types' | 'industries'>> {
  const [types, industries] = await Promise.all([
    ctx.caches.search.chartTypes(ctx, '', () => listChartTypes(ctx)),
    ctx.caches.search.labels(ctx, 'industry', () => listLabels(ctx, 'industry')),
  ]);
  const counted = (all: { id: number; name: string }[], by: Map<number, number>, chosen: number) =>
    all
      .map(({ id, name }) => ({ id, name, count: by.get(id) ?? 0 }))
      .filter(({ id, count }) => count > 0 || id === chosen)
      .sort((a, b) => b.count - a.count);
  return {
    types: counted(types, counts.types, typeId),
    industries: counted(industries, counts.industries, industryId),
  };
}
