import type { MouseEvent } from 'react';
import { useSession } from '../../accounts/web/session.tsx';
import { HOT_WORDS } from '../../search/limits.ts';
import { toast } from '../../ui/toast.ts';
import styles from './hot-words.module.css';

/** §5: on the home page a hot word needs a login. Real links, decided on the spot: no blocked pop-up (C-22). */
export function HotWords() {
  const { member, openLogin } = useSession();
  const ask = (event: MouseEvent) => {
    if (member) return;
    event.preventDefault();
    toast.info('请先登录后再操作');
    openLogin();
  };
  return (
    <p className={styles['row']}>
      <span className={styles['label']}>热门搜索</span>
      {HOT_WORDS.map((word) => (
        <a
          key={word}
          className={styles['word']}
          href={`/report?search_key=${encodeURIComponent(word)}`}
          target="_blank"
          rel="noopener"
          onClick={ask}
        >
          {word}
        </a>
      ))}
    </p>
  );
}
