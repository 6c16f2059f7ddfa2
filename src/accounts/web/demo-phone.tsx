import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';
import styles from './demo-phone.module.css';

/**
 * One line that opens the pretend phone with this very code or number; nothing where real vendors are configured.
 * `query` null: there is none yet, and its place is kept.
 */
export function DemoPhone({ query }: { query: Record<string, string> | null }) {
  const phone = useOutsidePhone();
  if (!phone) return null;
  return (
    <p className={styles['line']} data-empty={query === null}>
      演示环境：
      <a href={`${phone}?${new URLSearchParams(query ?? {}).toString()}`} target="_blank" rel="noopener">
        用模拟手机操作
      </a>
    </p>
  );
}

/** Address of the pretend phone while the pretend outside world is in use, else null. */
export function useOutsidePhone(): string | null {
  return useRouteLoaderData<typeof loader>('root')?.site.outsidePhoneUrl ?? null;
}
