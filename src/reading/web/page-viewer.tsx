import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon } from '../../ui/icons.tsx';
import styles from './page-viewer.module.css';
import type { PreviewPage } from './use-preview-pages.ts';
import { viewerSizes } from './viewer-sizes.ts';

const SWIPE_PX = 48;

/**
 * The previews on a dark stage: arrows and arrow keys turn pages, Esc closes, focus returns to where it was. After the
 * last preview comes the honest end of it. Mounted means open.
 */
export function PageViewer(props: {
  name: string;
  pages: PreviewPage[];
  /** Pages of the whole document. */
  total: number;
  first: number;
  onClose: () => void;
  /** Called after closing: what follows may open dialogs of its own. Null where there is nothing to download. */
  onDownload: (() => void) | null;
}) {
  const { pages, total, onDownload } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const touchStart = useRef(0);
  const [number, setNumber] = useState(props.first);
  const hasEnd = total > pages.length;
  const last = pages.length + (hasEnd ? 1 : 0);
  const page = pages[number - 1];
  const next = pages[number];
  const turn = (by: number) => setNumber((now) => Math.min(Math.max(now + by, 1), last));

  useEffect(() => {
    // Closing is the dialog's own: it returns the focus before we unmount.
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={styles['stage']}
      aria-label={`${props.name} 全屏预览`}
      onClose={props.onClose}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft' || event.key === 'PageUp') turn(-1);
        if (event.key === 'ArrowRight' || event.key === 'PageDown' || event.key === ' ') {
          if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
          turn(1);
        }
        if (event.key === 'Home') setNumber(1);
        if (event.key === 'End') setNumber(last);
      }}
      onTouchStart={(event) => (touchStart.current = event.changedTouches[0]?.clientX ?? 0)}
      onTouchEnd={(event) => {
        const moved = (event.changedTouches[0]?.clientX ?? 0) - touchStart.current;
        if (Math.abs(moved) > SWIPE_PX) turn(moved < 0 ? 1 : -1);
      }}
    >
      <header className={styles['top']}>
        <p className={styles['name']}>{props.name}</p>
        <p className={styles['count']} aria-live="polite">
          {page ? `${page.number} / ${total}` : `共 ${total} 页`}
        </p>
        <button
          type="button"
          className={styles['close']}
          aria-label="关闭全屏预览"
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon size={24} />
        </button>
      </header>
      <div className={styles['middle']}>
        <button
          type="button"
          className={styles['turn']}
          aria-label="上一页"
          disabled={number === 1}
          onClick={() => turn(-1)}
        >
          <ChevronLeftIcon size={28} />
        </button>
        {page ? (
          <img
            key={page.number}
            className={styles['page']}
            srcSet={page.srcSet}
            sizes={page.srcSet && viewerSizes(page)}
            src={page.src}
            alt={`第 ${page.number} 页`}
            width={page.width}
            height={page.height}
          />
        ) : (
          <div className={styles['end']}>
            <p>预览到此为止，共 {total} 页</p>
            {onDownload && (
              <>
                <p>下载后可看全部</p>
                <Button
                  look="primary"
                  onClick={() => {
                    dialog.current?.close();
                    onDownload();
                  }}
                >
                  立即下载
                </Button>
              </>
            )}
          </div>
        )}
        <button
          type="button"
          className={styles['turn']}
          aria-label="下一页"
          disabled={number === last}
          onClick={() => turn(1)}
        >
          <ChevronRightIcon size={28} />
        </button>
      </div>
      {/* So that the next turn shows at once. */}
      {next && <img srcSet={next.srcSet} sizes={next.srcSet && viewerSizes(next)} src={next.src} alt="" hidden />}
    </dialog>
  );
}
