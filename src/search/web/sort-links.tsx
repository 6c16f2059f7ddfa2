import { Link } from 'react-router';
import { Dropdown } from './dropdown.tsx';
import listStyles from './choice-list.module.css';
import { reportHref, SORTS, type ReportQuery } from './report-query.ts';
import styles from './sort-links.module.css';

/** Side by side where there is room, else behind a button: styles show one of the two. */
export function SortLinks({ query }: { query: ReportQuery }) {
  const names = { relevance: query.searchKey ? '相关度' : '推荐', newest: '最新', hottest: '最热', pages: '页数最多' };
  const links = (className: string | undefined) =>
    SORTS.map((sort) => (
      <Link
        key={sort}
        to={reportHref(query, { sort })}
        preventScrollReset
        className={className}
        aria-current={sort === query.sort || undefined}
      >
        {names[sort]}
      </Link>
    ));
  return (
    <>
      <nav className={styles['wide']} aria-label="排序">
        {links(styles['link'])}
      </nav>
      <Dropdown label="排序" value={names[query.sort]} isPlain isAtEnd className={styles['narrow']}>
        {links(listStyles['choice'])}
      </Dropdown>
    </>
  );
}
