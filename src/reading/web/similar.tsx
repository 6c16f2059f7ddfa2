import type { DocumentItem } from '../../library/contract.ts';
import { DocumentCard } from '../../library/web/document-card.tsx';
import { DocumentGrid } from '../../library/web/document-grid.tsx';
import styles from './similar.module.css';

export function Similar({ files, owned }: { files: DocumentItem[]; owned: ReadonlySet<number> }) {
  if (files.length === 0) return null;
  return (
    <section className={styles['similar']}>
      <h2>相似方案</h2>
      <DocumentGrid>
        {files.map((item) => (
          <DocumentCard key={item.id} item={item} isOwned={owned.has(item.id)} />
        ))}
      </DocumentGrid>
    </section>
  );
}
