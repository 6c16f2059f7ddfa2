import type { ShownAnswer } from './shown-answer.ts';
import { Fragment } from 'react';
import { Link } from 'react-router';
import styles from './forgiven.module.css';
import { reportHref, type ReportQuery } from '../filters/report-query.ts';

/** What is longer is a description, and is not quoted. */
const LONGEST_WORD = 8;

/** States above the list what the query does not want, and which query it answers when that is not the typed one. */
export function Forgiven(props: { query: ReportQuery; answer: ShownAnswer; isFiltered: boolean }) {
  const { refused } = props.answer;
  return (
    <>
      {refused.length > 0 && (
        <p className={styles['line']}>
          已排除与“{refused.join('”“')}”有关的方案。
          <Link to={reportHref(props.query, { isExact: true })}>按原词搜索</Link>
        </p>
      )}
      <Answered {...props} />
    </>
  );
}

/** States above the list which query it answers when that is not the typed one, and links to the exact search. */
function Answered(props: { query: ReportQuery; answer: ShownAnswer; isFiltered: boolean }) {
  const { query, isFiltered } = props;
  const { corrected_from, searched_for, did_you_mean, dropped, near, full_count, total_count } = props.answer;
  const literal = reportHref(query, { isExact: true });
  // Under a filter nothing is said about the library.
  const isWhole = total_count > 0 && !isFiltered;
  if (corrected_from) {
    return (
      <p className={styles['line']}>
        没有找到“{corrected_from}”，已为您显示“<b>{searched_for}</b>”的结果。
        <Link to={literal}>仍然搜索“{corrected_from}”</Link>
      </p>
    );
  }
  if (near.length > 0 && isWhole) {
    const by = [...new Set(near.flatMap((each) => each.by))].map((word) => (
      <Fragment key={word}>
        “<b>{word}</b>”
      </Fragment>
    ));
    if (near.some(({ word }) => word.length > LONGEST_WORD)) {
      return (
        <p className={styles['line']}>
          按您的描述，为您找到{by}方面的方案。<Link to={literal}>按原词搜索</Link>
        </p>
      );
    }
    return (
      <p className={styles['line']}>
        以下方案写的不是“{near.map(({ word }) => word).join('”“')}”，
        <span className={styles['clause']}>而是相近的{by}。</span>
        <Link to={literal}>按原词搜索</Link>
      </p>
    );
  }
  if (did_you_mean) {
    return (
      <p className={styles['line']}>
        您是不是要找：<Link to={reportHref(query, { searchKey: did_you_mean })}>{did_you_mean}</Link>
      </p>
    );
  }
  if (full_count === 0 && isWhole) {
    return (
      <p className={styles['line']}>
        没有方案同时包含全部词语，以下方案各包含其中一部分
        {dropped.length > 0 && <>，都没有“{dropped.join('”“')}”</>}。<Link to={literal}>按原词搜索</Link>
      </p>
    );
  }
  return null;
}
