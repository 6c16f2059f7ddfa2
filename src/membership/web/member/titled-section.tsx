import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './titled-section.module.css';

/** A section of the user centre's landing page: its title, beside it a link to all of what it shows. `id` is that of the title. */
export function TitledSection(props: { id: string; title: string; href: string; link: string; children: ReactNode }) {
  const { id, title, href, link, children } = props;
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        <Link to={href} className={styles['all']}>
          {link}
        </Link>
      </div>
      {children}
    </section>
  );
}
