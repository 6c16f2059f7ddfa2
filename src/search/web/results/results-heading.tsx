import { RANKING_CAP } from '../../../library/limits.ts';
import { aboutText } from '../../about-text.ts';
import styles from './results-heading.module.css';
import { activeFilters, type FilterGroup } from '../filters/filter-groups.ts';
import type { ReportQuery } from '../filters/report-query.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** The size of the list and the query that it answers; null while the list is loading. */
type ListFacts = {
  /** The corrected query that the list answers; "" when it answers the typed query. */
  corrected: string;
  total: number;
  onlyInPages: number;
  fullCount: number;
  /** True when more decks contain all words than are listed. */
  isMore: boolean;
  /** About how many these are; 0 when that is not known. */
  about: number;
};

/** Longer queries are sentences, and are set in smaller type. */
const LONG = 18;

/**
 * The heading: the query, and the real number of results, even when not all of them are visible. The element stays the same while
 * another list is loading, because the focus may be on it.
 */
export function ResultsHeading(props: { query: ReportQuery; groups: FilterGroup[]; list: ListFacts | null }) {
  const { query, list } = props;
  const scope = activeFilters(query, props.groups)
    .map(({ name }) => name)
    .join(' · ');
  const isNearOnly = list !== null && list.fullCount === 0 && list.total > 0;
  return (
    <div className={styles['heading']}>
      <h1
        id="results-title"
        tabIndex={-1}
        className={styles['title']}
        data-long={query.searchKey.length > LONG || undefined}
      >
        {query.searchKey ? (
          <>
            <em>{list?.corrected || query.searchKey}</em>{' '}
            {list && <span className={styles['unbroken']}>{isNearOnly ? '的相近方案' : '的搜索结果'}</span>}
          </>
        ) : (
          `${scope} 推荐方案`.trim()
        )}
      </h1>
      <p className={styles['count']} role="status">
        {query.searchKey ? foundText(list, isNearOnly) : listedText(list, query.sort)}
      </p>
    </div>
  );
}

function foundText(list: ListFacts | null, isNearOnly: boolean): string {
  if (!list) return '正在搜索…';
  if (list.about > 0) return `约 ${aboutText(list.about)} 份方案，列出最相关的 ${formatNumber(list.total)} 份`;
  const { total, fullCount } = list;
  // The heading says what they are.
  if (isNearOnly) return `共 ${formatNumber(total)} 份`;
  const found = `共 ${formatNumber(fullCount)} 份${list.isMore ? '以上' : ''}方案${inPagesText(fullCount, list.onlyInPages)}`;
  return total > fullCount ? `${found}，另有 ${formatNumber(total - fullCount)} 份部分符合或相近` : found;
}

function listedText(list: ListFacts | null, sort: ReportQuery['sort']): string {
  if (!list) return '正在加载…';
  return list.total >= RANKING_CAP
    ? `${ORDERS[sort]}的前 ${RANKING_CAP} 份，输入关键词可搜索全部`
    : `共 ${list.total} 份方案 · ${ORDERS[sort]}`;
}

const ORDERS = {
  relevance: '综合推荐',
  newest: '按发布时间排列',
  hottest: '按近期热度排列',
  pages: '按页数排列',
  budget: '按写明的预算排列',
  people: '按写明的人数排列',
  days: '按写明的天数排列',
};

/** Tells where the words were found when the names do not contain them. */
function inPagesText(total: number, onlyInPages: number): string {
  if (onlyInPages === 0) return '';
  return onlyInPages === total ? '，都在正文页里提到' : `，其中 ${formatNumber(onlyInPages)} 份只在正文页里提到`;
}
