import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CheckIcon } from '../pictures/icons.tsx';
import styles from './toast.module.css';

const SHOWN_MS = 3000;
const PRESS_MS = 10_000;
const MAX_SHOWN = 3;

/**
 * Shows short messages at the top of the page for 3 s. The same text is never stacked twice. A message with an `id`
 * replaces the previous message with that id, for processes: 开始下载 becomes 下载完成.
 */
export const toast = {
  /** Shows a message with the button `press`, until the button is pressed, or ten seconds have passed. */
  offer: (look: Toast['look'], message: string, press: string, onPress: () => void) =>
    show({ id: message, message, look, press, onPress }),
  info: showAs('info'),
  success: showAs('success'),
  warning: showAs('warning'),
  error: showAs('error'),
};

function showAs(look: Toast['look']) {
  return (message: string, id = message) => show({ id, message, look });
}

type Toast = {
  id: string;
  message: string;
  look: 'info' | 'success' | 'warning' | 'error';
  press?: string;
  onPress?: () => void;
};

/** The messages on the screen, the newest last. */
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(toast: Toast): void {
  const isUpdate = toast.id !== toast.message && toasts.some(({ id }) => id === toast.id);
  if (isUpdate) return set(toasts.map((shown) => (shown.id === toast.id ? toast : shown)));
  set([...toasts.filter(({ id }) => id !== toast.id), toast].slice(-MAX_SHOWN));
}

const hide = (toast: Toast) => set(toasts.filter((shown) => shown !== toast));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
const read = () => toasts;

/** The place where toasts appear; rendered once, in the root. */
export function ToastArea() {
  const shown = useSyncExternalStore(subscribe, read, read);
  const home = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const popover = area.current;
    if (!popover || shown.length === 0) return popover?.remove();
    const place = () => {
      // Outside the modal dialog that was opened last, whose backdrop covers the window, nothing can be pressed or is read aloud.
      const host = document.elementFromPoint(0, 0)?.closest('dialog') ?? home.current;
      // Moved without need, a button would lose the focus, and all messages would be read aloud again.
      if (!host || popover.parentElement === host) return;
      host.append(popover);
      popover.showPopover();
    };
    place();
    // A dialog that opens or closes, as each does before it is removed.
    const changes = new MutationObserver(place);
    changes.observe(document, { attributeFilter: ['open'], subtree: true });
    return () => changes.disconnect();
  }, [shown]);
  return (
    // A wrapper with this one child: the popover is moved into open dialogs, and React could not insert a sibling before it.
    <div ref={home}>
      <div ref={area} popover="manual" className={styles['area']}>
        {shown.map((each) => (
          <ToastCard key={each.id} toast={each} />
        ))}
      </div>
    </div>
  );
}

function ToastCard({ toast: shown }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => hide(shown), shown.onPress ? PRESS_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  const { message, look, press, onPress } = shown;
  return (
    <div
      role="alert"
      className={styles['toast']}
      data-look={look}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
    >
      <span className={styles['mark']} aria-hidden="true">
        {look === 'success' && <CheckIcon size={14} />}
      </span>
      {message}
      {onPress && (
        <button
          type="button"
          className={styles['press']}
          onClick={() => {
            hide(shown);
            onPress();
          }}
        >
          {press}
        </button>
      )}
    </div>
  );
}
