import { useRootData } from '../../../root-data.ts';
import styles from './demo-phone.module.css';

/**
 * Renders a link that opens the pretend phone with this code or number; renders nothing where real vendors are
 * configured. With `query` null only the space of the line is kept.
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

/** Returns the address of the pretend phone while the pretend outside world is in use, else null. */
export function useOutsidePhone(): string | null {
  return useRootData()?.site.outsidePhoneUrl ?? null;
}
