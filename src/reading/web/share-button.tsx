import { lazy, Suspense, useRef, useState } from 'react';
import { ShareIcon } from '../../ui/pictures/icons.tsx';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import type { DocumentDetail } from '../contract.ts';
import styles from './share-button.module.css';

/** Loaded on the first press, because the panel draws QR codes. */
const SharePanel = lazy(() => import('./share-panel.tsx').then((module) => ({ default: module.SharePanel })));

/** 分享: title with link, link to the page, QR code, poster, and what the phone itself offers. */
export function ShareButton(props: {
  detail: DocumentDetail;
  /** Returns the page being read, 0 for none. Called on the press. */
  page: () => number;
  /** `tool` in the bar over the pages, `icon` in the viewer, `stacked` at the lower edge of a phone. */
  look: 'tool' | 'icon' | 'stacked';
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [page, setPage] = useState<number | null>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles[props.look]}
        aria-haspopup="dialog"
        aria-label={props.look === 'icon' ? '分享' : undefined}
        onClick={() => setPage(props.page())}
      >
        <ShareIcon size={props.look === 'tool' ? 18 : 22} />
        {props.look !== 'icon' && <span>分享</span>}
      </button>
      {page !== null && (
        <Sheet title="分享这份方案" anchor={button} onClose={() => setPage(null)}>
          <Suspense fallback={<div className={styles['loading']} />}>
            <SharePanel detail={props.detail} page={page} />
          </Suspense>
        </Sheet>
      )}
    </>
  );
}
