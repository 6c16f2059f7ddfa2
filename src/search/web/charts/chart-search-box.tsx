import { type FormEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { closeKeyboard, useSearchSubmit } from '../../../ui/navigation/use-search-submit.ts';
import { SearchIcon } from '../../../ui/pictures/icons.tsx';
import { MAX_QUERY_CHARACTERS } from '../../limits.ts';
import styles from '../field/search-box.module.css';
import { chartHref, chartParams, type ChartQuery } from './chart-query.ts';

/** The search form of /chart with the current keyword. An empty field lists all charts; the filters stay. Works without scripts. */
export function ChartSearchBox({ query }: { query: ChartQuery }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const { onKeyDown } = useSearchSubmit();
  const addressed = useRef(query.keyword);
  useEffect(() => {
    // What somebody typed before the scripts arrived stays.
    const isAnother = query.keyword !== addressed.current;
    addressed.current = query.keyword;
    if (isAnother && field.current) field.current.value = query.keyword;
  }, [query.keyword]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    closeKeyboard();
    void navigate(chartHref(query, { keyword: field.current?.value.trim() ?? '' }));
  };
  return (
    <div className={styles['box']}>
      <form
        className={styles['form']}
        role="search"
        aria-label="图表"
        action="/chart"
        onSubmit={search}
        onKeyDown={onKeyDown}
      >
        {chartParams(query, { keyword: '' }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <span className={styles['icon']}>
          <SearchIcon />
        </span>
        <input
          ref={field}
          className={styles['input']}
          type="search"
          name="keyword"
          defaultValue={query.keyword}
          placeholder="图表名称、系列或方案"
          aria-label="搜索图表"
          maxLength={MAX_QUERY_CHARACTERS}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" className={styles['submit']}>
          搜索
        </button>
      </form>
    </div>
  );
}
