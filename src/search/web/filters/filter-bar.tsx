import { useLinkClicks } from '../../../ui/navigation/use-link-clicks.ts';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { FilterIcon, GridIcon, ListIcon } from '../../../ui/pictures/icons.tsx';
import listStyles from './choice-list.module.css';
import { ChoiceList } from './choice-list.tsx';
import { setDisplay, useDisplay } from './display.ts';
import { Dropdown } from './dropdown.tsx';
import styles from './filter-bar.module.css';
import { choiceLinks, activeFilters, sortsOf, type FilterGroup } from './filter-groups.ts';
import { reportHref, type ReportQuery } from './report-query.ts';
import { FACT_KINDS, type Sort } from '../../../library/limits.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

const FilterSheet = lazyWithRetry(() => import('./filter-sheet.tsx').then((module) => module.FilterSheet));

const COLUMNS: Partial<Record<FilterGroup['key'], 2 | 4>> = { themeId: 2, industryId: 4 };

/** The bar with filters, sorts and display switch that sticks under the header; on a phone the filters open in a sheet. */
export function FilterBar(props: { query: ReportQuery; groups: FilterGroup[]; total: number }) {
  const { query, groups } = props;
  const [isSheetOpen, setIsSheetOpen] = useState<boolean | null>(null);
  const chosen = activeFilters(query, groups).length;
  useResultsInSight(reportHref(query));
  return (
    <div className={styles['bar']} data-screen>
      <div className={styles['row']}>
        <nav className={styles['filters']} aria-label="筛选">
          {groups.map((group) =>
            group.key === 'isFree' ? (
              <FreeLink key={group.key} query={query} group={group} />
            ) : (
              <Dropdown
                key={group.key}
                label={group.label}
                value={group.current?.name ?? null}
                columns={COLUMNS[group.key] ?? 1}
              >
                <ChoiceList
                  label={group.label}
                  {...choiceLinks(query, group)}
                  unit="份"
                  columns={COLUMNS[group.key] ?? 1}
                />
              </Dropdown>
            ),
          )}
        </nav>
        <button
          type="button"
          className={styles['open']}
          aria-haspopup="dialog"
          aria-expanded={isSheetOpen === true}
          onClick={() => setIsSheetOpen(true)}
        >
          <FilterIcon size={18} />
          筛选
          {chosen > 0 && (
            <span className={styles['badge']} aria-label={`已选 ${chosen} 项`}>
              {chosen}
            </span>
          )}
        </button>
        <div className={styles['end']}>
          <SortLinks query={query} sorts={sortsOf(query, groups)} />
          <DisplaySwitch />
        </div>
      </div>
      {isSheetOpen !== null && (
        <LazyBoundary onOpenChange={(isOpen) => setIsSheetOpen(isOpen || null)}>
          <FilterSheet {...props} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
        </LazyBoundary>
      )}
    </div>
  );
}

/** The only filter that is on or off. */
function FreeLink({ query, group }: { query: ReportQuery; group: FilterGroup }) {
  const [free] = group.choices;
  if (!free) return null;
  return (
    <Link
      to={reportHref(query, free.isCurrent ? group.clear : free.change)}
      preventScrollReset
      className={styles['free']}
      aria-current={free.isCurrent || undefined}
    >
      {free.name}
      <span className={styles['count']}>{formatNumber(free.count)}</span>
    </Link>
  );
}

/** Scrolls the results to the bar when a filter changes far down the page. */
function useResultsInSight(address: string): void {
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    const results = document.getElementById('results');
    if (results && results.getBoundingClientRect().top < 0) results.scrollIntoView({ block: 'start' });
  }, [address]);
}

/** The sorts side by side on wide screens, those by a stated fact in a dropdown behind them; on narrow screens all in one dropdown. CSS shows one of the two. */
function SortLinks({ query, sorts }: { query: ReportQuery; sorts: readonly Sort[] }) {
  const onClick = useLinkClicks({ preventScrollReset: true });
  const names = {
    relevance: query.searchKey ? '相关度' : '推荐',
    newest: '最新',
    hottest: '最热',
    pages: '页数最多',
    budget: '预算最高',
    people: '人数最多',
    days: '天数最多',
  };
  const isOfFact = (sort: Sort) => FACT_KINDS.some((fact) => fact === sort);
  const ofFacts = sorts.filter(isOfFact);
  const links = (className: string | undefined, listed = sorts) =>
    listed.map((sort) => (
      <a
        key={sort}
        href={reportHref(query, { sort })}
        className={className}
        aria-current={sort === query.sort || undefined}
      >
        {names[sort]}
      </a>
    ));
  return (
    <>
      <nav className={styles['wide']} aria-label="排序" onClick={onClick}>
        {links(
          styles['link'],
          sorts.filter((sort) => !isOfFact(sort)),
        )}
        {ofFacts.length > 0 && (
          <Dropdown
            label="更多"
            value={isOfFact(query.sort) ? names[query.sort] : null}
            isAtEnd
            className={styles['more']}
          >
            {links(listStyles['choice'], ofFacts)}
          </Dropdown>
        )}
      </nav>
      <Dropdown label="排序" value={names[query.sort]} isPlain isAtEnd className={styles['narrow']}>
        <div onClick={onClick}>{links(listStyles['choice'])}</div>
      </Dropdown>
    </>
  );
}

/** Switches between cards and rows; the choice is stored in this browser (C-101). */
function DisplaySwitch() {
  const display = useDisplay();
  return (
    <div className={styles['switch']} role="group" aria-label="显示方式">
      <button
        type="button"
        className="touch-target"
        aria-pressed={display === 2}
        title="预览显示"
        aria-label="预览显示"
        onClick={() => setDisplay(2)}
      >
        <GridIcon size={18} />
      </button>
      <button
        type="button"
        className="touch-target"
        aria-pressed={display === 1}
        title="列表显示"
        aria-label="列表显示"
        onClick={() => setDisplay(1)}
      >
        <ListIcon size={18} />
      </button>
    </div>
  );
}
