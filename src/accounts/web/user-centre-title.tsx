import type { ReactNode } from 'react';
import styles from './user-centre-title.module.css';

/** The heading of a page of the user centre: as high as a heading with buttons beside it, so that it stands at one height on all pages. */
export function UserCentreTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <h1 id={id} className={styles['title']}>
      {children}
    </h1>
  );
}
