import { useEffect, useRef, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { useSearchSubmit } from '../../ui/use-search-submit.ts';
import { HOT_WORDS, MAX_QUERY_CHARACTERS } from '../limits.ts';
import { reportHref, type ReportQuery } from './report-query.ts';
import styles from './search-box.module.css';

/** The keyword of the address, to change or clear; the hot words set it without a login (C-24). */
export function SearchBox({ query }: { query: ReportQuery }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const { onKeyDown } = useSearchSubmit();
  // The address may change under the field: by a hot word, by the back button.
  useEffect(() => {
    if (field.current) field.current.value = query.searchKey;
  }, [query.searchKey]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    void navigate(reportHref(query, { searchKey: field.current?.value.trim() ?? '' }));
  };
  const clear = () => {
    if (field.current) field.current.value = '';
    field.current?.focus();
    if (query.searchKey) void navigate(reportHref(query, { searchKey: '' }));
  };
  return (
    <div className={styles['box']}>
      <form className={styles['form']} role="search" action="/report" onSubmit={search} onKeyDown={onKeyDown}>
        {query.themeId > 0 && <input type="hidden" name="theme_id" value={query.themeId} />}
        {query.filetype > 0 && <input type="hidden" name="filetype" value={query.filetype} />}
        <span className={styles['icon']}>
          <SearchIcon />
        </span>
        <input
          ref={field}
          className={styles['input']}
          type="search"
          name="search_key"
          defaultValue={query.searchKey}
          placeholder="搜索方案名称、行业、品牌或活动类型"
          aria-label="搜索关键词"
          maxLength={MAX_QUERY_CHARACTERS}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="button" className={styles['clear']} aria-label="清空关键词" onClick={clear}>
          <CloseIcon size={18} />
        </button>
        <button type="submit" className={styles['submit']}>
          搜索
        </button>
      </form>
      <p className={styles['hot']}>
        <span>热门搜索</span>
        {HOT_WORDS.map((word) => (
          <Link
            key={word}
            to={reportHref(query, { searchKey: word })}
            aria-current={word === query.searchKey ? 'true' : undefined}
          >
            {word}
          </Link>
        ))}
      </p>
    </div>
  );
}
