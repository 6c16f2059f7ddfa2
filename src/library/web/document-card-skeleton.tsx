import styles from './document-card.module.css';
import { DocumentGrid } from './document-grid.tsx';

/** A grid of cards to come, each of the final size: nothing moves when they are there. */
export function DocumentGridSkeleton({ count }: { count: number }) {
  return (
    <DocumentGrid>
      {Array.from({ length: count }, (_, index) => (
        <DocumentCardSkeleton key={index} />
      ))}
    </DocumentGrid>
  );
}

/** `isStill`: no breathing, for shapes that are not loading. */
export function DocumentCardSkeleton({ isStill }: { isStill?: boolean }) {
  return (
    <div className={styles['card']} aria-hidden="true" data-skeleton={isStill ? 'still' : ''}>
      <span className={styles['frame']}>
        <span className={styles['blank']} />
      </span>
      <span className={styles['title']}>
        <span className={styles['stroke']} />
        <span className={styles['stroke']} />
      </span>
      <span className={styles['facts']}>
        <span className={styles['stroke']}>&nbsp;</span>
        <span className={`${styles['stroke']} ${styles['priceStroke']}`}>&nbsp;</span>
      </span>
    </div>
  );
}
