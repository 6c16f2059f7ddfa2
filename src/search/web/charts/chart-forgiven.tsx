import { Link } from 'react-router';
import type { Answer } from '../../../protocol/endpoint.ts';
import type { searchCharts } from '../../contract-charts.ts';
import styles from '../results/forgiven.module.css';
import { chartHref, type ChartQuery } from './chart-query.ts';

/** States above the charts which query they answer when that is not the typed one, and links to the exact search. */
export function ChartForgiven(props: { query: ChartQuery; answer: Answer<typeof searchCharts>; isFiltered: boolean }) {
  const { query, answer } = props;
  const literal = chartHref(query, { isExact: true });
  if (answer.corrected_from)
    return (
      <p className={styles['line']}>
        没有找到“{answer.corrected_from}”，已为您显示“<b>{answer.searched_for}</b>”的图表。
        <Link to={literal}>仍然搜索“{answer.corrected_from}”</Link>
      </p>
    );
  if (answer.did_you_mean)
    return (
      <p className={styles['line']}>
        您是不是要找：<Link to={chartHref(query, { keyword: answer.did_you_mean })}>{answer.did_you_mean}</Link>
      </p>
    );
  // Under a filter nothing is said about the library.
  if (answer.full_count > 0 || answer.total === 0 || query.keyword === '' || props.isFiltered) return null;
  return (
    <p className={styles['line']}>
      没有图表同时包含全部词语，以下图表各包含其中一部分
      {answer.dropped.length > 0 && <>，都没有“{answer.dropped.join('”“')}”</>}。<Link to={literal}>按原词搜索</Link>
    </p>
  );
}
