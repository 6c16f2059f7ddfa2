import type { ReactElement } from 'react';
import styles from './document-grid.module.css';

/**
 * Four cards a row, three on a tablet, two on a phone. Each child is one card and carries its key. `isSwitchable`: the
 * same cards become rows where the reader prefers a list (C-101).
 */
export function DocumentGrid({ children, isSwitchable }: { children: ReactElement[]; isSwitchable?: boolean }) {
  return (
    <ul className={styles['grid']} data-switchable={isSwitchable}>
      {children.map((child, index) => (
        <li key={child.key ?? index}>{child}</li>
      ))}
    </ul>
  );
}
