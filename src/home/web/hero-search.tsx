import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { SearchField } from '../../search/web/search-field.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { isPhone } from '../../ui/is-phone.ts';
import { useSearchSubmit } from '../../ui/use-search-submit.ts';
import styles from './hero-search.module.css';

/**
 * A real form into a new tab (C-22): no window.open that a blocker could stop, and it works before scripts do. A phone
 * shows one tab at a time, so there the results take the place of the home page.
 */
export function HeroSearch() {
  const navigate = useNavigate();
  const { onSubmit, onKeyDown } = useSearchSubmit();
  const search = (event: FormEvent<HTMLFormElement>) => {
    onSubmit(event);
    if (event.defaultPrevented || !isPhone()) return;
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
