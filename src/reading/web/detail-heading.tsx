import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { MiB, sizeText } from '../../ui/text/format-text.ts';
import { TitlePhrases } from '../../ui/text/line-breaks.tsx';
import type { DocumentDetail } from '../contract.ts';
import styles from './detail-heading.module.css';

/**
 * The name of the document and the facts that decide: kind, pages, size, date. `tools` are placed at the right where
 * the screen is wide enough.
 */
export function DetailHeading({ detail, tools }: { detail: DocumentDetail; tools: ReactNode }) {
  const [theme] = detail.themes;
  // On wide screens the facts stand beside the title, so only the place of the document is repeated here.
  const narrow = [
    detail.file_type_text,
    detail.page_count > 0 ? `${detail.page_count} 页` : '',
    sizeText(detail.size * MiB),
  ];
  const always = [detail.industry.name, detail.organization.name, `${detail.time_text} 收录`];
  return (
    <header className={styles['heading']}>
      <nav className={styles['trail']} aria-label="位置">
        <Link to="/report" className="touch-target">
          全部方案
        </Link>
        {theme && (
          <>
            <span aria-hidden="true">/</span>
            <Link to={`/report?theme_id=${theme.id}`} className="touch-target">
              {theme.name}
            </Link>
          </>
        )}
      </nav>
      <h1 className={styles['title']}>
        <TitlePhrases text={detail.name} />
      </h1>
      <ul className={styles['facts']}>
        {narrow.filter(Boolean).map((fact) => (
          <li key={fact} className={styles['narrow']}>
            {fact}
          </li>
        ))}
        {always.filter(Boolean).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {detail.owned === 1 && <li className={styles['owned']}>已购</li>}
      </ul>
      {tools && (
        <div className={styles['tools']} data-screen>
          {tools}
        </div>
      )}
    </header>
  );
}
