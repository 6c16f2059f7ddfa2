import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Button } from '../../../ui/button.tsx';
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon, MinusIcon, PlusIcon, RotateIcon } from '../../../ui/icons.tsx';
import type { PageWord } from '../../contract.ts';
import { PageImage } from '../preview/page-image.tsx';
import styles from './page-viewer.module.css';
import { TextLayer } from '../preview/text-layer.tsx';
import { trackGestures, type Gestures } from './track-gestures.ts';
import type { PreviewPage } from '../preview/use-preview-pages.ts';
import { ViewerStrip } from './viewer-strip.tsx';

const ZOOM_STEP = 1.5;
const PAN_STEP = 80;
/** Gap between a page and its neighbour, in pixels. */
const SLOT_GAP = 24;
const NO_WORDS: PageWord[] = [];

/**
 * The previews on a dark stage. Fingers zoom, pan and turn (track-gestures.ts); arrow keys turn, and move a zoomed
 * page; + − 0 zoom; Esc closes, and the focus returns to where it was. The end of the preview follows the last page.
 * Mounted means open.
 */
export function PageViewer(props: {
  name: string;
  pages: PreviewPage[];
  /** Number of pages of the whole document. */
  total: number;
  /** The page shown; the number after the last page is the end of the preview. */
  number: number;
  titles: ReadonlyMap<number, string>;
  words: ReadonlyMap<number, PageWord[]>;
  strip: string;
  color: string;
  onTurn: (number: number) => void;
  onClose: () => void;
  /** Called after closing, so that the caller may open dialogs. Null when there is nothing to download. */
  onDownload: (() => void) | null;
  onRetry: () => void;
  /** Shown in the upper bar before the close button. */
  share: ReactNode;
}) {
  const { pages, total, number } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [areBarsHidden, setAreBarsHidden] = useState(false);
  const [isZoomed, setIsZoomed] = useState(false);
  const last = pages.length + (total > pages.length ? 1 : 0);
  const page = pages[number - 1];
  const turn = (by: number) => {
    const next = Math.min(Math.max(number + by, 1), last);
    if (next !== number) props.onTurn(next);
  };
  const { stage, track, current, gestures } = usePageGestures(number, {
    onTurn: turn,
    onTap: () => setAreBarsHidden((now) => !now),
    onZoomed: setIsZoomed,
  });

  useLayoutEffect(() => {
    const opened = dialog.current;
    if (opened?.open === false) opened.showModal();
    // The Back button unmounts the viewer without closing the dialog, and a dialog returns the focus only when it is
    // closed.
    return () => opened?.close();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    setAreBarsHidden(false);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, (() => void) | undefined> = {
      ArrowLeft: () => (isZoomed ? gestures.current?.pan({ x: PAN_STEP, y: 0 }) : turn(-1)),
      ArrowRight: () => (isZoomed ? gestures.current?.pan({ x: -PAN_STEP, y: 0 }) : turn(1)),
      ArrowUp: () => gestures.current?.pan({ x: 0, y: PAN_STEP }),
      ArrowDown: () => gestures.current?.pan({ x: 0, y: -PAN_STEP }),
      PageUp: () => turn(-1),
      PageDown: () => turn(1),
      ' ': event.target instanceof HTMLButtonElement ? undefined : () => turn(1),
      Home: () => props.onTurn(1),
      End: () => props.onTurn(last),
      '+': () => gestures.current?.zoomBy(ZOOM_STEP),
      '=': () => gestures.current?.zoomBy(ZOOM_STEP),
      '-': () => gestures.current?.zoomBy(1 / ZOOM_STEP),
      '0': () => gestures.current?.reset(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <dialog
      ref={dialog}
      className={styles['viewer']}
      aria-label={`${props.name} 全屏预览`}
      data-bars={areBarsHidden ? 'hidden' : undefined}
      onClose={(event) => {
        // The close event of a dialog inside this one arrives here as well.
        if (event.target === dialog.current) props.onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <header className={styles['top']}>
        <p className={styles['name']}>{props.name}</p>
        <p className={styles['count']} aria-live="polite">
          {page ? `${page.number} / ${total}` : `共 ${total} 页`}
        </p>
        <div className={styles['tools']}>
          {page && (
            <div className={styles['zoom']}>
              <button
                type="button"
                className={styles['tool']}
                aria-label="缩小"
                disabled={!isZoomed}
                onClick={() => gestures.current?.zoomBy(1 / ZOOM_STEP)}
              >
                <MinusIcon />
              </button>
              <button
                type="button"
                className={styles['tool']}
                aria-label="放大"
                onClick={() => gestures.current?.zoomBy(ZOOM_STEP)}
              >
                <PlusIcon />
              </button>
            </div>
          )}
          {props.share}
          <button
            type="button"
            className={styles['tool']}
            aria-label="关闭全屏预览"
            onClick={() => dialog.current?.close()}
          >
            <CloseIcon size={24} />
          </button>
        </div>
      </header>
      <div ref={stage} className={styles['stage']} data-zoomed={isZoomed || undefined}>
        <div ref={track} className={styles['track']}>
          {pages
            .filter((one) => Math.abs(one.number - number) <= 1)
            .map((one) => (
              <div
                key={one.number}
                className={styles['slot']}
                style={slotOf(one.number - number)}
                // The neighbouring pages wait beside the stage for a swipe.
                aria-hidden={one.number !== number || undefined}
                inert={one.number !== number}
              >
                <div
                  ref={one.number === number ? current : undefined}
                  className={styles['sheet']}
                  // A custom property with the size that fits the stage, which only CSS knows.
                  style={{ '--ratio': one.width / one.height } as CSSProperties}
                >
                  <PageImage
                    page={one}
                    title={props.titles.get(one.number) ?? ''}
                    color={props.color}
                    isLazy={false}
                    onOpen={null}
                    sizes={one.number === number && isZoomed ? '400vw' : viewerSizes(one)}
                    onRetry={props.onRetry}
                  />
                  {one.number === number && <TextLayer {...one} words={props.words.get(one.number) ?? NO_WORDS} />}
                </div>
              </div>
            ))}
          {number >= last - 1 && last > pages.length && (
            <div className={styles['slot']} style={slotOf(last - number)} inert={number !== last}>
              <TheEnd
                total={total}
                onDownload={
                  props.onDownload &&
                  (() => {
                    dialog.current?.close();
                    props.onDownload?.();
                  })
                }
              />
            </div>
          )}
        </div>
        {page && page.width > page.height && (
          <p className={styles['hint']} aria-hidden="true">
            <RotateIcon size={18} /> 双指放大，横过手机看得更大
          </p>
        )}
      </div>
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
      <ViewerStrip {...props} current={number} titles={props.titles} />
    </dialog>
  );
}

const slotOf = (offset: number): CSSProperties => ({ left: `calc(${offset} * (100% + ${SLOT_GAP}px))` });

function TheEnd({ total, onDownload }: { total: number; onDownload: (() => void) | null }) {
  return (
    <div className={styles['end']}>
      <p>预览到此为止，共 {total} 页</p>
      {onDownload && (
        <>
          <p>下载后可看全部</p>
          <Button look="primary" onClick={onDownload}>
            立即下载
          </Button>
        </>
      )}
    </div>
  );
}

/** Fingers, wheel and clicks on the stage. A new page is shown whole. `stage`, `track` and `current` are refs for the elements. */
function usePageGestures(
  number: number,
  handlers: { onTurn: (by: number) => void; onTap: () => void; onZoomed: (isZoomed: boolean) => void },
) {
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const current = useRef<HTMLDivElement>(null);
  const gestures = useRef<Gestures | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  /** Returns where the next page is when a swipe has turned to it, in pixels from the middle. */
  const arrival = useRef(0);

  useEffect(() => {
    if (!stage.current) return;
    const tracked = trackGestures(stage.current, {
      page: () => current.current,
      onSwipe: (moved) => shiftTrack(track.current, moved),
      onTurn(by, moved) {
        const width = track.current?.clientWidth ?? 0;
        arrival.current = moved + by * (width + SLOT_GAP);
        latest.current.onTurn(by);
        // Nothing follows the last page.
        if (arrival.current !== 0) shiftTrack(track.current, 0);
        arrival.current = 0;
      },
      onTap: () => latest.current.onTap(),
      onZoomed: (isZoomed) => latest.current.onZoomed(isZoomed),
    });
    gestures.current = tracked;
    return () => tracked.stop();
  }, []);

  useLayoutEffect(() => {
    if (arrival.current !== 0) {
      // The pages changed places under the finger: the new page slides from its present position to the middle.
      shiftTrack(track.current, arrival.current);
      track.current?.getBoundingClientRect();
      shiftTrack(track.current, 0);
      arrival.current = 0;
    }
    return () => gestures.current?.leavePage();
  }, [number]);

  return { stage, track, current, gestures };
}

function shiftTrack(track: HTMLElement | null, by: number): void {
  if (!track) return;
  track.style.transition = by === 0 ? '' : 'none';
  track.style.transform = by === 0 ? '' : `translateX(${by}px)`;
}

/**
 * `sizes` of a page in the full-screen viewer: the width of the window beside the arrows, or what its height allows.
 */
function viewerSizes({ width, height }: Pick<PreviewPage, 'width' | 'height'>): string {
  const ratio = (width / height).toFixed(4);
  return `(max-width: 767px) min(100vw, calc((100vh - 128px) * ${ratio})), min(calc(100vw - 128px), calc((100vh - 80px) * ${ratio}))`;
}
