import { SearchField } from '../../search/web/search-field.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { useSearchSubmit } from '../../ui/use-search-submit.ts';
import styles from './hero-search.module.css';

/** A real form into a new tab (C-22): no window.open that a blocker could stop, and it works before scripts do. */
export function HeroSearch() {
  const submit = useSearchSubmit();
  return (
    <form className={styles['form']} role="search" action="/report" target="_blank" rel="noopener" {...submit}>
      <span className={styles['icon']}>
        <SearchIcon size={22} />
      </span>
      <SearchField className={styles['input']} placeholder="输入行业、节日、品牌或活动类型" label="搜索方案" />
      <button type="submit" className={styles['submit']}>
        搜索
      </button>
    </form>
  );
}
