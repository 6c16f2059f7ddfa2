import { Link } from 'react-router';
import type { DocumentDetail } from '../contract.ts';
import styles from './detail-heading.module.css';

/** What it is called and the few facts that decide: kind, pages, size, when. */
export function DetailHeading({ detail }: { detail: DocumentDetail }) {
  const [theme] = detail.themes;
  const facts = [
    detail.file_type_text,
    detail.page_count > 0 && `${detail.page_count} 页`,
    `${detail.size.toFixed(detail.size < 10 ? 2 : 1)} MB`,
    `${detail.time_text} 收录`,
  ].filter(Boolean);
  return (
    <header className={styles['heading']}>
      <nav className={styles['trail']} aria-label="位置">
        <Link to="/report">全部方案</Link>
        {theme && (
          <>
            <span aria-hidden="true">/</span>
            <Link to={`/report?theme_id=${theme.id}`}>{theme.name}</Link>
          </>
        )}
      </nav>
      <h1 className={styles['title']}>{detail.name}</h1>
      <ul className={styles['facts']}>
        {facts.map((fact) => (
          <li key={String(fact)}>{fact}</li>
        ))}
        {detail.owned === 1 && <li className={styles['owned']}>已购</li>}
      </ul>
    </header>
  );
}
