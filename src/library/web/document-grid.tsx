import type { ReactElement } from 'react';
import styles from './document-grid.module.css';

/** Four cards a row, three on a tablet, two on a phone. Each child is one card and carries its key. */
export function DocumentGrid({ children }: { children: ReactElement[] }) {
  return (
    <ul className={styles['grid']}>
      {children.map((child, index) => (
        <li key={child.key ?? index}>{child}</li>
      ))}
    </ul>
  );
}
