import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { CoverStage } from './cover-stage.tsx';
import styles from './pending-preview.module.css';

/** Says that there are no pages yet, or none at all, under the cover if there is one. */
export function PendingPreview({ detail, onRetry }: { detail: DocumentDetail; onRetry: () => void }) {
  const isPending = detail.preview_pending === 1;
  const isOffered = detail.preview_only === 0;
  const wait = isOffered ? '通常只需几分钟，现在也可以直接下载' : '通常只需几分钟';
  const none = isOffered ? '下载后可看全部' : '';
  return (
    <section className={styles['pending']} aria-label="方案预览">
      <CoverStage detail={detail} />
      <div className={styles['note']}>
        <Empty title={isPending ? '预览生成中' : '这份方案暂无预览'} text={isPending ? wait : none}>
          {isPending && <Button onClick={onRetry}>刷新看看</Button>}
        </Empty>
      </div>
    </section>
  );
}
