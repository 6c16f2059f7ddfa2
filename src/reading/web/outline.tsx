import { useRef } from 'react';
import { useSession } from '../../accounts/web/session.tsx';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { LockIcon } from '../../ui/pictures/tool-icons.tsx';
import type { DocumentDetail } from '../contract.ts';
import styles from './outline.module.css';
import { useLinkClicks } from '../../ui/navigation/use-link-clicks.ts';
import { useReadablePages } from './pages/use-whole-pages.ts';
import { pageHash } from './pages/use-wanted-page.ts';

/** Number of titles above which the outline is folded at first. */
const SHOWN_TITLES = 16;
/** The outline is not folded when at most this many titles would be hidden: the fold button takes as much space. */
const FEW_MORE = 4;

/** The contents of the whole deck: its text in brief and the title of every page. */
export function Outline({ detail, isVisitor }: { detail: DocumentDetail; isVisitor: boolean }) {
  const { outline, text_excerpt: excerpt } = detail;
  const folded = useRef<HTMLDetailsElement>(null);
  if (outline.length === 0 && excerpt === '') return null;
  const shown = outline.length <= SHOWN_TITLES + FEW_MORE ? outline.length : SHOWN_TITLES;
  const rest = outline.slice(shown);
  return (
    <div className={styles['about']}>
      {outline.length > 0 && (
        <section aria-labelledby="outline">
          <h2 id="outline" className={styles['title']}>
            全文目录
          </h2>
          <LockNote detail={detail} isVisitor={isVisitor} />
          <Titles titles={outline.slice(0, shown)} detail={detail} isVisitor={isVisitor} />
          {rest.length > 0 && (
            <details ref={folded} className={styles['more']}>
              <summary data-screen>展开其余 {rest.length} 条</summary>
              <Titles titles={rest} detail={detail} isVisitor={isVisitor} />
              <button
                type="button"
                className={styles['fold']}
                data-screen
                onClick={() => {
                  const details = folded.current;
                  if (!details) return;
                  details.open = false;
                  // The pressed button is removed: the list takes the focus and scrolls into view.
                  details.querySelector('summary')?.focus();
                }}
              >
                收起
              </button>
            </details>
          )}
        </section>
      )}
      {excerpt !== '' && (
        <section>
          <h2 className={styles['title']}>内容摘录</h2>
          <p className={styles['excerpt']}>{excerpt}</p>
        </section>
      )}
    </div>
  );
}

/**
 * Titles with their pages. A page that this reader may see is linked; another page leads to the end of the preview, which
 * says how to see it; a visitor is asked to log in, and the page opens afterwards. `onGo` is called when a link is followed.
 */
export function Titles(props: {
  titles: DocumentDetail['outline'];
  detail: DocumentDetail;
  isVisitor: boolean;
  onGo?: () => void;
}) {
  const { detail, isVisitor } = props;
  const { openLogin } = useSession();
  const readable = useReadablePages(detail);
  const hasPreview = detail.page_urls.length > 0;
  const onClick = useLinkClicks({ preventScrollReset: true });
  const askLogin = (page: number) => openLogin(`登录后继续看第 ${page} 页`);
  return (
    <ol className={styles['titles']} onClick={onClick}>
      {props.titles.map(({ page, title }, index) => {
        const isShown = hasPreview && page <= readable;
        const inside = (
          <>
            <span className={styles['name']}>{title}</span>
            <span className={styles['number']}>
              {!isShown && <LockIcon size={14} />}
              {page}
            </span>
            {!isShown && <span className="visually-hidden">，{lockText(detail, isVisitor, page)}</span>}
          </>
        );
        const look = isShown ? styles['entry'] : `${styles['entry']} ${styles['locked']}`;
        return (
          // Titles repeat, also on one page, and their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            {(hasPreview || isVisitor) && (
              // The address names the page, so that it opens after the login of a visitor.
              <a href={pageHash(page)} className={look} onClick={isVisitor ? () => askLogin(page) : props.onGo}>
                {inside}
              </a>
            )}
            {/* Its pages are still being made, or there are none: nowhere to go. */}
            {!hasPreview && !isVisitor && <span className={look}>{inside}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** Says above the titles what opens the pages with a lock; nothing when this reader has none. */
function LockNote({ detail, isVisitor }: { detail: DocumentDetail; isVisitor: boolean }) {
  const readable = useReadablePages(detail);
  const locked = detail.outline.filter(({ page }) => page > readable || detail.page_urls.length === 0);
  const texts = [...new Set(locked.map(({ page }) => lockText(detail, isVisitor, page)))];
  if (texts.length === 0) return null;
  return (
    <p className={styles['lockNote']} data-screen>
      <LockIcon size={14} />
      {texts.length === 1
        ? `带锁的页${texts[0]}`
        : `带锁的页：前 ${PREVIEW_PAGES} 页${texts[0]}，其余${texts.slice(1).join('，')}`}
    </p>
  );
}

function lockText(detail: DocumentDetail, isVisitor: boolean, page: number): string {
  if (isVisitor && page <= PREVIEW_PAGES) return '登录后可看';
  return detail.preview_only === 1 ? '不在预览之内' : '开通会员或下载后可看';
}
