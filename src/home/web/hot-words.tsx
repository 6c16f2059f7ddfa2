import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { useResume, useSession } from '../../accounts/web/session.tsx';
import { isHandheld } from '../../ui/navigation/use-search-submit.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import styles from './hot-words.module.css';

/** The hot words. On the home page a hot word needs a login; after the login the search continues (§5). */
export function HotWords({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <p className={styles['row']}>
      <span className={styles['label']}>热门搜索</span>
      {words.map((word) => (
        <HotWord key={word} word={word} />
      ))}
    </p>
  );
}

/**
 * A plain link, so that no pop-up blocker interferes (C-22). A visitor logs in first and then gets the search in this tab, because a window
 * opened by a program would be blocked; on a phone it always opens in this tab.
 */
function HotWord({ word }: { word: string }) {
  const { member, openLogin } = useSession();
  const navigate = useNavigate();
  const address = `/report?search_key=${encodeURIComponent(word)}`;
  const resumeKey = `hot-word:${word}`;
  useResume(resumeKey, () => void navigate(address));
  const ask = (event: MouseEvent) => {
    if (member && !isHandheld()) return;
    event.preventDefault();
    if (member) return void navigate(address);
    toast.info('请先登录后再操作');
    openLogin(undefined, resumeKey);
  };
  return (
    <a className={`${styles['word']} touch-target`} href={address} target="_blank" rel="noopener" onClick={ask}>
      {word}
    </a>
  );
}
