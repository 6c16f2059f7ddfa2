import { DocumentCard } from '../../library/web/document-card.tsx';
import { Highlighted } from '../../ui/highlight.tsx';
import type { FoundItem } from '../contract.ts';
import styles from './found-card.module.css';

/**
 * A result: the document, and under it the line of the first page that says it, which opens there. A partial match says which
 * words it lacks.
 */
export function FoundCard({ item, isPriority }: { item: FoundItem; isPriority: boolean }) {
  const [hit] = item.page_hits;
  const card = <DocumentCard item={item} isMarkup isDetailed heading="h2" isPriority={isPriority} />;
  if (!hit && item.match === 'full') return card;
  return (
    <div className={styles['found']}>
      {card}
      {item.match === 'partial' && (
        <p className={styles['line']}>
          <b>相近</b>
          {item.missing.length > 0 && <span>没有提到“{item.missing.join('”“')}”</span>}
        </p>
      )}
      {hit && (
        <a className={styles['line']} href={`/detail/${item.id}#p=${hit.page}`} target="_blank" rel="noopener">
          <b>第 {hit.page} 页</b>
          <span>
            <Highlighted markup={hit.snippet} />
          </span>
        </a>
      )}
    </div>
  );
}
