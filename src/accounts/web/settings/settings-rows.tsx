import { useId, type ReactNode } from 'react';
import styles from './settings-rows.module.css';

/** Renders a titled card of rows. `action` stands beside the title. */
export function Rows({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {action}
      </div>
      <div className={styles['rows']}>{children}</div>
    </section>
  );
}

/** Renders a setting: its label, its value and its action. */
export function Row({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['row']}>
      <span className={styles['label']}>{label}</span>
      <div className={styles['value']}>{children}</div>
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  );
}
