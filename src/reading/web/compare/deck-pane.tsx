import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/pictures/icons.tsx';
import { detailPath } from '../../../library/addresses.ts';
import type { DocumentDetail, PageWord } from '../../contract.ts';
import { pageName, previewPromise, titlesByPage } from '../../preview-pages.ts';
import { usePageWords, useWordsOfPage } from '../pages/text-layer.tsx';
import { usePreviewPages } from '../pages/use-preview-pages.ts';
import { handlePageKey } from '../stage/page-keys.ts';
import { PageStage } from '../stage/page-stage.tsx';
import { usePageGestures } from '../stage/use-page-gestures.ts';
import { useReadingPosition } from '../viewer/use-reading-position.ts';
import { useWholePages } from '../pages/use-whole-pages.ts';
import { ZoomControl } from '../stage/zoom-control.tsx';
import { isZoomed, WHOLE_PAGE, type Zoom } from '../stage/zoom.ts';
import { ToolButton } from '../stage/tool-button.tsx';
import styles from './deck-pane.module.css';
import type { Deck } from './load-deck.ts';

/** Handles a key; returns false for a key that means nothing to the pane. */
export type PaneKeys = (event: KeyboardEvent) => boolean;

const NO_WORDS: PageWord[] = [];
const NO_HITS: readonly never[] = [];

type Pane = {
  deck: Deck;
  side: '左' | '右';
  page: number;
  /** The keys go to this side. */
  isActive: boolean;
  onActive: () => void;
  onTurn: (page: number) => void;
  onKeys: (keys: PaneKeys | null) => void;
  /** Path of the page that chooses another document for this side. */
  replacePath: string;
};

/** One of two documents that are read side by side: its pages as far as this reader may see them, with zoom and text. */
export function DeckPane(props: Pane) {
  const { detail, isVisitor } = props.deck;
  const { openLogin } = useSession();
  return (
    <section
      className={styles['pane']}
      aria-label={`${props.side}侧：${detail.name}`}
      data-active={props.isActive || undefined}
      onFocusCapture={props.onActive}
      onPointerDownCapture={props.onActive}
    >
      {detail.page_urls.length > 0 ? (
        <Pages {...props} detail={detail} />
      ) : (
        <>
          <header className={styles['bar']}>
            <Name {...props} detail={detail} />
          </header>
          <div className={styles['without']}>
            <p>{isVisitor ? `${previewPromise(detail.page_count)}` : '这份方案的预览还没有准备好'}</p>
            {isVisitor ? (
              <Button look="primary" onClick={() => openLogin('登录后继续对比')}>
                登录
              </Button>
            ) : (
              <LinkButton to={detailPath(detail.id, {})}>打开方案</LinkButton>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function Pages(props: Pane & { detail: DocumentDetail }) {
  const { detail, page: wanted, onTurn, onKeys } = props;
  const total = detail.page_count;
  const preview = usePreviewPages(detail);
  const { pages, renew } = useWholePages(detail, preview, wanted);
  const titles = useMemo(() => titlesByPage(detail.outline), [detail.outline]);
  const words = usePageWords(detail);
  const [zoom, setZoom] = useState<Zoom>(WHOLE_PAGE);
  const [hasTurned, setHasTurned] = useState(false);
  const last = pages.length + (total > pages.length ? 1 : 0);
  const number = Math.min(wanted, last);
  const page = pages[number - 1];
  const pageWords = useWordsOfPage(
    detail.fid,
    page && page.number > preview.pages.length && page.src !== '' ? number : 0,
  );
  // Opening a comparison is not reading page 1: an earlier position stays until a page is turned.
  const lastRead = useReadingPosition(detail, hasTurned ? Math.min(number, pages.length) : null);
  const go = (to: number) => {
    const next = Math.min(Math.max(to, 1), last);
    if (next === number) return;
    setHasTurned(true);
    onTurn(next);
  };
  const moves = usePageGestures(
    { number, ratio: page ? page.width / page.height : 0 },
    { onTurn: (by) => go(number + by), onTap: () => undefined, onZoom: setZoom },
  );
  const { gestures } = moves;

  const onKey: PaneKeys = (event) => handlePageKey(event, { number, last, zoom, gestures: gestures.current, onGo: go });
  const latestKey = useRef(onKey);
  latestKey.current = onKey;
  const register = useRef(onKeys);
  register.current = onKeys;
  useEffect(() => {
    register.current((event) => latestKey.current(event));
    return () => register.current(null);
  }, []);

  return (
    <>
      <header className={styles['bar']}>
        <Name {...props} detail={detail} />
        <div className={styles['tools']}>
          {lastRead > 1 && lastRead <= pages.length && !hasTurned && lastRead !== number && (
            <button type="button" className={styles['position']} onClick={() => go(lastRead)}>
              上次读到第 {lastRead} 页
            </button>
          )}
          <ZoomControl zoom={zoom} gestures={() => gestures.current} onChosen={() => moves.stage.current?.focus()} />
          <ToolButton
            shape="slim"
            label={`${props.side}侧上一页`}
            disabled={number === 1}
            onClick={() => go(number - 1)}
          >
            <ChevronLeftIcon />
          </ToolButton>
          <p className={styles['count']} aria-hidden="true">
            {page ? `${number} / ${total}` : `共 ${total} 页`}
          </p>
          <ToolButton
            shape="slim"
            label={`${props.side}侧下一页`}
            disabled={number === last}
            onClick={() => go(number + 1)}
          >
            <ChevronRightIcon />
          </ToolButton>
        </div>
        <p className="visually-hidden" role="status">
          {props.side}侧{page ? `${pageName(number, titles.get(number) ?? '')}，共 ${total} 页` : '预览到此为止'}
        </p>
      </header>
      <div className={styles['stage']}>
        <PageStage
          pages={pages}
          number={number}
          titles={titles}
          words={words.get(number) ?? (page ? pageWords : NO_WORDS)}
          hits={NO_HITS}
          color={detail.cover_color}
          isZoomed={isZoomed(zoom)}
          moves={moves}
          sizesOf={({ width, height }) => `min(50vw, calc((100vh - 112px) * ${(width / height).toFixed(4)}))`}
          onRetry={renew}
          end={
            total > pages.length ? (
              <>
                <p>预览到此为止，共 {total} 页</p>
                <p>
                  <Link to={detailPath(detail.id, {})}>打开这份方案</Link>，查看阅读全文的方式
                </p>
              </>
            ) : null
          }
        />
      </div>
    </>
  );
}

function Name(props: { detail: DocumentDetail; page: number; replacePath: string }) {
  const { detail } = props;
  return (
    <div className={styles['name']}>
      <Link to={detailPath(detail.id, { page: props.page })} title={detail.name}>
        {detail.name}
      </Link>
      <Link to={props.replacePath} className={styles['replace']}>
        换一份
      </Link>
    </div>
  );
}
