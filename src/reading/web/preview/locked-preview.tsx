import { useSession } from '../../../accounts/web/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { LockIcon } from '../../../ui/icons.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { CoverStage } from './cover-stage.tsx';
import styles from './locked-preview.module.css';
import { previewPromise } from '../../preview-pages.ts';

/** The preview as a visitor sees it: the cover, and dim shapes of the pages behind a login (C-21). */
export function LockedPreview({ detail }: { detail: DocumentDetail }) {
  const { openLogin } = useSession();
  return (
    <section className={styles['locked']} aria-label="方案预览">
      <CoverStage detail={detail} />
      <div className={styles['wall']}>
        <div className={styles['shapes']} aria-hidden="true" style={{ color: detail.cover_color || '#a29b8f' }}>
          <span className={styles['shape']} />
          <span className={styles['shape']} />
          <span className={styles['shape']} />
          <span className={styles['shape']} />
        </div>
        <div className={styles['way']}>
          <LockIcon size={24} />
          <p>{previewPromise(detail.page_count)}</p>
          <Button onClick={() => openLogin(previewPromise(detail.page_count))}>登录</Button>
        </div>
      </div>
    </section>
  );
}
