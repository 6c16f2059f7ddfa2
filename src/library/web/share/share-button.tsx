import { useRef, useState } from 'react';
import { ShareIcon } from '../../../ui/pictures/tool-icons.tsx';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import type { Shared } from './share-panel.tsx';
import looks from '../../../ui/controls/action-button.module.css';

/** Loaded on the first press, because the panel draws QR codes. */
const SharePanel = lazyWithRetry(() => import('./share-panel.tsx').then((module) => module.SharePanel));

/** 分享: title with link, link to the page, QR code, poster, and what the phone itself offers. */
export function ShareButton(props: {
  document: Shared;
  /** Returns the page being read, 0 for none. Called on the press. */
  page: () => number;
  /** `tool` in the bar over the pages, `icon` in the viewer, `stacked` at the lower edge of a phone, `row` in a list. */
  look: 'tool' | 'icon' | 'stacked' | 'row';
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [page, setPage] = useState<number | null>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={looks[props.look]}
        aria-haspopup="dialog"
        aria-label={
          props.look === 'icon' ? '分享' : props.look === 'row' ? `分享《${props.document.name}》` : undefined
        }
        title={props.look === 'row' ? '分享' : undefined}
        onClick={() => setPage(props.page())}
      >
        <ShareIcon size={props.look === 'tool' ? 18 : props.look === 'row' ? 20 : 22} />
        {(props.look === 'tool' || props.look === 'stacked') && <span>分享</span>}
      </button>
      {page !== null && (
        <Sheet title="分享这份方案" anchor={button} onClose={() => setPage(null)}>
          <LazyBoundary fallback={<div style={{ height: 320 }} />}>
            <SharePanel document={props.document} page={page} />
          </LazyBoundary>
        </Sheet>
      )}
    </>
  );
}
