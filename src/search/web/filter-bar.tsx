import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import styles from './filter-bar.module.css';
import { reportHref, type ReportQuery } from './report-query.ts';

const FILE_TYPES = [
  { id: 0, name: '全部' },
  { id: 1, name: 'PPT' },
  { id: 2, name: 'PDF' },
] as const;

/** 文件类型 and 行业 (which lists themes, C-14), every choice a link. Sticks under the header. */
export function FilterBar(props: { query: ReportQuery; themes: { id: number; name: string; count: number }[] }) {
  const { query } = props;
  const [isOpen, setIsOpen] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setIsOpen(false);
    showCurrent(row.current);
  }, [query.themeId]);
  return (
    <div className={styles['bar']}>
      <div className={styles['row']}>
        <span className={styles['label']}>文件类型</span>
        <nav className={styles['types']} aria-label="文件类型">
          {FILE_TYPES.map((type) => (
            <Link
              key={type.id}
              to={reportHref(query, { filetype: type.id })}
              preventScrollReset
              aria-current={type.id === query.filetype ? 'true' : undefined}
              aria-label={type.id === 0 ? '全部文件类型' : undefined}
            >
              {type.name}
            </Link>
          ))}
        </nav>
        <span className={styles['label']}>行业</span>
        <nav ref={row} className={styles['themes']} aria-label="行业" data-open={isOpen || undefined}>
          <Link
            to={reportHref(query, { themeId: 0 })}
            preventScrollReset
            aria-current={query.themeId === 0 || undefined}
          >
            全部
          </Link>
          {props.themes.map((theme) => (
            <Link
              key={theme.id}
              to={reportHref(query, { themeId: theme.id })}
              preventScrollReset
              aria-current={theme.id === query.themeId || undefined}
              data-none={theme.count === 0 || undefined}
            >
              {theme.name}
              <span className={styles['count']}>{theme.count}</span>
            </Link>
          ))}
        </nav>
        <button
          type="button"
          className={styles['toggle']}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((was) => !was)}
        >
          {isOpen ? '收起' : '展开'}
        </button>
      </div>
    </div>
  );
}

/** Moves the row, never the page, until the chosen theme is in sight. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current]');
  if (!row || !current) return;
  row.scrollLeft = current.offsetLeft - row.offsetLeft - row.clientWidth / 2 + current.clientWidth / 2;
}
