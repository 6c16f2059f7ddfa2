import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/pictures/icons.tsx';
import type { DocumentDetail, PageWord } from '../../contract.ts';
import { pageName } from '../../preview-pages.ts';
import { useWordsOfPage } from '../pages/text-layer.tsx';
import type { PreviewPage } from '../pages/use-preview-pages.ts';
import { FindBar } from './find-bar.tsx';
import { hitBoxes } from '../pages/find-hits.ts';
import { KeyHelp } from './key-help.tsx';
import { OutlinePanel } from './outline-panel.tsx';
import { handlePageKey } from '../stage/page-keys.ts';
import { PageStage } from '../stage/page-stage.tsx';
import styles from './page-viewer.module.css';
import { Presentation } from './presentation.tsx';
import { usePageGestures } from '../stage/use-page-gestures.ts';
import { ViewerBar } from './viewer-bar.tsx';
import { ViewerStrip } from './viewer-strip.tsx';
import { isZoomed, WHOLE_PAGE, type Zoom } from '../stage/zoom.ts';

const NO_WORDS: PageWord[] = [];

/**
 * The pages on a dark stage, with outline, find bar, zoom, presentation and thumbnails. Fingers and the wheel zoom, move
 * and turn (track-gestures.ts); the keys are listed in key-help.tsx. Esc closes, and the focus returns to where it was.
 * The last page that a reader may see is followed by their next steps. Mounted means open.
 */
export function PageViewer(props: {
  detail: DocumentDetail;
  pages: PreviewPage[];
  /** Number of pages of the preview, whose words and thumbnails are loaded together. */
  previews: number;
  /** The page shown; the number after the last page is the end of the preview. */
  number: number;
  titles: ReadonlyMap<number, string>;
  words: ReadonlyMap<number, PageWord[]>;
  /** Words that the search which led here marked; the find bar marks its own instead. */
  marked: readonly string[];
  strip: string;
  onTurn: (number: number) => void;
  onClose: () => void;
  /** Stands after the last page of the reader; `close` closes the viewer first. Not shown after the last page of the document. */
  end: (close: () => void) => ReactNode;
  onRetry: () => void;
  /** Further tools of the upper bar, before 更多. */
  tools: ReactNode;
}) {
  const { detail, pages, number } = props;
  const { fid, name, page_count: total, cover_color: color } = detail;
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [areBarsHidden, setAreBarsHidden] = useState(false);
  const [zoom, setZoom] = useState<Zoom>(WHOLE_PAGE);
  const [isFinding, setIsFinding] = useState(false);
  const [isOutlineOpen, setIsOutlineOpen] = useState(false);
  const [isPresenting, setIsPresenting] = useState(false);
  const [isHelping, setIsHelping] = useState(false);
  const [found, setFound] = useState<readonly string[]>([]);
  const last = pages.length + (total > pages.length ? 1 : 0);
  const page = pages[number - 1];
  const pageWords = useWordsOfPage(fid, page && page.number > props.previews && page.src !== '' ? page.number : 0);
  const words = props.words.get(number) ?? (page ? pageWords : NO_WORDS);
  const close = () => dialog.current?.close();
  const turn = (by: number) => {
    const next = Math.min(Math.max(number + by, 1), last);
    if (next !== number) props.onTurn(next);
  };
  const moves = usePageGestures(
    { number, ratio: page ? page.width / page.height : 0 },
    { onTurn: turn, onTap: () => setAreBarsHidden((now) => !now), onZoom: setZoom },
  );
  const { stage, gestures } = moves;

  useLayoutEffect(() => {
    const opened = dialog.current;
    if (opened?.open === false) opened.showModal();
    // Not the first button, where a dialog puts the focus: the keys are for the pages.
    stage.current?.focus();
    // The Back button unmounts the viewer without closing the dialog, and a dialog returns the focus only when it is
    // closed.
    return () => opened?.close();
  }, [stage]);

  useEffect(() => {
    // The zoom buttons vanish at the end of the preview, a panel when it is closed by its key, and the button to the next
    // page is disabled on the last: the keys would be lost with a focus there.
    const focused = document.activeElement;
    if (!dialog.current?.contains(focused) || focused?.matches(':disabled') === true) stage.current?.focus();
  }, [number, isOutlineOpen, stage]);
  useEffect(() => {
    // A window that becomes as narrow as a phone, or a phone that is turned, loses the zoom, some tools and a focus on them.
    const onResize = () => {
      const focused = document.activeElement;
      const isLost = focused === null || focused === document.body;
      if (isLost || (dialog.current?.contains(focused) && !focused.checkVisibility())) stage.current?.focus();
    };
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, [stage]);

  const onKeyDown = (event: KeyboardEvent) => {
    setAreBarsHidden(false);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      return setIsFinding(true);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (handlePageKey(event, { number, last, zoom, gestures: gestures.current, onGo: props.onTurn }))
      return event.preventDefault();
    const actions: Record<string, (() => void) | undefined> = {
      '/': () => setIsFinding(true),
      o: () => setIsOutlineOpen((now) => !now && detail.outline.length > 0),
      p: () => setIsPresenting(page !== undefined),
      f: () => toggleFullScreen(frame.current),
      '?': () => setIsHelping(true),
    };
    const act = actions[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  };
  // The keys go on working after a panel that had the focus is gone.
  const backToStage = () => stage.current?.focus();

  return (
    <dialog
      ref={dialog}
      className={styles['viewer']}
      aria-label={`${name} 全屏预览`}
      onClose={(event) => {
        // The close event of a dialog inside this one arrives here as well.
        if (event.target === dialog.current) props.onClose();
      }}
      onKeyDown={onKeyDown}
    >
      {/* A dialog itself cannot fill the screen. */}
      <div
        ref={frame}
        className={styles['frame']}
        data-bars={areBarsHidden ? 'hidden' : undefined}
        data-panel={isOutlineOpen || undefined}
      >
        <ViewerBar
          detail={detail}
          page={page?.number ?? 0}
          zoom={zoom}
          gestures={() => gestures.current}
          onZoomChosen={() => stage.current?.focus()}
          isFinding={isFinding}
          onFind={() => setIsFinding((now) => !now)}
          isOutlineOpen={isOutlineOpen}
          onOutline={() => setIsOutlineOpen((now) => !now)}
          onPresent={() => setIsPresenting(true)}
          onFullScreen={() => toggleFullScreen(frame.current)}
          onHelp={() => setIsHelping(true)}
          tools={props.tools}
          onClose={close}
        />
        <p className="visually-hidden" role="status">
          {page ? `${pageName(page.number, props.titles.get(page.number) ?? '')}，共 ${total} 页` : '预览到此为止'}
        </p>
        <PageStage
          pages={pages}
          number={number}
          titles={props.titles}
          words={words}
          hits={found.length > 0 ? hitBoxes(words, found) : props.marked.flatMap((word) => hitBoxes(words, [word]))}
          color={color}
          isZoomed={isZoomed(zoom)}
          moves={moves}
          sizesOf={viewerSizes}
          onRetry={props.onRetry}
          end={total > pages.length ? props.end(close) : null}
        />
        <button
          type="button"
          className={`${styles['turn']} ${styles['back']}`}
          aria-label="上一页"
          disabled={number === 1}
          onClick={() => turn(-1)}
        >
          <ChevronLeftIcon size={28} />
        </button>
        <button
          type="button"
          className={`${styles['turn']} ${styles['next']}`}
          aria-label="下一页"
          disabled={number === last}
          onClick={() => turn(1)}
        >
          <ChevronRightIcon size={28} />
        </button>
        {isOutlineOpen && (
          <OutlinePanel
            titles={detail.outline}
            current={number}
            readable={pages.length}
            onGo={(wanted) => props.onTurn(Math.min(wanted, last))}
            onClose={() => {
              setIsOutlineOpen(false);
              backToStage();
            }}
          />
        )}
        {isFinding && (
          <FindBar
            fid={fid}
            total={total}
            current={number}
            onWords={setFound}
            onGo={props.onTurn}
            onClose={() => {
              setIsFinding(false);
              setFound([]);
              backToStage();
            }}
          />
        )}
        <ViewerStrip {...props} color={color} current={number} titles={props.titles} />
        {isHelping && <KeyHelp onClose={() => setIsHelping(false)} />}
        {isPresenting && (
          <Presentation
            name={name}
            pages={pages}
            total={total}
            titles={props.titles}
            color={color}
            number={Math.min(number, pages.length)}
            onTurn={props.onTurn}
            onRetry={props.onRetry}
            onEnd={() => {
              setIsPresenting(false);
              backToStage();
            }}
          />
        )}
      </div>
    </dialog>
  );
}

/** Fills the screen with the viewer, or gives it back. iPhones have no such mode, and the request is refused there. */
function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else element?.requestFullscreen?.().catch(() => undefined);
}

/**
 * `sizes` of a page in the full-screen viewer: the width of the window beside the arrows, or what its height allows.
 */
function viewerSizes({ width, height }: Pick<PreviewPage, 'width' | 'height'>): string {
  const ratio = (width / height).toFixed(4);
  return `(max-width: 767px) min(100vw, calc((100vh - 128px) * ${ratio})), min(calc(100vw - 128px), calc((100vh - 80px) * ${ratio}))`;
}
