import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { SearchField } from '../../search/web/field/search-field.tsx';
import { SearchIcon } from '../../ui/pictures/icons.tsx';
import { isHandheld, useSearchSubmit } from '../../ui/navigation/use-search-submit.ts';
import styles from './hero.module.css';
import { HotWords } from './hot-words.tsx';
import { formatNumber } from '../../protocol/format-number.ts';

/** Shows the slogan, the size of the library and the search field. */
export function Hero(props: {
  counts: { documents: number; industries: number };
  covers: string[];
  hotWords: string[];
}) {
  return (
    <section className={styles['hero']} aria-label="搜索方案">
      <CoverWall covers={props.covers} />
      <div className={styles['words']}>
        <h1 className={styles['title']}>
          下一场活动，
          <br />
          从一份好方案开始
        </h1>
        {props.counts.documents > 0 && (
          <p className={styles['counts']}>
            收录 <strong>{countText(props.counts.documents)}</strong> 份 · 覆盖{' '}
            <strong>{props.counts.industries}</strong> 个行业
          </p>
        )}
        <HeroSearch />
        <HotWords words={props.hotWords} />
      </div>
    </section>
  );
}

const COLUMNS = 4;
/** With five rows a column is taller than the hero at every position of its animation. */
const ROWS = 5;
const MIN_COVERS = 6;

/**
 * Shows dimmed covers behind the hero, as decoration. The animation ends after five seconds, so that nothing keeps moving beside text
 * (WCAG 2.2.2). Renders nothing while the library has too few covers.
 */
function CoverWall({ covers }: { covers: string[] }) {
  if (covers.length < MIN_COVERS) return null;
  return (
    <div className={styles['wall']} aria-hidden="true">
      <div className={styles['tilt']}>
        {Array.from({ length: COLUMNS }, (_, column) => (
          <div key={column} className={styles['column']}>
            {columnOf(covers, column).map((src, index) => (
              <img key={index} src={src} alt="" width={320} height={180} loading="lazy" decoding="async" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns every fourth cover from the column's number on; in a small library some covers repeat. */
function columnOf(covers: string[], column: number): string[] {
  return Array.from({ length: ROWS }, (_, row) => covers[(column + row * COLUMNS) % covers.length] ?? '');
}

/**
 * A plain form that opens the results in a new tab (C-22): no window.open that a blocker could stop, and it works before scripts are
 * loaded. A phone shows one tab at a time, so there the results replace the home page.
 */
function HeroSearch() {
  const navigate = useNavigate();
  const { onSubmit, onKeyDown } = useSearchSubmit();
  const search = (event: FormEvent<HTMLFormElement>) => {
    onSubmit(event);
    if (event.defaultPrevented || !isHandheld()) return;
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('search_key');
    void navigate(`/report?search_key=${encodeURIComponent(typeof typed === 'string' ? typed.trim() : '')}`);
  };
  return (
    <form
      className={styles['form']}
      role="search"
      action="/report"
      target="_blank"
      rel="noopener"
      onSubmit={search}
      onKeyDown={onKeyDown}
    >
      <span className={styles['icon']}>
        <SearchIcon size={22} />
      </span>
      <SearchField className={styles['input']} placeholder="节日、行业、品牌或活动" label="搜索方案" />
      <button type="submit" className={styles['submit']}>
        搜索
      </button>
    </form>
  );
}

/** Formats a count: `N万+` from 100,000 on (C-13), the exact number with separators below. */
export function countText(count: number): string {
  return count >= 100_000 ? `${Math.floor(count / 10_000)}万+` : formatNumber(count);
}
