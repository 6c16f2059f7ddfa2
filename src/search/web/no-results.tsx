import { Link } from 'react-router';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { HOT_WORDS } from '../limits.ts';
import styles from './no-results.module.css';
import { reportHref, type ReportQuery } from './report-query.ts';

/** Nothing found, or a page past the end: ways on. */
export function NoResults(props: {
  query: ReportQuery;
  total: number;
  themes: { id: number; name: string }[];
  related: string[];
}) {
  const { query } = props;
  if (props.total > 0) {
    return (
      <Empty title="这一页没有方案了">
        <LinkButton to={reportHref(query)} look="primary">
          回到第一页
        </LinkButton>
      </Empty>
    );
  }
  const isFiltered = query.themeId > 0 || query.filetype > 0;
  return (
    <div className={styles['nothing']}>
      <Empty
        drawing="search"
        title={query.searchKey ? '没有找到相关方案，换个关键词试试' : '这里还没有方案，看看别的分类'}
      >
        {isFiltered && (
          <LinkButton to={reportHref(query, { themeId: 0, filetype: 0 })} look="primary">
            清除筛选
          </LinkButton>
        )}
      </Empty>
      <Ways
        label="大家在搜"
        ways={props.related.map((word) => ({ name: word, to: reportHref(START, { searchKey: word }) }))}
      />
      <Ways
        label="试试这些"
        ways={HOT_WORDS.map((word) => ({ name: word, to: reportHref(START, { searchKey: word }) }))}
      />
      <Ways
        label="按行业浏览"
        ways={props.themes
          .slice(0, 8)
          .map((theme) => ({ name: theme.name, to: reportHref(START, { themeId: theme.id }) }))}
      />
    </div>
  );
}

const START: ReportQuery = { searchKey: '', themeId: 0, filetype: 0, page: 1, isExact: false };

function Ways({ label, ways }: { label: string; ways: { name: string; to: string }[] }) {
  if (ways.length === 0) return null;
  return (
    <p className={styles['ways']}>
      <span>{label}</span>
      {ways.map((way) => (
        <Link key={way.name} to={way.to}>
          {way.name}
        </Link>
      ))}
    </p>
  );
}
