import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { CloseIcon } from '../../../ui/pictures/icons.tsx';
import { pageName } from '../../preview-pages.ts';
import { PageImage } from '../pages/page-image.tsx';
import type { PreviewPage } from '../pages/use-preview-pages.ts';
import { ToolButton } from '../stage/tool-button.tsx';
import styles from './presentation.module.css';
import { TAP_PX, turnOf } from '../stage/zoom.ts';

/** The pointer and the page number are shown this long after the last movement. */
const SHOWN_MS = 2_500;
const COUNTED_EVERY_MS = 250;
/** Pages after the page shown that are loaded, so that a turn shows the next page at once. */
const PAGES_AHEAD = 2;
/** Part of the screen, from the left, where a tap or a click goes back. */
const BACK_ZONE = 0.2;

/**
 * Presents pages: one page on black, over the whole screen where the browser can, over the whole window elsewhere
 * (iPhones). Keys, clicks, taps and swipes turn; Esc ends, and so does the button that is shown with the page number
 * after a movement, since touch screens have no Esc. The screen stays awake. Mounted means presenting.
 */
export function Presentation(props: {
  name: string;
  pages: PreviewPage[];
  /** Number of pages of the whole document. */
  total: number;
  titles: ReadonlyMap<number, string>;
  color: string;
  number: number;
  onTurn: (number: number) => void;
  onRetry: () => void;
  onEnd: () => void;
}) {
  const { pages, number, onEnd } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { isShown, show } = useShownAfterMovement();
  const start = useRef<{ x: number; y: number; time: number } | null>(null);
  useFullScreen(dialog, screen, onEnd);
  useScreenAwake();

  const go = (to: number) => {
    if (isOver && to > pages.length) return onEnd();
    setIsOver(to > pages.length);
    const next = Math.min(Math.max(to, 1), pages.length);
    if (next !== number) props.onTurn(next);
  };
  const turn = (by: -1 | 1) => (isOver && by === -1 ? setIsOver(false) : go(number + by));

  const onKeyDown = (event: KeyboardEvent) => {
    // The viewer below has keys of its own.
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    const moves: Record<string, (() => void) | undefined> = {
      ArrowRight: () => turn(1),
      ArrowDown: () => turn(1),
      PageDown: () => turn(1),
      ' ': isOnButton ? undefined : () => turn(event.shiftKey ? -1 : 1),
      Enter: isOnButton ? undefined : () => turn(1),
      ArrowLeft: () => turn(-1),
      ArrowUp: () => turn(-1),
      PageUp: () => turn(-1),
      Backspace: () => turn(-1),
      Home: () => go(1),
      End: () => go(pages.length),
      Escape: onEnd,
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  const onPointerUp = (event: PointerEvent) => {
    const from = start.current;
    start.current = null;
    if (!from || (event.target instanceof Element && event.target.closest('button'))) return;
    const moved = { x: event.clientX - from.x, y: event.clientY - from.y };
    if (Math.hypot(moved.x, moved.y) <= TAP_PX) return turn(event.clientX < window.innerWidth * BACK_ZONE ? -1 : 1);
    const time = Math.max(event.timeStamp - from.time, 1);
    const by = event.pointerType === 'mouse' ? 0 : turnOf(moved, moved.x / time);
    if (by !== 0) turn(by);
  };

  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-label={`${props.name} 演示`}
      onKeyDown={onKeyDown}
      // The way back of a phone closes a dialog without a key.
      onClose={onEnd}
    >
      <div
        ref={screen}
        className={styles['screen']}
        tabIndex={-1}
        data-idle={!isShown || undefined}
        onPointerMove={(event) => event.pointerType === 'mouse' && show()}
        onPointerDown={(event) => {
          if (event.pointerType === 'mouse' && event.button !== 0) return;
          if (event.pointerType !== 'mouse') show();
          start.current = { x: event.clientX, y: event.clientY, time: event.timeStamp };
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (start.current = null)}
      >
        {pages
          .filter((page) => page.number >= number - 1 && page.number <= number + PAGES_AHEAD)
          .map((page) => (
            <div
              key={page.number}
              className={styles['page']}
              data-shown={(page.number === number && !isOver) || undefined}
              aria-hidden={page.number !== number || isOver || undefined}
              // A custom property with the size that fits the screen, which only CSS knows.
              style={{ '--ratio': page.width / page.height } as CSSProperties}
            >
              <PageImage
                page={page}
                title={props.titles.get(page.number) ?? ''}
                color={props.color}
                isLazy={false}
                onOpen={null}
                sizes="100vw"
                onRetry={props.onRetry}
              />
            </div>
          ))}
        {isOver && (
          <p className={styles['over']}>
            {pages.length < props.total ? `预览到此为止，共 ${props.total} 页` : '演示结束'}
            <span>再按一次退出</span>
          </p>
        )}
        <p className="visually-hidden" role="status">
          {isOver ? '演示结束' : `${pageName(number, props.titles.get(number) ?? '')}，共 ${props.total} 页`}
        </p>
        <div className={styles['corner']}>
          <p aria-hidden="true">
            {number} / {props.total}
          </p>
          <ToolButton shape="round" label="结束演示" onClick={onEnd}>
            <CloseIcon size={20} />
          </ToolButton>
        </div>
      </div>
    </dialog>
  );
}

/** Whether something moved within the last moments. At the start it counts as moved: the number and the way out are seen once. */
function useShownAfterMovement(): { isShown: boolean; show: () => void } {
  const [moved, setMoved] = useState(0);
  const countedAt = useRef(0);
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    setIsShown(true);
    const timer = setTimeout(() => setIsShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  const show = () => {
    // A mouse reports a movement at every frame.
    const now = performance.now();
    if (isShown && now - countedAt.current < COUNTED_EVERY_MS) return;
    countedAt.current = now;
    setMoved((count) => count + 1);
  };
  return { isShown, show };
}

/**
 * Opens the dialog and fills the screen with its content. Leaving the full screen by the browser's own way (Esc, a gesture)
 * calls `onEnd`.
 */
function useFullScreen(
  dialog: { readonly current: HTMLDialogElement | null },
  screen: { readonly current: HTMLElement | null },
  onEnd: () => void,
): void {
  const end = useRef(onEnd);
  end.current = onEnd;
  useLayoutEffect(() => {
    const opened = dialog.current;
    const filled = screen.current;
    if (!opened || !filled) return;
    if (!opened.open) opened.showModal();
    filled.focus();
    let wasFull = false;
    const onChange = () => {
      if (document.fullscreenElement === filled) wasFull = true;
      else if (wasFull) end.current();
    };
    document.addEventListener('fullscreenchange', onChange);
    // Refused where a page may not fill the screen: the dialog fills the window.
    filled.requestFullscreen?.().catch(() => undefined);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement === filled) void document.exitFullscreen();
      opened.close();
    };
  }, [dialog, screen]);
}

/** Keeps the screen from going dark while pages are presented. A browser gives the lock back when its tab is hidden. */
function useScreenAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const ask = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      navigator.wakeLock.request('screen').then(
        (given) => {
          if (isOver) void given.release();
          else lock = given;
        },
        // A low battery, or a policy: the screen goes dark as it always does.
        () => undefined,
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
