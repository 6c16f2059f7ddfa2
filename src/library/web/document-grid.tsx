import type { ReactElement } from 'react';
import { DocumentCardSkeleton } from './document-card.tsx';
import styles from './document-grid.module.css';
import type { CardItem } from './card-item.ts';

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

/** At most this many documents of a list carry 新: in a library filled on one day every document is new. */
const MAX_MARKED = 3;

/** Returns the ids of the newest documents of a list, among those that are new (C-86). */
export function newestOf(files: readonly Pick<CardItem, 'id' | 'is_new' | 'create_time'>[]): ReadonlySet<number> {
  const newest = files
    .filter((file) => file.is_new === 1)
    .toSorted((one, two) => two.create_time - one.create_time)
    .slice(0, MAX_MARKED);
  return new Set(newest.map((file) => file.id));
}
