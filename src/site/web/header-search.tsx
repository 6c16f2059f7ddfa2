import { useSearchSubmit } from '../../ui/use-search-submit.ts';
import { SearchIcon } from '../../ui/icons.tsx';
import styles from './header-search.module.css';

/** The small search box of inner pages: a real form, so that it works before scripts do. */
export function HeaderSearch() {
  const submit = useSearchSubmit();
  return (
    <form className={styles['form']} role="search" action="/report" {...submit}>
      <span className={styles['icon']}>
        <SearchIcon size={16} />
      </span>
      <input
        className={styles['input']}
        type="search"
        name="search_key"
        placeholder="搜索方案"
        aria-label="搜索方案"
        maxLength={50}
        autoComplete="off"
        enterKeyHint="search"
      />
    </form>
  );
}
