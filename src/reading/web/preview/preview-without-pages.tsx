import { useSession } from '../../../accounts/web/session.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { LockIcon } from '../../../ui/pictures/tool-icons.tsx';
import type { DocumentDetail } from '../../contract.ts';
import styles from './preview-without-pages.module.css';
import { previewPromise } from '../../preview-pages.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { useImageFailure } from '../../../ui/pictures/use-image-failure.ts';

/**
 * The preview as a visitor sees it: the cover, and dim shapes of the pages behind a login (C-21). `wanted`: the page that
 * the address asks for, 0 for none; it opens after the login.
 */
export function LockedPreview({ detail, wanted }: { detail: DocumentDetail; wanted: number }) {
  const { openLogin } = useSession();
  const reason = wanted > 0 ? `登录后继续看第 ${wanted} 页` : previewPromise(detail.page_count);
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
          {wanted > 0 && (
            <p>
              您要找的内容在 <b>第 {wanted} 页</b>
            </p>
          )}
          <p>{previewPromise(detail.page_count)}</p>
          <Button onClick={() => openLogin(reason)}>登录</Button>
        </div>
      </div>
    </section>
  );
}

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

/**
 * The uncropped cover on a background of its own colour: not all covers are wide, and older ones are small (480 px), so
 * they are neither cropped nor enlarged. Renders nothing without a cover.
 */
function CoverStage({ detail }: { detail: DocumentDetail }) {
  const { image, isFailed, onError } = useImageFailure(detail.share_url);
  if (detail.share_url === '' || isFailed) return null;
  const ratio = (detail.cover_width || 16) / (detail.cover_height || 9);
  return (
    <div className={styles['matte']} style={{ backgroundColor: `${detail.cover_color || '#a29b8f'}24` }}>
      <img
        ref={image}
        className={styles['cover']}
        style={{
          aspectRatio: ratio,
          width: `min(100%, var(--cover-width), calc(var(--cover-height) * ${ratio.toFixed(4)}))`,
          backgroundColor: detail.cover_color || undefined,
        }}
        // Must come before src, or Safari fetches the file of src as well.
        srcSet={detail.cover_srcset || undefined}
        sizes={`(max-width: 767px) min(calc(100vw - 56px), ${Math.round(360 * ratio)}px), ${Math.round(Math.min(640, 440 * ratio))}px`}
        src={detail.share_url}
        alt={`${detail.name} 封面`}
        width={detail.cover_width || 480}
        height={detail.cover_height || 270}
        fetchPriority="high"
        onError={onError}
      />
    </div>
  );
}
