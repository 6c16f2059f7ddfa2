import { useEffect, useId, useRef } from 'react';
import { CloseIcon } from '../../../ui/pictures/icons.tsx';
import { LockIcon } from '../../../ui/pictures/tool-icons.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { ToolButton } from '../stage/tool-button.tsx';
import styles from './outline-panel.module.css';

/**
 * The outline beside the pages, over them on a narrow screen; the section that holds the page shown is marked. A title
 * of a page that this reader may not see leads to the end of the preview, which says how to read on. Esc closes.
 */
export function OutlinePanel(props: {
  titles: DocumentDetail['outline'];
  current: number;
  /** Number of pages that the reader may see. */
  readable: number;
  onGo: (page: number) => void;
  onClose: () => void;
}) {
  const { titles, current } = props;
  const heading = useId();
  const list = useRef<HTMLOListElement>(null);
  const at = currentTitle(titles, current);

  useEffect(() => {
    // The focus comes into the panel: the next key chooses a title.
    const first = list.current?.querySelector<HTMLElement>('[aria-current]') ?? list.current?.querySelector('button');
    first?.focus();
  }, []);
  useEffect(() => {
    const item = list.current?.children[at];
    if (!list.current || !(item instanceof HTMLElement)) return;
    const { scrollTop, clientHeight } = list.current;
    const isInSight = item.offsetTop >= scrollTop && item.offsetTop + item.offsetHeight <= scrollTop + clientHeight;
    if (!isInSight) list.current.scrollTop = item.offsetTop - clientHeight / 3;
  }, [at]);

  return (
    <nav
      className={styles['panel']}
      aria-labelledby={heading}
      // The arrows go through the titles; the viewer's other keys work here as well.
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          props.onClose();
        }
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
        const from = buttons.findIndex((button) => button === document.activeElement);
        buttons[Math.min(Math.max(from + by, 0), buttons.length - 1)]?.focus();
      }}
    >
      <div className={styles['head']}>
        <h2 id={heading}>目录</h2>
        <ToolButton label="关闭目录" onClick={props.onClose}>
          <CloseIcon />
        </ToolButton>
      </div>
      <ol ref={list}>
        {titles.map(({ page, title }, index) => (
          // Titles repeat, also on one page, and their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <button
              type="button"
              aria-current={index === at ? 'true' : undefined}
              onClick={() => {
                props.onGo(page);
                if (window.matchMedia('(max-width: 1023px)').matches) props.onClose();
              }}
            >
              <span className={styles['title']}>{title}</span>
              <span className={styles['page']}>
                {page > props.readable && <LockIcon size={14} />}
                {page}
                {page > props.readable && <span className="visually-hidden">，不在可读的页之内</span>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the index of the title whose section holds a page: the first title of the last page not after it; -1 for none. */
export function currentTitle(titles: readonly { page: number }[], page: number): number {
  const last = titles.findLast((title) => title.page <= page);
  return last ? titles.findIndex((title) => title.page === last.page) : -1;
}
