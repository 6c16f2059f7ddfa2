import { RANKING_CAP } from '../../library/limits.ts';
import styles from './results-heading.module.css';
import { chosenFilters, type FilterGroup } from './filter-groups.ts';
import type { ReportQuery } from './report-query.ts';

/** The heading while a list is loading: the new query, in the size of the final heading. */
export function PendingHeading({ query, groups }: { query: ReportQuery; groups: FilterGroup[] }) {
  const scope = scopeOf(query, groups);
  return (
    <div className={styles['heading']}>
      <h1 id="results-title" tabIndex={-1} className={styles['title']}>
        {query.searchKey ? <em>{query.searchKey}</em> : scope ? `${scope} 推荐方案` : '推荐方案'}
      </h1>
      <p className={styles['count']} role="status">
        {query.searchKey ? '正在搜索…' : '正在加载…'}
      </p>
    </div>
  );
}

const scopeOf = (query: ReportQuery, groups: FilterGroup[]) =>
  chosenFilters(query, groups)
    .map(({ name }) => name)
    .join(' · ');

/** The heading: the query, and the real number of results, even when not all of them are visible. */
export function ResultsHeading(props: {
  query: ReportQuery;
  /** The corrected query that the list answers; "" when it answers the typed query. */
  corrected: string;
  total: number;
  onlyInPages: number;
  fullCount: number;
  groups: FilterGroup[];
}) {
  const { searchKey, sort } = props.query;
  const scope = scopeOf(props.query, props.groups);
  const isNearOnly = props.fullCount === 0 && props.total > 0;
  if (searchKey) {
    return (
      <div className={styles['heading']}>
        <h1 id="results-title" tabIndex={-1} className={styles['title']}>
          <em>{props.corrected || searchKey}</em>{' '}
          <span className={styles['unbroken']}>{isNearOnly ? '的相近方案' : '的搜索结果'}</span>
        </h1>
        <p className={styles['count']} role="status">
          共 {props.total.toLocaleString('en-US')} 份{isNearOnly ? '相近方案' : '方案'}
          {inPagesText(props.total, props.onlyInPages)}
        </p>
      </div>
    );
  }
  return (
    <div className={styles['heading']}>
      <h1 id="results-title" tabIndex={-1} className={styles['title']}>
        {scope ? `${scope} 推荐方案` : '推荐方案'}
      </h1>
      <p className={styles['count']} role="status">
        {props.total >= RANKING_CAP
          ? `${ORDERS[sort]}的前 ${RANKING_CAP} 份，输入关键词可搜索全部`
          : `共 ${props.total} 份方案 · ${ORDERS[sort]}`}
      </p>
    </div>
  );
}

const ORDERS = {
  relevance: '综合推荐',
  newest: '按发布时间排列',
  hottest: '按近期热度排列',
  pages: '按页数排列',
};

/** Tells where the words were found when the names do not contain them. */
function inPagesText(total: number, onlyInPages: number): string {
  if (onlyInPages === 0) return '';
  return onlyInPages === total ? '，都在正文页里提到' : `，其中 ${onlyInPages} 份只在正文页里提到`;
}
