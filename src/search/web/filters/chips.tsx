import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { CloseIcon } from '../../../ui/pictures/icons.tsx';
import styles from './chips.module.css';

/** An active filter: its value, and the address of the list without it. */
export type Chip = { key: string; label: string; name: string; href: string };

/** The active filters, each a link that removes it, and a link that removes all. */
export function Chips({ chosen, clearHref }: { chosen: Chip[]; clearHref: string }) {
  const list = useRef<HTMLUListElement>(null);
  const taken = useRef<number | null>(null);
  const keys = chosen.map(({ key, name }) => `${key}${name}`).join();
  // A removed chip loses the focus: the next chip gets it, or the heading.
  useEffect(() => {
    if (taken.current === null) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    (links[taken.current] ?? links.at(-1) ?? document.getElementById('results-title'))?.focus({ preventScroll: true });
    taken.current = null;
  }, [keys]);
  if (chosen.length === 0) return null;
  return (
    <ul ref={list} className={styles['chips']} aria-label="已选筛选条件">
      {chosen.map(({ key, label, name, href }, index) => (
        <li key={key}>
          <Link
            to={href}
            preventScrollReset
            className={styles['chip']}
            aria-label={`去掉筛选 ${label}：${name}`}
            onClick={() => (taken.current = index)}
          >
            <span className={styles['name']}>{name}</span>
            <CloseIcon size={14} />
          </Link>
        </li>
      ))}
      <li>
        <Link to={clearHref} preventScrollReset className={styles['clear']} onClick={() => (taken.current = 0)}>
          清除筛选
        </Link>
      </li>
    </ul>
  );
}
