import { useLinkClicks } from '../../../ui/navigation/use-link-clicks.ts';
import { useEffect, useRef, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { SearchIcon } from '../../../ui/pictures/icons.tsx';
import { closeKeyboard, useSearchSubmit } from '../../../ui/navigation/use-search-submit.ts';
import { rememberSearch } from './use-suggestions.ts';
import { reportHref, reportParams, type ReportQuery } from '../filters/report-query.ts';
import styles from './search-box.module.css';
import { SearchField } from './search-field.tsx';

/** The search form with the current keyword, and the hot words, which need no login here (C-24). */
export function SearchBox({ query, hotWords }: { query: ReportQuery; hotWords: readonly string[] }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const field = () => {
    const found = form.current?.elements.namedItem('search_key');
    return found instanceof HTMLInputElement ? found : null;
  };
  const { onKeyDown } = useSearchSubmit();
  const onHotWord = useLinkClicks();
  useEffect(() => {
    if (query.searchKey) rememberSearch(query.searchKey);
  }, [query.searchKey]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    closeKeyboard();
    void navigate(reportHref(query, { searchKey: field()?.value.trim() ?? '' }));
  };
  const onClear = () => {
    if (query.searchKey) void navigate(reportHref(query, { searchKey: '' }));
  };
  return (
    <div className={styles['box']}>
      <form
        ref={form}
        className={styles['form']}
        role="search"
        action="/report"
        onSubmit={search}
        onKeyDown={onKeyDown}
      >
        {reportParams(query, { searchKey: '' }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <span className={styles['icon']}>
          <SearchIcon />
        </span>
        <SearchField
          className={styles['input']}
          value={query.searchKey}
          placeholder="方案名称、行业或品牌"
          label="搜索关键词"
          onClear={onClear}
        />
        <button type="submit" className={styles['submit']}>
          搜索
        </button>
      </form>
      {hotWords.length > 0 && (
        <p className={styles['hot']} onClick={onHotWord}>
          <span>热门搜索</span>
          {hotWords.map((word) => (
            <a
              key={word}
              className="touch-target"
              href={reportHref(query, { searchKey: word })}
              aria-current={word === query.searchKey ? 'true' : undefined}
            >
              {word}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
