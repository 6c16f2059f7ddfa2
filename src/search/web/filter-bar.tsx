import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { FilterIcon } from '../../ui/icons.tsx';
import { ChoiceList } from './choice-list.tsx';
import { DisplaySwitch } from './display-switch.tsx';
import { Dropdown } from './dropdown.tsx';
import styles from './filter-bar.module.css';
import { chosenFilters, type FilterGroup } from './filter-groups.ts';
import { reportHref, type ReportQuery } from './report-query.ts';
import { SortLinks } from './sort-links.tsx';

const FilterSheet = lazy(() => import('./filter-sheet.tsx').then((module) => ({ default: module.FilterSheet })));

const COLUMNS: Partial<Record<FilterGroup['key'], 2 | 4>> = { themeId: 2, industryId: 4 };

/** Filters, order and display on a bar that sticks under the header; on a phone the filters wait in a sheet. */
export function FilterBar(props: { query: ReportQuery; groups: FilterGroup[]; total: number }) {
  const { query, groups } = props;
  const [isSheetOpen, setIsSheetOpen] = useState<boolean | null>(null);
  const chosen = chosenFilters(query, groups).length;
  useResultsInSight(reportHref(query));
  return (
    <div className={styles['bar']}>
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
                <ChoiceList query={query} group={group} columns={COLUMNS[group.key] ?? 1} />
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
          <SortLinks query={query} />
          <DisplaySwitch />
        </div>
      </div>
      {isSheetOpen !== null && (
        <Suspense>
          <FilterSheet {...props} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The one filter that is either on or off. */
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
      <span className={styles['count']}>{free.count.toLocaleString('en-US')}</span>
    </Link>
  );
}

/** Far down the page the list of another filter would begin out of sight: then it is brought under the bar. */
function useResultsInSight(address: string): void {
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    const results = document.getElementById('results');
    if (results && results.getBoundingClientRect().top < 0) results.scrollIntoView({ block: 'start' });
  }, [address]);
}
