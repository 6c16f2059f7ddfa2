import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import type { DocumentDetail } from '../contract.ts';
import styles from './pending-preview.module.css';

/** No pages to show yet, or none at all: the cover stands in and says so. */
export function PendingPreview({ detail, onRetry }: { detail: DocumentDetail; onRetry: () => void }) {
  const isPending = detail.preview_pending === 1;
  return (
    <section className={styles['pending']} aria-label="方案预览">
      <div className={styles['cover']}>
        <Cover src={detail.share_url} color={detail.cover_color} alt={`${detail.name} 封面`} isPriority />
      </div>
      <div className={styles['note']}>
        <p>{isPending ? '预览生成中，通常只需几分钟' : '这份方案暂无预览，下载后可看全部'}</p>
        {isPending && <Button onClick={onRetry}>刷新</Button>}
      </div>
    </section>
  );
}
