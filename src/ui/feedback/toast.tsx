import { createElement, Fragment, type ReactNode, lazy, Suspense, useEffect, useState } from 'react';
import { CheckIcon } from '../pictures/icons.tsx';
import styles from './toast.module.css';

const SHOWN_MS = 3000;
const RETRY_MS = 10_000;

/**
 * Shows short messages at the top of the page for 3 s. The same text is never stacked twice. A message with an `id`
 * replaces the previous message with that id, for processes: 开始下载 becomes 下载完成.
 */
export const toast = {
  /**
   * Shows a failure with a retry button, until the button is pressed, the message is closed, or ten seconds have
   * passed.
   */
  retry: (message: string, onRetry: () => void) => show(message, '#e5a83b', { onRetry }),
  info: (message: string, id?: string) => show(message, '#a29b8f', { id }),
  success: (message: string, id?: string) =>
    show(message, '#4fb39f', { id, icon: createElement(CheckIcon, { size: 14 }) }),
  warning: (message: string, id?: string) => show(message, '#e5a83b', { id }),
  error: (message: string, id?: string) => show(message, '#e4644c', { id }),
};

type ToastOptions = { id?: string | undefined; icon?: ReactNode; onRetry?: () => void };

function show(message: string, color: string, options: ToastOptions): void {
  const { id = message, icon, onRetry } = options;
  // Loaded on the first use, like the toast area.
  void import('@mantine/notifications').then(({ notifications, notificationsStore }) => {
    const shown = notificationsStore.getState().notifications.some((each) => each.id === id);
    // A message with an id is updated in place; the same text a second time is shown again.
    const put = shown && id !== message ? notifications.update : notifications.show;
    if (put === notifications.show) notifications.hide(id);
    put({
      id,
      message: onRetry ? withRetry(message, () => (notifications.hide(id), onRetry())) : message,
      color,
      icon,
      autoClose: onRetry ? RETRY_MS : SHOWN_MS,
      withCloseButton: false,
      classNames: { root: styles['toast'] ?? '', icon: styles['icon'] ?? '', description: styles['text'] ?? '' },
    });
  });
}

const withRetry = (message: string, onRetry: () => void): ReactNode =>
  createElement(
    Fragment,
    null,
    message,
    createElement('button', { type: 'button', className: styles['retry'], onClick: onRetry }, '重试'),
  );

/** Loaded after the page: nothing is shown before the first user action, and earlier messages are queued. */
const Notifications = lazy(() =>
  import('@mantine/notifications').then((module) => ({ default: module.Notifications })),
);

/** The place where toasts appear; rendered once, in the root. */
export function ToastArea() {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  if (!isMounted) return null;
  return (
    <Suspense>
      <Notifications position="top-center" limit={3} containerWidth={480} />
    </Suspense>
  );
}
