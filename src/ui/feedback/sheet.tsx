import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { CloseIcon } from '../pictures/icons.tsx';
import styles from './sheet.module.css';

const GAP = 8;
const EDGE = 16;
const PHONE = '(max-width: 767px)';

/**
 * A panel under the button that opens it, or in the middle of the window; on a phone a sheet at the lower edge. A native dialog, so that it can also
 * open above another dialog: Esc and a press outside close it, and the focus returns to the opener,
 * or to the main part of the page when the opener is gone. Mounted means open. The element with `data-autofocus` takes the focus,
 * otherwise the first one that can.
 */
export function Sheet(props: {
  title: string;
  /** The button that the panel stands under; in the middle of the window without one. */
  anchor?: RefObject<HTMLElement | null>;
  /** Without title and cross where it stands under its button; a sheet keeps both. */
  isMenu?: boolean;
  /** For tables and pictures, in the middle of the window. */
  isWide?: boolean;
  /** The head stays where it is when the content changes its height. */
  isSteady?: boolean;
  /** A press outside leaves it open: for what must not be lost by a slip. */
  isKeptByPress?: boolean;
  /** A key that is pressed anywhere in the panel. */
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A press that began in the panel, to select a text, may end outside.
  const isPressedOutside = useRef(false);
  const title = useId();
  const { anchor } = props;
  const looks = [
    styles['sheet'],
    !anchor && styles['centred'],
    props.isMenu && styles['menu'],
    props.isWide && styles['wide'],
    props.isSteady && styles['steady'],
  ];
  useLayoutEffect(() => {
    const opened = dialog.current;
    if (!opened) return;
    if (!opened.open) {
      opened.showModal();
      opened.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    }
    const place = () => placeAt(opened, anchor?.current ?? null);
    place();
    // The panel grows when its content is loaded.
    const observer = new ResizeObserver(place);
    observer.observe(opened);
    window.addEventListener('resize', place);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', place);
      opened.close();
      // The browser gives the focus back to the opener; a menu that opened the panel may be gone.
      if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
    };
  }, [anchor]);
  return (
    // The keys that close it are the dialog's own; a press beside it is for mice and fingers.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className={looks.filter(Boolean).join(' ')}
      aria-labelledby={title}
      // Esc, and the gesture that goes back. onClose unmounts the panel, which closes the dialog. If the browser closed the dialog
      // first, its late close event would also close a panel that was opened in between.
      onCancel={(event) => {
        // A dialog or a file field inside this one sends the same events.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        props.onClose();
      }}
      onClose={(event) => event.target === dialog.current && props.onClose()}
      // Keys pressed here must not reach the page below.
      onKeyDown={(event) => {
        event.stopPropagation();
        props.onKeyDown?.(event);
      }}
      onPointerDown={(event) => (isPressedOutside.current = event.target === dialog.current)}
      onClick={(event) => {
        const isOutside = isPressedOutside.current && event.target === dialog.current;
        if (isOutside && !props.isKeptByPress) props.onClose();
      }}
    >
      <div className={styles['inside']}>
        <div className={styles['head']}>
          <h2 id={title}>{props.title}</h2>
          <button type="button" className={styles['close']} aria-label="关闭" onClick={() => props.onClose()}>
            <CloseIcon />
          </button>
        </div>
        {props.children}
      </div>
    </dialog>
  );
}

/**
 * Places the panel below the anchor, aligned at the right and never outside the window. On a phone the style sheet
 * places it.
 */
function placeAt(dialog: HTMLElement, anchor: HTMLElement | null): void {
  if (!anchor || window.matchMedia(PHONE).matches) {
    dialog.style.removeProperty('left');
    dialog.style.removeProperty('top');
    return;
  }
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = dialog;
  const within = (wanted: number, available: number) => Math.max(EDGE, Math.min(wanted, available - EDGE));
  dialog.style.left = `${within(at.right - width, window.innerWidth - width)}px`;
  dialog.style.top = `${within(at.bottom + GAP, window.innerHeight - height)}px`;
}
