import type { ReactElement } from 'react';
import { DocumentCardSkeleton } from './document-card.tsx';
import styles from './document-grid.module.css';

/**
 * Four cards a row, three on a tablet, two on a phone. Each child is one card with a key. `isSwitchable`: the same cards
 * become rows when the reader prefers a list (C-101).
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

/** A grid of empty cards of the final size, so that the layout does not shift when the documents arrive. */
export function DocumentGridSkeleton({ count }: { count: number }) {
  return (
    <DocumentGrid>
      {Array.from({ length: count }, (_, index) => (
        <DocumentCardSkeleton key={index} />
      ))}
    </DocumentGrid>
  );
}
