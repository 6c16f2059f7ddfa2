import { createElement, Fragment, type ReactNode } from 'react';
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
  success: (message: string, id?: string) => show(message, '#4fb39f', { id }),
  warning: (message: string, id?: string) => show(message, '#e5a83b', { id }),
  error: (message: string, id?: string) => show(message, '#e4644c', { id }),
};

function show(message: string, color: string, options: { id?: string | undefined; onRetry?: () => void }): void {
  const { id = message, onRetry } = options;
  // Loaded on the first use, like the toast area.
  void import('@mantine/notifications').then(({ notifications, notificationsStore }) => {
    const shown = notificationsStore.getState().notifications.some((one) => one.id === id);
    // A message with an id is updated in place; the same text a second time is shown again.
    const put = shown && id !== message ? notifications.update : notifications.show;
    if (put === notifications.show) notifications.hide(id);
    put({
      id,
      message: onRetry ? withRetry(message, () => (notifications.hide(id), onRetry())) : message,
      color,
      autoClose: onRetry ? RETRY_MS : SHOWN_MS,
      withCloseButton: false,
      classNames: { root: styles['toast'] ?? '', description: styles['text'] ?? '' },
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
