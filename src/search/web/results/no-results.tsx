import type { CardItem } from '../../../library/web/card-item.ts';
import { Link } from 'react-router';
import { DocumentCards } from '../../../shelf/web/document-cards.tsx';
import { LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import type { NearestTheme } from '../../contract.ts';
import { activeFilters, type FilterGroup } from '../filters/filter-groups.ts';
import styles from './no-results.module.css';
import { NO_FILTERS, reportHref, DEFAULT_QUERY, type ReportQuery } from '../filters/report-query.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Shown without results, or past the last page: suggestions, the closest first. */
export function NoResults(props: {
  query: ReportQuery;
  total: number;
  groups: FilterGroup[];
  themes: { id: number; name: string; count: number }[];
  related: string[];
  hotWords: readonly string[];
  nearest: NearestTheme | null;
  nearestItems: CardItem[];
  owned: ReadonlySet<number>;
}) {
  const { query, nearest } = props;
  if (props.total > 0) {
    return (
      <Empty title="这一页没有方案了">
        <LinkButton to={reportHref(query)} look="primary">
          回到第一页
        </LinkButton>
      </Empty>
    );
  }
  const chosen = activeFilters(query, props.groups);
  return (
    <div className={styles['nothing']}>
      <Empty drawing="search" title={titleOf(query, chosen.length > 0)}>
        {chosen.length > 0 && (
          <LinkButton to={reportHref(query, NO_FILTERS)} look="primary">
            清除筛选
          </LinkButton>
        )}
        {query.isExact && (
          <LinkButton to={reportHref(query, { isExact: false })} look={chosen.length > 0 ? 'quiet' : 'primary'}>
            也找写法相近的
          </LinkButton>
        )}
      </Empty>
      {nearest && (
        <NearestPlans searchKey={query.searchKey} theme={nearest} items={props.nearestItems} owned={props.owned} />
      )}
      <Ways
        label="去掉一个条件"
        ways={(chosen.length > 1 ? chosen : []).map(({ name, clear }) => ({
          name: `${name} ×`,
          to: reportHref(query, clear),
        }))}
      />
      <Ways
        label="这些词有结果"
        ways={props.related.map((word) => ({ name: word, to: reportHref(DEFAULT_QUERY, { searchKey: word }) }))}
      />
      <Ways
        label="试试这些"
        ways={props.hotWords.map((word) => ({ name: word, to: reportHref(DEFAULT_QUERY, { searchKey: word }) }))}
      />
      <Ways
        label="按活动类型浏览"
        ways={props.themes
          .slice(0, 8)
          .map((theme) => ({ name: theme.name, to: reportHref(DEFAULT_QUERY, { themeId: theme.id }) }))}
      />
    </div>
  );
}

function NearestPlans(props: {
  searchKey: string;
  theme: NearestTheme;
  items: CardItem[];
  owned: ReadonlySet<number>;
}) {
  const { theme } = props;
  return (
    <section className={styles['nearest']} aria-labelledby="nearest">
      <h2 id="nearest" className={styles['nearestTitle']}>
        暂无“{props.searchKey}”方案，看看其他
        <Link to={reportHref(DEFAULT_QUERY, { themeId: theme.id })}>
          {theme.name}（{formatNumber(theme.count)}）
        </Link>
      </h2>
      <DocumentCards items={props.items} owned={props.owned} />
    </section>
  );
}

function titleOf(query: ReportQuery, isFiltered: boolean): string {
  if (isFiltered) return query.searchKey ? '筛选条件下没有相关方案' : '没有符合这些条件的方案';
  return query.searchKey ? '没有找到相关方案，换个关键词试试' : '这里还没有方案，看看别的分类';
}

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
